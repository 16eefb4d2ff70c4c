package app

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/ledger"
)

// flooded is a desk with what many foreign refs of a remote left here.
func flooded(t *testing.T) desk {
	t.Helper()
	mara := newDesk(gitstoretest.New(t), "mara")
	id := mara.ended("The one")
	mara.disk.Git("remote", "add", "origin", "nowhere")
	var script strings.Builder
	for i := range 150 {
		fmt.Fprintf(&script, "create refs/brew/remotes/origin/tasks/foreign-%03d-aaaaaaa %s\n", i,
			mara.tip(ledger.TaskRef(string(id))))
	}
	if _, err := mara.Clone.Repo.Git.Input(t.Context(), []byte(script.String()), "update-ref", "--stdin"); err != nil {
		t.Fatal(err)
	}
	return newDesk(mara.disk, "mara")
}

// What somebody put there by the thousand is said in some lines, and the file that
// each later command reads stays as small.
func TestTakeFetched_S25_manyInAFewLines(t *testing.T) {
	t.Parallel()
	mara := flooded(t)
	lines := mara.Exchange.TakeFetched(t.Context(), false)
	if len(lines) != exchange.MaxLeft+1 || !strings.Contains(lines[exchange.MaxLeft], "147 other refs is left alone") {
		t.Fatalf("%d lines, the last %q", len(lines), lines[len(lines)-1])
	}
	if told := mara.Exchange.TakeFetched(t.Context(), true); len(told) != len(lines) {
		t.Errorf("%d lines told", len(told))
	}
	if again := mara.Exchange.TakeFetched(t.Context(), true); len(again) != 0 {
		t.Errorf("told again: %q", again)
	}
}
