package task

import (
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
// that no path, no line and no loop of it can do harm.
func validate(t Task) error {
	if _, err := ParseID(string(t.ID)); err != nil {
		return corrupt("%w", err)
	}
	switch {
	case !t.Root.Valid():
		return corrupt("root %q", clip(string(t.Root), maxName))
	case !oneLine(t.Title, MaxTitle):
		return corrupt("title %q", clip(t.Title, MaxTitle))
	case !validType(t.Type):
		return corrupt("type %q", clip(t.Type, maxName))
	case !validBranch(t.Branch), !validBase(t.Base), !emptyOrOID(t.BaseCommit):
		return corrupt("branch %q from %q", clip(t.Branch, MaxTitle), clip(t.Base, MaxTitle))
	case !validServices(t.Services), !validIssues(t.Issues), !t.Priority.valid():
		return corrupt("services, issues or priority")
	case !slices.Contains(statuses, t.Status):
		return corrupt("status %q is not known to format %s", clip(string(t.Status), maxName), operation.Format)
	case !t.Stage.valid():
		return corrupt("stage %q is not known to format %s", clip(string(t.Stage), maxName), operation.Format)
	case !paragraph(t.Reason, MaxReason):
		return corrupt("reason")
	case t.Cause != CauseNone && !t.Cause.pauses() && t.Cause != CauseError:
		return corrupt("cause %q is not known to format %s", clip(string(t.Cause), maxName), operation.Format)
	case !times(t.CreatedAt, t.UpdatedAt, t.StartedAt, t.FinishedAt, t.PausedAt):
		return corrupt("times")
	case t.Clock > operation.MaxClock, t.Fence > operation.MaxClock:
		return corrupt("clock %d, fence %d", t.Clock, t.Fence)
	case len(t.Phases) > maxPhases, len(t.Reports) > maxReports:
		return corrupt("%d phases, %d reports", len(t.Phases), len(t.Reports))
	case !validSkips(t.Skips):
		return corrupt("a skipped step")
	case !validStepHooks(t):
		return corrupt("a record of what ran around a step")
	}
	return firstError(validatePhases(t), validateTexts(t), validateBoards(t), validateDecisions(t))
}

// times accepts what cleanTime returns.
func times(all ...string) bool {
	return !slices.ContainsFunc(all, func(s string) bool { return s != "" && cleanTime(s) != s })
}

func validatePhases(t Task) error {
	parents := make(map[UID]UID, len(t.Phases))
	ids := make(map[string]bool, len(t.Phases))
	for _, p := range t.Phases {
		if _, twice := parents[p.UID]; twice || !p.UID.Valid() {
			return corrupt("phase uid %q", clip(string(p.UID), maxName))
		}
		if !validName(p.ID) || ids[p.ID] {
			return corrupt("phase id %q", clip(p.ID, maxName))
		}
		parents[p.UID], ids[p.ID] = p.Parent, true
		if err := validatePhase(p); err != nil {
			return fmt.Errorf("phase %s: %w", p.ID, err)
		}
	}
	for _, p := range t.Phases {
		at := p.UID
		for range maxDepth + 1 {
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
			return corrupt("phase %s hangs below more than %d others", p.ID, maxDepth)
		}
	}
	return nil
}

func validatePhase(p Phase) error {
	switch {
	case !oneLine(p.Title, MaxTitle):
		return corrupt("title %q", clip(p.Title, MaxTitle))
	case !slices.Contains(phaseKinds, p.Kind):
		return corrupt("kind %q is not known to format %s", clip(string(p.Kind), maxName), operation.Format)
	case !slices.Contains(phaseStatuses, p.Status):
		return corrupt("status %q is not known to format %s", clip(string(p.Status), maxName), operation.Format)
	case !slices.Contains(reviews, p.Review):
		return corrupt("review %q is not known to format %s", clip(string(p.Review), maxName), operation.Format)
	case !slices.Contains(tiers, p.Tier):
		return corrupt("tier %q is not known to format %s", clip(string(p.Tier), maxName), operation.Format)
	case !paragraph(p.Reason, MaxReason), !paragraphs(p.Acceptance), !paragraphs(p.Verification):
		return corrupt("a text is too long, or has control characters")
	case len(p.DependsOn) > maxDepends:
		return corrupt("%d dependencies", len(p.DependsOn))
	case !names(p.Agents), !names(p.Launched):
		return corrupt("the name of an agent")
	case !p.Claim.valid():
		return corrupt("the claim of a worker")
	case !emptyOrOID(p.StartCommit), !emptyOrOID(p.EndCommit):
		return corrupt("a commit is no object id")
	case !p.ServiceStarts.valid(), !p.ServiceEnds.valid():
		return corrupt("a commit in a service is no object id")
	case !p.Verified.valid(), !validEscalations(p.Escalations), !validDeviations(p.Deviations), !p.Rejection.valid():
		return corrupt("a verification, an escalation, a deviation or a rejection")
	case p.Iteration < 0, p.WorkedSeconds < 0, p.Errors < 0, p.SeenRejection < 0:
		return corrupt("a negative count")
	case !times(p.StartedAt, p.CompletedAt, p.WorkSince):
		return corrupt("times")
	}
	return nil
}

func validateTexts(t Task) error {
	for _, r := range t.Reports {
		if t.phaseIndex(r.Phase) < 0 || r.Iteration < 1 || !validName(r.Agent) || !validOID(r.OID) || !times(r.At) {
			return corrupt("report of %q", clip(r.Agent, maxName))
		}
	}
	for _, c := range t.Conflicts {
		if !c.UID.Valid() || !validOID(c.OID) || !oneLine(c.Path, maxItem) {
			return corrupt("conflict %q", clip(string(c.UID), maxName))
		}
	}
	return nil
}
