package gitstore_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// Every ancestor once, children before parents, in any graph.
func TestHistory_anyGraph(t *testing.T) {
	f := gitstoretest.New(t)
	repo := f.Open()
	tree := f.OID("HEAD^{tree}")
	rapid.Check(t, func(rt *rapid.T) {
		w := repo.Objects.NewWriter()
		var commits []gitstore.OID
		parentsOf := map[gitstore.OID][]gitstore.OID{}
		for i := range rapid.IntRange(1, 12).Draw(rt, "commits") {
			c := gitstore.Commit{Tree: tree, Author: ada(), Committer: ada(), Message: fmt.Sprint(i)}
			if i > 0 {
				picked := rapid.SliceOfNDistinct(rapid.SampledFrom(commits), 0, min(i, 3), rapid.ID).Draw(rt, "parents")
				c.Parents = picked
			}
			id := w.Commit(c)
			commits = append(commits, id)
			parentsOf[id] = c.Parents
		}
		if err := w.Flush(t.Context()); err != nil {
			rt.Fatal(err)
		}
		tip := commits[len(commits)-1]
		want := map[gitstore.OID]bool{}
		var reach func(gitstore.OID)
		reach = func(id gitstore.OID) {
			if !want[id] {
				want[id] = true
				for _, parent := range parentsOf[id] {
					reach(parent)
				}
			}
		}
		reach(tip)
		var order []gitstore.OID
		if err := repo.History.Walk(t.Context(), tip, func(id gitstore.OID, _ gitstore.Commit) (bool, error) {
			order = append(order, id)
			return true, nil
		}); err != nil {
			rt.Fatal(err)
		}
		if len(order) != len(want) {
			rt.Fatalf("%d commits visited, want %d", len(order), len(want))
		}
		for i, id := range order {
			for _, parent := range parentsOf[id] {
				if slices.Index(order, parent) <= i {
					rt.Fatalf("%s before its child", parent)
				}
			}
		}
	})
}

func TestHistory_stops(t *testing.T) {
	t.Parallel()
	f := gitstoretest.NewKind(t, gitstoretest.Shallow)
	repo := f.Open()
	visit := func(limit int) (n int, err error) {
		err = repo.History.Walk(t.Context(), f.OID("HEAD"), func(gitstore.OID, gitstore.Commit) (bool, error) {
			n++
			return n < limit, nil
		})
		return n, err
	}
	n, err := visit(1)
	noError(t, err)
	equal(t, "stopped by the visitor", n, 1)
	n, err = visit(100)
	noError(t, err)
	equal(t, "stopped at the shallow boundary", n, 2)
	boom := errors.New("boom")
	err = repo.History.Walk(t.Context(), f.OID("HEAD"),
		func(gitstore.OID, gitstore.Commit) (bool, error) { return true, boom })
	if !errors.Is(err, boom) {
		t.Errorf("the visitor's error: %v", err)
	}
}

func TestAncestry(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	base := f.OID("HEAD")
	f.Git("checkout", "-q", "-b", "topic")
	f.Commit("topic 1")
	topic := f.Commit("topic 2")
	f.Git("checkout", "-q", "main")
	main := f.Commit("main 1")
	for _, c := range []struct {
		a, b gitstore.OID
		want bool
	}{{base, main, true}, {main, base, false}, {main, topic, false}, {main, main, true}} {
		have, err := repo.History.IsAncestor(t.Context(), c.a, c.b)
		noError(t, err)
		equal(t, "ancestor", have, c.want)
	}
	if _, err := repo.History.IsAncestor(t.Context(), gitstore.HashBlob(nil), main); err == nil {
		t.Error("an absent commit is no ancestor, but an error")
	}
}
