package app_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// A repository is ours as soon as it has a record, however git stores its refs.
func TestUsed_howeverRefsAreStored(t *testing.T) {
	ctx := context.Background()
	for _, kind := range []gitstoretest.Kind{gitstoretest.Plain, gitstoretest.Reftable} {
		t.Run(string(kind), func(t *testing.T) {
			f := gitstoretest.NewKind(t, kind)
			s := open(t, f, clone.Caller{User: "mara", Host: "laptop"})
			if s.Sessions.Used() {
				t.Fatal("used before anything was recorded")
			}
			if _, err := s.Tasks.Create(ctx, app.CreateRequest{Title: "Add JWT auth"}); err != nil {
				t.Fatal(err)
			}
			f.Git("pack-refs", "--all", "--prune")
			for _, dir := range []string{s.Clone.Repo.CacheDir(), filepath.Join(s.Clone.Repo.CommonDir, "refs", "brew")} {
				if err := os.RemoveAll(dir); err != nil {
					t.Fatal(err)
				}
			}
			if !open(t, f, clone.Caller{}).Sessions.Used() {
				t.Error("its refs are packed: not used")
			}
		})
	}
}
