package rules_test

import (
	"slices"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
	"github.com/git-brew/git-brew/internal/task/route"
)

// S-39, S-14: what shows that nobody works under a claim any more, and what does
// not.
func TestClaim_S39_left(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	claim := task.PhaseClaim{UID: testUID(1), Worker: "ann", Session: "one", Fence: 3, At: "2026-03-01T10:00:00Z"}
	lock := func(session string, fence uint64) lease.Lock {
		return lease.Lock{Held: true, Session: session, Fence: fence, TTLSeconds: 3600}
	}
	acquired := func(l lease.Lock, at string) lease.Lock { l.AcquiredAt = at; return l }
	timeless := task.PhaseClaim{UID: testUID(1), Session: "one", Fence: 3}
	for name, row := range map[string]struct {
		claim task.PhaseClaim
		lock  lease.Lock
		after time.Duration
		left  bool
	}{
		"its session holds the lock":        {claim, lock("one", 3), time.Minute, false},
		"its session was unbound":           {claim, lock("", 3), time.Minute, false},
		"another session has the lock":      {claim, lock("two", 3), time.Minute, true},
		"its session claimed the lock anew": {claim, lock("one", 4), time.Minute, false},
		"the lock was taken since":          {claim, acquired(lock("", 4), "2026-03-01T10:00:30Z"), time.Minute, true},
		"its person claimed the lock anew":  {claim, acquired(lock("", 4), "2026-03-01T09:00:00Z"), time.Minute, false},
		"nobody can say when it was taken":  {claim, lock("", 4), time.Minute, true},
		"the lock is free":                  {claim, lease.Lock{}, time.Minute, false},
		"a person's, another session is bound": {
			task.PhaseClaim{UID: testUID(1), Fence: 3, At: claim.At},
			lock("two", 3),
			time.Minute, false,
		},
		"it is younger than a lease":       {claim, lock("one", 3), 59 * time.Minute, false},
		"it is older than a lease":         {claim, lock("one", 3), 61 * time.Minute, true},
		"it is older, the lock is free":    {claim, lease.Lock{}, 25 * time.Hour, true},
		"nobody can say when it was":       {timeless, lock("one", 3), 0, true},
		"nobody can say, the lock is new":  {timeless, acquired(lock("one", 3), "2026-03-01T09:59:00Z"), 0, false},
		"nobody can say, the lock is old":  {timeless, acquired(lock("one", 3), "2026-03-01T08:59:00Z"), 0, true},
		"nobody can say, the lock is free": {timeless, lease.Lock{}, 0, true},
		"its clock is ahead":               {claim, lock("one", 3), -time.Hour, false},
		"far ahead":                        {claim, lock("one", 3), -24 * time.Hour, true},
		"far ahead, and the lock is new":   {claim, acquired(lock("one", 3), "2026-02-28T09:59:00Z"), -24 * time.Hour, false},
		"far ahead, and the lock is old":   {claim, acquired(lock("one", 3), "2026-02-28T08:59:00Z"), -24 * time.Hour, true},
		"far ahead, and overtaken":         {claim, acquired(lock("", 4), "2026-02-28T09:59:00Z"), -24 * time.Hour, true},
	} {
		if got := route.ClaimLeft(row.claim, row.lock, at.Add(row.after)); got != row.left {
			t.Errorf("%s: left %t, want %t", name, got, row.left)
		}
	}
}

