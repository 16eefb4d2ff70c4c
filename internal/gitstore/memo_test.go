package gitstore_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/gitstore/statcache"
)

// What was remembered holds until a ref comes, goes or moves, whoever did it.
func TestRemember_S26_anyChangeOfARef(t *testing.T) {
	t.Parallel()
	for _, kind := range []gitstoretest.Kind{gitstoretest.Plain, gitstoretest.Linked, gitstoretest.Reftable} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			f := gitstoretest.NewKind(t, kind)
			f.Git("update-ref", "refs/store/tasks/one", "HEAD")
			repo := f.Open()
			first, second := f.OID("HEAD"), f.Commit("second")
			for _, step := range []struct {
				what string
				args []string
			}{
				{"come", []string{"update-ref", "refs/store/tasks/two", first.String()}},
				{"moved", []string{"update-ref", "refs/store/tasks/one", second.String()}},
				{"packed", []string{"pack-refs", "--all"}},
				{"moved on top of a packed one", []string{"update-ref", "refs/store/tasks/one", first.String()}},
				{"fetched", []string{"fetch", "-q", ".", "HEAD:refs/store/tasks/three"}},
				{"gone", []string{"update-ref", "-d", "refs/store/tasks/two"}},
			} {
				settle()
				w := repo.Cache.WatchRefs("refs/store/tasks", "refs/store/locks")
				repo.Cache.PutPiece("piece", w, []byte(step.what+"\n\x00"))
				again := repo.Cache.WatchRefs("refs/store/tasks", "refs/store/locks")
				if piece, current := repo.Cache.GetPiece("piece", again); piece != step.what+"\n\x00" || !current {
					t.Fatalf("before %s: %q, %v", step.what, piece, current)
				}
				f.Git(step.args...)
				after := f.Open().Cache.WatchRefs("refs/store/tasks", "refs/store/locks")
				if piece, current := repo.Cache.GetPiece("piece", after); current || piece != step.what+"\n\x00" {
					t.Errorf("%s: %q, %v; want the text, and that it is old", step.what, piece, current)
				}
			}
		})
	}
}

// What is looked at in the very moment of a change may change again within the
// same tick of the clock: it is never believed, however long it then took to
// find the answer.
func TestRemember_tooYoung(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	settle()
	f.Git("update-ref", "refs/store/tasks/one", "HEAD")
	dir := filepath.Join(f.Dir, ".git", "refs", "store", "tasks")
	info, err := os.Stat(dir)
	noError(t, err)
	w := repo.Cache.WatchRefs("refs/store/tasks")
	young := time.Since(info.ModTime()) < 15*time.Millisecond
	settle() // it took a while to find the answer
	repo.Cache.PutPiece("piece", w, []byte("old"))
	now := repo.Cache.WatchRefs("refs/store/tasks")
	piece, current := repo.Cache.GetPiece("piece", now)
	if young && current || piece != "old" {
		t.Errorf("piece %q, current %v", piece, current)
	}
	w = repo.Cache.WatchRefs("refs/store/tasks")
	w.Distrust()
	repo.Cache.PutPiece("piece", w, []byte("distrusted"))
	if piece, current := repo.Cache.GetPiece("piece", w); piece != "distrusted" || current {
		t.Errorf("distrusted: %q, %v", piece, current)
	}
}

// S-27: anything but a whole memo of this version, about these very files, is
// none.
func TestRecallPiece_S27_brokenCache(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	f.Git("update-ref", "refs/store/tasks/one", "HEAD")
	repo := f.Open()
	settle()
	watch := func() statcache.Watch { return repo.Cache.WatchRefs("refs/store/tasks") }
	repo.Cache.PutPiece("piece", watch(), []byte("text"))
	path := filepath.Join(repo.CacheDir(), "piece")
	whole, err := os.ReadFile(path)
	noError(t, err)
	for _, text := range []string{"", "x", string(whole[:len(whole)-1]), string(whole) + "x", "y" + string(whole[1:])} {
		noError(t, os.WriteFile(path, []byte(text), 0o666))
		if piece, current := repo.Cache.GetPiece("piece", watch()); piece != "" || current {
			t.Errorf("of %q: %q, %v", text, piece, current)
		}
	}
	noError(t, os.WriteFile(path, whole, 0o666))
	if piece, current := repo.Cache.GetPiece("piece", watch()); piece != "text" || !current {
		t.Errorf("whole: %q, %v", piece, current)
	}
	// A copy of the directory is another one, whatever its times.
	tasks := filepath.Join(f.Dir, ".git", "refs", "store", "tasks")
	noError(t, os.Rename(tasks, tasks+"-away"))
	noError(t, os.CopyFS(tasks, os.DirFS(tasks+"-away")))
	info, err := os.Stat(tasks + "-away")
	noError(t, err)
	noError(t, os.Chtimes(tasks, info.ModTime(), info.ModTime()))
	if piece, current := repo.Cache.GetPiece("piece", watch()); piece != "text" || current {
		t.Errorf("of a copied directory: %q, %v", piece, current)
	}
}
