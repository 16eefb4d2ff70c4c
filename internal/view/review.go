package view

import (
	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/app/review"
	"github.com/git-brew/git-brew/internal/task"
)

// Review is `phase review`.
type Review struct {
	Task   task.ID                `json:"task"`
	Phase  Phase                  `json:"phase"`
	Ranges []codediff.ReviewRange `json:"ranges"`
	// Uncommitted are files beside what was handed over.
	Uncommitted []string `json:"uncommitted"`
}

// Verification is `verify`.
type Verification struct {
	Change
	Verification review.Verification `json:"verification"`
}

// Ladder is `escalate` without an action.
type Ladder struct {
	Task        task.ID           `json:"task"`
	Phase       Phase             `json:"phase"`
	Ladder      task.LadderName   `json:"ladder"`
	Iterations  int               `json:"iterations"` // since the last escalation
	Total       int               `json:"total_iterations"`
	Escalations []task.Escalation `json:"escalations"`
	Rungs       []Rung            `json:"rungs"`
	Next        Next              `json:"next"`
}

// Rung is a rung of a ladder.
type Rung struct {
	Action task.EscalationAction `json:"action"`
	Open   bool                  `json:"open"`
	Why    string                `json:"why"` // it is closed
	After  int                   `json:"after"`
}
