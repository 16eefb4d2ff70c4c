package rules_test

import (
	"fmt"
	"testing"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
	. "github.com/git-brew/git-brew/internal/task/rules"
)

// BC-53: what settles final reviews is asked of every operation there is, and a history
// may come with as many phases as fit, deep below one another. In the square of them,
// or worse, these operations don't end before the tests do.
func TestFinalReview_BC53_anyNumberOfThem(t *testing.T) {
	t.Parallel()
	s := started(t)
	uid := func(i int) task.UID { return task.UID(fmt.Sprintf("%032x", 10_000+i)) }
	many := func(below func(i int) task.Phase, reviews task.PhaseStatus) task.Task {
		now := s.t
		for i := range task.MaxPhases {
			p := task.Phase{
				UID: uid(i), ID: fmt.Sprint("FR", i), Title: "x", Kind: task.KindFinalReview, Status: reviews,
				Iteration: 1,
			}
			if i >= task.MaxPhases/2 {
				p = below(i)
				p.UID, p.ID, p.Title = uid(i), fmt.Sprint("R", i), "x"
			}
			now.Phases = append(now.Phases, p)
		}
		return now
	}
	research := func(i int) task.Phase { // each below the one before, as deep as it gets
		above := uid(i - 1)
		if i%task.MaxDepth == task.MaxPhases/2%task.MaxDepth {
			above = uid(0)
		}
		return task.Phase{Kind: task.KindResearch, Status: task.PhasePending, Parent: above}
	}
	dropped := func(i int) task.Phase {
		if i == task.MaxPhases-1 {
			return task.Phase{Kind: task.KindExecution, Status: task.PhaseCompleted, Iteration: 1}
		}
		return task.Phase{
			Kind: task.KindFix, Status: task.PhaseDropped, Parent: uid(task.MaxPhases - 1),
			Fixes: uid(task.MaxPhases - 1),
		}
	}
	for name, now := range map[string]task.Task{
		"what hangs below them":    many(research, task.PhaseCompleted),
		"what was dropped":         many(dropped, task.PhaseCompleted),
		"none of them has stood":   many(research, task.PhasePending),
		"each waits for all there": many(dropped, task.PhasePending),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			was, own := now, *s // the others run beside it
			for i := range 200 {
				op := own.next(task.OpEdit, task.EditPayload{Title: fmt.Sprint("Title ", i)})
				op.Clock += uint64(i)
				after, applied := Apply(now, op, nil)
				if !applied {
					t.Fatal("an operation on something else was not applied")
				}
				TallyOf(after, task.BoardOf(uid(i)))
				now = after
			}
			for i, p := range now.Phases {
				if p.Status != was.Phases[i].Status {
					t.Fatalf("%s is %s", p.ID, p.Status)
				}
			}
			route.Next(now)
		})
	}
}

// reviewed is a task whose phases are all completed, its final review too; done takes a
// phase to its end, and phase finds one by its title.
func reviewed(t *testing.T) (w *world, c *clone, done func(*clone, string), phase func(*clone, string) task.Phase) {
	t.Helper()
	phase = func(c *clone, title string) task.Phase {
		for _, p := range c.state.Phases {
			if p.Title == title {
				return p
			}
		}
		t.Fatalf("no phase %q\n%s", title, phasesOf(c.state))
		return task.Phase{}
	}
	w, c = tell(t, task.OpPhaseAdd, task.PhaseAddPayload{Title: "Two"}, task.OpPhaseAdd,
		task.PhaseAddPayload{Title: "FR", Kind: task.KindFinalReview})
	done = func(c *clone, title string) {
		t.Helper()
		p := phase(c, title)
		w.must(t, c, task.OpPhaseStart, task.PhasePayload{Phase: p.UID, Commit: commitA})
		w.must(t, c, task.OpPhaseDone, task.PhasePayload{Phase: p.UID, Commit: string(w.id()) + "00000000"})
		if p.Kind == task.KindFinalReview {
			w.must(t, c, task.OpBoardReady, task.BoardReadyPayload{On: task.BoardOf(p.UID), Reason: "seen"})
		}
		w.must(t, c, task.OpPhaseReview, task.PhaseReviewPayload{Phase: p.UID, Verdict: task.ReviewApproved})
	}
	for _, p := range c.state.Phases {
		done(c, p.Title)
	}
	return w, c, done, phase
}

