package rules_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
	"github.com/git-brew/git-brew/internal/task/route"
	. "github.com/git-brew/git-brew/internal/task/rules"
	"pgregory.net/rapid"
)

// obedient does what `next` says: it reads the command as a person types it, and
// makes the operations that this command makes.
type obedient struct {
	*world
	t *rapid.T
	c *clone
	// worker is who asks, "" for a person; now is when.
	worker string
	now    time.Time
	// named numbers the reviewers that it plays.
	named int
}

// next is what comes next for whoever asks, and what a worker could claim.
func (o *obedient) next() (route.Step, []task.Phase) {
	free := route.Claimable(o.c.state, lease.Lock{}, o.now)
	return route.NextFor(o.c.state, route.Assignee{Worker: o.worker}, free), free
}

// stay is why it has to stop: a person is to decide, and no command does.
type stay string

// obey runs one command. It fails the test where the rules do not allow it.
func (o *obedient) obey(step route.Step) stay {
	words := strings.Fields(strings.TrimPrefix(step.Command, "git brew "))
	verb := words[0]
	if len(words) > 1 && slices.Contains([]string{"phase", "doc", "question", "remark", "pipeline"}, verb) {
		verb, words = verb+" "+words[1], words[1:]
	}
	arg := ""
	if len(words) > 1 {
		arg = words[1]
	}
	s := o.c.state
	switch verb {
	case "start":
		o.must(step, task.OpStart, task.StartPayload{})
	case "question list":
		o.write(step, task.DocContext, "# Gray Areas Remaining\n- [x] answered\n")
	case "stage":
		o.must(step, task.OpStage, task.StagePayload{Stage: task.Stage(arg), Passed: route.PassedBy(s, task.Stage(arg))})
	case "doc set":
		name, err := task.ParseDocName(s, arg)
		o.fine(step, err)
		o.write(step, name, "text "+strconv.Itoa(o.made)+"\n")
	case "doc resolve":
		c, err := s.FindConflict(arg)
		o.fine(step, err)
		o.must(step, task.OpDocResolve, task.DocResolvePayload{Conflict: c.UID, OID: o.texts.put("settled\n")})
	case "doc check":
		for _, name := range []task.DocName{task.DocPlan, task.DocRoadmap} {
			if old := string(o.texts[s.Docs[name].OID]); strings.Contains(old, placeholder) {
				o.write(step, name, strings.ReplaceAll(old, placeholder, "tokens"))
			}
		}
	case "phase add":
		o.must(step, task.OpPhaseAdd, task.PhaseAddPayload{Title: arg})
	case "pipeline retry":
		o.must(step, task.OpHookSkip, task.HookSkipPayload{Record: s.OpenHooks()[0].UID, Reason: "it passed"})
	case "remark confirm", "remark resolve":
		o.speak(step, verb, arg)
	case "next":
		if strings.HasPrefix(arg, "--claim") {
			o.claim(step)
			break
		}
		// Several are under way: whoever works on one goes on with it.
		return o.obey(route.WorkOn(s, route.WorkedOn(s)[0].UID))
	case "finish":
		o.must(step, task.OpFinish, task.FinishPayload{Status: task.Finished, Passed: route.PassedBy(s, task.StageComplete)})
	case "run":
		p, err := s.FindPhase(step.Phase)
		o.fine(step, err)
		o.runs(step, p)
	case "phase list", "show":
		return stay("nothing to run: " + step.Command)
	default:
		p, err := s.FindPhase(arg)
		o.fine(step, err)
		return o.work(step, verb, p)
	}
	return ""
}

// start starts a phase as a command does, which is a worker's where it says so.
func (o *obedient) start(step route.Step, p task.Phase) {
	_, worker, claimed := strings.Cut(step.Command, " --worker ")
	o.must(step, task.OpPhaseStart, task.PhasePayload{
		Phase: p.UID, Commit: commitA,
		Passed: route.PassedByStart(o.c.state, p), Claimed: claimed, Worker: worker,
	})
}

