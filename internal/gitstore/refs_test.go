package gitstore_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

const one = gitstore.RefName("refs/store/one")

// twoCommits writes two commits to move refs between.
func twoCommits(t testing.TB, repo *gitstore.Repo) (first, second gitstore.OID) {
	t.Helper()
	first = commitFiles(t, repo, gitstore.OID{}, map[string]string{"a": "1"})
	return first, commitFiles(t, repo, first, map[string]string{"a": "2"})
}

// Every way of a compare-and-swap, through our lock and through git.
func TestUpdateRefs_S20_compareAndSwap(t *testing.T) {
	t.Parallel()
	for _, byGit := range []bool{false, true} {
		for _, packed := range []bool{false, true} {
			t.Run(fmt.Sprintf("byGit=%v,packed=%v", byGit, packed), func(t *testing.T) {
				t.Parallel()
				f := gitstoretest.New(t)
				if byGit { // reflogs for everything: only git keeps them
					f.Git("config", "core.logAllRefUpdates", "always")
				}
				repo := f.Open()
				ctx := t.Context()
				first, second := twoCommits(t, repo)
				third := commitFiles(t, repo, second, map[string]string{"a": "3"})
				trace := traceProcesses(f)
				repo = f.Open()
				// somebody moves the ref by plain git, between our read and our write
				somebody := func(id gitstore.OID) {
					t.Helper()
					f.Git("update-ref", string(one), id.String())
					if packed {
						f.Git("pack-refs", "--all")
					}
					trace.reset()
				}
				refuse := func(what string, u gitstore.Update) {
					t.Helper()
					before, _ := f.TryGit("rev-parse", "--verify", "-q", string(one))
					if err := repo.Refs.Update(ctx, u); !errors.Is(err, gitstore.ErrRefMoved) {
						t.Errorf("%s: want ErrRefMoved, have %v", what, err)
					}
					after, _ := f.TryGit("rev-parse", "--verify", "-q", string(one))
					equal(t, what+": the ref", after, before)
				}
				refuse("change of an absent ref", gitstore.Update{Ref: one, Old: first, New: second})
				noError(t, repo.Refs.Update(ctx, gitstore.Update{Ref: one, New: first}))
				somebody(second)
				refuse("creation of an existing ref", gitstore.Update{Ref: one, New: first})
				refuse("change from an old value", gitstore.Update{Ref: one, Old: first, New: third})
				refuse("deletion of an old value", gitstore.Update{Ref: one, Old: first})
				trace.reset()
				noError(t, repo.Refs.Update(ctx, gitstore.Update{Ref: one, Old: second, New: third}))
				equal(t, "update-ref was run", trace.count("update-ref") > 0, byGit)
				equal(t, "tip", f.OID(string(one)), third)
				// all or nothing
				two := gitstore.RefName("refs/store/two")
				refuse("one of two", gitstore.Update{Ref: one, Old: first, New: second})
				err := repo.Refs.Update(ctx, gitstore.Update{Ref: two, New: first},
					gitstore.Update{Ref: one, Old: first, New: second})
				if !errors.Is(err, gitstore.ErrRefMoved) {
					t.Errorf("one of two: %v", err)
				}
				if _, err := repo.Refs.Get(ctx, two); !errors.Is(err, gitstore.ErrNotExist) {
					t.Errorf("the other of two: %v", err)
				}
				noError(t, repo.Refs.Update(ctx, gitstore.Update{Ref: two, New: first},
					gitstore.Update{Ref: one, Old: third, New: second}))
				noError(t, repo.Refs.Update(ctx, gitstore.Update{Ref: two, Old: first}, gitstore.Update{Ref: one, Old: second}))
				refs, err := repo.Refs.List(ctx, "refs/store/")
				noError(t, err)
				equal(t, "refs left", len(refs), 0)
			})
		}
	}
}

// A ref that could not be created leaves no file, empty or otherwise.
func TestUpdateRefs_leavesNothing(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	first, second := twoCommits(t, repo)
	if err := repo.Refs.Update(t.Context(), gitstore.Update{Ref: one, Old: first, New: second}); err == nil {
		t.Fatal("an absent ref was changed")
	}
	files, err := filepath.Glob(filepath.Join(repo.CommonDir, "refs", "store", "*"))
	noError(t, err)
	equal(t, "files", strings.Join(files, " "), "")
	private, err := filepath.Glob(filepath.Join(repo.CacheDir(), "reflock.*"))
	noError(t, err)
	equal(t, "private files", strings.Join(private, " "), "")
}

