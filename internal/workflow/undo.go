package workflow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// UndoResult is what was taken back, and what became of the task.
type UndoResult struct {
	Task task.Task
	Deed Deed
	// Past are later deeds of which nothing is left: they were looked past.
	Past []Deed
	// Kept are things that changed since, and stay as they are.
	Kept  []string
	Notes []string
}

// Undo takes the last thing that was done to a task back, or the one that is
// named, by an operation: what others did since stays.
func (s *Service) Undo(ctx context.Context, id task.ID, name string) (UndoResult, error) {
	var r UndoResult
	var was task.Task
	after, err := s.changeOf(ctx, &change{s: s, id: id, deleted: true}, func(ctx context.Context, c *change) error {
		all, err := c.deeds(ctx)
		if err != nil {
			return err
		}
		uid, err := operation.NewID(s.random)
		if err != nil {
			return err
		}
		d, taken, past, err := s.takes(ctx, c, uid, all, name)
		if err != nil {
			return err
		}
		if open, waits := s.waitsFor(c.Task); waits && d.Undoes && goesOn(c.Task, taken.After) {
			return refuse(s.OpenHooksHint(), "%s holds up the task: %s", open.Name(), task.Next(c.Task).Reason)
		}
		was = c.Task
		if d.makes() {
			r = UndoResult{Deed: d, Notes: []string{"branch " + was.Branch + " stays"}}
			return s.deleteIn(ctx, c)
		}
		if err := c.Do(ctx, ledger.Draft{ID: uid, Kind: task.UndoKind(d.Kinds...), Payload: d.payload()}); err != nil {
			return err
		}
		r = UndoResult{Deed: d, Past: past, Kept: taken.Kept, Notes: lookedPast(past)}
		notes, err := s.undid(ctx, c, was, taken.Kept)
		r.Notes = append(r.Notes, notes...)
		return err
	})
	if err != nil {
		return r, err
	}
	r.Task = after
	switch {
	case after.Deleted:
		s.unmean(ctx, after)
	case was.Deleted:
		s.did = made{} // only a delete deletes it again
	}
	return r, s.undidBranch(background(ctx), was, after)
}

// takes chooses the deed that is meant, and says what its undo, the operation uid,
// comes to. Where none is named it looks past those of which nothing is left, as of
// a start that only went on, whoever did them: past is for telling so.
func (s *Service) takes(ctx context.Context, c *change, uid operation.ID, all []Deed, name string) (d Deed, taken task.Taken, past []Deed, err error) {
	list := s.undoCommand(ctx, c.id, gitstore.OID{}) + " --list"
	for {
		if d, err = choose(all, name, list); err != nil {
			return d, taken, past, err
		}
		may := s.mayUndo(ctx, c.id, d, name != "", len(past) > 0)
		if d.makes() && alone(all, d) {
			return d, taken, past, cmp.Or(may, s.caller.ForPeople("take back that a task was made", "the user does it"))
		}
		if may != nil && (name != "" || len(past) == maxDeeds) {
			return d, taken, past, may
		}
		taken, err = task.CheckUndo(c.Task, uid, d.payload(), taskTexts{c.tx})
		refused, _ := errors.AsType[*task.RefusedError](err)
		switch {
		case name == "" && len(past) < maxDeeds && refused != nil && refused.Code == task.CodeNothingLeft:
			past = append(past, d)
			all = slices.DeleteFunc(slices.Clone(all), func(o Deed) bool { return o.Commit == d.Commit })
		case may != nil:
			return d, taken, past, may
		default:
			return d, taken, past, s.undoRefused(ctx, c.id, d, err)
		}
	}
}

// lookedPast tells of deeds that came after the one that is taken back.
func lookedPast(past []Deed) []string {
	const told = 3
	var notes []string
	for i, d := range past {
		if i == told {
			return append(notes, fmt.Sprintf("nothing is left of %d more that were done since", len(past)-told))
		}
		notes = append(notes, fmt.Sprintf("nothing is left of what %s did since: %s", d.By(), d.Said))
	}
	return notes
}

// goesOn reports that a task, or a phase of it, gets another status.
func goesOn(was, after task.Task) bool {
	return was.Status != after.Status || slices.ContainsFunc(after.Phases, func(p task.Phase) bool {
		before, _ := was.Phase(p.UID)
		return before.Status != p.Status
	})
}

// undoRefused is why a deed can't be taken back.
func (s *Service) undoRefused(ctx context.Context, id task.ID, d Deed, err error) error {
	if refusal, ok := errors.AsType[*task.RefusedError](err); ok && !d.UndoneBy.IsZero() {
		refusal.Msg = "it was taken back already: " + d.Said
		refusal.Hint = fmt.Sprintf("'%s' does it again", s.undoCommand(ctx, id, d.UndoneBy))
	}
	return err
}

// undid puts right what use cases keep beside a task's operations, and says what
// stays as it is.
func (s *Service) undid(ctx context.Context, c *change, was task.Task, kept []string) ([]string, error) {
	var notes []string
	for _, what := range kept {
		notes = append(notes, what+" changed since, and stays")
	}
	if n := len(c.Task.Conflicts); n > len(was.Conflicts) {
		con := c.Task.Conflicts[n-1]
		look, settle := task.SettleCommands(c.Task.Conflicts, con)
		notes = append(notes, fmt.Sprintf("%s could not be merged: '%s' shows what stood there, '%s' settles it", con.Path, look, settle))
	}
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
	if err := s.renote(ctx, c, was); err != nil {
		notes = append(notes, fmt.Sprintf("the notes could not be written: %v; see 'git brew doctor'", err))
	}
	if slices.EqualFunc(c.Task.Services, was.Services, func(a, b task.Service) bool { return a.Path == b.Path }) {
		return notes, nil
	}
	return notes, s.meanEdited(ctx, c)
}

// renote makes the notes on commits say what the task says now.
func (s *Service) renote(ctx context.Context, c *change, was task.Task) error {
	before, after := s.noteLines(ctx, was), s.noteLines(ctx, c.Task)
	without := func(list, of []ledger.NoteLine) []ledger.NoteLine {
		return slices.DeleteFunc(slices.Clone(list), func(l ledger.NoteLine) bool { return slices.Contains(of, l) })
	}
	if err := c.tx.Unnote(ctx, without(before, after)...); err != nil {
		return err
	}
	return c.tx.Note(ctx, without(after, before)...)
}

// undidBranch moves what this clone means by a branch, as an edit does.
func (s *Service) undidBranch(ctx context.Context, was, after task.Task) error {
	if s.Rehearses() {
		return nil
	}
	if was.Branch != after.Branch {
		return s.moveClaim(ctx, was.Branch, after.Branch, after.ID)
	}
	if !was.Deleted {
		return nil
	}
	if claimed, err := s.ledger.Claimed(after.Branch); err == nil && claimed == "" {
		return s.ledger.Claim(ctx, after.Branch, string(after.ID))
	}
	return nil
}
