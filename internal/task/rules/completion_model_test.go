package rules_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	. "github.com/git-brew/git-brew/internal/task/rules"
)

// sound checks what holds of every state, whatever histories met to make it: what is
// done in parts is done when they are, what is completed was so after its fixes and its
// verifications, and a final review after all others.
func sound(t interface{ Fatalf(string, ...any) }, s task.Task) {
	awaited := AwaitedByFinalReview(s)
	for _, p := range s.Phases {
		for _, q := range s.Phases {
			done := q.Status.Over()
			if p.Kind == task.KindFinalReview && p.Status == task.PhaseCompleted && awaited(&q) {
				t.Fatalf("the final review %s is completed, and %s is %s\n%s", p.ID, q.ID, q.Status, phasesOf(s))
			}
			switch {
			case q.Parent != p.UID && q.Fixes != p.UID || done:
			case p.Status == task.PhaseDropped:
				t.Fatalf("%s is dropped, and %s is %s\n%s", p.ID, q.ID, q.Status, phasesOf(s))
			case q.Kind == task.KindSplit && (p.Status == task.PhaseInReview || p.Status == task.PhaseCompleted):
				t.Fatalf("%s is %s, and its part %s is %s\n%s", p.ID, p.Status, q.ID, q.Status, phasesOf(s))
			case p.Status != task.PhaseCompleted:
			case q.Kind == task.KindVerification, q.Kind == task.KindFix && q.Status != task.PhaseFailed:
				t.Fatalf("%s is completed, and %s is %s\n%s", p.ID, q.ID, q.Status, phasesOf(s))
			}
		}
	}
}

// earned checks of phases that an operation completed that all was there which has to
// be, in the state that it was made in.
func earned(t interface{ Fatalf(string, ...any) }, was, s task.Task, kind operation.Kind, user bool) {
	passed := func(p task.Phase, commands []string) bool {
		v := p.Verified
		return len(commands) == 0 || v != nil && v.Passed && !v.Stale && v.Iteration == p.Iteration &&
			!slices.ContainsFunc(commands, func(c string) bool {
				return !slices.ContainsFunc(v.Commands, func(r task.CommandRun) bool { return r.Text == c })
			})
	}
	for _, p := range s.Phases {
		before, _ := was.Phase(p.UID)
		if p.Status != task.PhaseCompleted || before.Status == task.PhaseCompleted {
			continue
		}
		verified := passed(before, before.Verification)
		for _, v := range was.Children(p.UID, task.KindVerification) {
			if is, _ := s.Phase(v.UID); is.Status == task.PhaseDropped {
				t.Fatalf("%s: %s was completed as %s was dropped\n%s", kind, p.ID, v.ID, phasesOf(was))
			}
			verified = passed(v, slices.Concat(before.Verification, v.Verification))
		}
		switch missing := task.MissingReports(was, before); {
		case before.Status != task.PhaseInReview:
			t.Fatalf("%s: %s was %s, and is completed\n%s", kind, p.ID, before.Status, phasesOf(was))
		case len(missing) > 0:
			t.Fatalf("%s: %s was completed without %v\n%s", kind, p.ID, missing, phasesOf(was))
		case !verified:
			t.Fatalf("%s: %s was completed, and its commands did not pass\n%s", kind, p.ID, phasesOf(was))
		case p.Kind == task.KindFinalReview && TallyOf(was, task.BoardOf(p.UID)).Verdict != VerdictReady:
			t.Fatalf("%s: the final review %s was completed, and its board is not READY\n%s", kind, p.ID, phasesOf(was))
		case !user && RejectionStands(was, before):
			t.Fatalf("%s: %s was completed, and the user has rejected it\n%s", kind, p.ID, phasesOf(was))
		}
	}
}

// BC-36, BC-42, BC-50, BC-53: whatever is done to phases, on one clone or on two that
// meet, and by whatever way one comes to be completed, what has to be there before was
// there: its parts, its fixes, its verification, its commands, its reports, and of a
// final review its board and all the others.
func TestCompletion_BC36_BC42_BC50_BC53_noWayAround(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := &world{texts: blobs{}}
		first := &clone{}
		w.do(t, first, task.OpCreate, task.CreatePayload{
			ID: "add-jwt-auth-k3v9q2m", Title: "Add JWT auth", Type: "feature",
			Branch: "feature/add-jwt-auth", Stage: task.StageExecute,
		})
		w.do(t, first, task.OpStart, task.StartPayload{})
		for _, kind := range []task.PhaseKind{
			task.KindExecution, task.KindExecution,
			task.KindFinalReview,
		}[rapid.IntRange(0, 2).Draw(t, "without"):] {
			w.do(t, first, task.OpPhaseAdd, task.PhaseAddPayload{
				Title: "Work", Kind: kind,
				Agents:       []string{"dev"}[:rapid.IntRange(0, 1).Draw(t, "agents")],
				Verification: []string{"true"}[:rapid.IntRange(0, 1).Draw(t, "commands")],
			})
		}
		second := *first
		w.clones = []*clone{first, &second}
		for range rapid.IntRange(5, 60).Draw(t, "steps") {
			c := w.clones[min(1, rapid.IntRange(0, 7).Draw(t, "clone")/7)]
			if rapid.IntRange(0, 15).Draw(t, "syncs") == 0 {
				w.sync(c, w.draw(t, "other"))
				sound(t, c.state)
				continue
			}
			w.toTheEnd(t, c)
		}
		w.sync(first, &second)
		sound(t, first.state)
	})
}

