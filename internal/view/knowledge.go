package view

import (
	"github.com/git-brew/git-brew/internal/app/learn"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// Owner is the task whose knowledge it is; null is the project.
func Owner(in learn.Scope) *task.ID {
	if in.Task == "" {
		return nil
	}
	return &in.Task
}

// Rules is `knowledge rules`.
type Rules struct {
	Task   *task.ID    `json:"task"`
	DryRun bool        `json:"dry_run"`
	Files  []RulesFile `json:"files"`
	Pruned int         `json:"pruned"`
}

// RulesFile is what became of a file of rules.
type RulesFile struct {
	File    string         `json:"file"`
	Added   []operation.ID `json:"added"`
	Skipped []operation.ID `json:"skipped"` // said already
}
