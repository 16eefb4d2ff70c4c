package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/pipeline"
)

// SP-7: what git brew's own workflows tell an agent to type is a command, with
// options that it has; and each step of the built-in pipeline follows one.
func TestWorkflows_SP7_nameCommandsThatAreThere(t *testing.T) {
	commands := regexp.MustCompile("`git brew ([^`]+)`")
	root := newRootCmd(&cli.Env{})
	for _, w := range pipeline.Workflows() {
		found := commands.FindAllStringSubmatch(w.Text, -1)
		if len(found) < 3 || !strings.HasPrefix(w.Text, "# ") || !strings.Contains(w.Text, "Done when") &&
			!strings.Contains(w.Text, "phase done`") && !strings.Contains(w.Text, "phase approve N`") {
			t.Errorf("%s does not say what to do, and when it is done", w.Name)
		}
		for _, f := range found {
			words := strings.Fields(f[1])
			cmd, rest, err := root.Find(words)
			if err != nil || !cmd.Runnable() || len(rest) == len(words) {
				t.Errorf("%s: git brew %s: no such command", w.Name, f[1])
				continue
			}
			for _, word := range rest {
				if name, ok := strings.CutPrefix(word, "--"); ok && cmd.Flags().Lookup(name) == nil {
					t.Errorf("%s: git brew %s: no option --%s", w.Name, f[1], name)
				}
			}
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
