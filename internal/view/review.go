package view

import (
	"github.com/git-brew/git-brew/internal/task"
)

// Rung is a rung of a ladder.
type Rung struct {
	Action task.EscalationAction `json:"action"`
	Open   bool                  `json:"open"`
	Why    string                `json:"why"` // it is closed
	After  int                   `json:"after"`
}
