package task

import (
	"fmt"

	"github.com/git-brew/git-brew/internal/operation"
)

// AgentErrorPayload is what OpPhaseError carries: an agent that worked on the
// phase ended with an error. The phase stays where it is (BC-52).
type AgentErrorPayload struct {
	Phase     UID    `json:"phase"`
	Iteration int    `json:"iteration"`
	Agent     string `json:"agent"`
	Text      string `json:"text,omitempty"`
}

// MaxErrors is how many errors of agents end an iteration: one more try, and
// then the phase fails.
const MaxErrors = 2

func countError(e *editor, _ operation.Operation, p AgentErrorPayload) error {
	i, err := e.find(p.Phase)
	if err != nil {
		return err
	}
	if phase := e.t.Phases[i]; phase.Status != PhaseInProgress || phase.Iteration != p.Iteration || phase.Errors >= maxItems {
		return Refuse(CodeTransition, fmt.Sprintf("nobody works on phase %s", phase.ID), nextHint(e.t, phase))
	}
	e.phases()[i].Errors++
	return nil
}
