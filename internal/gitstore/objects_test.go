package gitstore_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// What we write has the id that git gives it, and git finds nothing wrong.
func TestWriter_likeGit(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	w := repo.Objects.NewWriter()
	blob := w.Blob([]byte("text\n"))
	tree, err := w.Files(map[string]gitstore.OID{"a.b": blob, "a/x": blob, "a0": blob, "a/b/c": blob, "ü": blob})
	noError(t, err)
	empty, err := w.Files(nil)
	noError(t, err)
	author := ada()
	author.Name, author.Email = " Ada <Lovelace>.\n", "<ada@example.com>"
	commit := w.Commit(gitstore.Commit{Tree: tree, Author: author, Committer: ada(), Message: "subject\n\nBody: ü\n"})
	merge := w.Commit(gitstore.Commit{
		Tree: empty, Parents: []gitstore.OID{commit, f.OID("HEAD")}, Author: ada(),
		Committer: ada(), Message: "",
	})
	noError(t, w.Flush(t.Context()))
	equal(t, "hash", gitstore.HashBlob([]byte("text\n")), blob)

	f.Write("in", "text\n")
	equal(t, "blob", blob.String(), f.Git("hash-object", "in"))
	equal(t, "order", f.Git("ls-tree", "-r", "-z", "--name-only", tree.String()), "a.b\x00a/b/c\x00a/x\x00a0\x00ü\x00")
	equal(t, "author", f.Git("log", "-1", "--format=%an|%ae|%B", commit.String()),
		"Ada Lovelace|ada@example.com|subject\n\nBody: ü")
	f.Git("update-ref", "refs/store/one", merge.String())

	c, err := repo.Objects.Commit(t.Context(), merge)
	noError(t, err)
	equal(t, "parents", fmt.Sprint(c.Parents), fmt.Sprint([]gitstore.OID{commit, f.OID("HEAD")}))
	equal(t, "tree", c.Tree, empty)
	equal(t, "time", c.Author.When.Equal(ada().When), true)
	files, err := repo.Objects.Files(t.Context(), commit)
	noError(t, err)
	equal(t, "files", len(files), 5)
}

func TestWriter_refuses(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	blob := gitstore.HashBlob(nil)
	for _, path := range []string{
		"", "/a", "a/", "a//b", "../a", "a/..", ".", ".git/config", "a/.GIT", ".git ", "git~1", ".g\u200cit",
		".git::$INDEX_ALLOCATION",
		"a\nb", "a\x00b", "a\x1bb", "a\\b", "\xff", strings.Repeat("a", 256), strings.Repeat("a/", 100) + "b",
	} {
		if _, err := repo.Objects.NewWriter().Files(map[string]gitstore.OID{path: blob}); err == nil {
			t.Errorf("path %q was taken", path)
		}
	}
	if _, err := repo.Objects.NewWriter().Files(map[string]gitstore.OID{"a": blob, "a/b": blob}); err == nil {
		t.Error("a path that is a file and a directory was taken")
	}
	for what, add := range map[string]func(*gitstore.Writer){
		"a name twice": func(w *gitstore.Writer) {
			w.Tree([]gitstore.Entry{
				{Name: "a", Mode: gitstore.ModeFile, OID: blob},
				{Name: "a", Mode: gitstore.ModeDir, OID: blob},
			})
		},
		"unknown mode": func(w *gitstore.Writer) { w.Tree([]gitstore.Entry{{Name: "a", Mode: 0o777, OID: blob}}) },
		"no object":    func(w *gitstore.Writer) { w.Tree([]gitstore.Entry{{Name: "a", Mode: gitstore.ModeFile}}) },
		"no author":    func(w *gitstore.Writer) { w.Commit(gitstore.Commit{Tree: blob, Committer: ada()}) },
		"NUL in message": func(w *gitstore.Writer) {
			w.Commit(gitstore.Commit{Tree: blob, Author: ada(), Committer: ada(), Message: "\x00"})
		},
	} {
		w := repo.Objects.NewWriter()
		add(w)
		if err := w.Flush(t.Context()); err == nil {
			t.Errorf("%s was written", what)
		}
	}
}

