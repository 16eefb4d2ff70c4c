package view

import "github.com/git-brew/git-brew/internal/task"

// Decision is a decision; others are named by the ids people see.
type Decision struct {
	ID           string              `json:"id"`
	Title        string              `json:"title"`
	Why          string              `json:"why"`
	Rejected     []task.Alternative  `json:"rejected"`
	Phase        string              `json:"phase"`
	At           string              `json:"at"`
	Status       task.DecisionStatus `json:"status"`
	SupersededBy string              `json:"superseded_by"`
	Supersedes   string              `json:"supersedes"`
	Reason       string              `json:"reason"` // why it was revoked
}

// NewDecision is a decision of a task.
func NewDecision(t task.Task, d task.Decision) Decision {
	return Decision{
		ID: t.DecisionID(d.UID), Title: d.Title, Why: d.Why, Rejected: List(d.Rejected), Phase: PhaseID(t, d.Phase), At: d.At,
		Status: d.Status, SupersededBy: t.DecisionID(d.By), Supersedes: t.DecisionID(d.Supersedes), Reason: d.Reason,
	}
}

// NewDecisions are the decisions of a task that hold, or all.
func NewDecisions(t task.Task, all bool) []Decision {
	docs := []Decision{}
	for _, d := range t.Decisions {
		if all || d.Status == task.DecisionActive {
			docs = append(docs, NewDecision(t, d))
		}
	}
	return docs
}
