package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/ui"
)

// looks are the commands that only look, as a person types them. What prints a text
// as somebody wrote it (show :spec, doc get, report show, knowledge inject), a diff, or
// the lines of a file that would be written (init -n), prints that, however wide.
var looks = []string{
	"", "status", "status --all", "status small", "status waits-for-the-vendor",
	"list", "list --all", "list --archived", "list --status failed", "show", "show waits-for-the-vendor",
	"log", "log --all", "undo --list", "next", "next --all", "next waits-for-the-vendor",
	"phase", "phase list", "phase review 1", "phase review 2", "phase list --task waits-for-the-vendor",
	"doc", "doc list", "doc check", "doc list --task waits-for-the-vendor",
	"knowledge", "knowledge list --project", "knowledge list --task waits-for-the-vendor",
	"decision", "decision list --all", "decision show 1", "decision --task waits-for-the-vendor",
	"question", "question --task waits-for-the-vendor", "backlog", "backlog list --all",
	"graph", "graph waits-for-the-vendor", "stats", "events", "session", "session show", "trigger list", "mode", "stage",
	"config", "config list --describe", "lock", "lock list", "lock show", "lock show waits-for-the-vendor",
	"archive -n --due",
	"remark", "remark list --open", "remark tally", "remark show 1", "remark show 2", "remark --task waits-for-the-vendor",
	"report list", "report check 1", "report list --task waits-for-the-vendor",
	"pipeline", "pipeline check", "doctor", "trust", "verify -n 1", "escalate 2", "escalate 3", "version",
	"-h", "help", "help -a",
}

// TestWidth_80ColumnsAlwaysFit: nothing that is printed for people is wider than their
// terminal, narrow or wide, however long or wide what it is about is called.
func TestWidth_80ColumnsAlwaysFit(t *testing.T) {
	r := newRig(t)
	script, err := os.ReadFile(filepath.Join("testdata", "rich.sh"))
	if err != nil {
		t.Fatal(err)
	}
	if got := r.run("sh", "-c", string(script)); got.code != 0 {
		t.Fatalf("exit %d: %s", got.code, got.stderr)
	}
	commands := append([]string{}, looks...)
	for _, group := range commandGroups {
		for _, c := range group.commands {
			commands = append(commands, c.name+" -h")
		}
	}
	env := r.env
	for _, width := range []int{40, 80, 120} {
		r.env = append(env, fmt.Sprintf("COLUMNS=%d", width))
		for _, command := range commands {
			for line := range strings.Lines(r.run(append([]string{"git-brew"}, strings.Fields(command)...)...).stdout) {
				line = strings.TrimRight(ui.Plain(line), "\n")
				if got := ui.Width(line); got > width && !unbreakable(line, width) {
					t.Errorf("at %d columns git brew %s prints one of %d:\n%s", width, command, got, line)
				}
			}
		}
	}
}

// typed is a command that somebody types, or trusts as it stands, with what is around it.
var typed = regexp.MustCompile(`^\S{0,4}git brew [^;]*$|^'git brew [^']*'\S*$|^git (config|-C) .*$|^grep -q .*$`)

// unbreakable tells that a line is too wide for what can't be broken: one word, such as
// an id, a path or an address, or a command that is typed as it stands; behind at most
// a name.
func unbreakable(line string, width int) bool {
	words := strings.TrimLeft(line, " ")
	for range 3 {
		rest := words
		if typed.MatchString(rest) || !strings.Contains(rest, " ") {
			return true
		}
		at := strings.Index(words, "  ")
		if at < 0 {
			return false
		}
		words = strings.TrimLeft(words[at:], " ")
	}
	return false
}

// TestWidth_everyCommandStaysWhole: whoever copies the first line of a broken command
// runs another one.
func TestWidth_everyCommandStaysWhole(t *testing.T) {
	for _, group := range commandGroups {
		for _, c := range group.commands {
			typed := "git brew " + c.name + " let-people-sign-in-with-a-magic-link-by-mail"
			got := ui.Wrap("work on the task, then "+typed+", or wait", 40)
			if want := "work on the task, then\n  " + typed + ",\n  or wait"; got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		}
	}
}

// TestWidth_noTaskHere: what to do where there is no task fits as well.
func TestWidth_noTaskHere(t *testing.T) {
	r := newRig(t)
	for _, width := range []int{40, 60, 80} {
		r.env = append(r.env, fmt.Sprintf("COLUMNS=%d", width))
		got := r.run("git-brew")
		for line := range strings.Lines(got.stdout) {
			if ui.Width(line)-1 > width {
				t.Errorf("at %d columns: %s", width, line)
			}
		}
		if !strings.Contains(got.stdout, "git brew create TITLE") {
			t.Errorf("says %q", got.stdout)
		}
	}
}
