package task_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"

	"github.com/git-brew/git-brew/internal/operation"
	. "github.com/git-brew/git-brew/internal/task"
)

// kindsDeclared are the kinds of operations that payload.go declares, read from the
// file itself: a test over all of them can't forget a new one.
func kindsDeclared(tb testing.TB) (all []operation.Kind) {
	tb.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "payload.go", nil, 0)
	if err != nil {
		tb.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		text, ok := spec.Values[0].(*ast.BasicLit)
		if of, typed := spec.Type.(*ast.SelectorExpr); !ok || !typed || of.Sel.Name != "Kind" {
			return true
		}
		name, err := strconv.Unquote(text.Value)
		if err != nil {
			tb.Fatal(err)
		}
		all = append(all, operation.Kind(name))
		return true
	})
	return all
}

// The table of kinds: who may make them while somebody holds the lock, and what is
// never taken back.
func TestKinds_everyRow(t *testing.T) {
	t.Parallel()
	type row struct{ open, lasts bool }
	holder, anybody, stays, heard := row{}, row{open: true}, row{lasts: true}, row{open: true, lasts: true}
	want := map[operation.Kind]row{
		OpCreate: stays, OpEdit: anybody, OpStart: holder, OpPause: holder, OpResume: holder,
		OpFinish: holder, OpDelete: holder, OpStage: holder, OpStepSkip: holder,
		OpPhaseAdd: holder, OpPhaseStart: holder, OpPhaseClaim: holder, OpPhaseDone: holder, OpPhaseReview: anybody,
		OpPhaseFail: holder, OpPhaseDrop: holder, OpPhaseReset: holder, OpPhaseEdit: holder, OpPhaseVerify: heard, OpPhaseEscalate: holder,
		OpPhaseError: stays, OpPhaseLaunch: heard,
		OpDocSet: anybody, OpDocResolve: anybody, OpReport: anybody, OpKnowledgeAdd: anybody, OpKnowledgeRemove: anybody,
		OpRemarkAdd: anybody, OpRemarkVote: anybody, OpRemarkResolve: anybody, OpBoardReady: anybody,
		OpDecisionAdd: anybody, OpDecisionRevoke: anybody, OpStepHook: heard, OpHookSkip: anybody,
		OpLockLost: heard, OpUndo: holder, OpUndoOpen: anybody,
	}
	for _, k := range kindsDeclared(t) {
		_, lasts := Lasting(k)
		is, listed := want[k]
		if !listed {
			t.Errorf("%s is not listed here", k)
			continue
		}
		if Guarded(k) == is.open || lasts != is.lasts {
			t.Errorf("%s: guarded %t, lasting %t; want %+v", k, Guarded(k), lasts, is)
		}
		delete(want, k)
	}
	if len(want) > 0 {
		t.Errorf("no kinds: %v", want)
	}
	if !Guarded("of.a.newer.version") {
		t.Error("an unknown kind is open")
	}
}

// What each command of a task does in each status, in the order of taskCommands: the
// status that follows; "-" is refused (exit 5), with what to do instead.
var taskCommands = []struct {
	name    string
	kind    operation.Kind
	payload any
}{
	{"start", OpStart, StartPayload{}},
	{"start --restart", OpStart, StartPayload{Restart: true}},
	{"pause -m", OpPause, PausePayload{Cause: CauseWaiting, Reason: "waits"}},
	{"pause", OpPause, PausePayload{Cause: CauseHandoff}},
	{"resume", OpResume, EmptyPayload{}},
	{"finish", OpFinish, FinishPayload{Status: Finished}},
	{"finish --status failed", OpFinish, FinishPayload{Status: Failed, Reason: "no way"}},
	{"finish --status cancelled", OpFinish, FinishPayload{Status: Cancelled}},
	{"finish --status error", OpFinish, FinishPayload{Status: Failed, Cause: CauseError, Reason: "it broke"}},
}

var taskTable = map[Status][]string{
	//           start          restart        pause -m  pause     resume         finish      failed    cancelled    error
	Pending:    {"in_progress", "in_progress", "paused", "paused", "-", "-", "failed", "cancelled", "failed"},
	InProgress: {"in_progress", "in_progress", "paused", "paused", "-", "finished", "failed", "cancelled", "failed"},
	Paused:     {"in_progress", "in_progress", "paused", "paused", "in_progress", "finished", "failed", "cancelled", "failed"},
	Finished:   {"-", "in_progress", "-", "-", "-", "-", "-", "-", "-"},
	Failed:     {"-", "in_progress", "-", "-", "-", "-", "-", "-", "-"},
	Cancelled:  {"-", "in_progress", "-", "-", "-", "-", "-", "-", "-"},
}

// What waits is not resumed by itself: whoever knows that it needs not wait any more
// starts it.
func TestResume_BC84_notWhatWaits(t *testing.T) {
	t.Parallel()
	s := started(t)
	s.do(OpPause, PausePayload{Cause: CauseWaiting, Reason: "needs a key"})
	s.refused(CodeTransition, OpResume, EmptyPayload{})
	s.superseded(OpResume, EmptyPayload{})
	if s.do(OpStart, StartPayload{}); s.t.Status != InProgress || s.t.Cause != CauseNone || s.t.Reason != "" {
		t.Errorf("started: %s, %s, %q", s.t.Status, s.t.Cause, s.t.Reason)
	}
}

// BC-26, BC-35: every command in every status, allowed or refused. What is refused
// changes nothing where it was made elsewhere.
func TestTaskCommands_BC26_BC35_everyPair(t *testing.T) {
	t.Parallel()
	comeTo := map[Status][]int{ // by these commands
		Pending: nil, InProgress: {0}, Paused: {0, 3}, Finished: {0, 5}, Failed: {0, 6}, Cancelled: {0, 7},
	}
	for _, status := range allStatuses {
		for i, command := range taskCommands {
			s := newStory(t)
			for _, c := range comeTo[status] {
				s.do(taskCommands[c].kind, taskCommands[c].payload)
			}
			if s.t.Status != status {
				t.Fatalf("%s, want %s", s.t.Status, status)
			}
			if want := taskTable[status][i]; want != "-" {
				s.do(command.kind, command.payload)
				if string(s.t.Status) != want {
					t.Errorf("%s, %s: %s, want %s", status, command.name, s.t.Status, want)
				}
				continue
			}
			s.refusedWithAdvice(string(status)+", "+command.name, command.kind, command.payload)
			s.superseded(command.kind, command.payload)
		}
	}
}

// refusedWithAdvice: the state does not allow it (exit 5; nonsense is exit 129), and
// the message says what to do instead, which is allowed.
func (s *story) refusedWithAdvice(name string, kind operation.Kind, payload any) {
	s.Helper()
	err := Check(s.t, s.next(kind, payload))
	if why, ok := errors.AsType[*RefusedError](err); !ok || why.Code == CodeInvalid || why.Msg == "" || why.Hint == "" {
		s.Errorf("%s: %v; want a refusal that says what to do", name, err)
	} else {
		s.mayFollow(name, why.Hint)
	}
}
