package app

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/run"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
)

// TaskStatus is a view of a task and what only a status looks at.
type TaskStatus struct {
	session.View
	// Ahead counts the branch's commits that its base has not; -1: nobody
	// asked, or nobody can tell.
	Ahead int
	// Behind counts the base's commits that the branch has not; 0 where Ahead is
	// -1, or the base is no branch here.
	Behind int
	// BranchGone: the task's branch was here, and is not any more.
	BranchGone bool
	// OffBranch are the phases, by their ids, whose recorded commits are not on the
	// branch any more.
	OffBranch []string
	// Pull takes the branch to where a remote has such commits; "" where none has.
	Pull string
	// Services are where the task's services stand, if anybody asked.
	Services []worktree.ServiceState
	Sync     SyncState
	// Untrusted counts what waits for the person's trust: the task's commands,
	// the constraints of its plan, and shared settings.
	Untrusted int
	// Run is how the run stands that is at work on the task in this clone; nil: none is.
	Run *run.Standing
	// Several tasks claim the branch here; then there is no Task.
	Several *worktree.BranchError
}

// SyncState compares a task's record with what was last seen on the remote that
// state is shared with: operations there are to push, and to merge.
type SyncState struct {
	Ahead, Behind int
	// Failed is what went wrong with the last sync; "" where nothing did.
	Failed string
}

// TaskStatusRequest asks where a task stands; the one here where Task is "".
type TaskStatusRequest struct {
	Task  string
	Ahead bool // count the branch's commits too
	// Services looks at the task's services too.
	Services bool
}

// TaskStatus returns where a task stands. No task here is no error, and
// View.Task is nil; a task that was named and is not there, or deleted, is one.
func (s *App) TaskStatus(ctx context.Context, r TaskStatusRequest) (TaskStatus, error) {
	out := TaskStatus{Ahead: -1}
	var id task.ID
	var err error
	if r.Task == "" {
		id, err = s.Tasks.Discover(ctx)
	} else {
		id, err = s.Tasks.Resolve(ctx, r.Task)
	}
	several, ok := errors.AsType[*worktree.BranchError](err)
	if err != nil && !(ok && r.Task == "") {
		return out, err
	}
	v, err := s.Status(ctx, id)
	if err != nil {
		return out, err
	}
	if v.Task == nil && r.Task != "" {
		return out, clone.DeletedError(id)
	}
	out, err = s.taskStatusOf(ctx, v, r)
	out.Several = several
	return out, err
}

func (s *App) taskStatusOf(ctx context.Context, v session.View, r TaskStatusRequest) (TaskStatus, error) {
	out := TaskStatus{View: v, Ahead: -1}
	if v.Task == nil {
		return out, nil
	}
	if last, ok := s.Clone.LastSync(); ok && !last.OK && last.Remote == v.Remote {
		out.Sync.Failed = last.Said
	}
	out.Run = s.Runs.Standing(ctx, v.Task.ID)
	var err error
	waits := records.VerifyHashes(*v.Task)
	if c, found, err := s.Trust.PlanConstraints(ctx, *v.Task); err == nil && found {
		waits = append(waits, clone.ShortTrust(c.Hash()))
	}
	if out.Untrusted, err = s.Trust.CountUntrusted(ctx, waits); err != nil {
		return out, err
	}
	if v.Remote != "" && !v.Archived {
		if out.Sync.Ahead, out.Sync.Behind, err = s.seenOn(ctx, v.Remote, v.Task.ID, v.Tip); err != nil {
			return out, err
		}
	}
	if r.Ahead && len(v.Task.Services) == 0 {
		out.Ahead, out.Behind = worktree.AgainstBase(ctx, s.Clone.Repo, v.Task.Branch, v.Task.Base, v.Task.BaseCommit,
			s.Code.Count)
		out.BranchGone, out.OffBranch, out.Pull = s.offBranch(ctx, v.Task)
	}
	if r.Services {
		out.Services = s.Place.ServiceStates(ctx, *v.Task, true)
	}
	return out, nil
}

// AllTaskStatuses is TaskStatus of every open task, newest first.
func (s *App) AllTaskStatuses(ctx context.Context, r TaskStatusRequest) ([]TaskStatus, []BrokenTask, error) {
	listing, err := s.List(ctx, ListRequest{})
	if err != nil {
		return nil, nil, err
	}
	var all []TaskStatus
	for _, l := range listing.Tasks {
		r.Task = string(l.ID)
		one, err := s.TaskStatus(ctx, r)
		if err != nil {
			listing.Broken = append(listing.Broken, BrokenTask{Ref: string(ledger.TaskRef(r.Task)), Err: err})
			continue
		}
		all = append(all, one)
	}
	return all, listing.Broken, ctx.Err()
}

