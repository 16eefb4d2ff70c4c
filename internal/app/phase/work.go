package phase

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/ledger/notes"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
)

// nextReady is the phase that is started where none is named: the one that comes
// next, where that can be started. A fix comes before the next phase, so one that is
// under way is finished first.
func nextReady(t task.Task) (task.Phase, error) {
	step, ready := route.Next(t), route.Ready(t)
	if i := slices.IndexFunc(ready, func(p task.Phase) bool { return p.ID == step.Phase }); i >= 0 {
		return ready[i], nil
	}
	for _, p := range t.Phases {
		if p.Kind == task.KindFix && (p.Status == task.PhaseInProgress || p.Status == task.PhaseInReview) {
			return p, clone.Refuse("'git brew next' says what it needs; or name the phase to start",
				"fix phase %s comes first, and is %s", p.ID, p.Status)
		}
	}
	if free := append(ready, route.Due(t)...); len(free) > 0 {
		return free[0], nil // what holds up all work, it says itself
	}
	on, hint := route.WorkedOn(t), "see 'git brew next'"
	if len(on) == 0 {
		return task.Phase{}, clone.Refuse(hint, "no phase is ready")
	}
	if len(on) == 1 {
		hint = "'git brew phase done " + on[0].ID + "' says when its work is done"
	}
	return task.Phase{}, clone.Refuse(hint, "no phase is ready; worked on: %s", route.NamedUnderWay(on, "and"))
}

// AlongWith tells which other phases a change of one made fail, dropped, or made
// pending again.
func AlongWith(before, after task.Task, uid task.UID) []string {
	var notes []string
	for _, q := range after.Phases {
		was, known := before.Phase(q.UID)
		switch {
		case q.UID == uid || !known || q.Status == was.Status:
		case q.Status == task.PhaseFailed:
			notes = append(notes, "phase "+q.ID+" "+q.Reason+" and failed too")
		case q.Status == task.PhaseDropped:
			notes = append(notes, "phase "+q.ID+" was dropped too")
		case q.Status == task.PhasePending:
			notes = append(notes, "phase "+q.ID+" is pending again, it was "+was.Status.String())
		}
	}
	return notes
}

// fixTitle is what a fix of a phase is called where nobody says: a fix of a fix is
// another go at the same.
func fixTitle(p task.Phase) string {
	if p.Kind == task.KindFix && strings.HasPrefix(p.Title, "Fix ") {
		return p.Title
	}
	return invisible.CutBytes("Fix "+p.Title, task.MaxTitle)
}

// StartPhase starts a phase, the next ready one where arg is empty. Its start
// commit is where the work stands (commitOf): noted there, and kept reachable. A worker that
// says its name claims what it starts.
func (s *Phases) StartPhase(ctx context.Context, id task.ID, arg string) (PhaseResult, error) {
	meant := Meant{Arg: arg, Pick: nextReady}
	return s.Change(ctx, id, meant, func(ctx context.Context, c *change.Tx, p task.Phase) ([]string, error) {
		if err := MayPass(c, route.PassedByStart(c.Task, p)); err != nil {
			return nil, err
		}
		return s.StartIn(ctx, c, p, task.PhasePayload{})
	})
}

// StartIn starts a phase, and records what that leaves behind.
func (s *Phases) StartIn(ctx context.Context, c *change.Tx, p task.Phase, start task.PhasePayload) ([]string, error) {
	var err error
	if err := s.Documents.LookAtPlan(ctx, c); err != nil {
		return nil, err
	}
	if start.Commit, err = s.Code.CommitOf(ctx, c.Task); err != nil {
		return nil, err
	}
	if start.Services, err = s.Place.ServiceCommits(ctx, c.Task); err != nil {
		return nil, err
	}
	if worker := s.Clone.Caller.Worker; worker != "" {
		start.Claimed, start.Worker = true, worker
	}
	before := c.Task
	start.Phase, start.Passed = p.UID, route.PassedByStart(c.Task, p)
	if err := c.Do(ctx, change.Op(task.OpPhaseStart, start)); err != nil {
		return nil, err
	}
	notes := append(PassedNotes(c.Task, start.Passed), AlongWith(before, c.Task, p.UID)...)
	started, _ := c.Task.Phase(p.UID)
	unnoted, err := s.Marked(ctx, c, p.UID, started.StartCommit, codediff.NoteStarts)
	return append(notes, unnoted...), err
}

