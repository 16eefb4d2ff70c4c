package session

import (
	"cmp"
	"context"
	"path/filepath"
	"time"

	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
)

// StatusLine is what a status line shows of a work tree: an agent's view, and
// what git says of it as far as that is known at once.
type StatusLine struct {
	AgentView
	// Since is since when the mode is what it is, in RFC 3339; "" for always.
	Since string
	// Branch is what is checked out: a branch, one that is being rebased, or the
	// beginning of a commit's id.
	Branch string
	// Upstream is what the branch follows, "" for nothing. Ahead and Behind count
	// the commits that only one of them has, where Counted.
	Upstream      string
	Ahead, Behind int
	Counted       bool
	// Changes are tracked files that differ from HEAD, where Looked.
	Changes int
	Looked  bool
	// Services are those of the task here, and what is checked out in each.
	Services []worktree.ServiceState
}

// statusPatience is how long git may be asked what is not known yet.
const statusPatience = 300 * time.Millisecond

// uncounted is the memo of two commits that took too long to compare.
const uncounted = "uncounted"

// StatusLine reads it from snapshots and what was counted before. git is asked only
// about two commits that it was not asked about before, and about changed files once
// in a few seconds, neither longer than statusPatience.
func (s *Sessions) StatusLine(ctx context.Context) (StatusLine, error) {
	var out StatusLine
	var err error
	if out.AgentView, err = s.Agent(ctx); err != nil {
		return out, err
	}
	if t := out.Task; t != nil {
		out.Services = s.Place.ServiceStates(ctx, *t, false)
	}
	head, err := s.Clone.Repo.Refs.Head(ctx)
	if err != nil {
		return out, nil //nolint:nilerr // a line without a branch says more than none
	}
	out.Branch = cmp.Or(head.Branch, head.Rebasing)
	if out.Branch == "" && !head.OID.IsZero() {
		out.Branch = head.OID.Short()
	}
	s.compareUpstream(ctx, head, &out)
	out.Changes, out.Looked = s.Clone.Repo.Tree.Changes(ctx, head.OID)
	return out, nil
}

// compareUpstream counts how far a branch and its upstream are apart.
func (s *Sessions) compareUpstream(ctx context.Context, head gitstore.Head, out *StatusLine) {
	ref, err := s.Clone.Repo.Branches.Upstream(ctx, head.Branch)
	if err != nil || ref == "" || head.OID.IsZero() {
		return
	}
	theirs, err := s.Clone.Repo.Refs.Get(ctx, ref)
	if err != nil {
		return // it is gone, or was never fetched
	}
	out.Upstream = string(ref)
	if theirs == head.OID {
		out.Counted = true
		return
	}
	pair := head.OID.String() + " " + theirs.String()
	if data, err := gitfile.ReadFile(filepath.Join(s.Clone.Repo.CacheDir(), uncounted)); err == nil &&
		string(data) == pair {
		return
	}
	bounded, cancel := context.WithTimeout(ctx, statusPatience)
	defer cancel()
	out.Ahead, out.Behind, err = s.Code.Apart(bounded, head.OID.String(), theirs.String())
	out.Counted = err == nil
	if err != nil && ctx.Err() == nil {
		_ = s.Clone.Repo.WriteCache(uncounted, []byte(pair)) // else it is tried again
	}
}
