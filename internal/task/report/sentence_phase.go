package report

import (
	"fmt"
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

func sayPhaseClaim(_ operation.Operation, p task.ClaimPayload, before, after task.Task) string {
	was, _ := before.Phase(p.Phase)
	is, _ := after.Phase(p.Phase)
	return fmt.Sprintf("phase %s: taken over from %s by %s", is.ID, was.Claim.By(), is.Claim.By())
}

func sayEscalate(_ operation.Operation, p task.EscalatePayload, _, after task.Task) string {
	phase, _ := after.Phase(p.Phase)
	s := fmt.Sprintf("phase %s: escalated, %s", phase.ID, p.Action)
	if p.Reason != "" {
		s += ": " + p.Reason
	}
	return s
}

func sayPhaseEdit(_ operation.Operation, p task.PhaseEditPayload, _, after task.Task) string {
	phase, _ := after.Phase(p.Phase)
	var parts []string
	if p.Title != "" {
		parts = append(parts, "title "+p.Title)
	}
	if p.Tier != "" {
		parts = append(parts, "tier "+string(p.Tier))
	}
	for _, list := range []struct {
		what      string
		add, drop []string
	}{
		{"verification", p.AddVerification, p.DropVerification},
		{"acceptance", p.AddAcceptance, p.DropAcceptance},
		{"agent", p.AddAgents, p.DropAgents},
		{"dependency on", shownOf(after, p.AddDependsOn), shownOf(after, p.DropDependsOn)},
	} {
		for _, item := range list.drop {
			parts = append(parts, "without "+list.what+" "+item)
		}
		for _, item := range list.add {
			parts = append(parts, list.what+" "+item)
		}
	}
	return fmt.Sprintf("phase %s: edited: %s", phase.ID, strings.Join(parts, ", "))
}

func shownOf(t task.Task, uids []task.UID) []string {
	var ids []string
	for _, uid := range uids {
		if p, ok := t.Phase(uid); ok {
			ids = append(ids, p.ID)
		}
	}
	return ids
}

func saySkip(_ operation.Operation, p task.SkipPayload, _, after task.Task) string {
	return fmt.Sprintf("skipped: %s: %s", after.ShownStep(p.Passed), p.Reason)
}

// sayPassed ends a sentence with what was passed over.
func sayPassed(t task.Task, passed []task.Passed) string {
	var steps []string
	end := ""
	for _, p := range passed {
		if p.Phase != "" {
			end = "; without a plan"
			continue
		}
		steps = append(steps, t.ShownStep(p))
	}
	if len(steps) > 0 {
		end = "; skipped " + strings.Join(steps, ", ") + end
	}
	return end
}

func sayPhaseError(_ operation.Operation, p task.AgentErrorPayload, _, after task.Task) string {
	phase, _ := after.Phase(p.Phase)
	s := fmt.Sprintf("phase %s: %s ended with an error", phase.ID, p.Agent)
	if p.Text != "" {
		s += ": " + p.Text
	}
	return s
}

func sayPhaseVerify(_ operation.Operation, p task.VerifyPayload, _, after task.Task) string {
	phase, _ := after.Phase(p.Phase)
	s := fmt.Sprintf("phase %s: verification ", phase.ID)
	var failed []string
	for _, c := range p.Commands {
		if !c.Passed() {
			failed = append(failed, c.Text)
		}
	}
	if len(failed) == 0 {
		return s + fmt.Sprintf("passed, %d of %d", len(p.Commands), len(p.Commands))
	}
	return s + fmt.Sprintf("failed, %d of %d: %s", len(failed), len(p.Commands), strings.Join(failed, ", "))
}
