package trees

import (
	"strings"
	"testing"
	"time"
)

// BR-12: git has a time for each command in a tree, more for what checks files out.
func TestLimitOf_BR12(t *testing.T) {
	for args, want := range map[string]time.Duration{
		"worktree add -q -f dir":                 10 * time.Minute,
		"checkout -q main --":                    10 * time.Minute,
		"-c core.sparseCheckout=false read-tree": 10 * time.Minute,
		"merge --ff-only":                        10 * time.Minute,
		"clean -q -d -x -f -f":                   10 * time.Minute,
		"status --porcelain":                     2 * time.Minute,
		"-c x=y merge-tree --write-tree":         2 * time.Minute,
	} {
		if got := limitOf(strings.Fields(args)); got != want {
			t.Errorf("git %s: %s, want %s", args, got, want)
		}
	}
}
