package app

import (
	"context"
	"errors"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/journal"
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
)

// SwitchResult is where a switch went.
type SwitchResult struct {
	Task task.Task
	// Made says where the branch came from that was not here: "origin", or the
	// task's recorded base; "" where it was here.
	Made string
	// Note is why it was not made of the remote's branch, where that was looked
	// for, and what is not on it then.
	Note string
	// Gone says that it is archived, and how it is taken up again; else "".
	Gone string
	// Services are where the task's branch is.
	Services []SwitchedService
}

// SwitchedService is a service that a switch took to the task's branch.
type SwitchedService struct {
	Path   string `json:"path"`
	Branch string `json:"branch"`
	Made   string `json:"made_from"` // as in SwitchResult
	Moved  bool   `json:"moved"`     // it was elsewhere
}

// Switch checks the task's branch out: in all of its services, where it has some, or in
// none. Local changes in the way refuse it, in git's own words. A branch that is not here
// is made from a remote's, which is fetched where it is not here either, else at the
// commit that the task recorded as its base. On the branch itself it only records which
// task is meant here.
func (s *Tasks) Switch(ctx context.Context, arg string) (SwitchResult, error) {
	var r SwitchResult
	if err := s.Config.MayChange(ctx); err != nil {
		return r, err // before git checks anything out
	}
	id, err := s.switchTarget(ctx, arg)
	if err != nil {
		return r, err
	}
	if r.Task, err = s.Records.Task(ctx, id); err != nil {
		return r, err
	}
	if err := s.maySwitch(ctx, r.Task); err != nil {
		return r, err
	}
	before, err := s.Place.Here(ctx)
	if err == nil && before != id {
		err = s.Locks.MayLeave(ctx, before)
	}
	if err != nil {
		return r, err
	}
	moves, err := s.Place.Moves(ctx, r.Task)
	if err != nil {
		return r, err
	}
	for _, m := range moves {
		if m.Path == "" {
			r.Made, r.Note = m.Made, m.Note
			continue
		}
		r.Services = append(r.Services, SwitchedService{Path: m.Path, Branch: m.Branch, Made: m.Made, Moved: !m.Done()})
	}
	if s.Clone.DryRun() {
		return r, worktree.CheckAll(ctx, moves)
	}
	undo, err := worktree.MoveAll(ctx, moves)
	if err != nil {
		return r, err
	}
	if archived, err := s.Records.Archived(ctx, id); err != nil || archived { // there it stays: no branch means it here
		name := s.Records.Name(ctx, id)
		r.Gone = name + " is archived; 'git brew start --restart " + name + "' brings it back"
		return r, err
	}
	if branch := moves[0].Branch; branch != r.Task.Branch {
		if moved, merr := s.EditTask(ctx, id, EditRequest{Branch: branch}); merr == nil {
			r.Task = moved
		}
		s.Engine.Last = change.LastChange{} // it follows what git has done, and is not what was asked for
	}
	if err := s.arrived(ctx, &r, before); err != nil {
		return r, errors.Join(err, undo(context.WithoutCancel(ctx)))
	}
	return r, nil
}

func (s *Tasks) maySwitch(ctx context.Context, t task.Task) error {
	switch slug := t.ID.Slug(); {
	case t.Deleted:
		return clone.DeletedError(t.ID)
	case t.Status.Terminal() && s.Clone.Caller.Reached().Agent() && s.sessions.Closed(ctx):
		// Nothing is discussed there, so that nothing would keep the agent from writing.
		return clone.Refuse("the user switches, or takes it up with 'git brew start --restart "+slug+"' in a terminal",
			"%s is %s", slug, t.Status)
	case s.Clone.Repo.Bare():
		return clone.Refuse("", "a bare repository has no work tree to switch")
	case len(t.Services) == 0:
		return nil
	}
	head, err := s.Clone.Repo.Refs.Head(ctx)
	if err != nil {
		return err
	}
	return s.mayStay(ctx, t.ID, head, "")
}

// arrived records which task is meant here now: by its branch, or, where that is
// in services, by this work tree.
func (s *Tasks) arrived(ctx context.Context, r *SwitchResult, before task.ID) error {
	after, t := context.WithoutCancel(ctx), r.Task
	if err := s.Clone.Ledger.BindBranch(after, t.Branch, string(t.ID)); err != nil {
		return err
	}
	if before != t.ID {
		_ = s.Journal.Record(after, journal.SwitchEvent(before, t.ID)) // it happened all the same
	}
	c, err := s.Clone.State(ctx)
	if w := c.Worktree(s.Clone.Repo); err != nil || len(t.Services) == 0 && w.Task == "" && w.Previous == "" &&
		(before == t.ID || w.Mode.Mode != clone.ModeImplementation) {
		return err
	}
	var note string
	err = s.Clone.Ledger.Change(after, func(ctx context.Context, tx *ledger.Tx) (err error) {
		note, err = s.Place.MeanHere(ctx, tx, t, before)
		return err
	})
	if note != "" {
		r.Note = strings.TrimPrefix(r.Note+"; "+note, "; ")
	}
	return err
}

// switchTarget resolves what to switch to; "-" is the previous task: of the
// branches that this work tree had checked out before, the latest one with
// another task, as the reflog of HEAD tells.
func (s *Tasks) switchTarget(ctx context.Context, arg string) (task.ID, error) {
	if arg != "-" {
		return s.Resolve(ctx, arg)
	}
	now, err := s.Place.Here(ctx)
	if err != nil {
		return "", err
	}
	c, err := s.Clone.State(ctx)
	if err != nil {
		return "", err
	}
	if left := c.Worktree(s.Clone.Repo).Previous; left != "" && left != now && s.Clone.Ledger.HasTask(ctx, string(left)) {
		return left, nil
	}
	log, err := s.Clone.Repo.Git.Run(ctx, "reflog", "--no-show-signature", "--format=%gs", "HEAD", "--")
	if err != nil && ctx.Err() != nil {
		return "", err // else nothing was checked out yet
	}
	for line := range strings.Lines(string(log)) {
		moved, ok := strings.CutPrefix(line, "checkout: moving from ")
		branch, _, _ := strings.Cut(moved, " to ")
		if !ok {
			continue
		}
		id, err := s.Clone.Ledger.TaskOfBranch(branch)
		if err != nil {
			return "", err
		}
		if id != "" && task.ID(id) != now {
			return task.ID(id), nil
		}
	}
	return "", clone.NotFoundAs(task.ErrNoTask, "see 'git brew list'", "no previous task")
}
