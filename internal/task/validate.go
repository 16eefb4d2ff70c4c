package task

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/operation"
)

// ErrCorrupt says that a stored state is not one that this package wrote.
var ErrCorrupt = errors.New("corrupt task")

func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrCorrupt, fmt.Errorf(format, args...))
}

// validate checks a decoded state: what a fold can't have made is refused, so
// that no path, no line and no loop of it can do harm. What an operation brought stands
// within that operation's bounds.
func validate(t Task) error {
	if err := validateFields(t); err != nil {
		return corrupt("%w", err)
	}
	switch {
	case !t.Root.Valid():
		return corrupt("root %q", Clip(string(t.Root), MaxName))
	case !times(t.CreatedAt, t.UpdatedAt, t.StartedAt, t.FinishedAt, t.PausedAt):
		return corrupt("times")
	case t.Clock > operation.MaxClock, t.Fence > operation.MaxClock:
		return corrupt("clock %d, fence %d", t.Clock, t.Fence)
	case len(t.Phases) > MaxPhases, len(t.Reports) > MaxReports:
		return corrupt("%d phases, %d reports", len(t.Phases), len(t.Reports))
	case !validSkips(t.Skips):
		return corrupt("a skipped step")
	case !validStepHooks(t):
		return corrupt("a record of what ran around a step")
	case !validBoards(t), !validRemarks(t), !validDecisions(t):
		return corrupt("a board, a remark or a decision")
	}
	return cmp.Or(validatePhases(t), validateTexts(t))
}

func validateFields(t Task) error {
	made := CreatePayload{
		ID: t.ID, Title: t.Title, Type: t.Type, Branch: t.Branch, Base: t.Base, BaseCommit: t.BaseCommit,
		Stage: t.Stage, Services: t.Services, Issues: t.Issues, Priority: t.Priority,
	}
	return cmp.Or(made.Bounds(), known("task status", t.Status, statuses), known("cause", t.Cause, causes),
		CheckReason(t.Reason))
}

// times accepts what cleanTime returns.
func times(all ...string) bool {
	return !slices.ContainsFunc(all, func(s string) bool { return s != "" && CleanTime(s) != s })
}

func validatePhases(t Task) error {
	parents := make(map[UID]UID, len(t.Phases))
	ids := make(map[string]bool, len(t.Phases))
	for _, p := range t.Phases {
		if _, twice := parents[p.UID]; twice || !p.UID.Valid() {
			return corrupt("phase uid %q", Clip(string(p.UID), MaxName))
		}
		if !ValidName(p.ID) || ids[p.ID] {
			return corrupt("phase id %q", Clip(p.ID, MaxName))
		}
		parents[p.UID], ids[p.ID] = p.Parent, true
		if err := validatePhase(p); err != nil {
			return fmt.Errorf("phase %s: %w", p.ID, err)
		}
	}
	for _, p := range t.Phases {
		at := p.UID
		for range MaxDepth + 1 {
			if at == "" {
				break
			}
			next, known := parents[at]
			if !known {
				return corrupt("phase %s: its parent is missing", p.ID)
			}
			at = next
		}
		if at != "" {
			return corrupt("phase %s hangs below more than %d others", p.ID, MaxDepth)
		}
	}
	return nil
}

func validatePhase(p Phase) error {
	added := PhaseAddPayload{
		Title: p.Title, Kind: p.Kind, Tier: p.Tier, DependsOn: p.DependsOn, Agents: p.Agents,
		Acceptance: p.Acceptance, Verification: p.Verification,
	}
	err := cmp.Or(added.Bounds(), known("phase status", p.Status, PhaseStatuses), known("verdict", p.Review, Reviews),
		PhaseReasonPayload{Reason: p.Reason}.Bounds(), CheckAgents(p.Launched), checkDeviations(p.Deviations),
		PhasePayload{Commit: p.StartCommit, Services: p.ServiceStarts}.Bounds(),
		PhasePayload{Commit: p.EndCommit, Services: p.ServiceEnds}.Bounds())
	switch {
	case err != nil:
		return corrupt("%w", err)
	case p.Kind == "", p.Tier == "":
		return corrupt("no kind, or no tier")
	case !p.Claim.valid():
		return corrupt("the claim of a worker")
	case !p.Verified.valid(), !validEscalations(p.Escalations), !p.Rejection.valid():
		return corrupt("a verification, an escalation or a rejection")
	case p.Iteration < 0, p.WorkedSeconds < 0, p.Errors < 0, p.SeenRejection < 0:
		return corrupt("a negative count")
	case !times(p.StartedAt, p.CompletedAt, p.WorkSince):
		return corrupt("times")
	}
	return nil
}

func validateTexts(t Task) error {
	for _, r := range t.Reports {
		said := ReportPayload{Phase: r.Phase, Iteration: r.Iteration, Agent: r.Agent, OID: r.OID}
		if t.PhaseIndex(r.Phase) < 0 || r.Iteration < 1 || said.Bounds() != nil || !times(r.At) {
			return corrupt("report of %q", Clip(r.Agent, MaxName))
		}
	}
	for _, c := range t.Conflicts {
		if !c.UID.Valid() || !ValidOID(c.OID) || !OneLine(c.Path, MaxItem) {
			return corrupt("conflict %q", Clip(string(c.UID), MaxName))
		}
	}
	return nil
}
