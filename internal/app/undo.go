package app

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger/notes"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// UndoResult is what was taken back, and what became of the task.
type UndoResult struct {
	Result
	Change Change
}

// Undo takes the last change of a task back, or the one that is named, by an
// operation. Where something else changed the same since, it is refused.
func (s *App) Undo(ctx context.Context, id task.ID, name string) (UndoResult, error) {
	var r UndoResult
	var was task.Task
	after, err := s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) error {
		h, err := s.historyIn(ctx, c)
		if err != nil {
			return err
		}
		d, err := h.choose(name, s.Engine.UndoCommand(ctx, id, gitstore.OID{})+" --list")
		if err != nil {
			return err
		}
		if err := h.mayUndo(ctx, d, name != ""); err != nil {
			return err
		}
		taken, err := h.takenBack(ctx, d)
		if err != nil {
			return err
		}
		if held := s.Pipelines.HeldUp(c.Task); held != nil && d.Undoes && goesOn(c.Task, taken) {
			return held
		}
		was, r.Change = c.Task, d
		if d.creates() {
			r.Notes = []string{"branch " + was.Branch + " stays"}
			return s.Tasks.deleteIn(ctx, c)
		}
		if err := c.Do(ctx, change.Op(rules.UndoKind(d.Kinds...), d.payload())); err != nil {
			return err
		}
		r.Notes, err = s.undid(ctx, c, was)
		return err
	}, change.EvenDeleted)
	if err != nil {
		return r, err
	}
	r.Task = after
	if was.Deleted {
		s.Engine.Last = change.LastChange{} // only a delete deletes it again
	}
	return r, s.Tasks.followed(ctx, was, after)
}

// mayUndo: an agent takes back what its own session did, and not that the task was
// made; a person anything; what somebody else did, only when it is named.
func (h *history) mayUndo(ctx context.Context, d Change, named bool) error {
	caller := h.Engine.Clone.Caller.Reached()
	switch {
	case !d.Ours && caller.Agent():
		return clone.Refuse(caller.InTerminal("the user can take it back"), "%s did that, and not this session: %s", d.By(),
			d.Said)
	case d.byRun() && !named:
		return clone.Refuse(insteadOfRun, "what 'git brew run' did is not undone as one, and its last step was: %s", d.Said)
	case !d.Ours && !named:
		hint := fmt.Sprintf("'%s' takes it back all the same", h.Engine.UndoCommand(ctx, h.ID, d.Commit))
		return clone.Refuse(hint, "the last operation is %s's: %s", d.By(), d.Said)
	case d.creates() && h.alone(d):
		return h.Engine.Clone.Caller.ForPeople("take back that a task was made", "the user does it")
	}
	return nil
}

// takenBack is the task without the change d, or why that can't be.
func (h *history) takenBack(ctx context.Context, d Change) (task.Task, error) {
	if d.creates() && h.alone(d) {
		return h.Task, nil // it is deleted
	}
	after, err := rules.CheckUndo(h.Task, d.payload(), h.Ledger)
	refusal, refused := errors.AsType[*task.RefusedError](err)
	switch {
	case refused && !d.UndoneBy.IsZero():
		refusal.Msg = "it was taken back already: " + d.Said
		refusal.Hint = fmt.Sprintf("'%s' does it again", h.Engine.UndoCommand(ctx, h.ID, d.UndoneBy))
	case refused && refusal.Code == task.CodeChangedSince:
		if later, found := h.changedSince(d); found {
			refusal.Msg += fmt.Sprintf(" (%s, by %s)", later.Said, later.By())
			refusal.Hint = fmt.Sprintf("'%s' takes that back first", h.Engine.UndoCommand(ctx, h.ID, later.Commit))
			if later.byRun() {
				refusal.Hint = insteadOfRun
			} else if _, lasting := rules.Lasting(later.Kinds...); lasting || h.mayUndo(ctx, later, true) != nil {
				refusal.Hint = "that stays; 'git brew next' says what can be done"
			}
		}
	}
	return after, err
}

// insteadOfRun is what helps where a run's work is not wanted.
const insteadOfRun = "'git brew phase reset PHASE' has one done anew, and 'git revert' takes back what was merged"

// changedSince is the last change after d that changed the same.
func (h *history) changedSince(d Change) (Change, bool) {
	since := h.all[:slices.IndexFunc(h.all, func(o Change) bool { return o.Commit == d.Commit })]
	cancelled := map[gitstore.OID]bool{} // undos of what came after d
	for _, later := range since {
		cancelled[later.UndoneBy] = true
	}
	parts := h.parts(d)
	same := func(part string) bool { return slices.Contains(parts, part) }
	i := slices.IndexFunc(since, func(later Change) bool {
		return later.UndoneBy.IsZero() && !cancelled[later.Commit] && slices.ContainsFunc(h.parts(later), same)
	})
	if i < 0 {
		return Change{}, false
	}
	return since[i], true
}

// goesOn reports that a task, or a phase of it, gets another status.
func goesOn(was, after task.Task) bool {
	return was.Status != after.Status || slices.ContainsFunc(after.Phases, func(p task.Phase) bool {
		before, _ := was.Phase(p.UID)
		return before.Status != p.Status
	})
}

// undid puts right what use cases keep beside a task's operations, and says what
// stays as it is.
func (s *App) undid(ctx context.Context, c *change.Tx, was task.Task) ([]string, error) {
	var notes []string
	switch {
	case c.Task.Status == was.Status:
	case c.Lock.Held && c.Task.Status != task.InProgress:
		notes = append(notes, "the lock stays held; 'git brew lock release' lets it go")
	case !c.Lock.Held && c.Task.Status == task.InProgress:
		notes = append(notes, "its lock is free; 'git brew start' takes it")
	}
	if c.Task.Branch != was.Branch {
		notes = append(notes, "its branch is "+c.Task.Branch+" again; the branch itself is renamed with git")
	}
	if err := s.Knowledge.Reopen(ctx, c, was); err != nil {
		return notes, err
	}
	if err := s.renote(ctx, c, was); err != nil {
		notes = append(notes, fmt.Sprintf("the notes could not be written: %v; see 'git brew doctor'", err))
	}
	if slices.EqualFunc(c.Task.Services, was.Services, func(a, b task.Service) bool { return a.Path == b.Path }) {
		return notes, nil
	}
	return notes, s.Tasks.meanEdited(ctx, c)
}

// renote makes the notes on commits say what the task says now.
func (s *App) renote(ctx context.Context, c *change.Tx, was task.Task) error {
	before, after := s.Code.NoteLines(ctx, was), s.Code.NoteLines(ctx, c.Task)
	without := func(list, of []notes.Line) []notes.Line {
		return slices.DeleteFunc(slices.Clone(list), func(l notes.Line) bool { return slices.Contains(of, l) })
	}
	if err := notes.Remove(ctx, c.Ledger, without(before, after)...); err != nil {
		return err
	}
	return notes.Add(ctx, c.Ledger, without(after, before)...)
}
