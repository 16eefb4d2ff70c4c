package app

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
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
func TestFoldIn_S25_manyInAFewLines(t *testing.T) {
	t.Parallel()
	mara := flooded(t)
	lines := mara.Exchange.FoldIn(t.Context())
	if len(lines) != exchange.MaxLeft+1 || !strings.Contains(lines[exchange.MaxLeft], "147 other refs"+clone.LeftAlone) {
		t.Fatalf("%d lines, the last %q", len(lines), lines[len(lines)-1])
	}
	if told := mara.Clone.Untold(lines); len(told) != len(lines) {
		t.Errorf("%d lines told", len(told))
	}
	if again := mara.Clone.Untold(mara.Exchange.FoldIn(t.Context())); len(again) != 0 {
		t.Errorf("told again: %q", again)
	}
}

// What was refused is known by the next exchange, as long as it and what judged it
// are the same.
func TestRefused_S25_judgedOnce(t *testing.T) {
	t.Parallel()
	mara := flooded(t)
	mara.Exchange.FoldIn(t.Context())
	ref := gitstore.RefName("refs/brew/tasks/foreign-007-aaaaaaa")
	tip := mara.tip(ledger.TrackingRef("origin", ref))
	look := func(s *App, tip gitstore.OID) error {
		return s.Exchange.NewExchange().Refused(t.Context(), ref, gitstore.OID{}, tip)
	}
	judged := mara.Exchange.NewExchange().Accept(t.Context(), ref, gitstore.OID{}, tip)
	if err := look(mara.App, tip); err == nil || err.Error() != judged.Error() {
		t.Errorf("%v, not %v", err, judged)
	}
	if err := look(mara.App, mara.tip("HEAD")); err != nil {
		t.Errorf("another commit: %v", err)
	}
	if err := mara.Exchange.NewExchange().Refused(t.Context(), ref, tip, tip); err != nil {
		t.Errorf("where there is ours: %v", err)
	}
	other := *mara.App
	other.Clone.Program = "another"
	if err := look(&other, tip); err != nil {
		t.Errorf("another program: %v", err)
	}
	file := filepath.Join(mara.Clone.Repo.CacheDir(), exchange.RefusedFile)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(data), "it creates", "it CREATES", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := look(mara.App, tip); err != nil {
		t.Errorf("a changed file is believed: %v", err)
	}
}

// What can't be read now is no verdict.
func TestLasting(t *testing.T) {
	t.Parallel()
	unsound := func(err error) error { return &ledger.UnsoundError{Why: "no record", Err: err} }
	for _, err := range []error{
		gitstore.ErrNotExist, gitstore.ErrPromised, ledger.ErrShallow, &gitstore.CorruptError{},
		&os.PathError{Err: os.ErrPermission},
		&gitstore.CommandError{}, gitstore.ErrNoGit,
	} {
		if exchange.Lasting(unsound(err)) || exchange.Lasting(err) {
			t.Errorf("%v lasts", err)
		}
	}
	if !exchange.Lasting(unsound(nil)) || !exchange.Lasting(gitstore.ErrKind) || exchange.Lasting(refsync.ErrForeign) {
		t.Error("what the objects say lasts, and nothing else")
	}
}
