package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/cli"
)

// aboutOther are commands about a task that is not the one checked out, in the order in
// which they are typed; those that are refused among them, for the hint that they give.
var aboutOther = []string{
	"status other", "show other", "next other", "list",
	"phase start 1 --task other", "finish other", "start other", "start other", "next other --all",
	"phase add --task other Login", "phase list --task other", "phase edit 2 --task other --title Sign",
	"phase done 1 --task other", "phase start 1 --task other", "phase start 1 --task other", "next other",
	"next other --all",
	"phase review 1 --task other", "phase approve 1 --task other", "verify 1 --task other", "escalate 1 --task other",
	"report 1 --task other --agent dev -", "report check 1 --task other",
	"phase done 1 --task other", "next other", "phase review 1 --task other", "phase done 1 --task other",
	"phase reject 1 --task other -m wrong",
	"next other", "phase revise 1 --task other", "phase done --task other", "phase approve 1.1 --task other",
	"phase approve 1 --task other",
	"phase start 9 --task other", "phase split 2 --task other --into A --into B", "phase drop 2 --task other",
	"phase drop 2 --task other -m no",
	"doc set spec - --task other", "doc list --task other", "doc get plan --task other", "doc check --task other",
	"doc set plan - --task other",
	"question add --task other Which?", "question list --task other", "next other",
	"question resolve 1 --task other -m no", "question resolve 9 --task other",
	"decision add --task other Cookies -m short", "decision list --task other",
	"remark add plan vague --task other --severity major --reviewer ann", "remark tally plan --task other",
	"remark list --task other", "remark resolve 9 --task other",
	"learn --task other tokens", "knowledge list --task other", "stage --task other", "stage plan --task other",
	"next other --skip clarify -m x",
	"diff other", "log other", "graph other", "pipeline failed --task other x -m y", "lock show other",
	"edit other --title Other",
	"archive other", "undo other 1 -n", "undo other 2 -n", "undo other 3 -n", "undo other 5 -n", "undo other 8 -n",
	"undo other 13 -n", "undo other 21 -n",
	"undo other --list", "undo other", "pause other -m lunch", "next other", "phase start 1 --task other", "finish other",
	"finish other --status cancelled -m no",
	"next other", "start other", "archive other", "status other", "start other", "start other --restart",
}

// TestHints_actOnTheTaskThatWasMeant: whatever a command about another task than the one
// checked out proposes is about that task, can be typed as it stands, and leaves the one
// that is checked out alone.
func TestHints_actOnTheTaskThatWasMeant(t *testing.T) {
	t.Parallel()
	o := newObedient(t, nil, "Other", "--phase", "Model")
	o.must("", "create", "Here", "--phase", "Mine")
	tree := newRootCmd(&cli.Env{Getenv: o.getenv, Now: nil})
	proposes := regexp.MustCompile(`git brew [a-z]([^\n'"();, ]| [^ \n'"();,])*`)
	followed := 0
	for _, line := range aboutOther {
		_, out, errs := o.run(o.repo, "# Text\n\nIt is.\n", strings.Fields(line)...)
		var hints []string
		for text := range strings.Lines(out + errs) {
			hints = append(hints, proposes.FindAllString(text, -1)...)
		}
		for _, hint := range hints {
			words := strings.Fields(hint)[2:]
			cmd, rest, err := tree.Find(words)
			if err != nil || cmd == tree {
				t.Errorf("git brew %s proposes %q, which is no command", line, hint)
				continue
			}
			takes := cmd.Flags().Lookup("task") != nil || strings.Contains(cmd.Use, "<task>")
			if takes && !slices.ContainsFunc(words, func(w string) bool {
				return w == "other" || strings.HasPrefix(w, "other-") || strings.HasPrefix(w, "other:")
			}) {
				t.Errorf("git brew %s proposes %q, about whatever is checked out", line, hint)
				continue
			}
			if o.follow(words, rest) {
				followed++
			}
		}
	}
	if followed < 30 {
		t.Errorf("%d hints followed", followed)
	}
}

// follow types what was proposed in a copy of the repository, and looks whether the task
// that is checked out stayed as it was.
func (o *obedient) follow(words, rest []string) bool {
	o.t.Helper()
	if i := slices.IndexFunc(words, func(w string) bool {
		return w == "or" || w == "when" || w == "in" || w == "to" || w == "first"
	}); i > 0 {
		words = words[:i] // what a sentence goes on with
	}
	dir := filepath.Join(o.t.TempDir(), "repo")
	if err := os.CopyFS(dir, os.DirFS(o.repo)); err != nil {
		o.t.Fatal(err)
	}
	before := refOf(o.t, dir, "here")
	code, _, errs := o.run(dir, "# Text\n\nIt is.\n", words...)
	if code == cli.ExitUsage {
		o.t.Errorf("%v can't be typed as it stands: %s", words, errs)
	}
	if after := refOf(o.t, dir, "here"); after != before {
		o.t.Errorf("%v changed the task that is checked out", words)
	}
	return code == cli.ExitDone
}

// refOf is what a task's ref holds.
func refOf(t *testing.T, dir, slug string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, ".git/refs/brew/tasks", slug+"-*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	data, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
