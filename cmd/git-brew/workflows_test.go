package main

import (
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/pipeline"
)

// SP-7: each step of the built-in pipeline follows a workflow, which says when it is done.
// That its commands can be typed, TestDocs_commandLinesCanBeTyped sees.
func TestWorkflows_SP7_sayWhenTheyAreDone(t *testing.T) {
	for _, name := range pipeline.Workflows() {
		text, _ := pipeline.WorkflowText(name)
		if !strings.HasPrefix(text, "# ") || !strings.Contains(text, "Done when") &&
			!strings.Contains(text, "phase done`") && !strings.Contains(text, "phase approve N`") {
			t.Errorf("%s does not say what to do, and when it is done", name)
		}
	}
	for _, p := range pipeline.Default().Pipelines {
		for _, s := range p.Steps {
			if _, ok := pipeline.WorkflowText(s.Workflow); !ok && s.Pipeline == "" {
				t.Errorf("step %s follows %q, which is not there", s.Name, s.Workflow)
			}
		}
	}
}