// claim takes the phase that a worker gets: the one that next names.
func (o *obedient) claim(step route.Step) {
	if p, has := route.ClaimedBy(o.c.state, o.worker); has {
		o.t.Fatalf("next says %+v, and %s works on %s\n%s", step, o.worker, p.ID, phasesOf(o.c.state))
	}
	_, free := o.next()
	if len(free) == 0 || free[0].ID != step.Phase || !strings.HasSuffix(step.Command, " --worker "+o.worker) {
		o.t.Fatalf("next says %+v, and free are %s\n%s", step, task.ShownIDs(free), phasesOf(o.c.state))
	}
	if p := free[0]; p.Status == task.PhaseInProgress {
		o.must(step, task.OpPhaseClaim, task.ClaimPayload{Phase: p.UID, Worker: o.worker, From: p.Claim.UID})
	} else {
		o.start(step, p)
	}
	if p, _ := route.ClaimedBy(o.c.state, o.worker); p.ID != step.Phase {
		o.t.Fatalf("%+v: %s has %q", step, o.worker, p.ID)
	}
}

// work is obey for what is about a phase.
func (o *obedient) work(step route.Step, verb string, p task.Phase) stay {
	s := o.c.state
	switch verb {
	case "phase start":
		o.start(step, p)
	case "phase reset":
		o.must(step, task.OpPhaseReset, task.PhaseReasonPayload{Phase: p.UID})
	case "phase done":
		o.must(step, task.OpPhaseDone, task.PhasePayload{Phase: p.UID, Commit: commitB})
	case "phase approve":
		o.must(step, task.OpPhaseReview, task.PhaseReviewPayload{
			Phase: p.UID, Verdict: task.ReviewApproved,
			Verified: PassedRun(s, p),
		})
	case "phase revise":
		o.must(step, task.OpPhaseAdd, task.PhaseAddPayload{Title: "Fix", Kind: task.KindFix, Parent: p.UID})
		fix := slices.IndexFunc(o.c.state.Phases, func(q task.Phase) bool { _, had := s.Phase(q.UID); return !had })
		o.start(step, o.c.state.Phases[fix])
	case "report":
		agent := strings.Fields(step.Command)[5]
		r := task.Report{Phase: p.UID, Iteration: p.Iteration, Agent: agent, Verify: p.Kind == task.KindVerification}
		o.must(step, task.OpReport, task.ReportPayload{
			Phase: p.UID, Iteration: p.Iteration, Agent: agent,
			Base: s.TextAt(task.ReportPath(s, r)), OID: o.texts.put("report\n"),
		})
	case "verify":
		var runs []task.CommandRun
		for _, text := range VerifyCommands(s, p) {
			runs = append(runs, task.CommandRun{Text: text})
		}
		o.must(step, task.OpPhaseVerify, task.VerifyPayload{
			Phase: p.UID, Iteration: p.Iteration, Commit: commitB,
			Clean: true, Commands: runs,
		})
	case "escalate":
		o.escalate(step, p)
	default:
		o.t.Fatalf("nobody knows what %q is", step.Command)
	}
	return ""
}

// runs does on a phase what 'git brew run' does next.
func (o *obedient) runs(step route.Step, p task.Phase) {
	switch p.Status {
	case task.PhasePending:
		o.must(step, task.OpPhaseStart, task.PhasePayload{
			Phase: p.UID, Commit: commitA, Passed: route.PassedByStart(o.c.state, p), Claimed: true, Worker: task.RunWorker,
		})
	case task.PhaseInProgress:
		o.must(step, task.OpPhaseDone, task.PhasePayload{Phase: p.UID, Commit: commitB})
	default:
		if OwesVerification(o.c.state, p) {
			o.work(step, "verify", p)
			p, _ = o.c.state.Phase(p.UID)
		}
		o.must(step, task.OpPhaseReview, task.PhaseReviewPayload{
			Phase: p.UID, Verdict: task.ReviewApproved, Verified: PassedRun(o.c.state, p),
		})
	}
}

