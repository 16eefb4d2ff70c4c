package rules_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/report"
	"github.com/git-brew/git-brew/internal/task/route"
	. "github.com/git-brew/git-brew/internal/task/rules"
	"pgregory.net/rapid"
)

// clone is one copy of a task's history, as in a ledger: nodes in an order in
// which parents come first, and the tips that the next operation goes onto.
type clone struct {
	nodes []operation.Node
	tips  []operation.ID
	state task.Task
	fence uint64
	claim string
	// behind: it worked on under a claim that it had seen overtaken, so its state
	// may hold what the fold leaves out, until it hears of others.
	behind bool
	at     string // the commit that its state stands at
}

// world makes operations on several clones of one task.
type world struct {
	texts  blobs
	made   int
	clones []*clone
	// commits are the histories' commits, as a ledger has them.
	commits map[string]commit
	// kinds are those of the operations made, rows those of the routing table that
	// said what comes next.
	kinds map[operation.Kind]bool
	rows  map[string]bool
	// most is how many operations are drawn at most.
	most int
}

func newModel() *world {
	return &world{texts: blobs{}, kinds: map[operation.Kind]bool{}, rows: map[string]bool{}, most: 50}
}

// read looks into the texts of the plan, as whoever asks for routes does: here a
// placeholder is what it lacks.
func (w *world) read(t task.Task) (u task.Unready) {
	for _, name := range []task.DocName{task.DocPlan, task.DocRoadmap} {
		if strings.Contains(string(w.texts[t.Docs[name].OID]), placeholder) {
			u = task.NewUnready([]string{string(name) + " is not filled in"})
		}
		if t.HasDoc(name) && len(t.Phases) == 0 {
			u.Plans = name
		}
	}
	return u
}

const placeholder = "{GOAL}"

// commit is what a ledger records of an operation, or of a merge.
type commit struct {
	op    *operation.Operation
	on    string
	state task.Task
}

var _ Past = &world{}

func (w *world) Text(oid string) ([]byte, bool) { return w.texts.Text(oid) }

// Operation is Past's.
func (w *world) Operation(id string) (operation.Operation, string, bool) {
	c := w.commits[id]
	if c.op == nil {
		return operation.Operation{}, "", false
	}
	return *c.op, c.on, true
}

// Files is Past's: ids alone, as a ledger gives them.
func (w *world) Files(id string) (operation.Files, bool) {
	c, ok := w.commits[id]
	if !ok {
		return nil, false
	}
	files, err := task.Encode(c.state)
	for path, b := range files {
		if b.OID == "" {
			b.OID = w.texts.put(string(b.Data))
		}
		files[path] = operation.File{OID: b.OID}
	}
	return files, err == nil
}

// commit records where a clone stands now.
func (w *world) commit(c *clone, op *operation.Operation) {
	if w.commits == nil {
		w.commits = map[string]commit{}
	}
	id := string(w.id()) + "00000000"
	w.commits[id] = commit{op, c.at, c.state}
	c.at = id
}

func (w *world) id() operation.ID {
	w.made++
	return operation.ID(fmt.Sprintf("%08x%024x", uint32(w.made)*2654435761, w.made))
}

