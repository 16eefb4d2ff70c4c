package rules_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	. "github.com/git-brew/git-brew/internal/task/rules"
	"pgregory.net/rapid"
)

// newWorld is a task in progress on one clone: a phase with its verification, one
// that depends on it, and two documents.
func newWorld(t *rapid.T) (*world, *clone) {
	w, c := &world{texts: blobs{}}, &clone{}
	w.do(t, c, task.OpCreate, task.CreatePayload{
		ID: "add-jwt-auth-k3v9q2m", Title: "Add JWT auth", Type: "feature", Branch: "feature/add-jwt-auth",
		Stage: task.StageExecute,
	})
	w.do(t, c, task.OpPhaseAdd, task.PhaseAddPayload{Title: "One"})
	w.do(t, c, task.OpStart, task.StartPayload{})
	one := c.state.Phases[0].UID
	w.do(t, c, task.OpPhaseAdd, task.PhaseAddPayload{Title: "Verify", Kind: task.KindVerification, Parent: one})
	w.do(t, c, task.OpPhaseAdd, task.PhaseAddPayload{Title: "Two", DependsOn: []task.UID{one}})
	for _, name := range []task.DocName{task.DocPlan, task.DocContext} {
		w.do(t, c, task.OpDocSet, task.DocSetPayload{Name: name, OID: w.texts.put("1\n2\n3\n4\n5\n6\n7\n8\n9\n")})
	}
	return w, c
}

// content is a state without what every operation leaves on it.
func content(t interface{ Fatal(...any) }, s task.Task) string {
	s.Schema, s.Clock, s.Fence, s.UpdatedAt = operation.Format, 0, 0, ""
	return encodedFor(t, s)
}

// Whatever was done last, taking it back gives the state before, and taking that
// back gives it again.
func TestUndo_givesBackWhatWas(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w, c := newWorld(t)
		w.clones = []*clone{c}
		for range rapid.IntRange(0, 25).Draw(t, "steps") {
			w.step(t, c)
		}
		for range 8 {
			made, was := len(c.nodes), c.state
			w.step(t, c)
			if len(c.nodes) != made+1 || c.state.Deleted {
				continue // nothing, or several at once
			}
			op, did := c.nodes[made].Op, c.state
			if _, lasting := Lasting(op.Kind); lasting || was.Deleted || content(t, was) == content(t, did) {
				continue
			}
			take := func() {
				p := task.UndoPayload{Operations: []operation.ID{c.nodes[len(c.nodes)-1].Op.ID}, Commit: c.at}
				if err := takenBack(w, c, p); err != nil {
					t.Fatalf("%s %s: %v", op.Kind, op.Payload, err)
				}
				w.do(t, c, UndoKind(c.nodes[len(c.nodes)-1].Op.Kind), p)
			}
			take()
			if got, want := content(t, c.state), content(t, was); got != want {
				t.Fatalf("%s %s, taken back:\n%s\nbefore it:\n%s", op.Kind, op.Payload, got, want)
			}
			take()
			if got, want := content(t, c.state), content(t, did); got != want {
				t.Fatalf("%s %s, done again:\n%s\nafter it:\n%s", op.Kind, op.Payload, got, want)
			}
		}
		checkWhole(t, c.state)
	})
}

func takenBack(w *world, c *clone, p task.UndoPayload) error {
	_, err := CheckUndo(c.state, p, w)
	// Work that was allowed to go on is not taken away below it: that is no
	// fault of the way back.
	if refused, ok := errors.AsType[*task.RefusedError](err); ok && refused.Code == task.CodeUndo {
		return refused
	}
	return err
}

// undone takes back the last operation, or the one n before it.
func (w *world) undone(tb testing.TB, c *clone, n int) (task.Task, error) {
	tb.Helper()
	at := c.at
	for range n {
		at = w.commits[at].on
	}
	op := w.commits[at].op
	p := task.UndoPayload{Operations: []operation.ID{op.ID}, Commit: at}
	taken, err := CheckUndo(c.state, p, w)
	if did := w.do(fatal{tb}, c, UndoKind(op.Kind), p); did != (err == nil) {
		tb.Fatalf("did it: %t, and the check said %v", did, err)
	}
	return taken, err
}

type fatal struct{ testing.TB }