// Names that are in each other's way, loose or packed, are refused as git
// refuses them; directories that deleted refs left behind are not in the way.
func TestUpdateRefs_nameConflicts(t *testing.T) {
	t.Parallel()
	for _, packed := range []bool{false, true} {
		f := gitstoretest.New(t)
		repo := f.Open()
		ctx := t.Context()
		first, _ := twoCommits(t, repo)
		noError(t, repo.Refs.Update(ctx, gitstore.Update{Ref: "refs/store/a/b", New: first}))
		if packed {
			f.Git("pack-refs", "--all")
		}
		for _, name := range []gitstore.RefName{"refs/store/a", "refs/store/a/b/c", "refs/store/a/b/c/d"} {
			if err := repo.Refs.Update(ctx, gitstore.Update{Ref: name, New: first}); err == nil {
				t.Errorf("packed %v: %s was created beside refs/store/a/b", packed, name)
			}
		}
		noError(t, repo.Refs.Update(ctx, gitstore.Update{Ref: "refs/store/a/b", Old: first}))
		noError(t, os.MkdirAll(filepath.Join(repo.CommonDir, "refs", "store", "a", "b", "empty"), 0o777))
		noError(t, repo.Refs.Update(ctx, gitstore.Update{Ref: "refs/store/a", New: first}))
	}
}

// A hook of the repository sees our changes, and may refuse them.
func TestUpdateRefs_transactionHook(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"", "my-hooks"} {
		f := gitstoretest.New(t)
		repo := f.Open()
		first, _ := twoCommits(t, repo)
		at := ".git/hooks"
		if dir != "" {
			at = dir
			f.Git("config", "core.hooksPath", dir)
		}
		gitstoretest.WriteProgram(t, filepath.Join(f.Dir, at, "reference-transaction"), "#!/bin/sh\nexit 1\n")
		if err := repo.Refs.Update(t.Context(), gitstore.Update{Ref: one, New: first}); err == nil {
			t.Errorf("hooks in %q: the update went past the hook", dir)
		}
	}
}

func TestUpdateRefs_keepsReflogs(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	first, second := twoCommits(t, repo)
	f.Git("update-ref", "--create-reflog", string(one), first.String())
	noError(t, repo.Refs.Update(t.Context(), gitstore.Update{Ref: one, Old: first, New: second}))
	noError(t, repo.Refs.Update(t.Context(), gitstore.Update{Ref: "refs/heads/new", New: second}))
	equal(t, "entries", len(strings.Split(f.Git("reflog", string(one)), "\n")), 2)
	equal(t, "a branch's entries", len(strings.Split(f.Git("reflog", "refs/heads/new"), "\n")), 1)
}

func TestSymbolicRefs(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	ctx := t.Context()
	first, second := twoCommits(t, repo)
	const link = gitstore.RefName("refs/store/heads/topic/x")
	noError(t, repo.Refs.Update(ctx, gitstore.Update{Ref: one, New: first}))
	if _, err := repo.Refs.Symbolic(link); !errors.Is(err, gitstore.ErrNotExist) {
		t.Errorf("absent: %v", err)
	}
	if _, err := repo.Refs.Symbolic(one); !errors.Is(err, gitstore.ErrNotExist) {
		t.Errorf("not symbolic: %v", err)
	}
	noError(t, repo.Refs.SetSymbolic(ctx, link, one))
	noError(t, repo.Refs.SetSymbolic(ctx, link, one))
	f.Git("pack-refs", "--all")
	target, err := repo.Refs.Symbolic(link)
	noError(t, err)
	equal(t, "target", target, one)
	id, err := repo.Refs.Get(ctx, link)
	noError(t, err)
	equal(t, "followed", id, first)
	if err := repo.Refs.Update(ctx, gitstore.Update{Ref: link, Old: first, New: second}); err == nil {
		t.Error("a symbolic ref was overwritten")
	}
	if err := repo.Refs.DeleteSymbolic(ctx, one); err == nil {
		t.Error("an ordinary ref was deleted as a symbolic one")
	}
	refs, err := repo.Refs.List(ctx, "refs/store/heads/")
	noError(t, err)
	equal(t, "listed", fmt.Sprint(refs), fmt.Sprint([]gitstore.Ref{{Name: link, OID: first, Symbolic: one}}))
	noError(t, repo.Refs.DeleteSymbolic(ctx, link))
	equal(t, "the target stays", f.OID(string(one)), first)

	f.Unchecked()
	noError(t, repo.Refs.SetSymbolic(ctx, link, "refs/store/gone"))
	if _, err := repo.Refs.Get(ctx, link); !errors.Is(err, gitstore.ErrNotExist) {
		t.Errorf("dangling: %v", err)
	}
	noError(t, repo.Refs.SetSymbolic(ctx, "refs/store/a", "refs/store/b"))
	noError(t, repo.Refs.SetSymbolic(ctx, "refs/store/b", "refs/store/a"))
	var broken *gitstore.BrokenRefError
	if _, err := repo.Refs.Get(ctx, "refs/store/a"); !errors.As(err, &broken) {
		t.Errorf("a circle: %v", err)
	}
}

