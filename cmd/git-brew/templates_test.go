package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/document"
)

// filled is a template with something in each place that waits for it.
func filled(text string) string {
	values := strings.NewReplacer("{PHASE}", "1", "{PHASES}", "1", "{AGENT}", "developer", "{REVIEWER}", "reviewer",
		"{DEPENDS_ON}", "none", "{SEVERITY}", "minor", `"{COVERS}"`, "R1", "{COVERS}", "R1, S1",
		"{COMMAND_IN_BACKQUOTES_OR_NONE}", "`make test`", "{NEW_FILE}", "key.go", "{CHANGED_FILE}", "main.go", "{FILES}", "`main.go`", "{CREATES}", "key.go",
		"{MODIFIES}", "main.go", "{WHAT_TO_AVOID_AND_WHY}", "global clocks, for tests can't set them",
		"{WHAT_PROVED_ITSELF_AND_WHY}", "tables for every codec", "{WHAT_IS_SO}", "the port of staging is 8080")
	return regexp.MustCompile(`\{[A-Z_]+\}`).ReplaceAllString(values.Replace(text), "something real")
}

// BC-2, BC-11, BC-12: each template, filled in, is what its reader wants: doc check finds no
// error in it, its phases are added from it, its knowledge is learned.
func TestTemplates_BC2_BC11_BC12_areReadBack(t *testing.T) {
	t.Parallel()
	for _, from := range []string{"roadmap", "plan"} {
		o := newObedient(t, nil, "Add keys")
		o.git(o.repo, "commit", "-q", "--allow-empty", "-m", "main")
		stored := func(template, name string) {
			t.Helper()
			o.stdin(filled(o.must("", "doc", "template", template)), "doc", "set", name, "-")
			o.must("", "doc", "check", name)
		}
		for _, name := range []string{"spec", "context", "research", from} {
			stored(name, name)
		}
		if added := o.must("", "phase", "add", "--from", from); !strings.Contains(added, "  1 something real") {
			t.Errorf("%s: %s", from, added)
		}
		if phases := o.must("", "phase", "list", "--json"); from == "roadmap" && !strings.Contains(phases, `"make test"`) {
			t.Errorf("the command behind Verify is not the phase's: %s", phases)
		}
		stored("phases/1/plan", "phases/1/plan")
		o.must("", "start")
		o.must("", "next", "--skip", "clarify", "-m", "the template's question")
		o.must("", "phase", "start", "1")
		if from == "plan" {
			stored("phases/1V/plan", "phases/1V/plan")
		}
		if out := o.stdin(filled(o.must("", "doc", "template", "report")), "report", "1", "--agent", "developer",
			"-"); !strings.Contains(out, "learned from it: 3") {
			t.Errorf("report: %s", out)
		}
		if out := o.must("", "summary"); !strings.Contains(out, "developer: something real") {
			t.Errorf("the report is not told: %s", out)
		}
		o.stdin(filled(o.must("", "doc", "template", "review")), "report", "1", "--agent", "reviewer", "--verify", "-")
		o.must("", "phase", "done", "1")
		o.must("", "phase", "reject", "1", "-m", "a test is missing")
		o.must("", "phase", "revise", "1")
		stored("phases/1.1/plan", "phases/1.1/plan")
		stored("changelog", "changelog")
	}
	for _, name := range document.Templates() {
		if document.TemplateText(name) == "" {
			t.Errorf("%s is empty", name)
		}
	}
}

// stdin runs a command of a person's with a text, which has to succeed.
func (s *sequence) stdin(text string, args ...string) string {
	s.t.Helper()
	code, out, errs := s.run(s.repo, text, args...)
	if code != 0 {
		s.t.Fatalf("git brew %v: exit %d: %s\n%s", args, code, errs, text)
	}
	return out
}
