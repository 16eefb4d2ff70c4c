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
	for _, name := range pipeline.Workflows() {
		text, _ := pipeline.WorkflowText(name)
		found := commands.FindAllStringSubmatch(text, -1)
		if len(found) < 3 || !strings.HasPrefix(text, "# ") || !strings.Contains(text, "Done when") &&
			!strings.Contains(text, "phase done`") && !strings.Contains(text, "phase approve N`") {
			t.Errorf("%s does not say what to do, and when it is done", name)
		}
		for _, f := range found {
			words := strings.Fields(f[1])
			cmd, rest, err := root.Find(words)
			if err != nil || !cmd.Runnable() || len(rest) == len(words) {
				t.Errorf("%s: git brew %s: no such command", name, f[1])
				continue
			}
			for _, word := range rest {
				if option, ok := strings.CutPrefix(word, "--"); ok && cmd.Flags().Lookup(option) == nil {
					t.Errorf("%s: git brew %s: no option --%s", name, f[1], option)
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
