package gitstore_test

import (
	"fmt"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// One durable change as a record makes it: a few blobs, trees, a commit, a ref.
func BenchmarkChange(b *testing.B) {
	f := gitstoretest.New(b).Durable()
	repo := f.Open()
	name := gitstore.RefName("refs/store/one")
	var tip gitstore.OID
	for i := 0; b.Loop(); i++ {
		next := commitFiles(b, repo, tip, map[string]string{
			"state.json": fmt.Sprint("state ", i), "op.json": fmt.Sprint("op ", i), "doc/plan.md": "same",
		})
		noError(b, repo.Refs.Update(b.Context(), gitstore.Update{Ref: name, Old: tip, New: next}))
		tip = next
	}
}

func BenchmarkObjects(b *testing.B) {
	f := gitstoretest.New(b).Durable()
	repo := f.Open()
	for i := 0; b.Loop(); i++ {
		commitFiles(b, repo, gitstore.OID{}, map[string]string{
			"state.json": fmt.Sprint("state ", i), "op.json": fmt.Sprint("op ", i), "doc/plan.md": "same",
		})
	}
}

func BenchmarkUpdateRefs(b *testing.B) {
	f := gitstoretest.New(b).Durable()
	repo := f.Open()
	name := gitstore.RefName("refs/store/one")
	ids := []gitstore.OID{
		commitFiles(b, repo, gitstore.OID{}, map[string]string{"a": "1"}),
		commitFiles(b, repo, gitstore.OID{}, map[string]string{"a": "2"}),
	}
	noError(b, repo.Refs.Update(b.Context(), gitstore.Update{Ref: name, New: ids[0]}))
	for i := 0; b.Loop(); i++ {
		noError(b, repo.Refs.Update(b.Context(), gitstore.Update{Ref: name, Old: ids[i%2], New: ids[(i+1)%2]}))
	}
}

// The reads of a hook: open, HEAD, one ref, the configuration from its cache.
func BenchmarkOpenAndRead(b *testing.B) {
	f := gitstoretest.New(b)
	for b.Loop() {
		repo, err := gitstore.Open(gitstore.Options{Dir: f.Dir, Environ: f.Env, Name: gitstoretest.Name})
		noError(b, err)
		_, err = repo.Refs.Head(b.Context())
		noError(b, err)
		_, err = repo.Config.Read(b.Context())
		noError(b, err)
		noError(b, repo.Close())
	}
}
