package run

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/task"
)

// A supervisor's file decides where it names the question; what is hostile is told once, and
// decides nothing (BR-39).
func TestCommandFile_BR39(t *testing.T) {
	tests := []struct {
		name, file string
		want       action
		reason     string
		told       string // a part of it
	}{
		{"no file", "", undecided, "", ""},
		{"an empty file", " \n", undecided, "", ""},
		{"retry, with guidance", `{"decision":"q","action":"retry","reason":"r","guidance":"g"}`, retry, "g", ""},
		{"retry without guidance", `{"decision":"q","task":"US-1","action":"retry","reason":"r"}`, retry, "r", ""},
		{"skip", `{"decision":"q","action":"skip","reason":"r","guidance":"g"}`, skip, "r", ""},
		{"abort", `{"decision":"q","action":"abort"}`, abort, "", ""},
		{"pause, in two lines", `{"decision":"q","action":"pause","reason":"one\ntwo"}`, pause, "one\ntwo", ""},
		{"another question", `{"decision":"p","action":"skip"}`, undecided, "", ""},
		{"another phase", `{"decision":"q","task":"US-2","action":"skip"}`, undecided, "", ""},
		{"no question named", `{"action":"skip"}`, undecided, "", ""},
		{"no JSON", `{"decision":`, undecided, "", "it is no JSON of a decision"},
		{"a list", `[1]`, undecided, "", "it is no JSON of a decision"},
		{"an unknown action", `{"decision":"q","action":"delete"}`, undecided, "", "its action is none of"},
		{"a terminal's sequence", `{"decision":"q","action":"skip","reason":"\u001b[2J"}`, undecided, "", "can't be seen"},
		{"text that turns around", `{"decision":"q","action":"skip","guidance":"\u202e"}`, undecided, "", "can't be seen"},
		{"too large", strings.Repeat(" ", maxCommand+1), undecided, "", "larger than"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "decision.json")
			if tt.file != "" {
				if err := os.WriteFile(path, []byte(tt.file), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			got, told := decided(t, path)
			if got.action != tt.want || got.reason != tt.reason {
				t.Errorf("decided %q for %q, want %q for %q", got.action, got.reason, tt.want, tt.reason)
			}
			if got.action != undecided && got.by != task.BySupervisor {
				t.Errorf("it was decided by %q", got.by)
			}
			if tt.told == "" && len(told) > 0 || tt.told != "" && (len(told) != 1 || !strings.Contains(told[0], tt.told)) {
				t.Errorf("told %q, want %q once", told, tt.told)
			}
		})
	}
}

// What is no plain file is not read.
func TestCommandFile_link_BR39(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	if err := os.WriteFile(real, []byte(`{"decision":"q","action":"skip"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{link, dir} {
		if got, told := decided(t, path); got.action != undecided || len(told) != 1 {
			t.Errorf("%s: decided %q, told %q", path, got.action, told)
		}
	}
}

// decided is what a file decides on the question q about US-1, and what is told of it.
func decided(t *testing.T, path string) (got decision, told []string) {
	t.Helper()
	f := commandFile{path: path, wait: 20 * time.Millisecond, every: time.Millisecond}
	got, err := f.decide(t.Context(), question{id: "q", phase: task.Phase{ID: "US-1"}},
		func(text string) { told = append(told, text) })
	if err != nil {
		t.Fatal(err)
	}
	return got, told
}
