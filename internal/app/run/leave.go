package run

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-brew/git-brew/internal/app/trees"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

// PutAway takes away the trees and branches that runs of a task left which has ended, where
// they hold nothing that is not merged. It names the others, and says how the task's branch
// goes on, or that it lacks work which is on another clone. Of a task that no run worked on it
// says nothing.
func (s *Runs) PutAway(ctx context.Context, t task.Task) []string {
	if s.Clone.DryRun() || len(worked(t)) == 0 {
		return nil
	}
	if what, bring := s.Place.UnmergedWork(ctx, t); what != "" {
		return []string{what + ": " + bring}
	}
	locked, err := s.lockRun(ctx, t.ID, 0)
	if err != nil {
		return []string{"its work trees stay: " + err.Error()}
	}
	defer locked.close()
	branch, exists, err := s.Place.BranchOf(ctx, t)
	if err != nil || !exists {
		return nil // what is merged can't be told
	}
	tip, err := s.Clone.Repo.Refs.Get(ctx, gitstore.RefName("refs/heads/"+branch))
	if err != nil {
		return nil
	}
	var notes []string
	all := trees.Trees{Repo: s.Clone.Repo, ID: t.ID}
	for _, p := range worked(t) {
		if why := all.PutAway(ctx, p, tip); why != "" {
			notes = append(notes, "phase "+p.ID+", "+string(p.Status)+": "+why)
		}
		if why := lacks(ctx, all, t, p, branch, tip); why != "" {
			notes = append(notes, why)
		}
	}
	return append(notes, s.goesOn(ctx, t, branch, tip)...)
}

// lacks says that the branch of a finished task has not what was merged of a phase; "" where it has.
func lacks(ctx context.Context, all trees.Trees, t task.Task, p task.Phase, branch string, tip gitstore.OID) string {
	end, err := gitstore.ParseOID(p.EndCommit)
	if err != nil || t.Status != task.Finished || p.Status != task.PhaseCompleted {
		return ""
	}
	at, err := all.Has(ctx, tip, end)
	if err != nil || at == trees.Contained || at == trees.Missing {
		return ""
	}
	ways, err := lost(ctx, all, branch, tip, end)
	if err != nil || ways == "" {
		return ""
	}
	return fmt.Sprintf("what was done in phase %s, commit %s, is not on %s any more: %s", p.ID, p.EndCommit[:7], branch,
		ways)
}

func worked(t task.Task) (all []task.Phase) {
	for _, p := range t.Phases {
		if len(p.Turns) > 0 {
			all = append(all, p)
		}
	}
	return all
}

// goesOn says how a branch of a finished task gets where it is to be.
func (s *Runs) goesOn(ctx context.Context, t task.Task, branch string, tip gitstore.OID) []string {
	if t.Status != task.Finished || t.Base == "" || t.Base == "HEAD" || t.Base == branch {
		return nil
	}
	base, err := s.Clone.Repo.Refs.Get(ctx, gitstore.RefName("refs/heads/"+t.Base))
	if err != nil {
		return nil // on another clone, perhaps
	}
	if merged, err := s.Clone.Repo.History.IsAncestor(ctx, tip, base); err != nil || merged {
		return nil
	}
	ways := "'git switch " + t.Base + "' and 'git merge " + branch + "'"
	if remotes, err := s.Clone.Repo.Git.Run(ctx, "remote"); err == nil && len(strings.Fields(string(remotes))) == 1 {
		remote := strings.TrimSpace(string(remotes))
		at, err := s.Clone.Repo.Refs.Get(ctx, gitstore.RefName("refs/remotes/"+remote+"/"+branch))
		open := "'git push -u " + remote + " " + branch + "' for a pull request"
		if err == nil && at == tip {
			open = "a pull request of " + remote + "/" + branch + ", which has it"
		}
		ways = open + ", or " + ways
	}
	return []string{branch + " is not merged into " + t.Base + ": " + ways}
}