// Marked writes a phase's note on a commit, and keeps the commit. Notes are a
// view of the task: where none can be written, the change goes on with a remark.
func (s *Phases) Marked(ctx context.Context, c *change.Tx, uid task.UID, commit, what string) ([]string, error) {
	if commit == "" {
		return nil, nil
	}
	oid, err := gitstore.ParseOID(commit)
	if err != nil {
		return nil, err
	}
	p, _ := c.Task.Phase(uid)
	var remarks []string
	line := notes.Line{On: oid, Text: codediff.NoteLine(c.ID, p, what)}
	if err := notes.Add(ctx, c.Ledger, line); err != nil {
		remarks = append(remarks, fmt.Sprintf("the note could not be written: %v; see 'git brew doctor'", err))
	}
	return remarks, s.keepStart(ctx, c, commit)
}

// PhaseDone says that a phase is done and awaits review. Where its commands
// ran by then, what is handed over is told well enough to say whether that is what
// they verified.
func (s *Phases) PhaseDone(ctx context.Context, id task.ID, arg string) (PhaseResult, error) {
	return s.Change(ctx, id, s.begun(arg), func(ctx context.Context, c *change.Tx, p task.Phase) ([]string, error) {
		now, err := s.Code.HeldOf(ctx, c.Task, p)
		if err != nil {
			return nil, err
		}
		beside := s.Code.NotHandedOver(ctx, c.Task, p)
		if err := c.Do(ctx, change.Op(task.OpPhaseDone, task.PhasePayload{
			Phase: p.UID, Commit: now.Commit, Services: now.Services, Clean: now.Clean,
			Starts: s.Code.Starts(ctx, c.Task, p, now.Commit),
		})); err != nil {
			return nil, err
		}
		if err := s.keepStart(ctx, c, now.Commit); err != nil {
			return nil, err
		}
		return beside, Summarize(ctx, c, p.UID)
	})
}

// keepStart makes a commit stay where its branch goes: a phase that ends there can be
// looked at as long as its task is.
func (s *Phases) keepStart(ctx context.Context, c *change.Tx, commit string) error {
	if commit == "" {
		return nil
	}
	oid, err := gitstore.ParseOID(commit)
	if err != nil {
		return err
	}
	if has, err := s.Clone.Repo.Objects.Has(ctx, oid); err != nil || !has {
		return err // a hand-over of another clone, that has not come here
	}
	return c.Ledger.Keep(ctx, string(c.ID), oid)
}

// FailPhase gives a phase up, and with it those that depend on it.
func (s *Phases) FailPhase(ctx context.Context, id task.ID, arg, reason string) (PhaseResult, error) {
	return s.move(ctx, id, arg, task.OpPhaseFail, reason)
}

// ResetPhase sets a phase back to pending; its iterations stay counted.
func (s *Phases) ResetPhase(ctx context.Context, id task.ID, arg, reason string) (PhaseResult, error) {
	return s.move(ctx, id, arg, task.OpPhaseReset, reason)
}

// move makes an operation on a phase for a reason, and tells what else that moved.
func (s *Phases) move(ctx context.Context, id task.ID, arg string, kind operation.Kind,
	why string,
) (PhaseResult, error) {
	return s.Change(ctx, id, s.begun(arg), func(ctx context.Context, c *change.Tx, p task.Phase) (_ []string, err error) {
		before, payload := c.Task, task.PhaseReasonPayload{Phase: p.UID, Reason: why}
		if kind == task.OpPhaseFail {
			if payload.MustEscalate, err = s.Spends(ctx, before, p); err != nil {
				return nil, err
			}
		}
		err = c.Do(ctx, change.Op(kind, payload))
		return AlongWith(before, c.Task, p.UID), err
	})
}

// RevisePhase adds the next fix phase of a phase and starts it.
func (s *Phases) RevisePhase(ctx context.Context, id task.ID, arg, title string) (PhaseResult, error) {
	var fix task.UID
	meant := Meant{Arg: arg, Pick: s.Clone.DefaultPhase(task.Phase.InReview)}
	r, err := s.Change(ctx, id, meant, func(ctx context.Context, c *change.Tx, p task.Phase) ([]string, error) {
		if err := s.mayRevise(ctx, c.Task, p); err != nil {
			return nil, err
		}
		added, err := Add(ctx, c, task.PhaseAddPayload{
			Title: cmp.Or(title, fixTitle(p)), Kind: task.KindFix, Parent: p.UID,
		})
		if err != nil {
			return nil, err
		}
		fix = added.UID
		return s.StartIn(ctx, c, added, task.PhasePayload{})
	})
	if err == nil {
		r.Phase, _ = r.Task.Phase(fix)
	}
	return r, err
}