// escalate takes a phase up. Whichever ladder the settings choose has a rung that
// is open to it (BC-37).
func (o *obedient) escalate(step route.Step, p task.Phase) {
	agreed := []string{"a", "b"}
	type way struct {
		ladder task.LadderName
		action task.EscalationAction
	}
	var ways []way
	for _, name := range ladders {
		before := len(ways)
		for _, r := range LadderOf(name, testLimits).For(p) {
			if r.Open(o.c.state, p, agreed) == nil {
				ways = append(ways, way{name, r.Action})
			}
		}
		if len(ways) == before {
			o.t.Fatalf("next says %+v, and the ladder %s ends there\n%s", step, name, phasesOf(o.c.state))
		}
	}
	w := rapid.SampledFrom(ways).Draw(o.t, "way")
	o.must(step, task.OpPhaseEscalate, task.EscalatePayload{
		Phase: p.UID, Ladder: w.ladder, Action: w.action,
		Agreed: agreed,
	})
	o.act(step, p, w.action)
}

// act does what an escalation is for.
func (o *obedient) act(step route.Step, p task.Phase, action task.EscalationAction) {
	switch action {
	case task.ActionResearch:
		o.must(step, task.OpPhaseAdd, task.PhaseAddPayload{Title: "Why", Kind: task.KindResearch, Parent: p.UID})
	case task.ActionSplit:
		o.must(step, task.OpPhaseAdd, task.PhaseAddPayload{Title: "Half", Kind: task.KindSplit, Parent: p.UID})
		o.must(step, task.OpPhaseAdd, task.PhaseAddPayload{Title: "The other half", Kind: task.KindSplit, Parent: p.UID})
	case task.ActionUpgrade:
		if p.Tier.Above() != "" {
			o.must(step, task.OpPhaseEdit, task.PhaseEditPayload{Phase: p.UID, Tier: p.Tier.Above()})
		}
	case task.ActionReassign:
		o.must(step, task.OpPhaseEdit, task.PhaseEditPayload{Phase: p.UID, AddAgents: []string{"somebody-else"}})
	case task.ActionAsk:
		o.must(step, task.OpPause, task.PausePayload{Cause: task.CauseWaiting, Reason: "what is wanted?"})
	}
}

// speak says on a board what it waits for: as a reviewer, or as the user where a
// remark is named by its number.
func (o *obedient) speak(step route.Step, verb, arg string) {
	s := o.c.state
	n, err := strconv.Atoi(arg)
	if err != nil || !strings.HasSuffix(step.Command, arg) {
		on, err := task.ParseBoard(s, arg)
		o.fine(step, err)
		o.named++
		o.must(step, task.OpBoardReady, task.BoardReadyPayload{
			On: on, Reviewer: fmt.Sprintf("reviewer%d", o.named),
			Reason: "read",
		})
		return
	}
	r := s.Remarks[n-1]
	if verb == "remark resolve" {
		o.must(step, task.OpRemarkResolve, task.RemarkResolvePayload{Remark: r.UID})
		return
	}
	o.must(step, task.OpRemarkVote, task.RemarkVotePayload{Remark: r.UID, Against: true, Reason: "no"})
}

func (o *obedient) write(step route.Step, name task.DocName, text string) {
	o.must(step, task.OpDocSet, task.DocSetPayload{Name: name, Base: o.c.state.Docs[name].OID, OID: o.texts.put(text)})
}

func (o *obedient) fine(step route.Step, err error) {
	if err != nil {
		o.t.Fatalf("next says %+v, and that means nothing: %v", step, err)
	}
}

// must makes an operation that next has proposed.
func (o *obedient) must(step route.Step, kind operation.Kind, payload any) {
	if o.do(o.t, o.c, kind, payload) {
		return
	}
	o.t.Fatalf("next says %+v, and that is refused: %v\n%s", step,
		Check(o.c.state, operation.Operation{ID: testUID(1), Kind: kind, Clock: 1, Payload: o.raw(payload)}),
		phasesOf(o.c.state))
}

func (o *obedient) raw(payload any) json.RawMessage {
	raw, err := json.Marshal(payload)
	if err != nil {
		o.t.Fatal(err)
	}
	return raw
}

