package gitstore_test

import (
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

func TestAnyRef_looseOrPacked(t *testing.T) {
	t.Parallel()
	for _, kind := range []gitstoretest.Kind{gitstoretest.Plain, gitstoretest.Linked, gitstoretest.Reftable} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			f := gitstoretest.NewKind(t, kind)
			want := func(prefix string, want bool) {
				t.Helper()
				got, err := f.Open().Refs.Any(t.Context(), prefix)
				noError(t, err)
				equal(t, prefix, got, want)
			}
			want("refs/store/", false)
			f.Git("update-ref", "refs/store/tasks/deep/er/one", "HEAD")
			f.Git("update-ref", "refs/stores/other", "HEAD")
			for range 2 {
				want("refs/store/", true)
				want("refs/store/tasks/", true)
				want("refs/store/locks/", false)
				f.Git("pack-refs", "--all", "--prune")
			}
			f.Git("update-ref", "-d", "refs/store/tasks/deep/er/one")
			want("refs/store/", false)
		})
	}
}