// do makes an operation that the clone's own check allows; it reports whether
// it did.
func (w *world) do(tb interface{ Fatal(...any) }, c *clone, kind operation.Kind, payload any) bool {
	raw, err := json.Marshal(payload)
	if err != nil {
		tb.Fatal(err)
	}
	op := operation.Operation{
		ID: w.id(), Kind: kind, Clock: c.state.Clock + 1, Law: operation.Law, At: "2026-03-01T10:00:00Z",
		Payload: raw,
	}
	if Guarded(kind) { // as the ledger stamps them: a verdict needs no lock
		op.Fence, op.Claim = c.fence, c.claim
	}
	if Check(c.state, op) != nil {
		return false
	}
	var taken task.Task
	p, isUndo := payload.(task.UndoPayload)
	if isUndo {
		var err error
		if taken, err = CheckUndo(c.state, p, w); err != nil {
			return false
		}
	}
	before := encodedFor(tb, c.state)
	after, applied := Apply(c.state, op, w)
	if got := encodedFor(tb, c.state); got != before {
		tb.Fatal("Apply changed the state it was given")
	}
	if !applied {
		tb.Fatal("checked, and superseded all the same: ", op.Kind, " ", string(op.Payload))
	}
	if isUndo && content(tb, taken) != content(tb, after) {
		tb.Fatal("it was said to lead to:\n", phasesOf(taken), "and led to:\n", phasesOf(after))
	}
	n := operation.Node{Op: op}
	for _, tip := range c.tips {
		n.Parents = append(n.Parents, slices.IndexFunc(c.nodes, func(n operation.Node) bool { return n.Op.ID == tip }))
	}
	c.nodes = append(slices.Clip(c.nodes), n)
	c.tips = []operation.ID{op.ID}
	c.state = after
	w.keep(after)
	c.state.Unready = w.read(after)
	if w.kinds != nil {
		w.kinds[kind] = true
	}
	w.commit(c, &op)
	void, _ := operation.Void(c.nodes, Rules(), nil)
	c.behind = c.behind || void[len(c.nodes)-1]
	return true
}

// keep stores the texts that a merge made, as a caller does with the tree.
func (w *world) keep(t task.Task) {
	for _, d := range t.Docs {
		w.store(d.OID, d.Data)
	}
	for _, r := range t.Reports {
		w.store(r.OID, r.Data)
	}
	for _, c := range t.Conflicts {
		w.store(c.OID, c.Data)
	}
}

func (w *world) store(oid string, data []byte) {
	if data != nil {
		w.texts[oid] = data
	}
}

// sync brings what other has into c.
func (w *world) sync(c, other *clone) {
	c.nodes, c.tips = union(c.nodes, other.nodes), append(slices.Clone(c.tips), other.tips...)
	slices.Sort(c.tips)
	c.tips = slices.Compact(c.tips)
	c.state = Fold(c.nodes, w)
	c.behind = false
	w.keep(c.state)
	c.state.Unready = w.read(c.state)
	w.commit(c, nil)
}

// union lists the nodes of both, parents first.
func union(a, b []operation.Node) []operation.Node {
	out := slices.Clone(a)
	at := map[operation.ID]int{}
	for i, n := range out {
		at[n.Op.ID] = i
	}
	for _, n := range b {
		if _, known := at[n.Op.ID]; known {
			continue
		}
		moved := operation.Node{Op: n.Op}
		for _, p := range n.Parents {
			moved.Parents = append(moved.Parents, at[b[p].Op.ID])
		}
		at[n.Op.ID] = len(out)
		out = append(out, moved)
	}
	return out
}

func encodedFor(tb interface{ Fatal(...any) }, t task.Task) string {
	files, err := task.Encode(t)
	if err != nil {
		tb.Fatal(err)
	}
	raw, err := json.Marshal(files)
	if err != nil {
		tb.Fatal(err)
	}
	return string(raw)
}

func (w *world) draw(t *rapid.T, label string) *clone {
	return w.clones[rapid.IntRange(0, len(w.clones)-1).Draw(t, label)]
}

