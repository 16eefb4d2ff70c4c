package refsync_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/refsync"
)

// flood makes many refs of a remote, from one commit.
func flood(t *testing.T, h *hub, tip gitstore.OID, many int, name func(i int) string) {
	t.Helper()
	var script strings.Builder
	for i := range many {
		fmt.Fprintf(&script, "create %s %s\n", name(i), tip)
	}
	if _, err := h.Open().Git.Input(t.Context(), []byte(script.String()), "update-ref", "--stdin"); err != nil {
		t.Fatal(err)
	}
}

func taskNumber(i int) string { return string(taskRef(fmt.Sprintf("t%04d", i))) }

// Who may push can make 100,000 tasks: an exchange takes so many and no more,
// says so, and the next one goes on.
func TestRun_S32_newOnesInParts(t *testing.T) {
	t.Parallel()
	h, ada := oneDesk(t)
	tip := ada.add(taskRef("first"), "1")
	ada.sync()
	flood(t, h, tip, 1200, taskNumber)
	jo := h.desk("jo")
	o := jo.both()
	o.MaxNew = 500
	// Who only looks at what plain git fetched takes none of so many.
	jo.Git("fetch", "-q", "origin", "+refs/brew/tasks/*:refs/brew/remotes/origin/tasks/*")
	r, err := jo.run(refsync.Options{Remote: jo.remote, Locks: true, Seen: true, MaxNew: 500})
	if err != nil || r.Left != 1201 || len(r.Refs) != 0 || len(jo.records.calls) != 0 {
		t.Errorf("%d left, %d not, %d judged: %v", r.Left, len(r.Refs), len(jo.records.calls), err)
	}
	for _, want := range []struct{ taken, left int }{{500, 701}, {500, 201}, {201, 0}} {
		r, err := jo.run(o)
		if err != nil || strings.Count(told(r), " new") != want.taken || r.Left != want.left {
			t.Fatalf("%d taken, %d left, not %+v: %v", strings.Count(told(r), " new"), r.Left, want, err)
		}
		if said := strings.Join(r.Notes, "\n"); (want.left > 0) != strings.Contains(said,
			fmt.Sprintf("%d more records are new on origin", want.left)) {
			t.Errorf("said %q", said)
		}
	}
	if r := jo.sync(); r.Unchanged != 1201 || len(r.Refs) != 0 {
		t.Errorf("%d unchanged, %d not", r.Unchanged, len(r.Refs))
	}
}

// Thousands of names that are none of ours do not stay files of their own here.
func TestRun_S32_foreignNamesArePacked(t *testing.T) {
	t.Parallel()
	h, ada := oneDesk(t)
	tip := ada.add(taskRef("first"), "1")
	ada.sync()
	flood(t, h, tip, 1200, func(i int) string { return fmt.Sprintf("refs/brew/tasks/d%d/x", i) })
	if r := ada.sync(); len(r.Foreign) != 1200 {
		t.Fatalf("%d foreign names", len(r.Foreign))
	}
	if loose, _ := filepath.Glob(filepath.Join(ada.repo.CommonDir,
		"refs/brew/remotes/origin/tasks/*/x")); len(loose) > 0 {
		t.Errorf("%d refs in files of their own", len(loose))
	}
}
