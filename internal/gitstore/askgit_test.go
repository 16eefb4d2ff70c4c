package gitstore_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// Where only git can read the refs, its answers mean the same as files do.
func TestRefs_askedOfGit(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	files, asked := f.Open(), f.Open().AskGitForRefs()
	ctx := t.Context()
	first, second := twoCommits(t, files)
	noError(t, asked.Refs.Update(ctx, gitstore.Update{Ref: one, New: first}))
	if err := asked.Refs.Update(ctx, gitstore.Update{Ref: one, New: second}); !errors.Is(err, gitstore.ErrRefMoved) {
		t.Errorf("creation of an existing ref: %v", err)
	}
	noError(t, asked.Refs.Update(ctx, gitstore.Update{Ref: one, Old: first, New: second}))
	noError(t, asked.Refs.SetSymbolic(ctx, "refs/store/link", one))
	f.Git("checkout", "-q", "--detach")
	for _, name := range []gitstore.RefName{
		one, "refs/store/link", "HEAD", "refs/heads/main", "refs/store/absent",
		"refs/store",
	} {
		want, wantErr := files.Refs.Get(ctx, name)
		have, err := asked.Refs.Get(ctx, name)
		equal(t, string(name), have, want)
		equal(t, string(name)+" is absent", errors.Is(err, gitstore.ErrNotExist), errors.Is(wantErr, gitstore.ErrNotExist))
		target, wantErr := files.Refs.Symbolic(name)
		link, err := asked.Refs.Symbolic(name)
		equal(t, string(name)+"'s target", link, target)
		equal(t, string(name)+" is not symbolic", errors.Is(err, gitstore.ErrNotExist),
			errors.Is(wantErr, gitstore.ErrNotExist))
	}
	for _, prefix := range []string{"refs/", "refs/store/", "refs/store/o", "refs/absent/"} {
		want, err := files.Refs.List(ctx, prefix)
		noError(t, err)
		have, err := asked.Refs.List(ctx, prefix)
		noError(t, err)
		equal(t, prefix, fmt.Sprint(have), fmt.Sprint(want))
	}
	want, err := files.Refs.Head(ctx)
	noError(t, err)
	have, err := asked.Refs.Head(ctx)
	noError(t, err)
	equal(t, "HEAD", have, want)
	f.Git("checkout", "-q", "-b", "topic")
	have, err = asked.Refs.Head(ctx)
	noError(t, err)
	equal(t, "branch", have.Branch, "topic")
	noError(t, asked.Refs.DeleteSymbolic(ctx, "refs/store/link"))
	noError(t, asked.Refs.Update(ctx, gitstore.Update{Ref: one, Old: second}))
}