// step makes some operation on c, whichever the draw gives and the rules allow.
func (w *world) step(t *rapid.T, c *clone) {
	// text edits a line of the one that stands under oid.
	text := func(oid string) string {
		lines := strings.SplitAfter(string(w.texts[oid]), "\n")
		i := int(rapid.Byte().Draw(t, "line")) % len(lines)
		l := rapid.SampledFrom([]string{"a", "b", placeholder, "- [ ] q", "- [x] r", "## Gray Areas Remaining"}).Draw(t,
			"text")
		return w.texts.put(strings.Join(slices.Insert(lines, i, l+"\n"), ""))
	}
	phase := func() task.UID {
		if len(c.state.Phases) == 0 {
			return ""
		}
		return c.state.Phases[rapid.IntRange(0, len(c.state.Phases)-1).Draw(t, "phase")].UID
	}
	// Scattered, since small numbers are drawn more often than others.
	switch int(rapid.Uint16().Draw(t, "what")) * 40503 >> 8 & 63 {
	default:
		w.advance(t, c, phase())
	case 0:
		w.do(t, c, task.OpEdit, rapid.SampledFrom([]task.EditPayload{
			{Title: "A"},
			{Title: "B"},
			{Title: "C"},
			{Priority: task.PriorityHigh},
			{Priority: task.PriorityNone},
			{AddServices: []task.Service{{Path: "api"}, {Path: "web", BaseCommit: commitA}}, AddIssues: []string{"#1"}},
			{
				AddServices: []task.Service{{Path: "web", BaseCommit: commitB}}, DropServices: []string{"api"},
				DropIssues: []string{"#1"},
			},
		}).Draw(t, "edit"))
	case 1:
		w.do(t, c, task.OpStart, task.StartPayload{Restart: true})
	case 2:
		w.do(t, c, task.OpPause, task.PausePayload{Cause: task.CauseWaiting, Reason: "waits"})
		w.do(t, c, task.OpStart, task.StartPayload{})
	case 3:
		w.do(t, c, task.OpPause, task.PausePayload{Cause: task.CauseHandoff})
		w.do(t, c, task.OpResume, task.EmptyPayload{})
	case 4:
		w.do(t, c, task.OpFinish, task.FinishPayload{Status: rapid.SampledFrom([]task.Status{
			task.Finished, task.Failed,
			task.Cancelled,
		}).Draw(t, "end"), Reason: "enough"})
	case 5:
		if rapid.IntRange(0, 9).Draw(t, "really") == 0 {
			w.do(t, c, task.OpDelete, task.EmptyPayload{})
		}
	case 6:
		w.do(t, c, task.OpStage, task.StagePayload{Stage: rapid.SampledFrom(task.Stages).Draw(t, "stage")})
	case 25:
		w.stepHook(t, c, phase())
	case 26, 27, 28, 29, 30:
		w.trouble(t, c, phase())
	case 7, 8, 9:
		p := task.PhaseAddPayload{Title: "Work", Kind: rapid.SampledFrom(phaseKinds).Draw(t, "kind"), Parent: phase()}
		if dep := phase(); dep != "" && rapid.Bool().Draw(t, "depends") {
			p.DependsOn = []task.UID{dep}
		}
		if p.Kind == task.KindExecution || p.Kind == task.KindFinalReview {
			p.Parent = ""
		}
		w.do(t, c, task.OpPhaseAdd, p)
	case 10, 11:
		w.do(t, c, task.OpPhaseStart, task.PhasePayload{
			Phase: phase(), Commit: commitA,
			Services: task.Commits{"api": commitA},
		})
	case 12:
		w.do(t, c, task.OpPhaseDone, task.PhasePayload{
			Phase: phase(), Commit: commitB,
			Services: []task.Commits{nil, {"web": commitB}}[rapid.IntRange(0, 1).Draw(t, "services")],
			Clean:    rapid.Bool().Draw(t, "clean"),
		})
	case 13, 14:
		verdict := rapid.SampledFrom([]task.Review{task.ReviewApproved, task.ReviewChanges}).Draw(t, "verdict")
		p, _ := c.state.Phase(phase())
		of := []int{0, p.Iteration}[rapid.IntRange(0, 1).Draw(t, "iteration")]
		user := rapid.Bool().Draw(t, "user")
		heard := ""
		if user && verdict == task.ReviewApproved {
			heard = rapid.SampledFrom([]string{"", "s1"}).Draw(t, "heard")
		}
		w.do(t, c, task.OpPhaseReview, task.PhaseReviewPayload{
			Phase: p.UID, Verdict: verdict, Iteration: of,
			Reason: "because", User: user, Heard: heard, Deviations: []task.Deviation{
				{What: "a.go", Impact: task.ImpactHigh},
				{What: "b.go", Impact: task.ImpactLow, Reason: "why"},
			}[:rapid.IntRange(0, 2).Draw(t, "deviations")],
		})
	case 15:
		w.do(t, c, rapid.SampledFrom([]operation.Kind{task.OpPhaseFail, task.OpPhaseReset, task.OpPhaseDrop}).Draw(t, "back"),
			task.PhaseReasonPayload{Phase: phase(), Reason: "stuck"})
	case 16:
		name := rapid.SampledFrom([]task.DocName{
			task.DocContext, task.DocPlan, task.DocRoadmap, task.DocChangelog,
			task.PlanOf(phase()),
		}).Draw(t, "doc")
		base := c.state.Docs[name].OID
		w.do(t, c, task.OpDocSet, task.DocSetPayload{Name: name, Base: base, OID: text(base)})
	case 17:
		for _, conflict := range c.state.Conflicts {
			w.do(t, c, task.OpDocResolve, task.DocResolvePayload{Conflict: conflict.UID, OID: text(conflict.OID)})
		}
	case 18:
		p, _ := c.state.Phase(phase())
		r := task.Report{Phase: p.UID, Iteration: max(1, p.Iteration), Agent: "dev", Verify: p.Kind == task.KindVerification}
		base := c.state.TextAt(task.ReportPath(c.state, r))
		w.do(t, c, task.OpReport, task.ReportPayload{
			Phase: r.Phase, Iteration: r.Iteration, Agent: "dev", Base: base,
			OID: text(base),
		})
		w.do(t, c, task.OpPhaseLaunch, task.PhaseLaunchPayload{Phase: p.UID, Agent: "dev"})
		w.do(t, c, task.OpPhaseTurn, task.TurnPayload{Phase: p.UID, Iteration: p.Iteration, Turn: task.Turn{
			By: task.ByJunior, Outcome: task.TurnSilent, Cost: task.Cost{MS: 5, Input: 7},
		}})
	case 19:
		if n := len(c.state.Knowledge); n > 0 && rapid.Bool().Draw(t, "forget") {
			w.do(t, c, task.OpKnowledgeRemove, task.KnowledgeRemovePayload{IDs: []operation.ID{c.state.Knowledge[n-1].ID}})
		} else {
			w.do(t, c, task.OpKnowledgeAdd, task.KnowledgeAddPayload{
				TS: "2026-03-01T10:00:00Z", T: "fact",
				Txt: "tokens are strings",
			})
		}
	case 20, 21, 22:
		w.undo(t, c)
	case 32, 33, 34, 35, 36:
		w.review(t, c, phase())
	case 37, 38:
		w.decide(t, c, phase())
	case 44, 45, 46:
		w.passOver(t, c)
	}
}

