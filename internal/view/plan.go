package view

import (
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/setup"
)

// Plan is what `init` and `uninit` answer.
type Plan struct {
	DryRun  bool               `json:"dry_run"`
	Changes []FileChange       `json:"changes"`
	Refs    []gitstore.RefName `json:"refs,omitempty"`
	Remarks []string           `json:"remarks"`
}

// FileChange is what was changed in a file.
type FileChange struct {
	Kind  string `json:"kind"`
	File  string `json:"file"`
	Path  string `json:"path"`
	From  string `json:"from,omitempty"`
	About string `json:"about"`
	Diff  string `json:"diff,omitempty"`
}

// NewPlan tells what a plan changes, and of a dry run how.
func NewPlan(p setup.Plan, refs []gitstore.RefName, dry bool) Plan {
	doc := Plan{DryRun: dry, Refs: refs, Changes: []FileChange{}, Remarks: List(p.Remarks)}
	for _, c := range p.Visible() {
		v := FileChange{Kind: c.Kind(), File: c.Name, Path: c.Path, From: c.MovedFrom, About: c.About}
		if dry {
			v.Diff = c.Diff()
		}
		doc.Changes = append(doc.Changes, v)
	}
	return doc
}