// S-11, S-16: what a worker can take, the most urgent first; what another one
// works on is not among it, until it was left.
func TestClaimable_S11_S16(t *testing.T) {
	t.Parallel()
	s := started(t)
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	free := lease.Lock{}
	claimable := func(l lease.Lock) []string {
		var ids []string
		for _, p := range route.Claimable(s.t, l, now) {
			ids = append(ids, p.ID)
		}
		return ids
	}
	want := func(l lease.Lock, ids ...string) {
		t.Helper()
		if got := claimable(l); !slices.Equal(got, ids) {
			t.Errorf("claimable %v, want %v", got, ids)
		}
	}
	s.add(task.PhaseAddPayload{})
	two := s.add(task.PhaseAddPayload{})
	s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: two})
	three := s.add(task.PhaseAddPayload{})
	s.start(two)
	s.executed(two)
	s.start(three)
	s.executed(three)
	s.reject(three, "wrong")
	fix := s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: three})
	want(free, "3.1", "2V", "1")

	claimed := s.do(task.OpPhaseStart, task.PhasePayload{Phase: fix, Commit: commitA, Claimed: true, Worker: "ann"})
	want(free, "2V", "1")
	if p, ok := route.ClaimedBy(s.t, "ann"); !ok || p.UID != fix || p.Claim.UID != claimed {
		t.Errorf("ann has %+v", p)
	}
	if p, ok := route.ClaimedBy(s.t, "bob"); ok {
		t.Errorf("bob has %+v", p)
	}
	if _, ok := route.ClaimedBy(s.t, ""); ok {
		t.Error("who has no name has a phase")
	}
	taken := lease.Lock{Held: true, Session: "two", Fence: 9}
	want(taken, "2V", "1", "3.1")
	s.refused(task.CodeTaken, task.OpPhaseClaim, task.ClaimPayload{Phase: fix, Worker: "bob", From: testUID(99)})
	s.refused(task.CodeInvalid, task.OpPhaseClaim, task.ClaimPayload{Phase: fix, Worker: "../bob", From: claimed})
	s.refused(task.CodeTransition, task.OpPhaseClaim, task.ClaimPayload{Phase: two, Worker: "bob", From: claimed})
	s.superseded(task.OpPhaseClaim, task.ClaimPayload{Phase: fix, Worker: "bob", From: testUID(99)})
	s.do(task.OpPhaseClaim, task.ClaimPayload{Phase: fix, Worker: "bob", From: claimed})
	if p := s.phase(fix); p.Claim.Worker != "bob" || p.Iteration != 1 {
		t.Errorf("taken over: %+v", p)
	}
	// Whoever starts it again is not bob.
	s.executed(fix)
	s.reject(fix, "again")
	s.start(fix)
	if p := s.phase(fix); p.Claim != (task.PhaseClaim{}) {
		t.Errorf("started again: %+v", p.Claim)
	}
	s.do(task.OpPause, task.PausePayload{Cause: task.CauseHandoff})
	want(free)
}

// BC-47, S-11: what a worker without a phase is told to take, by what the phase is for.
func TestNextFor_S11_claimOne(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		make func(s *story)
		step string
	}{
		{func(s *story) { s.planned() }, "execute 1"},
		{func(s *story) { s.add(task.PhaseAddPayload{Kind: task.KindResearch}) }, "research R"},
		{func(s *story) {
			p := s.addExecuted(task.PhaseAddPayload{})
			s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: p})
		}, "review 1V"},
		{func(s *story) { s.add(task.PhaseAddPayload{Kind: task.KindFinalReview}) }, "review FR"},
	} {
		s := started(t)
		tt.make(s)
		step := route.NextFor(s.t, route.Assignee{Worker: "ann"}, route.Ready(s.t))
		if got := step.Step + " " + step.Phase; got != tt.step || step.Command != "git brew next --claim --worker ann" ||
			step.Reason != "phase "+step.Phase+" is ready" {
			t.Errorf("%+v, want %s", step, tt.step)
		}
	}
}

// S-11: a phase that was left is taken over while the task is worked on, by one.
func TestClaim_S11_takenOver(t *testing.T) {
	t.Parallel()
	s := started(t)
	p, other := s.add(task.PhaseAddPayload{}), s.add(task.PhaseAddPayload{})
	s.do(task.OpPhaseStart, task.PhasePayload{Phase: p, Claimed: true, Worker: "ann"})
	s.do(task.OpPhaseStart, task.PhasePayload{Phase: other, Claimed: true, Worker: "bob"})
	left := s.phase(p).Claim.UID
	s.do(task.OpPhaseClaim, task.ClaimPayload{Phase: p, Worker: "cid", From: left})
	if got := s.phase(p).Claim.Worker; got != "cid" || s.t.Current != p {
		t.Errorf("claimed by %s, current %s", got, s.t.Current)
	}
	late := task.ClaimPayload{Phase: p, Worker: "dan", From: left}
	s.refused(task.CodeTaken, task.OpPhaseClaim, late)
	s.superseded(task.OpPhaseClaim, late)
	s.do(task.OpPause, task.PausePayload{Cause: task.CauseHandoff})
	s.refused(task.CodeTaskState, task.OpPhaseClaim,
		task.ClaimPayload{Phase: p, Worker: "dan", From: s.phase(p).Claim.UID})
}