func phasesOf(t task.Task) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s\n", t.Status, t.Stage)
	for _, p := range t.Phases {
		fmt.Fprintf(&b, "  %s %s %s/%s, iteration %d, spent %t, by %q, %s\n", p.ID, p.Kind, p.Status, p.Review, p.Iteration,
			p.MustEscalate, p.Claim.Worker, p.Reason)
	}
	return b.String()
}

// Whatever is done to a task, by whom and in whatever order, next has an answer;
// the command that it names is allowed, and does something; and whoever obeys it
// comes to the end, or to where a person has to decide. So it is for several who
// take turns, as workers that claim phases (S-11) or as somebody who claims none. The
// history folded from the root is the state that was reached.
func TestNext_BC47_SP3_obeyedFromAnywhere(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) { playNext(t, newModel(), nil) })
}

// drawnTask is a new task, with phases or none.
func drawnTask(t *rapid.T, w *world) *clone {
	c := &clone{}
	w.do(t, c, task.OpCreate, task.CreatePayload{
		ID: "add-jwt-auth-k3v9q2m", Title: "Add JWT auth", Type: "feature", Branch: "feature/add-jwt-auth",
		Stage: rapid.SampledFrom(task.Stages[:4]).Draw(t, "stage"),
	})
	for range rapid.IntRange(0, 3).Draw(t, "phases") {
		w.do(t, c, task.OpPhaseAdd, task.PhaseAddPayload{
			Title:        "Work",
			Verification: []string{"true"}[:rapid.IntRange(0, 1).Draw(t, "verified")],
			Agents:       []string{"dev"}[:rapid.IntRange(0, 1).Draw(t, "agent")],
		})
	}
	if rapid.Bool().Draw(t, "started") {
		w.do(t, c, task.OpStart, task.StartPayload{})
	}
	return c
}

// playNext draws a history of TestNext_BC47_SP3_obeyedFromAnywhere, on what was done
// before where something was, and looks whether its promises hold.
func playNext(t *rapid.T, w *world, c *clone) {
	if c == nil {
		c = drawnTask(t, w)
	}
	w.clones = []*clone{c}
	for range rapid.IntRange(0, w.most).Draw(t, "steps") {
		if rapid.IntRange(0, 7).Draw(t, "who") == 0 {
			w.passOver(t, c)
		} else {
			w.step(t, c)
		}
		w.routed(c.state)
		if next := route.Next(c.state); next.Step == "" || next.Reason == "" {
			t.Fatalf("no answer: %+v\n%s", next, phasesOf(c.state))
		} else {
			honest(t, c.state, next)
			asked(t, next)
		}
	}
	if got, want := encodedFor(t, c.state), encodedFor(t, Fold(c.nodes, w)); got != want {
		t.Fatalf("applied one by one\n%s\nfolded\n%s", got, want)
	}
	o := &obedient{world: w, t: t, c: c}
	o.now = time.Date(2026, 3, 1, 11, 0, 0, 0,
		time.UTC).Add(rapid.SampledFrom([]time.Duration{0, 48 * time.Hour}).Draw(t, "later"))
	crew := rapid.SampledFrom([][]string{{""}, {"", "ann"}, {"ann", "", "bob"}}).Draw(t, "crew")
	bound := len(crew) * (40 + 12*len(c.state.Phases) + 3*len(c.state.Remarks) + len(c.state.Conflicts))
	var told []string
	for i := range bound {
		o.worker = crew[i%len(crew)]
		w.routed(c.state)
		next, free := o.next()
		asked(t, next)
		told = append(told, o.worker+": "+next.Step+" "+next.Phase+": "+next.Command)
		if next.Step == task.StepDone {
			return
		}
		if o.worker != "" && next.Step == task.StepWait && len(route.WorkedOn(c.state)) > 0 {
			if _, has := route.ClaimedBy(c.state, o.worker); has || len(free) > 0 {
				t.Fatalf("waits for nothing: %+v\n%s", next, phasesOf(c.state))
			}
			continue
		}
		if o.obey(next) != "" {
			if next.Step == task.StepWait && len(route.Ready(c.state)) > 0 {
				t.Fatalf("waits for nothing: %+v\n%s", next, phasesOf(c.state))
			}
			return
		}
	}
	t.Fatalf("no end after %d steps:\n%s\n%s", bound, strings.Join(told[max(0, len(told)-20):], "\n"), phasesOf(c.state))
}

