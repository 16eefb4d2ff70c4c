package rules_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	. "github.com/git-brew/git-brew/internal/task/rules"
)

// SP-15, BC-16: decisions are numbered, and are active, superseded or revoked;
// decisions.md tells them, byte for byte the same everywhere.
func TestDecisions_SP15_BC16_text(t *testing.T) {
	t.Parallel()
	s := started(t)
	if task.DecisionsText(s.t) != nil || stored(t, s.t)[task.DecisionsFile].OID != "" {
		t.Error("a view of nothing")
	}
	one := s.add(task.PhaseAddPayload{Title: "Token <model>"})
	hash := s.do(task.OpDecisionAdd, task.DecisionAddPayload{
		Title: "Hash | SHA-256", Why: "it is\nthere", Phase: one,
		Rejected: []task.Alternative{{What: "MD5", Why: "broken"}, {What: "none"}},
	})
	s.do(task.OpDecisionAdd, task.DecisionAddPayload{Title: "Tokens live an hour"})
	newer := s.do(task.OpDecisionAdd, task.DecisionAddPayload{Title: "Hash: BLAKE3", Why: "faster", Supersedes: hash})
	s.refused(task.CodeTaskState, task.OpDecisionAdd, task.DecisionAddPayload{Title: "Again", Supersedes: hash})
	s.refused(task.CodeTaskState, task.OpDecisionRevoke, task.DecisionRevokePayload{Decision: hash, Reason: "x"})
	s.refused(task.CodeInvalid, task.OpDecisionRevoke, task.DecisionRevokePayload{Decision: newer})
	s.do(task.OpDecisionRevoke, task.DecisionRevokePayload{Decision: s.t.Decisions[1].UID, Reason: "no expiry after all"})
	const want = `# Decisions

| # | date | decision | status |
|---|---|---|---|
| DEC-001 | 2026-03-01 | Hash \| SHA-256 | superseded by DEC-003 |
| DEC-002 | 2026-03-01 | Tokens live an hour | revoked |
| DEC-003 | 2026-03-01 | Hash: BLAKE3 | active |

3 recorded, 1 active.

## DEC-001: Hash | SHA-256

- Status: superseded by DEC-003
- Phase: 1 Token &lt;model>
- Why: it is there
- Rejected: MD5, because broken
- Rejected: none

## DEC-002: Tokens live an hour

- Status: revoked
- Revoked because: no expiry after all

## DEC-003: Hash: BLAKE3

- Status: active
- Instead of: DEC-001
- Why: faster
`
	if got := string(task.DecisionsText(s.t)); got != want {
		t.Errorf("%s", got)
	}
	files := stored(t, s.t)
	if files[task.DecisionsFile].OID != task.DocOf([]byte(want), 40).OID {
		t.Errorf("%+v", files[task.DecisionsFile])
	}
	if back, err := task.Decode(files); err != nil || len(back.Decisions) != 3 {
		t.Errorf("read back: %v", err)
	}
	if got := task.DecidedOf(s.t); got.Active != 1 || len(got.Newest) != 1 ||
		got.Newest[0] != (task.DecidedTitle{ID: "DEC-003", Title: "Hash: BLAKE3"}) {
		t.Errorf("%+v", got)
	}
	for arg, want := range map[string]string{
		"DEC-001": "DEC-001", "dec-1": "DEC-001", "3": "DEC-003", "003": "DEC-003",
	} {
		if d, err := s.t.FindDecision(arg); err != nil || s.t.DecisionID(d.UID) != want {
			t.Errorf("%s: %v", arg, err)
		}
	}
	for _, arg := range []string{"", "DEC-", "DEC-004", "4", "0", "-1", "+1", "nothing", string(newer)} {
		if _, err := s.t.FindDecision(arg); !errors.Is(err, task.ErrNoEntry) {
			t.Errorf("%q: %v", arg, err)
		}
	}
}

// Two machines decide apart: both stay, under numbers of their own, whatever the
// order of syncs. Of two that take one's place the first is named there.
func TestDecisions_SP15_twoMachines(t *testing.T) {
	t.Parallel()
	s := started(t)
	old := s.do(task.OpDecisionAdd, task.DecisionAddPayload{Title: "Hash: MD5"})
	seen := len(s.nodes)
	a := s.fork(seen, task.OpDecisionAdd, task.DecisionAddPayload{Title: "Hash: SHA-256", Supersedes: old}, 0)
	b := s.fork(seen, task.OpDecisionAdd, task.DecisionAddPayload{Title: "Hash: BLAKE3", Supersedes: old}, 0)
	c := s.fork(seen, task.OpDecisionRevoke, task.DecisionRevokePayload{Decision: old, Reason: "unsafe"}, 0)
	for _, nodes := range [][]operation.Node{{a, b, c}, {c, b, a}, {b, c, a}} {
		got := Fold(append(slices.Clone(s.nodes), nodes...), s.texts)
		if len(got.Decisions) != 3 || got.Decisions[1].UID != a.Op.ID || got.Decisions[2].UID != b.Op.ID ||
			got.Decisions[0].By != a.Op.ID || got.Decisions[0].Status != task.DecisionSuperseded ||
			got.Decisions[2].Status != task.DecisionActive {
			t.Errorf("%s", task.DecisionsText(got))
		}
	}
}

func TestDecision_hostile(t *testing.T) {
	t.Parallel()
	s := started(t)
	for name, bad := range map[string]task.DecisionAddPayload{
		"no title":     {},
		"title":        {Title: "a\nb"},
		"long title":   {Title: strings.Repeat("x", task.MaxTitle+1)},
		"why":          {Title: "a", Why: strings.Repeat("x", task.MaxItem+1)},
		"escape":       {Title: "a", Why: "\x1b[2J"},
		"alternatives": {Title: "a", Rejected: make([]task.Alternative, 11)},
		"alternative":  {Title: "a", Rejected: []task.Alternative{{What: "a\nb"}}},
		"no what":      {Title: "a", Rejected: []task.Alternative{{Why: "b"}}},
	} {
		if err := Check(s.t, s.next(task.OpDecisionAdd, bad)); err == nil {
			t.Errorf("%s: allowed", name)
		}
		s.superseded(task.OpDecisionAdd, bad)
	}
	s.superseded(task.OpDecisionRevoke, task.DecisionRevokePayload{Decision: testUID(77), Reason: "x"})
	if err := Check(s.t, s.next(task.OpDecisionAdd,
		task.DecisionAddPayload{Title: "a", Supersedes: testUID(77)})); !errors.Is(err, task.ErrNoEntry) {
		t.Error(err)
	}
	if err := Check(s.t, s.next(task.OpDecisionAdd,
		task.DecisionAddPayload{Title: "a", Phase: testUID(77)})); !errors.Is(err, task.ErrNoPhase) {
		t.Error(err)
	}
	for len(s.t.Decisions) < task.MaxDecisions {
		s.do(task.OpDecisionAdd, task.DecisionAddPayload{Title: fmt.Sprint(len(s.t.Decisions))})
	}
	s.refused(task.CodeTaskState, task.OpDecisionAdd, task.DecisionAddPayload{Title: "more"})
	s.superseded(task.OpDecisionAdd, task.DecisionAddPayload{Title: "more"})
	if got := task.DecidedOf(s.t); got.Active != task.MaxDecisions || len(got.Newest) != task.MaxDecided ||
		got.Newest[0].ID != "DEC-500" {
		t.Errorf("%+v", got)
	}
}
