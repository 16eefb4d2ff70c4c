package gitstore_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// states makes commits, one after the other, each with another file a.
func states(f *gitstoretest.Fixture, what string, n int) []gitstore.OID {
	f.T.Helper()
	var commits []gitstore.OID
	for i := range n {
		f.Write("a", fmt.Sprintf("%s %d\n", what, i))
		f.Write("dir/a", "another\n")
		f.Git("add", ".")
		commits = append(commits, f.Commit(fmt.Sprint("write ", i)))
	}
	return commits
}

// What is read at once is what is read one by one, whether loose or packed.
func TestReadFiles_looseAndPacked(t *testing.T) {
	t.Parallel()
	for _, kind := range gitstoretest.Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			f := gitstoretest.NewKind(t, kind)
			if kind == gitstoretest.Bare {
				f = f.Clone()
			}
			commits := states(f, "first", 3)
			f.Git("repack", "-a", "-d", "-q")
			f.Git("prune-packed")
			commits = append(commits, states(f, "then", 2)...)
			commits = append(commits, commits[1], commits[4])
			got := map[int]string{}
			err := f.Open().Objects.ReadFiles(t.Context(), commits, "a", func(i int, data []byte, err error) {
				noError(t, err)
				got[i] += string(data)
			})
			noError(t, err)
			equal(t, "visits", len(got), len(commits))
			trees := make([]gitstore.OID, len(commits))
			for i, commit := range commits {
				trees[i] = f.OID(commit.String() + ":dir")
			}
			noError(t, f.Open().Objects.ReadFiles(t.Context(), trees, "a", func(_ int, data []byte, err error) {
				noError(t, err)
				equal(t, "file of a tree", string(data), "another\n")
			}))
			for i, commit := range commits {
				equal(t, fmt.Sprint("file ", i), got[i], f.Git("show", commit.String()+":a")+"\n")
			}
		})
	}
}

// One that can't be read hurts no other one, and says the same as alone (S-24).
func TestReadFiles_S24_badOnesAmongGood(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t).Unchecked()
	f.Write("other", "x")
	f.Git("add", ".")
	none := f.Commit("no file a")
	commits := states(f, "sound", 8)
	blob, tree := f.OID("HEAD:a"), f.OID("HEAD^{tree}")
	f.Git("tag", "-a", "-m", "x", "tagged")
	f.Git("repack", "-a", "-d", "-q")
	f.Git("prune-packed")
	cut := states(f, "broken", 5)
	break_ := func(rev, content string) {
		id := f.OID(rev).String()
		path := filepath.Join(f.Dir, ".git", "objects", id[:2], id[2:])
		noError(t, os.Remove(path))
		if content != "gone" {
			noError(t, os.WriteFile(path, []byte(content), 0o666))
		}
	}
	break_(cut[0].String(), "")
	break_(cut[1].String()+"^{tree}", "garbage")
	break_(cut[2].String()+":a", "")
	break_(cut[3].String()+":a", "gone")
	missing, err := gitstore.ParseOID("1234567890123456789012345678901234567890")
	noError(t, err)
	all := append([]gitstore.OID{none, missing, blob, tree, f.OID("tagged^{tag}"), {}}, cut...)
	all = append(all, commits...)
	repo := f.Open()
	good := 0
	err = repo.Objects.ReadFiles(t.Context(), all, "a", func(i int, data []byte, err error) {
		if err == nil {
			good++
		}
		want, wantErr := alone(t.Context(), repo, all[i])
		equal(t, all[i].String(), string(data), string(want))
		equal(t, all[i].String(), sort(err), sort(wantErr))
	})
	noError(t, err)
	equal(t, "good ones", good, len(commits)+2) // a tree, and the last of the broken ones
}

// alone reads what ReadFiles reads, object by object.
func alone(ctx context.Context, repo *gitstore.Repo, commit gitstore.OID) ([]byte, error) {
	entries, err := repo.Objects.Tree(ctx, commit)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.Name == "a" {
			return repo.Objects.Blob(ctx, e.OID)
		}
	}
	return nil, gitstore.ErrNotExist
}

// sort is what kind of error it is.
func sort(err error) string {
	var corrupt *gitstore.CorruptError
	switch {
	case err == nil:
		return "none"
	case errors.As(err, &corrupt):
		return "corrupt " + corrupt.OID.String()
	case errors.Is(err, gitstore.ErrKind):
		return "kind"
	case errors.Is(err, gitstore.ErrNotExist):
		return "not there"
	}
	return err.Error()
}

func TestReadFiles_endsWithItsContext(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	commits := states(f, "first", 3)
	f.Git("repack", "-a", "-d", "-q")
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	err := f.Open().Objects.ReadFiles(ctx, append(commits, f.OID("HEAD")), "a", func(int, []byte, error) {
		n++
		cancel()
	})
	if !errors.Is(err, context.Canceled) || n != 1 {
		t.Errorf("%d visits, %v", n, err)
	}
}

// Objects that are missing are told of by the one process that is asked for all.
func TestReadFiles_missingOnesCostNoProcess(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	commits := states(f, "text", 10)
	f.Git("repack", "-a", "-d", "-q")
	f.Git("prune-packed")
	for i := range 20 {
		commits = append(commits, gitstore.HashBlob([]byte(fmt.Sprint("absent ", i))))
	}
	trace := filepath.Join(t.TempDir(), "trace")
	repo, err := gitstore.Open(gitstore.Options{
		Dir:     f.Dir,
		Environ: append(f.Env[:len(f.Env):len(f.Env)], "GIT_TRACE="+trace), Name: gitstoretest.Name,
	})
	noError(t, err)
	defer repo.Close()
	found, missing := 0, 0
	noError(t, repo.Objects.ReadFiles(t.Context(), commits, "a", func(_ int, _ []byte, err error) {
		switch {
		case err == nil:
			found++
		case errors.Is(err, gitstore.ErrNotExist):
			missing++
		default:
			t.Error(err)
		}
	}))
	equal(t, "found", found, 10)
	equal(t, "missing", missing, 20)
	said, err := os.ReadFile(trace)
	noError(t, err)
	if n := strings.Count(string(said), "git cat-file"); n > 4 { // commits, trees, files, and what is missing
		t.Errorf("%d processes", n)
	}
}