// review says something on a board.
func (w *world) review(t *rapid.T, c *clone, uid task.UID) {
	on := rapid.SampledFrom([]task.BoardName{
		task.BoardName(task.DocPlan), task.BoardName(task.PlanOf(uid)),
		task.BoardOf(uid),
	}).Draw(t, "board")
	who := rapid.SampledFrom([]string{"", "ann", "Ann", "bob", "cid"}).Draw(t, "reviewer")
	var voter task.VoterID
	if who != "" {
		voter = rapid.SampledFrom([]task.VoterID{"", "s1", "s1/ann", "s2"}).Draw(t, "voter")
	}
	var r task.UID
	var about task.BoardName
	if n := len(c.state.Remarks); n > 0 {
		remark := c.state.Remarks[rapid.IntRange(0, n-1).Draw(t, "remark")]
		r, about = remark.UID, remark.On
	}
	switch rapid.IntRange(0, 4).Draw(t, "says") {
	case 0, 1:
		w.do(t, c, task.OpRemarkAdd, task.RemarkAddPayload{
			On: on, Reviewer: who, Voter: voter, Seen: SeenOn(c.state, on),
			Severity: rapid.SampledFrom(severities).Draw(t, "severity"),
			Text:     rapid.SampledFrom([]string{"gap", "hole"}).Draw(t, "found"),
		})
	case 2:
		w.do(t, c, task.OpRemarkVote, task.RemarkVotePayload{
			Remark: r, Reviewer: who, Voter: voter,
			Seen: SeenOn(c.state, about), Against: rapid.Bool().Draw(t, "against"), Reason: "because",
		})
	case 3:
		w.do(t, c, task.OpRemarkResolve, task.RemarkResolvePayload{Remark: r})
	case 4:
		w.do(t, c, task.OpBoardReady, task.BoardReadyPayload{
			On: on, Reviewer: who, Voter: voter, Seen: SeenOn(c.state, on),
			Reason: "because",
		})
	}
}

