package view

import (
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/task"
)

// Report is an agent's report on a phase.
type Report struct {
	Phase     string  `json:"phase"`
	Iteration int     `json:"iteration"`
	Verify    bool    `json:"verify"`
	Agent     string  `json:"agent"`
	At        string  `json:"at"`
	Path      string  `json:"path"`
	Text      *string `json:"text,omitempty"`
}

// Reports is `report list` and `report show`.
type Reports struct {
	Task    task.ID  `json:"task"`
	Reports []Report `json:"reports"`
}

// NewReports lists the reports of a task, with those texts that were read.
func NewReports(id task.ID, reports []phase.ReportView) Reports {
	docs := make([]Report, len(reports))
	for i, r := range reports {
		docs[i] = Report{Phase: r.Phase, Iteration: r.Iteration, Verify: r.Verify, Agent: r.Agent, At: r.At, Path: r.Path}
		if r.Text != nil {
			text := string(r.Text)
			docs[i].Text = &text
		}
	}
	return Reports{id, docs}
}