// A broken ref is reported under its name; the others stay usable.
func TestRefs_S25_broken(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t).Unchecked()
	repo := f.Open()
	ctx := t.Context()
	first, second := twoCommits(t, repo)
	noError(t, repo.Refs.Update(ctx, gitstore.Update{Ref: one, New: first}))
	for name, text := range map[string]string{
		"empty": "", "garbage": "garbage\n", "zero": strings.Repeat("0", 40) + "\n", "short": first.String()[:30],
		"long": first.String() + "00\n", "bad-target": "ref: ../../../etc/passwd\n",
	} {
		f.Write(".git/refs/store/broken/"+name, text)
		full := gitstore.RefName("refs/store/broken/" + name)
		var broken *gitstore.BrokenRefError
		if _, err := repo.Refs.Get(ctx, full); !errors.As(err, &broken) || broken.Ref != full {
			t.Errorf("%s: have %v", name, err)
		}
		if err := repo.Refs.Update(ctx, gitstore.Update{Ref: full, New: second}); err == nil {
			t.Errorf("%s: written over", name)
		}
	}
	f.Write(".git/refs/store/broken/sp ace", first.String()+"\n")
	refs, err := repo.Refs.List(ctx, "refs/store/")
	noError(t, err)
	equal(t, "listed", len(refs), 8)
	for _, ref := range refs {
		equal(t, string(ref.Name)+" is broken", ref.Err != nil, ref.Name != one)
	}
}

// ParseRefName agrees with git check-ref-format.
func TestParseRefName_likeGit(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	for _, name := range []string{
		"refs/heads/main", "refs/x/a.b-c_d", "refs/x/ü", "refs/x/@", "refs/x/a@b", "refs/x/-a", "refs/x/a{b", "refs/x/a\"b",
		"", "main", "/refs/x", "refs/x/", "refs//x", "refs/.x", "refs/x/.y", "refs/x..y", "refs/x/y.lock", "refs/x.lock/y",
		"refs/x/y.", "refs/x/a b", "refs/x/a~", "refs/x/a^", "refs/x/a:", "refs/x/a?", "refs/x/a*", "refs/x/a[", "refs/x/a\\",
		"refs/x/@{", "refs/x/a\x7f", "refs/x/a\x01", "refs/x/a\n",
	} {
		_, gitErr := f.TryGit("check-ref-format", name)
		_, err := gitstore.ParseRefName(name)
		equal(t, fmt.Sprintf("%q is a name", name), err == nil, gitErr == nil)
	}
	for _, name := range []string{"HEAD", "FETCH_HEAD"} {
		_, err := gitstore.ParseRefName(name)
		noError(t, err)
	}
	for _, name := range []string{
		"refs/x/\x00", strings.Repeat("refs/", 300) + "x",
		"refs/x/" + strings.Repeat("a", 300),
	} {
		if _, err := gitstore.ParseRefName(name); err == nil {
			t.Errorf("%.40q was taken", name)
		}
	}
	for branch, ok := range map[string]bool{"a/b": true, "-d": false, "HEAD": false, "": false, "a..b": false} {
		_, err := gitstore.BranchRef(branch)
		equal(t, fmt.Sprintf("branch %q", branch), err == nil, ok)
	}
}

// The binary search finds what a scan finds, whatever names there are, and
// whether git sorted the file or somebody did not.
func TestPackedRefs_search(t *testing.T) {
	f := gitstoretest.New(t).Unchecked()
	repo := f.Open()
	ctx := t.Context()
	rapid.Check(t, func(rt *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-c]{1,3}(/[a-z]{1,40}){0,2}`), 0, 300, rapid.ID).Draw(rt,
			"names")
		sorted := rapid.Bool().Draw(rt, "sorted")
		peeled := rapid.Bool().Draw(rt, "peeled")
		text := packedRefs(names, sorted, peeled)
		if err := os.WriteFile(filepath.Join(repo.CommonDir, "packed-refs"), []byte(text), 0o666); err != nil {
			rt.Fatal(err)
		}
		for _, name := range names {
			full := gitstore.RefName("refs/s/" + name)
			if id, err := repo.Refs.Get(ctx, full); err != nil || id != gitstore.HashBlob([]byte(name)) {
				rt.Fatalf("%s: %v %v", full, id, err)
			}
		}
		if _, err := repo.Refs.Get(ctx, "refs/s/b/absent0"); !errors.Is(err, gitstore.ErrNotExist) {
			rt.Fatalf("absent: %v", err)
		}
		for _, prefix := range []string{"refs/s/", "refs/s/b", "refs/s/b/", "refs/s/cc/x"} {
			want := 0
			for _, name := range names {
				if strings.HasPrefix("refs/s/"+name, prefix) {
					want++
				}
			}
			if refs, err := repo.Refs.List(ctx, prefix); err != nil || len(refs) != want {
				rt.Fatalf("prefix %s: %d refs, want %d, %v", prefix, len(refs), want, err)
			}
		}
	})
}

func packedRefs(names []string, sorted, peeled bool) string {
	header := "# pack-refs with: peeled fully-peeled \n"
	if sorted {
		names = sortedCopy(names)
		header = "# pack-refs with: peeled fully-peeled sorted \n"
	}
	var text strings.Builder
	text.WriteString(header)
	for _, name := range names {
		fmt.Fprintf(&text, "%s refs/s/%s\n", gitstore.HashBlob([]byte(name)), name)
		if peeled {
			fmt.Fprintf(&text, "^%s\n", gitstore.HashBlob([]byte("peeled")))
		}
	}
	return text.String()
}