// toTheEnd takes a phase on towards its end, or back from it.
func (w *world) toTheEnd(t *rapid.T, c *clone) {
	if len(c.state.Phases) == 0 { // the only one's beginning was taken back
		w.do(t, c, task.OpPhaseAdd, task.PhaseAddPayload{Title: "Work"})
		return
	}
	p := rapid.SampledFrom(c.state.Phases).Draw(t, "phase")
	user := rapid.IntRange(0, 3).Draw(t, "user") == 0
	does := func(kind operation.Kind, payload any) bool {
		was := c.state
		if !w.do(t, c, kind, payload) {
			return false
		}
		sound(t, c.state)
		earned(t, was, c.state, kind, user)
		return true
	}
	approve := func() bool {
		p, _ := c.state.Phase(p.UID)
		return does(task.OpPhaseReview, task.PhaseReviewPayload{
			Phase: p.UID, Verdict: task.ReviewApproved, User: user,
			Verified: PassedRun(c.state, p),
		})
	}
	verify := func() {
		p, _ := c.state.Phase(p.UID)
		runs := []task.CommandRun{{Text: "true"}}
		if rapid.IntRange(0, 4).Draw(t, "fails") == 0 {
			runs[0].Exit = 1
		}
		does(task.OpPhaseVerify, task.VerifyPayload{
			Phase: p.UID, Iteration: p.Iteration, Commit: commitB, Clean: true,
			Commands: runs,
		})
	}
	report := func() {
		p, _ := c.state.Phase(p.UID)
		r := task.Report{Phase: p.UID, Iteration: max(1, p.Iteration), Agent: "dev", Verify: p.Kind == task.KindVerification}
		does(task.OpReport, task.ReportPayload{
			Phase: r.Phase, Iteration: r.Iteration, Agent: r.Agent,
			Base: c.state.TextAt(task.ReportPath(c.state, r)), OID: w.texts.put("report\n"),
		})
	}
	says := func() {
		does(task.OpBoardReady, task.BoardReadyPayload{
			On:       task.BoardOf(p.UID),
			Reviewer: rapid.SampledFrom([]string{"", "ann", "bob", "cid"}).Draw(t, "reviewer"), Reason: "read",
		})
	}
	usually := func(label string) bool { return rapid.IntRange(0, 3).Draw(t, label) > 0 }
	switch rapid.IntRange(0, 14).Draw(t, "what") {
	default: // one or several steps on the way to the end
		_ = (p.Status == task.PhaseInProgress || p.Status == task.PhaseInReview ||
			does(task.OpPhaseStart, task.PhasePayload{Phase: p.UID, Commit: commitA})) && usually("executed")
		does(task.OpPhaseDone, task.PhasePayload{Phase: p.UID, Commit: commitB, Clean: true})
		if usually("verified") {
			verify()
		}
		if usually("reported") {
			report()
		}
		if usually("read") {
			says()
		}
		approve()
	case 0:
		approve()
	case 1:
		does(task.OpPhaseReview, task.PhaseReviewPayload{Phase: p.UID, Verdict: task.ReviewChanges, Reason: "no", User: user})
	case 2, 3, 4:
		kind := rapid.SampledFrom([]task.PhaseKind{task.KindFix, task.KindSplit, task.KindVerification}).Draw(t, "kind")
		does(task.OpPhaseAdd, task.PhaseAddPayload{
			Title: "x", Kind: kind, Parent: p.UID,
			Agents: []string{"dev"}[:rapid.IntRange(0, 1).Draw(t, "agents")],
		})
	case 5:
		does(task.OpPhaseAdd, task.PhaseAddPayload{
			Title: "x",
			Kind:  rapid.SampledFrom([]task.PhaseKind{task.KindExecution, task.KindFinalReview}).Draw(t, "kind"),
		})
	case 6:
		does(task.OpPhaseReset, task.PhaseReasonPayload{Phase: p.UID})
	case 7:
		does(task.OpPhaseFail, task.PhaseReasonPayload{Phase: p.UID, Reason: "no"})
	case 8:
		does(task.OpPhaseEdit, task.PhaseEditPayload{Phase: p.UID, AddVerification: []string{"true"}})
	case 9:
		for range 3 {
			says()
		}
	case 11:
		does(task.OpPhaseDrop, task.PhaseReasonPayload{Phase: p.UID, Reason: "no"})
	case 10:
		w.undo(t, c) // what it brings back was completed before
		sound(t, c.state)
	}
}
