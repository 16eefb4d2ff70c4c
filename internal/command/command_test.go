package command

import (
	"strings"
	"testing"
)

// TestTable: each command has one rule, and the rule for every other word comes last.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Table {
		if seen[r.Path] {
			t.Errorf("%q has two rules", r.Path)
		}
		if seen[r.Command()+" *"] {
			t.Errorf("%q stands behind the rule for every other word", r.Path)
		}
		seen[r.Path] = true
		if name, _, below := strings.Cut(r.Path, " "); below && !seen[name] {
			t.Errorf("%q stands in front of its command", r.Path)
		}
		if r.Has(People) && (r.Has(Discussion) || r.Has(SubAgent) || r.Has(Spared) || r.Has(Alone)) {
			t.Errorf("%q is for people alone, and for agents", r.Path)
		}
	}
}

func TestFind(t *testing.T) {
	for _, row := range []struct {
		command, word, path string // "-" for none
	}{
		{"status", "", "status"},
		{"status", "fix-login", "status"}, // the task
		{"doc", "", "doc"},
		{"doc", "get", "doc get"},
		{"doc", "remove", "-"},
		{"question", "3", "question *"},
		{"mode", "impl", "mode impl"},
		{"remove", "", "-"},
	} {
		path := "-"
		if r, found := Find(row.command, row.word); found {
			path = r.Path
		}
		if path != row.path {
			t.Errorf("%s %s: %s, want %s", row.command, row.word, path, row.path)
		}
	}
}
