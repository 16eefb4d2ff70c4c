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
	add := func(level pipeline.Level, text string) {
		for _, f := range found {
			if f.Text == text {
				return
			}
		}
		found = append(found, pipeline.Finding{Level: level, Text: text})
	}
	for _, step := range v.Steps {
		if w := step.Workflow; w.Problem != "" {
			level := pipeline.LevelError
			if w.Waits {
				level = pipeline.LevelNote
			}
			add(level, fmt.Sprintf("%s, for %s, %s", w.Path, step.Step, w.Problem))
		}
		for _, h := range step.Hooks {
			if h.Problem == "" {
				continue
			}
			level := pipeline.LevelError
			switch {
			case h.Hash != "":
				level = pipeline.LevelNote
			case h.Optional:
				level = pipeline.LevelWarning
			}
			add(level, fmt.Sprintf("%s, %s %s, %s", h.Path, h.When.Side(), hookOf(h.Around, step.StepRow), h.Problem))
		}
	}
	return found
}