// An object that is there already is kept, a broken one is written anew.
func TestWriter_S24_existing(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t).Durable()
	repo := f.Open()
	write := func() gitstore.OID {
		w := repo.Objects.NewWriter()
		id := w.Blob([]byte("content"))
		noError(t, w.Flush(t.Context()))
		return id
	}
	id := write()
	path := loosePath(repo, id)
	before, err := os.Stat(path)
	noError(t, err)
	equal(t, "mode", before.Mode().Perm(), os.FileMode(0o444))
	write()
	after, err := os.Stat(path)
	noError(t, err)
	equal(t, "kept", os.SameFile(before, after), true)
	truncate(t, path, 0)
	write()
	data, err := repo.Objects.Blob(t.Context(), id)
	noError(t, err)
	equal(t, "content", string(data), "content")
}

func TestWriter_sharedRepository(t *testing.T) {
	t.Parallel()
	for mode, want := range map[string][2]os.FileMode{
		"group": {0o440, 0o770},
		"world": {0o444, 0o775},
		"0640":  {0o440, 0o750},
	} {
		f := gitstoretest.New(t)
		f.Git("config", "core.sharedRepository", mode)
		repo := f.Open()
		w := repo.Objects.NewWriter()
		id := w.Blob([]byte(mode))
		noError(t, w.Flush(t.Context()))
		f.Write("in", "by git "+mode)
		byGit, err := gitstore.ParseOID(f.Git("hash-object", "-w", "in"))
		noError(t, err)
		for at, want := range map[string]os.FileMode{
			loosePath(repo, id):               statMode(t, loosePath(repo, byGit)),
			filepath.Dir(loosePath(repo, id)): statMode(t, filepath.Dir(loosePath(repo, byGit))),
		} {
			equal(t, mode+" "+filepath.Base(at), statMode(t, at), want)
		}
		equal(t, mode+" file has the group's bits", statMode(t, loosePath(repo, id))&want[0], want[0])
		equal(t, mode+" directory has them", statMode(t, filepath.Dir(loosePath(repo, id)))&want[1], want[1])
	}
}

// git gc removes directories that are empty for a moment: a write is repeated.
func TestWriter_S19_vanishingDirectories(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	ctx, stop := context.WithCancel(t.Context())
	var beside sync.WaitGroup
	beside.Go(func() {
		for ctx.Err() == nil {
			dirs, _ := filepath.Glob(filepath.Join(repo.CommonDir, "objects", "??"))
			for _, dir := range dirs {
				_ = os.Remove(dir) // only when it is empty
			}
		}
	})
	for i := range 60 {
		w := repo.Objects.NewWriter()
		id := w.Blob(fmt.Append(nil, "blob ", i))
		noError(t, w.Flush(t.Context()))
		_, err := repo.Objects.Blob(t.Context(), id)
		noError(t, err)
	}
	stop()
	beside.Wait()
}

// Loose objects need no process; packed ones need one, however many they are.
func TestObjects_oneChild(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	var ids []gitstore.OID
	var tip gitstore.OID
	for i := range 20 {
		tip = commitFiles(t, repo, tip, map[string]string{"a": fmt.Sprint(i)})
		ids = append(ids, tip)
	}
	f.Git("update-ref", "refs/store/one", tip.String())
	trace := traceProcesses(f)
	repo = f.Open()
	read := func() {
		t.Helper()
		for _, id := range ids {
			_, err := repo.Objects.Commit(t.Context(), id)
			noError(t, err)
		}
	}
	read()
	equal(t, "children for loose objects", trace.count("cat-file"), 0)
	f.Git("repack", "-a", "-d", "-q")
	read()
	equal(t, "children for packed objects", trace.count("cat-file"), 1)
	// A pack that came later is found by the same child.
	later := commitFiles(t, repo, tip, map[string]string{"later": "x"})
	f.Git("update-ref", "refs/store/one", later.String())
	f.Git("repack", "-a", "-d", "-q")
	_, err := repo.Objects.Commit(t.Context(), later)
	noError(t, err)
	equal(t, "children after a repack", trace.count("cat-file"), 1)
	// One that was killed is started again.
	noError(t, repo.Close())
	read()
	equal(t, "children after the first ended", trace.count("cat-file"), 2)
}

func TestObjects_absent(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	absent := gitstore.HashBlob([]byte("nowhere"))
	if _, err := repo.Objects.Blob(t.Context(), absent); !errors.Is(err, gitstore.ErrNotExist) {
		t.Errorf("read: %v", err)
	}
	for id, want := range map[gitstore.OID]bool{absent: false, {}: false, f.OID("HEAD"): true} {
		have, err := repo.Objects.Has(t.Context(), id)
		noError(t, err)
		equal(t, "has "+id.Short(), have, want)
	}
	f.Git("repack", "-a", "-d", "-q")
	have, err := repo.Objects.Has(t.Context(), f.OID("HEAD"))
	noError(t, err)
	equal(t, "has a packed one", have, true)
	// An object of another kind is an error, but not an absence.
	if _, err := repo.Objects.Blob(t.Context(), f.OID("HEAD")); err == nil || errors.Is(err, gitstore.ErrNotExist) {
		t.Errorf("a commit read as a blob: %v", err)
	}
}