// must is do, of what has to be allowed.
func (w *world) must(t *testing.T, c *clone, kind operation.Kind, payload any) (did task.UndoPayload) {
	t.Helper()
	if !w.do(t, c, kind, payload) {
		t.Fatalf("%s %+v was refused\n%s", kind, payload, phasesOf(c.state))
	}
	return task.UndoPayload{Operations: []operation.ID{w.commits[c.at].op.ID}, Commit: c.at}
}

// BC-53: a final review that comes back with what is taken back is of what it has seen:
// where the task went on since, nothing comes back. What undo says is what comes of it.
func TestUndo_BC53_noFinalReviewOfWhatItHasNotSeen(t *testing.T) {
	t.Parallel()
	for name, since := range map[string]func(w *world, c *clone, done func(*clone, string),
		phase func(*clone, string) task.Phase){
		"nothing was done since": nil,
		"a phase was edited": func(w *world, c *clone, _ func(*clone, string), phase func(*clone, string) task.Phase) {
			w.must(t, c, task.OpPhaseEdit, task.PhaseEditPayload{Phase: phase(c, "Two").UID, Tier: task.TierSenior})
		},
		"a phase is to be done": func(w *world, c *clone, _ func(*clone, string), _ func(*clone, string) task.Phase) {
			w.must(t, c, task.OpPhaseAdd, task.PhaseAddPayload{Title: "Late"})
		},
		"a phase was done on another clone": func(w *world, c *clone, done func(*clone, string),
			_ func(*clone, string) task.Phase,
		) {
			other := *c
			w.must(t, &other, task.OpPhaseAdd, task.PhaseAddPayload{Title: "Late"})
			done(&other, "Late")
			w.sync(c, &other)
		},
		"a phase was done again": func(w *world, c *clone, done func(*clone, string), phase func(*clone, string) task.Phase) {
			w.must(t, c, task.OpPhaseReset, task.PhaseReasonPayload{Phase: phase(c, "Two").UID})
			done(c, "Two")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, clone, done, phase := reviewed(t)
			reset := w.must(t, clone, task.OpPhaseReset, task.PhaseReasonPayload{Phase: phase(clone, "One").UID})
			want := task.PhasePending
			if since == nil {
				w.must(t, clone, task.OpUndo, reset)
				want = task.PhaseCompleted
			} else if since(w, clone, done, phase); w.do(t, clone, task.OpUndo, reset) {
				t.Error("the reset was taken back below what was done since")
			}
			for _, title := range []string{"One", "FR"} {
				if p := phase(clone, title); p.Status != want {
					t.Errorf("%s is %s, want %s\n%s", title, p.Status, want, phasesOf(clone.state))
				}
			}
			sound(t, clone.state)
		})
	}
}

// BC-53, BC-7: what others worked makes reviewers look again, and uses up none of the
// rounds, which are for answers to what they said; nor does a round in which nobody
// spoke.
func TestTally_BC53_workOfOthersIsNoRound(t *testing.T) {
	t.Parallel()
	s := started(t)
	fr := s.add(task.PhaseAddPayload{Kind: task.KindFinalReview})
	on := task.BoardOf(fr)
	s.start(fr)
	for range task.MaxRounds {
		s.ready(on, "ann", "bob", "cid")
		s.verdict(on, VerdictReady, 1)
		s.complete(s.add(task.PhaseAddPayload{}))
		s.verdict(on, VerdictReview, 1)
	}
	grave := s.remark(on, "ann", task.Major, "leaks")
	s.confirm(grave, "bob")
	s.verdict(on, VerdictChanges, 1)
	s.complete(s.add(task.PhaseAddPayload{}))
	s.resolve(grave)
	s.verdict(on, VerdictReview, 2)
	s.executed(fr)
	s.start(s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: fr}))
	s.verdict(on, VerdictReview, 2)
}
