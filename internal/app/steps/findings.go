package steps

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/pipeline"
)

// CheckPipeline says what is wrong with a document, and with the files that it
// names, as far as there is a work tree that may have them.
func (s *Pipelines) CheckPipeline(ctx context.Context, text []byte) ([]pipeline.Finding, error) {
	config, found := pipeline.Parse(text)
	if s.workTree() == "" || len(pipeline.Errors(found)) > 0 {
		return found, nil
	}
	view, err := s.viewOf(ctx, Pipeline{From: FromShared, Config: config, Findings: found})
	for i := range view.Steps { // what is here by convention is not the document's
		view.Steps[i].Hooks = slices.DeleteFunc(view.Steps[i].Hooks, func(h PlannedHook) bool { return h.Convention })
	}
	return append(found, view.FileFindings()...), err
}

// FileFindings are what is wrong with the files that a pipeline names. What
// nobody here has trusted yet is for this clone alone.
func (v PipelineView) FileFindings() []pipeline.Finding {
	var found []pipeline.Finding
	add := func(path string, u usedFile, required bool) {
		f := pipeline.Finding{Level: pipeline.LevelError, Text: fmt.Sprintf("%s, %s, %s", path, u.where, u.Problem)}
		switch {
		case u.waits:
			f.Level = pipeline.LevelNote
		case !required:
			f.Level = pipeline.LevelWarning
		}
		if u.Problem != "" && !slices.Contains(found, f) {
			found = append(found, f)
		}
	}
	for _, step := range v.Steps {
		if w := step.Workflow; w != nil {
			add(w.Path, w.usedFile, true)
		}
		for _, h := range step.Hooks {
			add(h.Path, h.usedFile, h.Required)
		}
	}
	return found
}
