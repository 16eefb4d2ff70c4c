package ledger

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestLeftovers(t *testing.T) {
	r := newRig(t)
	ctx := context.Background()
	r.add(refA, Stamp{}, words("one")...)
	dir := filepath.Dir(r.snapshotPath())
	old := r.l.now().Add(-2 * time.Hour)
	for name, when := range map[string]time.Time{
		"tasks+gone-aaaaaaa": r.l.now(), "tmp-old.tmp": old,
		"tmp-new.tmp": r.l.now(),
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("x"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, when, when); err != nil {
			t.Fatal(err)
		}
	}
	aside := filepath.Join(r.l.repo.CacheDir(), "counts-old.tmp")
	for path, when := range map[string]time.Time{
		aside: old,
		filepath.Join(r.l.repo.CacheDir(), "counts-new.tmp"): r.l.now(),
	} {
		if err := os.WriteFile(path, []byte("x"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, when, when); err != nil {
			t.Fatal(err)
		}
	}
	pushed := filepath.Join(r.l.repo.CacheDir(), "aside-1")
	if err := os.Mkdir(pushed, 0o700); err != nil {
		t.Fatal(err)
	}
	killed := time.Now().Add(-48 * time.Hour)
	if err := os.Chtimes(pushed, killed, killed); err != nil {
		t.Fatal(err)
	}
	left, err := r.l.Cache.Leftovers(ctx)
	want := []string{pushed, aside, filepath.Join(dir, "tasks+gone-aaaaaaa"), filepath.Join(dir, "tmp-old.tmp")}
	if err != nil || !slices.Equal(left, want) {
		t.Errorf("Leftovers() = %q, %v; want %q", left, err, want)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if left, err := r.l.Cache.Leftovers(ctx); err != nil || !slices.Equal(left, []string{pushed, aside}) {
		t.Errorf("without a directory: %q, %v", left, err)
	}
}
