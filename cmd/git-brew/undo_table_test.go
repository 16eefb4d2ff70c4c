package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/command"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// undoTable is the table of docs/using/undo.md: how each writing command is undone. The
// words of a cell in code are commands.
func undoTable(t *testing.T) map[string]string {
	t.Helper()
	page, err := os.ReadFile("../../docs/using/undo.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| write | undone by |\n|---|---|\n")
	code := regexp.MustCompile("`([^`]+)`")
	rows := map[string]string{}
	for line := range strings.Lines(table) {
		cells := strings.SplitN(strings.Trim(line, "| \n"), " | ", 2)
		if len(cells) != 2 {
			break
		}
		for _, command := range code.FindAllStringSubmatch(cells[0], -1) {
			if rows[command[1]] != "" {
				t.Errorf("docs/using/undo.md has two rows for %q", command[1])
			}
			rows[command[1]] = cells[1]
		}
	}
	return rows
}

// TestUndo_everyWriteSaysHow: a new command gets its row in docs/using/undo.md, and does
// what it says there.
func TestUndo_everyWriteSaysHow(t *testing.T) {
	t.Parallel()
	rows := undoTable(t)
	root := newRootCmd(&cli.Env{})
	var runnable []string
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		if cmd.Runnable() {
			runnable = append(runnable, strings.TrimSpace(strings.TrimPrefix(cmd.CommandPath(), "git brew")))
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(root)
	commands := slices.Collect(maps.Keys(rows))
	for _, path := range runnable {
		if written := slices.ContainsFunc(commands, func(c string) bool {
			return c == path || strings.HasPrefix(c, path+" --")
		}); written != ruleOf(t, path).Has(command.Writes) {
			t.Errorf("'git brew %s' writes by internal/command, or is in the table of docs/using/undo.md, and not both", path)
		}
	}
	said := undone(t)
	for command, how := range rows {
		if path, _, _ := strings.Cut(command, " --"); !slices.Contains(runnable, path) {
			t.Errorf("docs/using/undo.md has a row for %q, which is no command", command)
		}
		if strings.HasPrefix(how, "`git brew undo") {
			if undo, ran := said[command]; !ran || !strings.HasPrefix(undo, "git brew undo") {
				t.Errorf("'git brew %s' says that %q undoes it", command, undo)
			}
		}
	}
}

// undone runs commands that change a task, and gives what each says to undo it. What
// ends in a name of a file of its own needs no more than a text there.
func undone(t *testing.T) map[string]string {
	t.Helper()
	f := gitstoretest.New(t)
	if err := os.WriteFile(filepath.Join(f.Dir, "text"), []byte("# Text\n\nSome words.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	entry := `{"ts":"2026-01-01T00:00:00Z","t":"fact","txt":"Dates are in UTC","src":"ann"}` + "\n"
	if err := os.WriteFile(filepath.Join(f.Dir, "entries"), []byte(entry), 0o600); err != nil {
		t.Fatal(err)
	}
	file := []byte("---\ntask: imported\n---\n# Imported\n")
	if err := os.WriteFile(filepath.Join(f.Dir, "task.md"), file, 0o600); err != nil {
		t.Fatal(err)
	}
	said := map[string]string{}
	run1 := func(args ...string) []byte {
		e, out, errs := testEnv()
		e.Dir, e.Environ, e.Getenv = f.Dir, f.Env, f.Getenv
		e.User, e.Host = "mara", "laptop"
		if code := run(t.Context(), append(args, "--json"), e); code != cli.ExitDone {
			t.Errorf("%s: exit %d, %s", args, code, errs)
		}
		return out.Bytes()
	}
	id := func(answer []byte) string {
		var doc struct {
			Entry struct{ ID string }
		}
		_ = json.Unmarshal(answer, &doc)
		return doc.Entry.ID
	}
	var learned string
	for _, row := range [][]string{
		{"create", "Add JWT auth"},
		{"create", "Another one", "--no-switch"},
		{"import", "brainworm", "task.md"},
		{"edit", "--title", "Add JSON web tokens"},
		{"start"},
		{"learn", "Tokens are strings"},
		{"knowledge import", "entries"},
		{"question add", "Which library?"},
		{"question resolve", "1", "-m", "This one"},
		{"decision add", "Use this library"},
		{"decision supersede", "1", "--by", "Use that library"},
		{"decision revoke", "2", "-m", "none"},
		{"doc set", "plan", "text"},
		{"stage", "plan"},
		{"phase add", "One"},
		{"phase add", "Two"},
		{"phase edit", "2", "--title", "Second"},
		{"phase start", "1"},
		{"report", "1", "--agent", "ann", "text"},
		{"phase done", "1"},
		{"phase approve", "1"},
		{"phase reset", "1"},
		{"phase start", "1"},
		{"phase done", "1"},
		{"phase reject", "1", "-m", "no"},
		{"phase revise", "1"},
		{"phase reset", "1"},
		{"phase split", "2", "--into", "A", "--into", "B"},
		{"phase fail", "1", "-m", "no"},
		{"phase drop", "1", "-m", "no"},
		{"remark add", "plan", "no way back"},
		{"remark confirm", "1", "--reviewer", "bob"},
		{"remark reject", "1", "-m", "no", "--reviewer", "cid"},
		{"remark resolve", "1"},
		{"knowledge rm", ""},
		{"pause"},
		{"start"},
		{"pause", "-m", "waits"},
		{"start"},
		{"undo"},
		{"finish", "--status", "cancelled"},
		{"delete", "another-one"},
	} {
		if row[0] == "knowledge rm" {
			row[1] = learned
		}
		answer := run1(append(strings.Fields(row[0]), row[1:]...)...)
		if row[0] == "learn" {
			learned = id(answer)
		}
		var doc struct{ Undo string }
		if err := json.Unmarshal(answer, &doc); err != nil {
			t.Errorf("%s: %v in %s", row, err, answer)
		}
		said[row[0]] = doc.Undo
	}
	return said
}
