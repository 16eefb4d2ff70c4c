package workflow

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

// origin is where a branch that is not here begins.
type origin struct {
	called string // for people
	rev    string // for git
	note   string // why it is not the remote's, where that was looked for
}

// missingBranch finds where a task's branch begins that is not here: where a
// remote has it, else at the task's base.
func (s *Service) missingBranch(ctx context.Context, t task.Task) (origin, error) {
	from, err := s.remoteBranch(ctx, t.Branch)
	if err != nil || from.rev != "" {
		return from, err
	}
	note := s.fetchBranch(ctx, t.Branch)
	if from, err = s.remoteBranch(ctx, t.Branch); err != nil || from.rev != "" {
		return from, err
	}
	base := t.BaseCommit
	if oid, err := gitstore.ParseOID(base); err == nil {
		if has, err := s.repo.Has(ctx, oid); err == nil && has {
			return origin{called: "its base " + base[:7], rev: base, note: note}, nil
		}
	}
	if note == "" {
		note = "nor on a remote"
	}
	return origin{}, refuse("fetch the branch first", "branch %s of %s is not here; %s", t.Branch, t.ID, note)
}

// remoteBranch is the first remote-tracking branch of this name; none: the zero
// value.
func (s *Service) remoteBranch(ctx context.Context, branch string) (origin, error) {
	found, err := s.repo.RemoteBranch(ctx, branch)
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
func (s *Service) fetchBranch(ctx context.Context, branch string) (note string) {
	remote, err := s.remoteFor(ctx, "")
	if err != nil {
		return ""
	}
	if s.Rehearses() {
		return remote.Name + " was not asked for it"
	}
	bounded, cancel := context.WithTimeout(ctx, branchPatience)
	defer cancel()
	silent := s.repo.Silent(ctx)
	defer func() { _ = silent.Close() }()
	_, err = silent.Git(bounded, "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--",
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
