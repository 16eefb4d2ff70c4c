package rules_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
	. "github.com/git-brew/git-brew/internal/task/rules"
)

// story makes operations one after the other, as one person would.
type story struct {
	testing.TB
	t      task.Task
	nodes  []operation.Node
	texts  blobs
	minute int
}

// blobs are texts by the id that git gives them.
type blobs map[string][]byte

func (b blobs) Text(oid string) ([]byte, bool) {
	data, ok := b[oid]
	return data, ok
}

func (b blobs) put(text string) string {
	doc := task.DocOf([]byte(text), 40)
	b[doc.OID] = doc.Data
	return doc.OID
}

func encodePayload(tb testing.TB, v any) json.RawMessage {
	tb.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		tb.Fatal(err)
	}
	return raw
}

func testUID(n int) operation.ID { return operation.ID(fmt.Sprintf("%032x", n)) }

const (
	commitA = "a000000000000000000000000000000000000000"
	commitB = "b000000000000000000000000000000000000000"
)

// newStory is a task in progress.
func newStory(tb testing.TB) *story {
	tb.Helper()
	s := &story{TB: tb, texts: blobs{}}
	s.do(task.OpCreate, task.CreatePayload{
		ID: "add-jwt-auth-k3v9q2m", Title: "Add JWT auth", Type: "feature", Branch: "feature/add-jwt-auth",
		Base: "main", BaseCommit: commitA, Stage: task.StageExecute,
	})
	return s
}

func started(tb testing.TB) *story {
	tb.Helper()
	s := newStory(tb)
	s.do(task.OpStart, task.StartPayload{})
	return s
}

// next is the operation as it would be made now, a minute later.
func (s *story) next(kind operation.Kind, payload any) operation.Operation {
	s.Helper()
	s.minute++
	return operation.Operation{
		ID: testUID(len(s.nodes) + 1), Kind: kind, Clock: s.t.Clock + 1, Law: operation.Law,
		At:      fmt.Sprintf("2026-03-01T%02d:%02d:00Z", s.minute/60, s.minute%60),
		Payload: encodePayload(s, payload),
	}
}

// do makes an operation that must be allowed.
func (s *story) do(kind operation.Kind, payload any) task.UID {
	s.Helper()
	op := s.next(kind, payload)
	if err := checkBoth(s.t, op); err != nil {
		s.Fatalf("%s refused: %v", kind, err)
	}
	return s.force(op)
}

// checkNow checks an operation by its kind and payload.
func checkNow(t task.Task, kind operation.Kind, payload any) error {
	raw, err := json.Marshal(payload)
	if err != nil {
		return err
	}
	return Check(t, operation.Operation{ID: testUID(999), Kind: kind, Payload: raw})
}

// checkBoth asks the routing table, too, whether a step may be skipped.
func checkBoth(t task.Task, op operation.Operation) error {
	if p, ok := task.Payload[task.SkipPayload](op); ok && op.Kind == task.OpStepSkip {
		if err := route.CheckSkip(t, p); err != nil {
			return err
		}
	}
	return Check(t, op)
}

// force applies an operation that Check may not like.
func (s *story) force(op operation.Operation) task.UID {
	s.Helper()
	after, applied := Apply(s.t, op, s.texts)
	if !applied {
		s.Fatalf("%s %s changed nothing", op.Kind, op.Payload)
	}
	s.t = after
	n := operation.Node{Op: op}
	if len(s.nodes) > 0 {
		n.Parents = []int{len(s.nodes) - 1}
	}
	s.nodes = append(s.nodes, n)
	return op.ID
}

// refused checks that the operation is not allowed now.
func (s *story) refused(code task.Code, kind operation.Kind, payload any) {
	s.Helper()
	_ = s.refusal(code, kind, payload)
}

// refusal is refused, and returns why.
func (s *story) refusal(code task.Code, kind operation.Kind, payload any) *task.RefusedError {
	s.Helper()
	err := checkBoth(s.t, s.next(kind, payload))
	var refusal *task.RefusedError
	if !errors.As(err, &refusal) {
		s.Fatalf("%s: got %v, want a refusal %q", kind, err, code)
	}
	if refusal.Code != code {
		s.Fatalf("%s: refused with %q (%v), want %q", kind, refusal.Code, err, code)
	}
	return refusal
}

func (s *story) superseded(kind operation.Kind, payload any) {
	s.Helper()
	op := s.next(kind, payload)
	after, applied := Apply(s.t, op, s.texts)
	if applied {
		s.Fatalf("%s %s applied", kind, op.Payload)
	}
	after.Clock = s.t.Clock
	if got, want := encoded(s, after), encoded(s, s.t); got != want {
		s.Fatalf("%s superseded, but the state changed:\n%s\n%s", kind, want, got)
	}
}

func encoded(tb testing.TB, t task.Task) string {
	tb.Helper()
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

func (s *story) add(p task.PhaseAddPayload) task.UID {
	s.Helper()
	if p.Title == "" {
		p.Title = "Work"
	}
	return s.do(task.OpPhaseAdd, p)
}

// addExecuted adds a phase that is handed over at once.
func (s *story) addExecuted(p task.PhaseAddPayload) task.UID {
	s.Helper()
	uid := s.add(p)
	s.start(uid)
	s.executed(uid)
	return uid
}

func (s *story) start(uid task.UID) {
	s.Helper()
	s.do(task.OpPhaseStart, task.PhasePayload{Phase: uid, Commit: commitA})
}

func (s *story) executed(uid task.UID) {
	s.Helper()
	s.do(task.OpPhaseDone, task.PhasePayload{Phase: uid, Commit: commitB})
}

func (s *story) approve(uid task.UID) {
	s.Helper()
	s.do(task.OpPhaseReview, task.PhaseReviewPayload{
		Phase: uid, Verdict: task.ReviewApproved,
		Verified: PassedRun(s.t, s.phase(uid)),
	})
}

func (s *story) reject(uid task.UID, why string) {
	s.Helper()
	s.do(task.OpPhaseReview, task.PhaseReviewPayload{Phase: uid, Verdict: task.ReviewChanges, Reason: why})
}

func (s *story) complete(uid task.UID) {
	s.Helper()
	s.start(uid)
	s.executed(uid)
	if OwesVerification(s.t, s.phase(uid)) {
		s.verify(uid, 0)
	}
	s.approve(uid)
}

func (s *story) phase(uid task.UID) task.Phase {
	s.Helper()
	p, ok := s.t.Phase(uid)
	if !ok {
		s.Fatalf("no phase %s", uid)
	}
	return p
}

func (s *story) want(uid task.UID, status task.PhaseStatus, review task.Review) {
	s.Helper()
	if p := s.phase(uid); p.Status != status || p.Review != review {
		s.Errorf("phase %s is %s/%s, want %s/%s", p.ID, p.Status, p.Review, status, review)
	}
}

// validate reports what a state would be refused for that is read back.
func validate(t task.Task) error {
	files, err := task.Encode(t)
	if err != nil {
		return err
	}
	_, err = task.DecodeState(files[task.TaskFile].Data)
	return err
}