// decide makes a decision, in another's place at times, or takes one back.
func (w *world) decide(t *rapid.T, c *clone, uid task.UID) {
	var d task.UID
	what := rapid.IntRange(0, 2).Draw(t, "decides")
	if n := len(c.state.Decisions); n > 0 && what > 0 {
		d = c.state.Decisions[rapid.IntRange(0, n-1).Draw(t, "decision")].UID
	}
	if d != "" && what == 2 {
		w.do(t, c, task.OpDecisionRevoke, task.DecisionRevokePayload{Decision: d, Reason: "because"})
		return
	}
	made := w.do(t, c, task.OpDecisionAdd, task.DecisionAddPayload{
		Title: "Use tables", Why: "they\nread", Phase: uid,
		Supersedes: d,
	})
	if made && what == 2 { // and thinks again
		last := c.state.Decisions[len(c.state.Decisions)-1].UID
		w.do(t, c, task.OpDecisionRevoke, task.DecisionRevokePayload{Decision: last, Reason: "because"})
	}
}

// undo takes one of the last operations that the clone has made or heard of back,
// others' undos among them.
func (w *world) undo(t *rapid.T, c *clone) {
	at := c.at
	for range rapid.IntRange(0, 5).Draw(t, "back") {
		if on := w.commits[at].on; on != "" {
			at = on
		}
	}
	if op := w.commits[at].op; op != nil {
		w.do(t, c, UndoKind(op.Kind), task.UndoPayload{Operations: []operation.ID{op.ID}, Commit: at})
	}
}

// advance takes a phase on, as work usually goes.
func (w *world) advance(t *rapid.T, c *clone, uid task.UID) {
	p, _ := c.state.Phase(uid)
	switch p.Status {
	case task.PhaseInProgress:
		w.do(t, c, task.OpPhaseDone, task.PhasePayload{Phase: uid})
	case task.PhaseInReview:
		if w.do(t, c, task.OpPhaseReview, task.PhaseReviewPayload{Phase: uid, Verdict: task.ReviewApproved}) {
			return
		}
		for _, v := range append(c.state.Children(uid, task.KindVerification), task.OpenFixes(c.state, uid)...) {
			if v.Status != task.PhaseInReview {
				w.advance(t, c, v.UID)
			}
		}
	default:
		w.do(t, c, task.OpStart, task.StartPayload{Restart: true})
		w.do(t, c, task.OpPhaseStart, task.PhasePayload{Phase: uid, Commit: commitA})
	}
}

// S-1, S-2, S-3, S-5, S-9: whatever two or three clones do, and in whatever
// order, part or repetition they hear of one another, in the end all have the
// same bytes; and the incremental state is the folded one.
func TestFold_S9_anyOrderSameState(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) { playFold(t, newModel()) })
}

