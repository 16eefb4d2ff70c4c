package worktree

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

// withoutWork says of a branch that is made at its base what is not on it: the
// task's commits, of which the last that its phases know may still be here.
func (s *Place) withoutWork(ctx context.Context, t task.Task, base gitstore.OID) string {
	words := "the branch was not here, and begins anew without any work"
	for _, p := range slices.Backward(t.Phases) {
		last, err := gitstore.ParseOID(cmp.Or(p.EndCommit, p.StartCommit))
		if err != nil || last == base {
			continue
		}
		if above, err := s.Clone.Repo.History.IsAncestor(ctx, base, last); err == nil && above {
			short := last.String()[:7]
			return words + "; the last commit known of it is " + short + ": 'git merge --ff-only " + short + "' brings it back"
		}
	}
	return words
}

// MissingWork says of what runs did for a task what is not in this clone, and how it comes here;
// "" where nothing is missing.
func (s *Place) MissingWork(ctx context.Context, t task.Task) (what, bring string) {
	for _, p := range t.Phases {
		end, byRun := workOf(p)
		if there, err := s.Clone.Repo.Objects.Has(ctx, end); !byRun || err != nil || there {
			continue
		}
		bring = "push " + t.Branch + " there, and pull it here"
		if remote, err := s.Config.RemoteFor(ctx, ""); err == nil {
			bring = "'git push " + remote.Name + " " + t.Branch + "' there, then '" + Pull(remote.Name, t.Branch) + "' here"
		}
		return "what was done in phase " + p.ID + ", commit " + p.EndCommit[:7] + ", is on another clone", bring
	}
	return "", ""
}

// UnmergedWork is MissingWork, or else what is in this clone and not on the task's branch, which
// is behind it: a run takes it up by itself, and an end does not.
func (s *Place) UnmergedWork(ctx context.Context, t task.Task) (what, bring string) {
	if what, bring = s.MissingWork(ctx, t); what != "" {
		return what, bring
	}
	branch, exists, err := s.BranchOf(ctx, t)
	tip, terr := s.Clone.Repo.Refs.Get(ctx, gitstore.RefName("refs/heads/"+branch))
	if err != nil || terr != nil || !exists {
		return "", ""
	}
	for _, p := range slices.Backward(t.Phases) {
		end, byRun := workOf(p)
		if !byRun || end == tip {
			continue
		}
		if ahead, err := s.Clone.Repo.History.IsAncestor(ctx, tip, end); err == nil && ahead {
			return "what was done in phase " + p.ID + " is not on " + branch + " here",
				"'git merge --ff-only " + p.EndCommit[:7] + "' on it brings it"
		}
	}
	return "", ""
}

// workOf is the last commit of a phase that a run completed.
func workOf(p task.Phase) (end gitstore.OID, byRun bool) {
	end, err := gitstore.ParseOID(p.EndCommit)
	return end, err == nil && p.Status == task.PhaseCompleted && len(p.Turns) > 0
}

// Pull is the command that takes a branch to where a remote has it, whatever the branch follows.
func Pull(remote, branch string) string { return "git pull --ff-only " + remote + " " + branch }

// branchPatience is how long a remote may take over one branch.
const branchPatience = 30 * time.Second

// fetchBranch brings one branch of the remote that state is shared with, without
// asking the person for anything. The note is why it did not come; "" where there
// is no remote to ask.
func (s *Place) fetchBranch(ctx context.Context, branch string) (note string) {
	remote, err := s.Config.RemoteFor(ctx, "")
	if err != nil {
		return ""
	}
	if s.Clone.DryRun() {
		return remote.Name + " was not asked for it"
	}
	bounded, cancel := context.WithTimeout(ctx, branchPatience)
	defer cancel()
	silent := s.Clone.Repo.Silent(ctx)
	defer func() { _ = silent.Close() }()
	_, err = silent.Git.Run(bounded, "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head",
		"--",
		remote.Name, "+refs/heads/"+branch+":refs/remotes/"+remote.Name+"/"+branch)
	command, failed := errors.AsType[*gitstore.CommandError](err)
	switch {
	case err == nil:
		return ""
	case failed && strings.Contains(command.Stderr, "couldn't find remote ref"):
		return fmt.Sprintf("%s has no such branch yet", remote.Name)
	}
	return fmt.Sprintf("%s could not be asked for it", remote.Name)
}

// Trunks are the branches that work begins from (BW-20, BW-23), the likeliest
// first.
var Trunks = []string{"main", "master", "develop", "dev"}

// trunkWith is the branch that work begins from in a repository, and its tip, if that has
// a commit; else no branch, and the commit.
func trunkWith(ctx context.Context, repo *gitstore.Repo, commit gitstore.OID) (string, gitstore.OID, error) {
	for _, name := range Trunks {
		at, err := repo.Refs.Get(ctx, gitstore.RefName("refs/heads/"+name))
		if errors.Is(err, gitstore.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", commit, err
		}
		if has, err := repo.History.IsAncestor(ctx, commit, at); err != nil || has {
			return name, at, err
		}
	}
	return "", commit, nil
}

// Revision is the commit of a revision in a repository, and the branch that it names, by
// its name without the remote's; "" where it names none, as a tag or a commit.
func Revision(ctx context.Context, repo *gitstore.Repo, rev string) (branch, commit string, err error) {
	out, err := repo.Git.Run(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil {
		return "", "", clone.NotFound("give --from a branch, tag or commit", "no commit %q", rev)
	}
	commit = string(bytes.TrimSpace(out))
	out, err = repo.Git.Run(ctx, "rev-parse", "--symbolic-full-name", "--verify", "--quiet", "--end-of-options", rev)
	if _, failed := errors.AsType[*gitstore.CommandError](err); failed {
		return "", commit, nil // a name that means several things, or an expression
	}
	full := gitstore.RefName(bytes.TrimSpace(out))
	if remote, ok := strings.CutPrefix(string(full), "refs/remotes/"); ok {
		_, branch, _ = strings.Cut(remote, "/")
		return branch, commit, err
	}
	return full.Branch(), commit, err
}
