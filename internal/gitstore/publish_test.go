package gitstore_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// While git collects garbage, what is written goes into a pack: a loose object
// would be taken away if the collector had looked at the refs before.
func TestPublish_S19_whileCollecting(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	host, err := os.Hostname()
	noError(t, err)
	pid := filepath.Join(f.Dir, ".git", "gc.pid")
	for _, c := range []struct {
		name  string
		pid   string
		packs int
	}{
		{"nobody collects", "", 0},
		{"somebody does", fmt.Sprintf("%d %s", os.Getpid(), host), 1},
		{"a file left behind", "1 another-host", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.pid != "" {
				noError(t, os.WriteFile(pid, []byte(c.pid), 0o666))
				defer os.Remove(pid)
				if c.packs == 0 {
					long := time.Now().Add(-13 * time.Hour)
					noError(t, os.Chtimes(pid, long, long))
				}
			}
			before := count(t, f, "pack/*.pack")
			w := repo.Objects.NewWriter()
			tree := w.Tree([]gitstore.Entry{{Name: "text", Mode: gitstore.ModeFile, OID: w.Blob([]byte(c.name))}})
			commit := w.Commit(gitstore.Commit{Tree: tree, Author: ada(), Committer: ada(), Message: c.name + "\n"})
			name := gitstore.RefName("refs/store/one")
			old, err := repo.Refs.Get(t.Context(), name)
			if err != nil {
				old = gitstore.OID{}
			}
			noError(t, repo.Publish(t.Context(), w, gitstore.Update{Ref: name, Old: old, New: commit}))
			equal(t, "packs", count(t, f, "pack/*.pack")-before, c.packs)
			equal(t, "marks to keep a pack", count(t, f, "pack/*.keep"), 0)
			f.Git("prune", "--expire=now")
			text, err := repo.Objects.Blob(t.Context(), f.OID(commit.String()+":text"))
			noError(t, err)
			equal(t, "text", string(text), c.name)
			f.Git("fsck", "--strict")
		})
	}
}

// Many objects are one file, which reaches the disk at once.
func TestPublish_manyObjectsInOnePack(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	w := repo.Objects.NewWriter()
	var entries []gitstore.Entry
	for i := range 200 {
		entries = append(entries, gitstore.Entry{
			Name: fmt.Sprint(i), Mode: gitstore.ModeFile,
			OID: w.Blob(fmt.Append(nil, "text ", i)),
		})
	}
	commit := w.Commit(gitstore.Commit{Tree: w.Tree(entries), Author: ada(), Committer: ada(), Message: "many\n"})
	before := count(t, f, "??/*")
	noError(t, repo.Publish(t.Context(), w, gitstore.Update{Ref: "refs/store/one", New: commit}))
	equal(t, "packs", count(t, f, "pack/*.pack"), 1)
	equal(t, "marks to keep a pack", count(t, f, "pack/*.keep"), 0)
	equal(t, "files", count(t, f, "??/*")-before, 0)
	text, err := repo.Objects.Blob(t.Context(), f.OID(commit.String()+":137"))
	noError(t, err)
	equal(t, "text", string(text), "text 137")
	bad := repo.Objects.NewWriter()
	for i := range 200 {
		bad.Blob(fmt.Append(nil, "other ", i))
	}
	bad.Tree([]gitstore.Entry{{Name: "..", Mode: gitstore.ModeFile, OID: commit}})
	if err := repo.Publish(t.Context(), bad, gitstore.Update{Ref: "refs/store/two", New: commit}); err == nil {
		t.Error("a bad tree was written")
	}
	equal(t, "packs", count(t, f, "pack/*.pack"), 1)
}

func count(t *testing.T, f *gitstoretest.Fixture, pattern string) int {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(f.Dir, ".git", "objects", filepath.FromSlash(pattern)))
	noError(t, err)
	return len(found)
}

// A lock of the dead goes with the next ref that is moved, whichever it is:
// git would stumble over it.
func TestUpdateRefs_S22_locksOfTheDeadGo(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("git moves refs there")
	}
	f := gitstoretest.New(t)
	repo := f.Open()
	first, _ := twoCommits(t, repo)
	private := filepath.Join(repo.CacheDir(), "reflock.new")
	lock := filepath.Join(f.Dir, ".git", "refs", "store", "dead.lock")
	foreign := filepath.Join(f.Dir, ".git", "refs", "store", "foreign.lock")
	for _, dir := range []string{filepath.Dir(private), filepath.Dir(lock)} {
		noError(t, os.MkdirAll(dir, 0o777))
	}
	noError(t, os.WriteFile(private, nil, 0o666))
	noError(t, os.WriteFile(filepath.Join(repo.CacheDir(), "reflock"), []byte("refs/store/dead"), 0o666))
	noError(t, os.WriteFile(foreign, nil, 0o666))
	noError(t, os.Link(private, lock))
	noError(t, repo.Refs.Update(t.Context(), gitstore.Update{Ref: "refs/store/alive", New: first}))
	for _, gone := range []string{private, lock} {
		if _, err := os.Lstat(gone); err == nil {
			t.Errorf("%s is still there", gone)
		}
	}
	if _, err := os.Lstat(foreign); err != nil {
		t.Errorf("a lock that is not ours is gone: %v", err)
	}
}
