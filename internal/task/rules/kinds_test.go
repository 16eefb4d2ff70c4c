package rules_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	. "github.com/git-brew/git-brew/internal/task/rules"
)

// kindsDeclared are the kinds of operations that payload.go declares, read from the
// file itself: a test over all of them can't forget a new one.
func kindsDeclared(tb testing.TB) (all []operation.Kind) {
	tb.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../payload.go", nil, 0)
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
		task.OpCreate: stays, task.OpEdit: anybody, task.OpStart: holder, task.OpPause: holder, task.OpResume: holder,
		task.OpFinish: holder, task.OpDelete: holder, task.OpStage: holder, task.OpStepSkip: holder,
		task.OpPhaseAdd: holder, task.OpPhaseStart: holder, task.OpPhaseClaim: holder, task.OpPhaseDone: holder,
		task.OpPhaseReview: anybody,
		task.OpPhaseFail:   holder, task.OpPhaseDrop: holder, task.OpPhaseReset: holder, task.OpPhaseEdit: holder,
		task.OpPhaseVerify: heard, task.OpPhaseEscalate: holder,
		task.OpPhaseError: stays, task.OpPhaseLaunch: heard, task.OpPhaseTurn: stays,
		task.OpDocSet: anybody, task.OpDocResolve: anybody, task.OpReport: anybody, task.OpKnowledgeAdd: anybody,
		task.OpKnowledgeRemove: anybody,
		task.OpRemarkAdd:       anybody, task.OpRemarkVote: anybody, task.OpRemarkResolve: anybody,
		task.OpBoardReady:  anybody,
		task.OpDecisionAdd: anybody, task.OpDecisionRevoke: anybody, task.OpStepHook: heard, task.OpHookSkip: anybody,
		task.OpLockLost: heard, task.OpUndo: holder, task.OpUndoOpen: anybody,
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
	{"start", task.OpStart, task.StartPayload{}},
	{"start --restart", task.OpStart, task.StartPayload{Restart: true}},
	{"pause -m", task.OpPause, task.PausePayload{Cause: task.CauseWaiting, Reason: "waits"}},
	{"pause", task.OpPause, task.PausePayload{Cause: task.CauseHandoff}},
	{"resume", task.OpResume, task.EmptyPayload{}},
	{"finish", task.OpFinish, task.FinishPayload{Status: task.Finished}},
	{"finish --status failed", task.OpFinish, task.FinishPayload{Status: task.Failed, Reason: "no way"}},
	{"finish --status cancelled", task.OpFinish, task.FinishPayload{Status: task.Cancelled}},
	{
		"finish --status error", task.OpFinish,
		task.FinishPayload{Status: task.Failed, Cause: task.CauseError, Reason: "it broke"},
	},
}

var taskTable = map[task.Status][]string{
	//           start          restart        pause -m  pause     resume         finish      failed    cancelled    error
	task.Pending:    {"in_progress", "in_progress", "paused", "paused", "-", "-", "failed", "cancelled", "failed"},
	task.InProgress: {"in_progress", "in_progress", "paused", "paused", "-", "finished", "failed", "cancelled", "failed"},
	task.Paused: {
		"in_progress", "in_progress", "paused", "paused", "in_progress", "finished", "failed", "cancelled",
		"failed",
	},
	task.Finished:  {"-", "in_progress", "-", "-", "-", "-", "-", "-", "-"},
	task.Failed:    {"-", "in_progress", "-", "-", "-", "-", "-", "-", "-"},
	task.Cancelled: {"-", "in_progress", "-", "-", "-", "-", "-", "-", "-"},
}

// What waits is not resumed by itself: whoever knows that it needs not wait any more
// starts it.
func TestResume_BC84_notWhatWaits(t *testing.T) {
	t.Parallel()
	s := started(t)
	s.do(task.OpPause, task.PausePayload{Cause: task.CauseWaiting, Reason: "needs a key"})
	s.refused(task.CodeTransition, task.OpResume, task.EmptyPayload{})
	s.superseded(task.OpResume, task.EmptyPayload{})
	if s.do(task.OpStart, task.StartPayload{}); s.t.Status != task.InProgress || s.t.Cause != task.CauseNone ||
		s.t.Reason != "" {
		t.Errorf("started: %s, %s, %q", s.t.Status, s.t.Cause, s.t.Reason)
	}
}

// BC-26, BC-35: every command in every status, allowed or refused. What is refused
// changes nothing where it was made elsewhere.
func TestTaskCommands_BC26_BC35_everyPair(t *testing.T) {
	t.Parallel()
	comeTo := map[task.Status][]int{ // by these commands
		task.Pending: nil, task.InProgress: {0}, task.Paused: {0, 3}, task.Finished: {0, 5}, task.Failed: {0, 6},
		task.Cancelled: {0, 7},
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
	if why, ok := errors.AsType[*task.RefusedError](err); !ok || why.Code == task.CodeInvalid || why.Msg == "" ||
		why.Hint == "" {
		s.Errorf("%s: %v; want a refusal that says what to do", name, err)
	} else {
		s.mayFollow(name, why.Hint)
	}
}
