package gitstore_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// What is linked is paid at every start: go-git's root package, and the parts
// of it that open packs or write refs, are not; nor is anything heavy.
func TestLinked(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	noError(t, err)
	linked := strings.Split(strings.TrimSpace(string(out)), "\n")
	for _, path := range linked {
		for _, banned := range []string{
			"github.com/go-git/go-git/v5/storage", "github.com/go-git/go-git/v5/plumbing/object",
			"github.com/go-git/go-git/v5/plumbing/transport", "net/http", "text/template", "html/template", "crypto/tls",
		} {
			if path == "github.com/go-git/go-git/v5" || path == banned || strings.HasPrefix(path, banned+"/") {
				t.Errorf("%s is linked", path)
			}
		}
	}
	if !strings.Contains(string(out), "go-git/v5/plumbing/format/objfile") {
		t.Error("loose objects are not go-git's any more: the list above bans nothing")
	}
}

// The package knows git and nothing of ours: no ref names, no product's name.
func TestSource_knowsGitOnly(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	noError(t, err)
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		noError(t, err)
		ast.Inspect(parsed, func(n ast.Node) bool {
			if _, ok := n.(*ast.ImportSpec); ok {
				return false
			}
			if lit, ok := n.(*ast.BasicLit); ok && strings.Contains(lit.Value, "brew") {
				t.Errorf("%s: %s", path, lit.Value)
			}
			return true
		})
	}
}

// What is acknowledged has reached the disk: each object before its name, the
// directories after, the ref's file last and its directory after that.
func TestDurable_order(t *testing.T) {
	t.Parallel()
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not installed: the order of system calls can't be seen")
	}
	f := gitstoretest.New(t).Durable()
	log := filepath.Join(f.Root, "calls")
	cmd := child(f, "append", string(one), "w", "1")
	cmd.Args = []string{"strace", "-f", "-y", "-o", log, "-e", "trace=fsync,renameat,renameat2", cmd.Path}
	cmd.Path = strace
	if out, err := cmd.Output(); err != nil || len(out) == 0 {
		t.Skipf("strace doesn't work here: %v", err)
	}
	synced := map[string]bool{}
	moved, objects := 0, filepath.Join(f.Dir, ".git", "objects")
	for line := range strings.Lines(readFile(t, log)) {
		switch {
		case strings.Contains(line, "fsync("):
			_, rest, _ := strings.Cut(line, "<")
			path, _, _ := strings.Cut(rest, ">")
			synced[path] = true
		case strings.Contains(line, "rename") && strings.Contains(line, "/tmp_obj_"):
			moved++
			if temp := quoted(line, 0); !synced[temp] {
				t.Errorf("%s was not synced before it got its name", temp)
			}
		case strings.Contains(line, "rename") && strings.Contains(line, "one.lock"):
			dirs, err := filepath.Glob(filepath.Join(objects, "??"))
			noError(t, err)
			if !synced[objects] || len(dirs) == 0 {
				t.Error("the object directory was not synced before the ref moved")
			}
			lock := 0
			for path := range synced {
				if strings.HasSuffix(path, "/reflock.new") || strings.HasSuffix(path, "one.lock") {
					lock++
				}
			}
			equal(t, "the ref's content was synced", lock, 1)
		}
	}
	equal(t, "objects", moved, 3)
	if !synced[filepath.Join(f.Dir, ".git", "refs", "store")] {
		t.Error("the ref's directory was not synced")
	}
}

func quoted(line string, n int) string {
	fields := strings.Split(line, "\"")
	return fields[2*n+1]
}

// In 100,000 packed refs, one is found without a process and without reading
// the file: a page that is not on the way may be garbage.
func TestPackedRefs_readsLittle(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t).Unchecked()
	repo := f.Open()
	names := make([]string, 100_000)
	for i := range names {
		names[i] = fmt.Sprintf("r/%06d", i)
	}
	text := []byte(packedRefs(names, true, false))
	for i := 3 << 20; i < 3<<20+64<<10; i++ {
		text[i] = 'x'
	}
	noError(t, os.WriteFile(filepath.Join(repo.CommonDir, "packed-refs"), text, 0o666))
	for _, name := range []string{names[0], names[1], names[len(names)-1]} {
		id, err := repo.Refs.Get(t.Context(), gitstore.RefName("refs/s/"+name))
		noError(t, err)
		equal(t, name, id, gitstore.HashBlob([]byte(name)))
	}
	if _, err := repo.Refs.Get(t.Context(), "refs/s/r/absent"); !errors.Is(err, gitstore.ErrNotExist) {
		t.Errorf("absent: %v", err)
	}
}

// Where .git can't be written to, a write is refused with the reason, and
// nothing is half done; reading goes on.
func TestReadOnly_S23(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	first, second := twoCommits(t, repo)
	noError(t, repo.Refs.Update(t.Context(), gitstore.Update{Ref: one, New: first}))
	f.Git("pack-refs", "--all")
	// Mode bits don't bind root: a file where a directory must be does.
	refs := filepath.Join(repo.CommonDir, "refs", "store")
	noError(t, os.RemoveAll(refs))
	noError(t, os.WriteFile(refs, nil, 0o444))
	err := repo.Refs.Update(t.Context(), gitstore.Update{Ref: one, Old: first, New: second})
	if err == nil || errors.Is(err, gitstore.ErrRefMoved) || errors.Is(err, gitstore.ErrLocked) {
		t.Errorf("a ref that can't be written: %v", err)
	}
	id, err := repo.Refs.Get(t.Context(), one)
	noError(t, err)
	equal(t, "still", id, first)
	noError(t, os.Remove(refs))

	w := repo.Objects.NewWriter()
	blob := w.Blob([]byte("in the way"))
	dir := filepath.Dir(loosePath(repo, blob))
	noError(t, os.RemoveAll(dir))
	noError(t, os.WriteFile(dir, nil, 0o444))
	if err := w.Flush(t.Context()); err == nil {
		t.Error("an object was written nowhere")
	}
	noError(t, os.Remove(dir))
	noError(t, w.Flush(t.Context()))

	lock := filepath.Join(repo.CommonDir, gitstoretest.Name+".lock")
	_ = os.Remove(lock)
	noError(t, os.Mkdir(lock, 0o777))
	if err := repo.Locked(t.Context(), func() error { return nil }); err == nil || errors.Is(err, gitstore.ErrLocked) {
		t.Errorf("a lock that can't be made: %v", err)
	}
}