// seenOn compares a task's tip with the remote's as it was last fetched.
func (s *App) seenOn(ctx context.Context, remote string, id task.ID, tip string) (ahead, behind int, err error) {
	theirs, err := s.Clone.Ledger.Tip(ctx, ledger.TrackingRef(remote, ledger.TaskRef(string(id))))
	if err != nil || theirs.String() == tip {
		return 0, 0, err
	}
	if theirs.IsZero() {
		ahead, err = s.Code.Count(ctx, tip)
		return ahead, 0, err
	}
	return s.Code.Apart(ctx, tip, theirs.String())
}

// offBranch tells which phases' commits a rebase, a squash or the end of the branch
// has left behind, and how the branch comes to those that a remote's has, which is ahead. That
// there are none is kept for as long as the branch does not move.
func (s *App) offBranch(ctx context.Context, t *task.Task) (gone bool, off []string, pull string) {
	recorded := map[string]string{}
	for _, p := range t.Phases {
		commit := cmp.Or(p.EndCommit, p.StartCommit)
		if p.Status == task.PhaseInProgress {
			commit = p.StartCommit
		}
		if commit != "" {
			recorded[p.ID] = commit
		}
	}
	if len(recorded) == 0 || t.Status.Terminal() {
		return false, nil, "" // what has ended may be merged, and its branch deleted
	}
	tip, err := s.Clone.Repo.Refs.Get(ctx, gitstore.RefName("refs/heads/"+t.Branch))
	switch {
	case errors.Is(err, gitstore.ErrNotExist):
		theirs, err := s.Clone.Repo.Branches.Remote(ctx, t.Branch)
		return err == nil && len(theirs) == 0, nil, ""
	case err != nil:
		return false, nil, ""
	}
	revs := append(slices.Compact(slices.Sorted(maps.Values(recorded))), "^"+tip.String())
	if n, err := s.Code.Count(ctx, revs...); err != nil || n == 0 {
		return false, nil, "" // a commit that is not here tells nothing
	}
	if theirs, err := s.Clone.Repo.Branches.Remote(ctx, t.Branch); err == nil && len(theirs) > 0 {
		at := theirs[0]
		if ahead, err := s.Clone.Repo.History.IsAncestor(ctx, tip, at.OID); err == nil && ahead && at.OID != tip {
			remote := strings.TrimSuffix(strings.TrimPrefix(string(at.Name), "refs/remotes/"), "/"+t.Branch)
			pull, revs = worktree.Pull(remote, t.Branch), append(revs, "^"+at.OID.String())
		}
	}
	left, err := s.Clone.Repo.Git.Run(ctx, slices.Concat([]string{"rev-list"}, revs, []string{"--"})...)
	if err != nil {
		return false, nil, ""
	}
	for _, p := range t.Phases {
		if commit := recorded[p.ID]; commit != "" && bytes.Contains(left, []byte(commit)) {
			off = append(off, p.ID)
		}
	}
	return false, off, pull
}

// Status returns the view of a task; of the one here where id is "". No task
// here is no error: View.Task is nil.
func (s *App) Status(ctx context.Context, id task.ID) (session.View, error) {
	v, err := s.Sessions.Look(ctx, id)
	if err != nil || v.Task == nil {
		return v, err
	}
	if v.Trimmed {
		if err := s.untrim(ctx, &v); err != nil {
			return v, err
		}
	}
	if v.Arbitrated, err = s.Claims.AtArbiter(ctx, v.Task.ID, v.Lock); err != nil {
		return v, err
	}
	v.Next = s.Next.AskedBy(ctx, *v.Task, v.Next)
	return v, nil
}

func (s *App) untrim(ctx context.Context, v *session.View) error {
	tip, err := gitstore.ParseOID(v.Tip)
	if err != nil {
		return err
	}
	whole, err := ledger.Load(ctx, s.Clone.Ledger, records.TaskLaw(), tip)
	if err != nil {
		return fmt.Errorf("read task %s: %w", v.Task.ID, err)
	}
	v.Task.Phases = whole.Phases
	return nil
}
