package gitstore_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/gitstore/refs"
)

// S-26: of refs that were read before, those whose files have changed are read
// again, whoever changed them, and no others.
func TestRefsAgain_S26_readsWhatChanged(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no ctime is kept here: every ref is read")
	}
	f := gitstoretest.New(t)
	repo := f.Open()
	first, second := twoCommits(t, repo)
	for n := range 30 {
		f.Git("update-ref", fmt.Sprintf("refs/store/r%02d", n), first.String())
	}
	f.Git("update-ref", "refs/store/sub/below", first.String())
	f.Git("update-ref", "refs/elsewhere", first.String())
	f.Git("symbolic-ref", "refs/store/link", "refs/elsewhere")
	time.Sleep(50 * time.Millisecond) // what has just changed is not believed

	var known []refs.SeenRef
	again := func(what string) []refs.SeenRef {
		t.Helper()
		found, err := repo.Refs.ListAgain(t.Context(), "refs/store/", known)
		noError(t, err)
		want, err := repo.Refs.List(t.Context(), "refs/store/")
		noError(t, err)
		equal(t, what+": how many", len(found), len(want))
		for i, ref := range want {
			equal(t, what, fmt.Sprint(found[i].Ref), fmt.Sprint(ref))
		}
		return found
	}
	known = again("nothing is known")
	again("all are known")

	f.Git("update-ref", "refs/store/r03", second.String())
	f.Git("update-ref", "-d", "refs/store/r04")
	f.Git("update-ref", "refs/store/r05x", second.String())
	f.Git("update-ref", "refs/elsewhere", second.String())
	inPlace := filepath.Join(f.Dir, ".git", "refs", "store", "r06")
	noError(t, os.WriteFile(inPlace, []byte(second.String()+"\n"), 0o666))
	noError(t, os.WriteFile(filepath.Join(f.Dir, ".git", "refs", "store", "r07"), []byte("no id\n"), 0o666))
	known = again("five have moved, one is broken")
	noError(t, os.WriteFile(filepath.Join(f.Dir, ".git", "refs", "store", "r07"), []byte(first.String()+"\n"), 0o666))
	known = again("it is mended")
	f.Git("pack-refs", "--all", "--prune")
	known = again("packed")
	f.Git("update-ref", "refs/store/r08", second.String())
	known = again("one is loose again")

	// A file that stayed what it was is not read.
	for i := range known {
		if known[i].Name == "refs/store/r08" {
			known[i].OID = first
		}
	}
	found, err := repo.Refs.ListAgain(t.Context(), "refs/store/", known)
	noError(t, err)
	for _, ref := range found {
		if ref.Name == "refs/store/r08" {
			equal(t, "what was known of it", ref.OID, first)
		}
	}
}