// A truncated or garbled object is named; the others stay readable, and so
// does the broken one where a pack has it too.
func TestObjects_S24_corrupt(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t).Unchecked()
	repo := f.Open()
	w := repo.Objects.NewWriter()
	good, bad := w.Blob([]byte("good")), w.Blob(bytes.Repeat([]byte("bad one "), 1000))
	noError(t, w.Flush(t.Context()))
	path := loosePath(repo, bad)
	whole := readFile(t, path)
	other := readFile(t, loosePath(repo, good))
	for what, content := range map[string]string{
		"empty":          "",
		"cut off":        whole[:len(whole)-3],
		"garbage":        "this is no zlib stream",
		"another object": other,
	} {
		replace(t, path, content)
		_, err := repo.Objects.Blob(t.Context(), bad)
		var corrupt *gitstore.CorruptError
		if !errors.As(err, &corrupt) || corrupt.OID != bad || errors.Is(err, gitstore.ErrNotExist) {
			t.Errorf("%s: want a *CorruptError that names it, have %v", what, err)
		}
		data, err := repo.Objects.Blob(t.Context(), good)
		noError(t, err)
		equal(t, what+": the other one", string(data), "good")
	}
	replace(t, path, whole)
	f.In(f.Dir).Git("update-ref", "refs/store/blob", bad.String())
	f.Git("repack", "-a", "-q")
	replace(t, path, "")
	data, err := repo.Objects.Blob(t.Context(), bad)
	noError(t, err)
	equal(t, "from the pack", len(data), 8000)
}

// In a hook, a partial clone's missing blob is absent, and nothing is fetched.
func TestObjects_S35_noLazyFetch(t *testing.T) {
	t.Parallel()
	f := gitstoretest.NewKind(t, gitstoretest.Partial)
	blob, err := gitstore.ParseOID(f.In(filepath.Join(f.Root, "source")).Git("rev-parse", "HEAD:file"))
	noError(t, err)
	trace := traceProcesses(f)
	repo, err := f.TryOpen(gitstore.Options{NoLazyFetch: true})
	noError(t, err)
	if _, err := repo.Objects.Blob(t.Context(), blob); err == nil {
		t.Error("the blob was there: the test shows nothing")
	}
	equal(t, "fetches in a hook", trace.count("fetch"), 0)
	data, err := f.Open().Objects.Blob(t.Context(), blob)
	noError(t, err)
	equal(t, "content", string(data), "three\n")
	equal(t, "fetches elsewhere", trace.count("fetch"), 1)
}

// refs/replace is for people's views; an id means its own object here.
func TestObjects_replaceIsIgnored(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	w := repo.Objects.NewWriter()
	one, two := w.Blob([]byte("one")), w.Blob([]byte("two"))
	noError(t, w.Flush(t.Context()))
	f.Git("update-ref", "refs/store/one", one.String())
	f.Git("replace", one.String(), two.String())
	f.Git("repack", "-a", "-d", "-q")
	data, err := repo.Objects.Blob(t.Context(), one)
	noError(t, err)
	equal(t, "content", string(data), "one")
}

func TestObjects_cancelled(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	f.Git("repack", "-a", "-d", "-q")
	repo := f.Open()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := repo.Objects.Commit(ctx, f.OID("HEAD")); !errors.Is(err, context.Canceled) {
		t.Errorf("have %v", err)
	}
	_, err := repo.Objects.Commit(t.Context(), f.OID("HEAD"))
	noError(t, err)
}

func loosePath(repo *gitstore.Repo, id gitstore.OID) string {
	name := id.String()
	return filepath.Join(repo.CommonDir, "objects", name[:2], name[2:])
}

func truncate(t testing.TB, path string, size int64) {
	t.Helper()
	noError(t, os.Chmod(path, 0o644))
	noError(t, os.Truncate(path, size))
}

func replace(t testing.TB, path, content string) {
	t.Helper()
	noError(t, os.Remove(path))
	noError(t, os.WriteFile(path, []byte(content), 0o444))
}

func statMode(t testing.TB, path string) os.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	noError(t, err)
	return info.Mode().Perm() | info.Mode()&os.ModeSetgid
}
