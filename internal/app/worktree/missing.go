package worktree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

// origin is where a branch that is not here begins.
type origin struct {
	Called string // for people
	Rev    string // for git
	Note   string // why it is not the remote's, where that was looked for, and what it lacks
}

// MissingBranch finds where a task's branch begins that is not here: where a
// remote has it, else at the task's base.
func (s *Place) MissingBranch(ctx context.Context, t task.Task) (origin, error) {
	from, err := s.remoteBranch(ctx, t.Branch)
	if err != nil || from.Rev != "" {
		return from, err
	}
	note := s.fetchBranch(ctx, t.Branch)
	if from, err = s.remoteBranch(ctx, t.Branch); err != nil || from.Rev != "" {
		return from, err
	}
	base := t.BaseCommit
	if oid, err := gitstore.ParseOID(base); err == nil {
		if has, err := s.Clone.Repo.Objects.Has(ctx, oid); err == nil && has {
			lost := s.withoutWork(ctx, t, oid)
			if note != "" {
				lost = note + "; " + lost
			}
			return origin{Called: "its base " + base[:7], Rev: base, Note: lost}, nil
		}
	}
	if note == "" {
		note = "no remote has it"
	}
	lost := "and it has no commit to begin at"
	if len(base) > 7 {
		lost = "and commit " + base[:7] + ", where it would begin, is not here"
	}
	return origin{}, clone.Refuse("push it from where it is, or fetch that commit, with 'git fetch'",
		"branch %s of %s is not here: %s, %s", t.Branch, t.ID, note, lost)
}

// withoutWork says of a branch that is made at its base what is not on it: the
// task's commits, of which the newest that its phases know may still be here.
func (s *Place) withoutWork(ctx context.Context, t task.Task, base gitstore.OID) string {
	args := []string{"rev-list", "--ignore-missing", "--date-order", "--max-count=1", "^" + base.String()}
	for _, p := range t.Phases {
		for _, commit := range []string{p.StartCommit, p.EndCommit} {
			if commit != "" {
				args = append(args, commit)
			}
		}
	}
	words := "the branch was not here, and begins anew without any work"
	out, err := s.Clone.Repo.Git.Run(ctx, append(args, "--")...)
	last, perr := gitstore.ParseOID(string(bytes.TrimSpace(out)))
	if err != nil || perr != nil {
		return words // nothing is known of it, or all of that is in the base
	}
	short := last.String()[:7]
	words += "; the last commit known of it is " + short + ": "
	if above, err := s.Clone.Repo.History.IsAncestor(ctx, base, last); err != nil || !above {
		return words + "'git branch " + t.Branch + "-before " + short + "' makes a branch of it"
	}
	return words + "'git merge --ff-only " + short + "' brings it back"
}

// remoteBranch is the first remote-tracking branch of this name; none: the zero
// value.
func (s *Place) remoteBranch(ctx context.Context, branch string) (origin, error) {
	found, err := s.Clone.Repo.Branches.Remote(ctx, branch)
	if err != nil || len(found) == 0 {
		return origin{}, err
	}
	// In full: a local branch or a tag may have the short name.
	full := string(found[0].Name)
	return origin{Called: strings.TrimPrefix(full, "refs/remotes/"), Rev: full}, nil
}

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
