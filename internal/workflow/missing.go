package workflow

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
	called string // for people
	rev    string // for git
	note   string // why it is not the remote's, where that was looked for, and what it lacks
}

// missingBranch finds where a task's branch begins that is not here: where a
// remote has it, else at the task's base.
func (s *Place) missingBranch(ctx context.Context, t task.Task) (origin, error) {
	from, note, err := s.remoteOrFetched(ctx, t.Branch)
	if err != nil || from.rev != "" {
		return from, err
	}
	base := t.BaseCommit
	if oid, err := gitstore.ParseOID(base); err == nil {
		if has, err := s.clone.Repo.Objects.Has(ctx, oid); err == nil && has {
			lost := s.withoutWork(ctx, t, oid)
			if note != "" {
				lost = note + "; " + lost
			}
			return origin{called: "its base " + base[:7], rev: base, note: lost}, nil
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
	args := []string{"rev-list", "--date-order", "--max-count=1", "^" + base.String()}
	for _, p := range t.Phases {
		for _, commit := range []string{p.StartCommit, p.EndCommit} {
			oid, err := gitstore.ParseOID(commit)
			if err != nil {
				continue
			}
			if has, err := s.clone.Repo.Objects.Has(ctx, oid); err == nil && has {
				args = append(args, commit)
			}
		}
	}
	words := "the branch was not here, and begins anew without any work"
	out, err := s.clone.Repo.Git.Run(ctx, append(args, "--")...)
	last, perr := gitstore.ParseOID(string(bytes.TrimSpace(out)))
	if err != nil || perr != nil {
		return words // nothing is known of it, or all of that is in the base
	}
	short := last.String()[:7]
	words += "; the last commit known of it is " + short + ": "
	if above, err := s.clone.Repo.History.IsAncestor(ctx, base, last); err != nil || !above {
		return words + "'git branch " + t.Branch + "-before " + short + "' makes a branch of it"
	}
	return words + "'git merge --ff-only " + short + "' brings it back"
}

// remoteOrFetched is remoteBranch, for which the remote that state is shared with
// is asked where it is not here; the note is fetchBranch's.
func (s *Place) remoteOrFetched(ctx context.Context, branch string) (from origin, note string, err error) {
	if from, err = s.remoteBranch(ctx, branch); err != nil || from.rev != "" {
		return from, "", err
	}
	note = s.fetchBranch(ctx, branch)
	from, err = s.remoteBranch(ctx, branch)
	return from, note, err
}

// remoteBranch is the first remote-tracking branch of this name; none: the zero
// value.
func (s *Place) remoteBranch(ctx context.Context, branch string) (origin, error) {
	found, err := s.clone.Repo.Branches.Remote(ctx, branch)
	if err != nil || len(found) == 0 {
		return origin{}, err
	}
	// In full: a local branch or a tag may have the short name.
	full := string(found[0].Name)
	return origin{called: strings.TrimPrefix(full, "refs/remotes/"), rev: full}, nil
}

// branchPatience is how long a remote may take over one branch.
const branchPatience = 30 * time.Second

// fetchBranch brings one branch of the remote that state is shared with, without
// asking the person for anything. The note is why it did not come; "" where there
// is no remote to ask.
func (s *Place) fetchBranch(ctx context.Context, branch string) (note string) {
	remote, err := s.config.RemoteFor(ctx, "")
	if err != nil {
		return ""
	}
	if s.clone.Rehearses() {
		return remote.Name + " was not asked for it"
	}
	bounded, cancel := context.WithTimeout(ctx, branchPatience)
	defer cancel()
	silent := s.clone.Repo.Silent(ctx)
	defer func() { _ = silent.Close() }()
	_, err = silent.Git.Run(bounded, "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--",
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
