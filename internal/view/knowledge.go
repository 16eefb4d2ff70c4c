package view

import (
	"github.com/git-brew/git-brew/internal/app/learn"
	"github.com/git-brew/git-brew/internal/knowledge"
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

// Entry is one entry of knowledge, and whose it is.
type Entry struct {
	Task  *task.ID        `json:"task"`
	Entry knowledge.Entry `json:"entry"`
	Known bool            `json:"known,omitzero"` // it was there before
}

// Entries is `knowledge list`.
type Entries struct {
	Task    *task.ID          `json:"task"`
	Counts  knowledge.Counts  `json:"counts"`
	Entries []knowledge.Entry `json:"entries"`
}

// EntryCounts is what a command answers that took entries out.
type EntryCounts struct {
	Task   *task.ID `json:"task"`
	Before int      `json:"before"`
	After  int      `json:"after"`
}

// Digest is `knowledge inject`.
type Digest struct {
	Task   *task.ID `json:"task"`
	Digest string   `json:"digest"`
	Tokens int      `json:"tokens"`
}

// Imported is `knowledge import`.
type Imported struct {
	Task     *task.ID `json:"task"`
	Added    int      `json:"added"`
	Known    int      `json:"known"`
	Rejected []string `json:"rejected"`
	DryRun   bool     `json:"dry_run,omitzero"`
}

// Exported is `knowledge export` to a file.
type Exported struct {
	Task    *task.ID `json:"task"`
	File    string   `json:"file"`
	Entries int      `json:"entries"`
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

// Item is an item of the backlog.
type Item struct {
	Item knowledge.Item `json:"item"`
}

// Items is `backlog list`.
type Items struct {
	Items []knowledge.Item `json:"items"`
}