// asked holds a step against everybody who may ask for it: the user is asked with a
// sentence, an agent is told a command, and never one that its mode or the user's
// verdict keeps it from.
func asked(t *rapid.T, step route.Step) {
	for _, a := range []route.Asker{
		{},
		{Agent: true},
		{Agent: true, Closed: true, Agree: "make it so"},
		{Agent: true, Judges: true},
		{Agent: true, Closed: true, Judges: true},
	} {
		got := step.For(a)
		wrong := false
		switch got.Needs {
		case "":
			wrong = step.Step != task.StepDone
		case route.AskedUser:
			wrong = got.Ask == "" || step.Taker == "" || a.Agent && strings.HasPrefix(got.Command, "git brew phase approve ")
		case route.AskedAgent:
			wrong = got.Command == "" || got.Ask != "" || step.Taker == route.TakerUser || a.Closed && step.Taker != "" ||
				step.Taker == route.TakerJudge && !a.Judges
		}
		if wrong {
			t.Fatalf("%+v is told %+v", a, got)
		}
	}
}

// routed notes which row says what comes next.
func (w *world) routed(t task.Task) {
	next := route.Next(t)
	w.rows[next.Row+" "+next.Step] = true
}

// honest: an end that next proposes is allowed, and nobody is told to wait for what is
// handed over. What else it proposes, who obeys it finds out.
func honest(t *rapid.T, s task.Task, next route.Step) {
	switch next.Step {
	case task.StepComplete:
		if err := checkNow(s, task.OpFinish, task.FinishPayload{Status: task.Finished}); err != nil &&
			s.Status != task.Paused {
			t.Fatalf("next is %+v, and that is refused: %v\n%s", next, err, phasesOf(s))
		}
	case task.StepWait:
		if p, err := s.FindPhase(next.Phase); err != nil || p.Status == task.PhaseInReview {
			t.Fatalf("next is %+v\n%s", next, phasesOf(s))
		}
	}
}

// passOver skips what comes next, goes on as a command that leaves steps behind,
// or takes a phase as a worker.
func (w *world) passOver(t *rapid.T, c *clone) {
	s := c.state
	worker := rapid.SampledFrom([]string{"", "ann", "bob"}).Draw(t, "worker")
	switch rapid.IntRange(0, 4).Draw(t, "passes") {
	case 0:
		next := route.Next(s)
		about, _ := s.FindPhase(next.Phase)
		w.do(t, c, task.OpStepSkip, task.SkipPayload{
			Passed: task.Passed{Step: next.Step, Phase: about.UID},
			Reason: "simple",
		})
	case 1:
		to := rapid.SampledFrom(task.Stages).Draw(t, "to")
		w.do(t, c, task.OpStage, task.StagePayload{Stage: to, Passed: route.PassedBy(s, to)})
	case 2:
		w.do(t, c, task.OpFinish, task.FinishPayload{Status: task.Finished, Passed: route.PassedBy(s, task.StageComplete)})
	case 3:
		if ready := route.Ready(s); len(ready) > 0 {
			w.do(t, c, task.OpPhaseStart, task.PhasePayload{
				Phase: ready[0].UID, Commit: commitA,
				Passed: route.PassedByStart(s, ready[0]), Claimed: true, Worker: worker,
			})
		}
		if rapid.Bool().Draw(t, "and takes over") {
			w.takeOver(t, c, "cid")
		}
	case 4:
		w.takeOver(t, c, worker)
	}
}

// takeOver has a worker take over what others work on.
func (w *world) takeOver(t *rapid.T, c *clone, worker string) {
	for _, p := range c.state.Phases {
		if p.Claim.UID != "" {
			w.do(t, c, task.OpPhaseClaim, task.ClaimPayload{Phase: p.UID, Worker: worker, From: p.Claim.UID})
		}
	}
}
