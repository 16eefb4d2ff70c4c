package gitstore_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// What is larger than the limit is not read, loose or packed, and what is asked
// for next is answered all the same.
func TestUpTo(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	w := repo.Objects.NewWriter()
	small, large := w.Blob([]byte("0123456789")), w.Blob([]byte("0123456789a"))
	tree := w.Tree([]gitstore.Entry{{Name: "x", Mode: gitstore.ModeFile, OID: small}})
	commit := w.Commit(gitstore.Commit{
		Tree: tree, Author: ada(), Committer: ada(),
		Message: strings.Repeat("long\n", 100),
	})
	f.Unchecked() // nothing leads there
	noError(t, w.Flush(t.Context()))
	for _, stored := range []string{"loose", "packed"} {
		if stored == "packed" {
			f.Git("update-ref", "refs/store/one", commit.String())
			f.Git("tag", "large", large.String())
			f.Git("gc", "-q", "--prune=now")
		}
		if _, err := repo.Objects.UpTo(10).Blob(t.Context(), large); !errors.Is(err, gitstore.ErrTooLarge) {
			t.Errorf("%s: %v", stored, err)
		}
		data, err := repo.Objects.UpTo(10).Blob(t.Context(), small)
		noError(t, err)
		equal(t, stored, string(data), "0123456789")
		if _, err := repo.Objects.UpTo(100).Commit(t.Context(), commit); !errors.Is(err, gitstore.ErrTooLarge) {
			t.Errorf("%s commit: %v", stored, err)
		}
		c, err := repo.Objects.UpTo(1000).Commit(t.Context(), commit)
		noError(t, err)
		equal(t, stored, c.Tree, tree)
		entries, err := repo.Objects.UpTo(1000).Tree(t.Context(), tree)
		noError(t, err)
		equal(t, stored, len(entries), 1)
		if _, err := repo.Objects.UpTo(1000).Tree(t.Context(), commit); !errors.Is(err, gitstore.ErrKind) {
			t.Errorf("%s: a commit as a tree: %v", stored, err)
		}
		if _, err := repo.Objects.UpTo(10).Tree(t.Context(), tree); !errors.Is(err, gitstore.ErrTooLarge) {
			t.Errorf("%s tree: %v", stored, err)
		}
		size, err := repo.Objects.BlobSize(t.Context(), large)
		noError(t, err)
		equal(t, stored, size, 11)
		if _, err := repo.Objects.BlobSize(t.Context(), tree); !errors.Is(err, gitstore.ErrKind) {
			t.Errorf("%s: size of a tree: %v", stored, err)
		}
		if _, err := repo.Objects.BlobSize(t.Context(), gitstore.HashBlob([]byte("absent"))); !errors.Is(err,
			gitstore.ErrNotExist) {
			t.Errorf("%s: size of nothing: %v", stored, err)
		}
	}
}

func TestCommits(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	a := f.OID("HEAD")
	b := f.Commit("b")
	f.Git("checkout", "-q", "-b", "side", a.String())
	c := f.Commit("c")
	f.Git("merge", "-q", "--no-edit", b.String())
	m := f.OID("HEAD")
	repo := f.Open()
	list, err := repo.History.Between(t.Context(), 4, []gitstore.OID{m, c}, nil)
	noError(t, err)
	if len(list) != 4 || list[0].OID != a || len(list[0].Parents) != 0 || list[3].OID != m ||
		fmt.Sprint(list[3].Parents) != fmt.Sprint([]gitstore.OID{c, b}) {
		t.Errorf("%v", list)
	}
	list, err = repo.History.Between(t.Context(), 4, []gitstore.OID{m}, []gitstore.OID{b})
	noError(t, err)
	if len(list) != 2 || list[0].OID != c || list[0].Parents[0] != a {
		t.Errorf("without b: %v", list)
	}
	if _, err := repo.History.Between(t.Context(), 3, []gitstore.OID{m}, nil); !errors.Is(err, gitstore.ErrTooLarge) {
		t.Errorf("more than 3: %v", err)
	}
}

// S-3: where a clock was a year ahead, git takes old commits for new ones.
func TestCommits_S3_wrongClocks(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	w := repo.Objects.NewWriter()
	commit := func(at time.Time, parents ...gitstore.OID) gitstore.OID {
		who := ada()
		who.When = at
		return w.Commit(gitstore.Commit{
			Tree: f.OID("HEAD^{tree}"), Parents: parents, Author: who, Committer: who,
			Message: "one\n",
		})
	}
	now := time.Unix(1_700_000_000, 0)
	ahead := now.AddDate(1, 0, 0)
	ours := commit(ahead)
	old := ours
	for i := range 30 {
		at := now
		if i < 10 {
			at = ahead
		}
		if ours = commit(at.Add(time.Duration(i)*time.Second), ours); i == 5 {
			old = ours
		}
	}
	theirs := commit(ahead, old)
	merged := commit(ahead, theirs, old)
	noError(t, w.Flush(t.Context()))
	list, err := repo.History.Between(t.Context(), 100, []gitstore.OID{merged}, []gitstore.OID{ours})
	noError(t, err)
	if len(list) != 2 || list[0].OID != theirs || list[1].OID != merged {
		t.Errorf("%d commits, want the two that are new: %v", len(list), list)
	}
	apart, err := repo.History.Outside(t.Context(), []gitstore.OID{old, theirs}, []gitstore.OID{ours})
	noError(t, err)
	if len(apart) != 1 || !apart[theirs] {
		t.Errorf("apart: %v", apart)
	}
}

func TestUnreached(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	f.Write("a", "once\n")
	f.Git("add", "a")
	f.Commit("a")
	f.Git("rm", "-q", "a")
	f.Commit("gone")
	once, never := gitstore.HashBlob([]byte("once\n")), gitstore.HashBlob([]byte("never\n"))
	apart, err := f.Open().History.Unreached(t.Context(), f.OID("HEAD"), []gitstore.OID{once, never})
	noError(t, err)
	if len(apart) != 1 || !apart[never] {
		t.Errorf("%v", apart)
	}
}