// playFold draws a history of TestFold_S9_anyOrderSameState, and looks whether its
// promises hold.
func playFold(t *rapid.T, w *world) {
	first := &clone{}
	w.do(t, first, task.OpCreate, task.CreatePayload{
		ID: "add-jwt-auth-k3v9q2m", Title: "Add JWT auth", Type: "feature", Branch: "feature/add-jwt-auth",
		Stage: task.StageExecute,
	})
	w.do(t, first, task.OpPhaseAdd, task.PhaseAddPayload{Title: "One"})
	w.do(t, first, task.OpStart, task.StartPayload{})
	one := first.state.Phases[0].UID
	w.do(t, first, task.OpPhaseAdd, task.PhaseAddPayload{Title: "Verify", Kind: task.KindVerification, Parent: one})
	w.do(t, first, task.OpPhaseAdd, task.PhaseAddPayload{Title: "Two", DependsOn: []task.UID{one}})
	for _, name := range []task.DocName{task.DocPlan, task.DocContext} {
		w.do(t, first, task.OpDocSet, task.DocSetPayload{Name: name, OID: w.texts.put("1\n2\n3\n4\n5\n6\n7\n8\n9\n")})
	}
	w.clones = []*clone{first}
	for range rapid.IntRange(1, 2).Draw(t, "more clones") {
		c := *first
		w.clones = append(w.clones, &c)
	}
	for range rapid.IntRange(10, 10+w.most).Draw(t, "steps") {
		c := w.draw(t, "clone")
		switch rapid.IntRange(0, 9).Draw(t, "action") {
		case 0:
			w.sync(c, w.draw(t, "other"))
		case 1: // takes the lock, seen by the others only with the next sync
			c.fence = c.state.Fence + 1
			c.claim = string(w.id()) + "00000000"
		case 2: // lets it go, or gives it up
			lost := task.LockLostPayload{Fence: c.fence, Claim: c.claim}
			c.fence, c.claim = 0, ""
			if lost.Fence > 0 && rapid.Bool().Draw(t, "lost") {
				lost.ToFence = rapid.Uint64Range(1, lost.Fence).Draw(t, "to")
				w.do(t, c, task.OpLockLost, lost)
			}
		default:
			w.step(t, c)
		}
		if got, want := encodedFor(t, c.state), encodedFor(t, Fold(c.nodes, w)); !c.behind && got != want {
			t.Fatalf("applied one by one\n%s\nfolded\n%s", got, want)
		}
	}
	// Everybody hears of everything, in some order.
	everyone := make([]int, len(w.clones))
	for i := range everyone {
		everyone[i] = i
	}
	for range 2 {
		for _, i := range rapid.Permutation(everyone).Draw(t, "order") {
			for _, j := range rapid.Permutation(everyone).Draw(t, "others") {
				w.sync(w.clones[i], w.clones[j])
			}
		}
	}
	want := encodedFor(t, w.clones[0].state)
	for _, c := range w.clones[1:] {
		if got := encodedFor(t, c.state); got != want {
			t.Fatalf("clones differ:\n%s\n%s", want, got)
		}
	}
	checkWhole(t, w.clones[0].state)
	nodes := w.clones[0].nodes
	void, _ := operation.Void(nodes, Rules(), nil)
	for i, n := range nodes {
		if void[i] && !Guarded(n.Op.Kind) {
			t.Fatalf("%s is open to everyone, and void", n.Op.Kind)
		}
	}
}

// checkWhole checks what must hold for every state, and that it is read back
// as it was written.
func checkWhole(t *rapid.T, s task.Task) {
	files, err := task.Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	for path, b := range files {
		if b.OID == "" {
			b.OID = task.DocOf(b.Data, 40).OID
			files[path] = b
		}
	}
	back, err := task.Decode(files)
	if err != nil {
		t.Fatalf("decode what was encoded: %v", err)
	}
	a, b := files[task.TaskFile].Data, must(task.Encode(back))[task.TaskFile].Data
	if string(a) != string(b) {
		t.Fatalf("read back differently:\n%s\n%s", a, b)
	}
	checkWaits(t, s)
	sound(t, s)
	for _, tally := range Tallies(s) {
		if tally.Verdict == VerdictReady && tally.Waived == nil && len(tally.Blocking()) > 0 {
			t.Fatalf("BC-7: %s is ready with %v", tally.Board, tally.Blocking())
		}
	}
	route.Next(s)
	report.FinalReport(s, report.Story{}, "")
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