// tell is a history of operations that all are allowed.
func tell(tb testing.TB, more ...any) (*world, *clone) {
	tb.Helper()
	w, c := &world{texts: blobs{}}, &clone{}
	all := append([]any{
		task.OpCreate,
		task.CreatePayload{
			ID: "add-jwt-auth-k3v9q2m", Title: "Add JWT auth", Type: "feature", Branch: "feature/add-jwt-auth",
			Stage: task.StageExecute,
		},
		task.OpStart,
		task.StartPayload{},
		task.OpPhaseAdd,
		task.PhaseAddPayload{Title: "One"},
	}, more...)
	for i := 0; i < len(all); i += 2 {
		payload := all[i+1]
		if of, ok := payload.(func(*clone) any); ok {
			payload = of(c)
		}
		if !w.do(fatal{tb}, c, all[i].(operation.Kind), payload) {
			tb.Fatalf("%s is not allowed", all[i])
		}
	}
	return w, c
}

// phaseAt names a phase by its place.
func phaseAt(i int) func(*clone) any {
	return func(c *clone) any { return task.PhasePayload{Phase: c.state.Phases[i].UID, Commit: commitA} }
}

func TestUndo_refusedWhereWorkWentOn(t *testing.T) {
	t.Parallel()
	two := func(c *clone) any {
		return task.PhaseAddPayload{Title: "Two", DependsOn: []task.UID{c.state.Phases[0].UID}}
	}
	approve := func(i int) func(*clone) any {
		return func(c *clone) any {
			return task.PhaseReviewPayload{Phase: c.state.Phases[i].UID, Verdict: task.ReviewApproved}
		}
	}
	remark := func(text string) func(*clone) any {
		return func(c *clone) any {
			return task.RemarkAddPayload{
				On: task.BoardOf(c.state.Phases[0].UID), Reviewer: "ann", Severity: task.Minor,
				Text: text,
			}
		}
	}
	for _, tt := range []struct {
		name string
		ops  []any
		back int // of what stands before the last
		want string
	}{
		{
			"a phase that was added, and that another one waits for",
			[]any{task.OpPhaseAdd, two},
			1,
			"the task went on since; see 'git brew log'",
		},
		{
			"a phase that was added, and started",
			[]any{task.OpPhaseStart, phaseAt(0)},
			1,
			"the task went on since; see 'git brew log'",
		},
		{
			"a phase that was added, and has a plan",
			[]any{task.OpDocSet, func(c *clone) any {
				return task.DocSetPayload{Name: task.PlanOf(c.state.Phases[0].UID), OID: commitA}
			}},
			1,
			"something that was added since belongs to what it added; take that back first, or drop the phase: 'git brew " +
				"phase drop'",
		},
		{
			"a phase's start, and it is executed",
			[]any{task.OpPhaseStart, phaseAt(0), task.OpPhaseDone, phaseAt(0)},
			1,
			"the task went on since; see 'git brew log'",
		},
		{
			"a phase's start, and an agent was launched",
			[]any{task.OpPhaseStart, phaseAt(0), task.OpPhaseLaunch, func(c *clone) any {
				return task.PhaseLaunchPayload{Phase: c.state.Phases[0].UID, Agent: "dev"}
			}},
			1, "the task went on since; see 'git brew log'",
		},
		{"an approval, and what depends on it has begun", []any{
			task.OpPhaseAdd, two, task.OpPhaseStart, phaseAt(0), task.OpPhaseDone, phaseAt(0), task.OpPhaseReview, approve(0),
			task.OpPhaseStart, phaseAt(1),
		}, 1, "the task went on since; see 'git brew log'"},
		{
			"the task's start, and a phase was added",
			[]any{task.OpPhaseAdd, task.PhaseAddPayload{Title: "Two"}},
			2,
			"the task went on since; see 'git brew log'",
		},
		{"a phase's step, and the task has ended", []any{
			task.OpPhaseStart, phaseAt(0), task.OpPhaseDone, phaseAt(0), task.OpFinish,
			task.FinishPayload{Status: task.Failed, Reason: "no way"},
		}, 1, "the task went on since; see 'git brew log'"},
		{"a reset, and the phase got a verification", []any{
			task.OpPhaseStart, phaseAt(0), task.OpPhaseDone, phaseAt(0), task.OpPhaseReview, approve(0),
			task.OpPhaseReset, func(c *clone) any { return task.PhaseReasonPayload{Phase: c.state.Phases[0].UID} },
			task.OpPhaseAdd, func(c *clone) any {
				return task.PhaseAddPayload{Title: "Verify", Kind: task.KindVerification, Parent: c.state.Phases[0].UID}
			},
		}, 1, "the task went on since; see 'git brew log'"},
		{
			"a title that was changed again",
			[]any{task.OpEdit, task.EditPayload{Title: "A"}, task.OpEdit, task.EditPayload{Title: "B"}},
			1,
			"title changed since; see 'git brew log'",
		},
		{"a remark that was voted on", []any{
			task.OpPhaseStart, phaseAt(0), task.OpRemarkAdd, remark("gap"), task.OpRemarkAdd, remark("hole"),
			task.OpRemarkVote, func(c *clone) any {
				return task.RemarkVotePayload{Remark: c.state.Remarks[1].UID, Reviewer: "bob"}
			},
		}, 1, "remarks changed since; see 'git brew log'"},
		{"a decision that was revoked", []any{
			task.OpDecisionAdd,
			task.DecisionAddPayload{Title: "A"},
			task.OpDecisionAdd,
			task.DecisionAddPayload{Title: "B"},
			task.OpDecisionRevoke,
			func(c *clone) any {
				return task.DecisionRevokePayload{Decision: c.state.Decisions[1].UID, Reason: "no"}
			},
		}, 1, "decisions changed since; see 'git brew log'"},
		{"a text, and it was written again", []any{
			task.OpDocSet,
			task.DocSetPayload{Name: task.DocPlan, OID: commitA},
			task.OpDocSet,
			task.DocSetPayload{Name: task.DocPlan, Base: commitA, OID: commitB},
		}, 1, "plan changed since; see 'git brew log'"},
		{"a report, and the phase was completed on it", []any{
			task.OpPhaseStart, phaseAt(0), task.OpPhaseLaunch, func(c *clone) any {
				return task.PhaseLaunchPayload{Phase: c.state.Phases[0].UID, Agent: "dev"}
			},
			task.OpReport, func(c *clone) any {
				return task.ReportPayload{Phase: c.state.Phases[0].UID, Iteration: 1, Agent: "dev", OID: commitA}
			},
			task.OpPhaseDone, phaseAt(0), task.OpPhaseReview, approve(0),
		}, 2, "phase 1 was completed on artifacts/1-1e/dev_output.md; 'git brew phase reset 1' first"},
		{"the creation", nil, 2, "that can't be taken back; 'git brew finish --status cancelled' ends a task that " +
			"nobody wants"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w, c := tell(t, tt.ops...)
			_, err := w.undone(t, c, tt.back)
			if err == nil || err.Error() != tt.want {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

// What others changed since stays, where the change that is taken back did not
// touch it.
func TestUndo_leavesTheRest(t *testing.T) {
	t.Parallel()
	w, c := tell(t)
	set := func(name task.DocName, text string) any {
		return task.DocSetPayload{Name: name, Base: c.state.Docs[name].OID, OID: w.texts.put(text)}
	}
	w.do(fatal{t}, c, task.OpDocSet, set(task.DocPlan, "1\n"))
	w.do(fatal{t}, c, task.OpEdit, task.EditPayload{Title: "A", AddIssues: []string{"#1"}})
	w.do(fatal{t}, c, task.OpDocSet, set(task.DocPlan, "2\n"))
	w.do(fatal{t}, c, task.OpKnowledgeAdd, task.KnowledgeAddPayload{
		TS: "2026-03-01T10:00:00Z", T: "fact",
		Txt: "tokens are strings",
	})
	w.do(fatal{t}, c, task.OpPhaseStart, task.PhasePayload{Phase: c.state.Phases[0].UID})
	was := c.state
	if _, err := w.undone(t, c, 3); err != nil { // the edit
		t.Fatal(err)
	}
	if s := c.state; s.Title != "Add JWT auth" || len(s.Issues) != 0 {
		t.Errorf("title %q, issues %v", s.Title, s.Issues)
	}
	if _, err := w.undone(t, c, 3); err != nil { // the plan's second text
		t.Fatal(err)
	}
	if got, _ := w.Text(c.state.Docs[task.DocPlan].OID); string(got) != "1\n" {
		t.Errorf("the plan is %q", got)
	}
	if _, err := w.undone(t, c, 3); err != nil { // the entry
		t.Fatal(err)
	}
	if len(c.state.Knowledge) != 0 || c.state.Phases[0].Status != was.Phases[0].Status {
		t.Errorf("knowledge %v, phase %s", c.state.Knowledge, c.state.Phases[0].Status)
	}
}

// An undo counts for nothing where, in the common order, something else changed the
// same before it: on every clone alike.
func TestUndo_nothingWhereHistoriesMeet(t *testing.T) {
	t.Parallel()
	w, a := tell(t)
	b := *a
	must := func(c *clone, kind operation.Kind, payload any) task.UndoPayload {
		t.Helper()
		if !w.do(t, c, kind, payload) {
			t.Fatal(kind)
		}
		return task.UndoPayload{Operations: []operation.ID{w.commits[c.at].op.ID}, Commit: c.at}
	}
	edit := must(a, task.OpEdit, task.EditPayload{Title: "A"})
	must(a, task.OpEdit, task.EditPayload{Type: "fix"})
	must(a, task.OpEdit, task.EditPayload{AddIssues: []string{"#1"}})
	must(a, task.OpUndoOpen, edit)
	must(&b, task.OpEdit, task.EditPayload{Priority: task.PriorityHigh})
	must(&b, task.OpEdit, task.EditPayload{Title: "B"}) // after A's, and before its undo
	if a.state.Title != "Add JWT auth" {
		t.Fatal(a.state.Title)
	}
	w.sync(a, &b)
	w.sync(&b, a)
	if a.state.Title != "B" || encodedFor(t, a.state) != encodedFor(t, b.state) {
		t.Errorf("%q and %q", a.state.Title, b.state.Title)
	}
}

// A delete is taken back like anything else.
func TestUndo_ofDelete(t *testing.T) {
	t.Parallel()
	w, c := tell(t, task.OpDelete, task.EmptyPayload{})
	if _, err := w.undone(t, c, 0); err != nil || c.state.Deleted {
		t.Errorf("deleted %t, %v", c.state.Deleted, err)
	}
}

// What a stranger claims to take back is read from the history, so that nothing
// else can be made of it.
func TestUndo_forged(t *testing.T) {
	t.Parallel()
	w, c := tell(t, task.OpPhaseStart, phaseAt(0), task.OpPhaseDone, phaseAt(0), task.OpDocSet,
		task.DocSetPayload{Name: task.DocPlan, OID: commitA})
	doc := c.at
	executed := w.commits[doc].on
	start := w.commits[executed].on
	id := func(commit string) operation.ID { return w.commits[commit].op.ID }
	other, oc := tell(t)
	foreign := "f" + oc.at[1:]
	w.commits[foreign] = other.commits[oc.at]
	stranger := other.commits[oc.at]
	stranger.state.Root = testUID(77)
	w.commits[foreign] = stranger
	for name, tt := range map[string]struct {
		kind operation.Kind
		p    task.UndoPayload
	}{
		"another operation than the commit's": {
			task.OpUndo,
			task.UndoPayload{Operations: []operation.ID{id(start)}, Commit: executed},
		},
		"two that no command made together": {
			task.OpUndo,
			task.UndoPayload{Operations: []operation.ID{id(start), id(executed)}, Commit: executed},
		},
		"guarded, in the open kind": {
			task.OpUndoOpen,
			task.UndoPayload{Operations: []operation.ID{id(executed)}, Commit: executed},
		},
		"open, in the guarded kind": {task.OpUndo, task.UndoPayload{Operations: []operation.ID{id(doc)}, Commit: doc}},
		"a commit that is not there": {
			task.OpUndo,
			task.UndoPayload{Operations: []operation.ID{id(executed)}, Commit: commitB},
		},
		"of another task": {task.OpUndo, task.UndoPayload{Operations: []operation.ID{stranger.op.ID}, Commit: foreign}},
		"nothing":         {task.OpUndo, task.UndoPayload{}},
	} {
		t.Run(name, func(t *testing.T) {
			raw, err := json.Marshal(tt.p)
			if err != nil {
				t.Fatal(err)
			}
			op := operation.Operation{
				ID: testUID(99), Kind: tt.kind, Clock: c.state.Clock + 1, Law: operation.Law,
				At: "2026-03-01T10:00:00Z", Payload: raw,
			}
			after, applied := Apply(c.state, op, w)
			if after.Clock = c.state.Clock; applied || encodedFor(t, after) != encodedFor(t, c.state) {
				t.Error("it changed something")
			}
		})
	}
}

// What one command made is taken back as one, and as one done again.
func TestUndo_wholeAct(t *testing.T) {
	t.Parallel()
	w, c := tell(t, task.OpPhaseStart, phaseAt(0))
	was := c.state
	first := w.id()
	for i, kind := range []operation.Kind{task.OpPhaseDone, task.OpDocSet} {
		raw := encodePayload(t, any(task.PhasePayload{Phase: c.state.Phases[0].UID}))
		op := operation.Operation{
			ID: first, Kind: kind, Clock: c.state.Clock + 1, Law: operation.Law,
			At: "2026-03-01T10:00:00Z",
		}
		if i > 0 {
			raw = encodePayload(t, task.DocSetPayload{Name: task.DocPlan, OID: w.texts.put("x\n")})
			op.ID, op.Act = w.id(), first
		}
		op.Payload = raw
		after, applied := Apply(c.state, op, w)
		if !applied {
			t.Fatal(kind)
		}
		c.nodes, c.state = append(c.nodes, operation.Node{Op: op}), after
		w.commit(c, &op)
	}
	second := w.commits[c.at].op.ID
	did := c.state
	p := task.UndoPayload{Operations: []operation.ID{first, second}, Commit: c.at}
	if !w.do(fatal{t}, c, task.OpUndo, p) {
		t.Fatal("not allowed")
	}
	if c.state.HasDoc(task.DocPlan) || c.state.Phases[0].Status != was.Phases[0].Status {
		t.Errorf("phase %s, plan %t", c.state.Phases[0].Status, c.state.HasDoc(task.DocPlan))
	}
	if _, err := w.undone(t, c, 0); err != nil || !c.state.HasDoc(task.DocPlan) ||
		c.state.Phases[0].Status != did.Phases[0].Status {
		t.Errorf("done again: %v, %+v", err, c.state.Phases[0])
	}
}

// BC-53: what an undo is said to lead to is what it leads to, for a final review, too:
// it is approved again once all that it was of is as it was.
func TestUndo_BC53_finalReview(t *testing.T) {
	t.Parallel()
	w, c := tell(t, task.OpPhaseAdd, task.PhaseAddPayload{Title: "Two"}, task.OpPhaseAdd,
		task.PhaseAddPayload{Title: "Review", Kind: task.KindFinalReview})
	must := func(kind operation.Kind, payload any) task.UndoPayload {
		t.Helper()
		if !w.do(t, c, kind, payload) {
			t.Fatalf("%s %+v is not allowed", kind, payload)
		}
		return task.UndoPayload{Operations: []operation.ID{w.commits[c.at].op.ID}, Commit: c.at}
	}
	for _, p := range c.state.Phases {
		must(task.OpPhaseStart, task.PhasePayload{Phase: p.UID, Commit: commitA})
		must(task.OpPhaseDone, task.PhasePayload{Phase: p.UID, Commit: commitB})
		if p.Kind == task.KindFinalReview {
			must(task.OpBoardReady, task.BoardReadyPayload{On: task.BoardOf(p.UID), Reason: "read"})
		}
		must(task.OpPhaseReview, task.PhaseReviewPayload{Phase: p.UID, Verdict: task.ReviewApproved})
	}
	first := must(task.OpPhaseReset, task.PhaseReasonPayload{Phase: c.state.Phases[0].UID})
	second := must(task.OpPhaseReset, task.PhaseReasonPayload{Phase: c.state.Phases[1].UID})
	if w.do(t, c, task.OpUndo, first) {
		t.Fatal("the other one's reset went on from it")
	}
	must(task.OpUndo, second)
	must(task.OpUndo, first)
	for i, want := range []task.PhaseStatus{task.PhaseCompleted, task.PhaseCompleted, task.PhaseCompleted} {
		if p := c.state.Phases[i]; p.Status != want {
			t.Errorf("%s is %s, want %s", p.ID, p.Status, want)
		}
	}
}
