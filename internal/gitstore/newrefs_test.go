package gitstore_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// hundred are a hundred new refs below refs/store/<name>/.
func hundred(name string, tip gitstore.OID) []gitstore.Update {
	var updates []gitstore.Update
	for i := range 100 {
		updates = append(updates, gitstore.Update{
			Ref: gitstore.RefName(fmt.Sprintf("refs/store/%s/%03d", name, i)),
			New: tip,
		})
	}
	return updates
}

func createHundred(ctx context.Context, repo *gitstore.Repo, name string) error {
	tip, err := repo.Refs.Get(ctx, "refs/heads/main")
	if err != nil {
		return err
	}
	return repo.Refs.Update(ctx, hundred(name, tip)...)
}

// Many new refs are there at once, among those that were packed before, in whatever
// form the repository comes.
func TestUpdateRefs_manyNew(t *testing.T) {
	for _, kind := range gitstoretest.Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			f := gitstoretest.NewKind(t, kind)
			repo := f.Open()
			tip := f.OID("HEAD")
			for _, name := range []string{"refs/store/a", "refs/store/n", "refs/store/z"} {
				f.Git("update-ref", name, tip.String())
			}
			f.Git("tag", "-a", "-m", "a tag, which is peeled", "peeled")
			f.Git("pack-refs", "--all")
			before := f.Git("show-ref", "-d")
			for _, name := range []string{"m", "b"} {
				noError(t, repo.Refs.Update(t.Context(), hundred(name, tip)...))
			}
			after := f.Git("show-ref", "-d")
			equal(t, "refs", len(strings.Split(after, "\n")), len(strings.Split(before, "\n"))+200)
			for line := range strings.SplitSeq(before, "\n") {
				if !strings.Contains(after+"\n", line+"\n") {
					t.Errorf("%s is gone", line)
				}
			}
			refs, err := repo.Refs.List(t.Context(), "refs/store/")
			noError(t, err)
			equal(t, "listed", len(refs), 203)
			got, err := repo.Refs.Get(t.Context(), "refs/store/m/050")
			noError(t, err)
			equal(t, "one of them", got, tip)
		})
	}
}

// All of them are made, or none: where one exists already, can't exist beside
// another, or leads nowhere.
func TestUpdateRefs_manyNewOrNone(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	tip := f.OID("HEAD")
	blob, err := gitstore.ParseOID(f.Git("hash-object", "-w", filepath.Join(f.Home, ".gitconfig")))
	noError(t, err)
	f.Git("update-ref", "refs/store/loose/017", tip.String())
	f.Git("update-ref", "refs/store/packed/017", tip.String())
	f.Git("update-ref", "refs/store/above", tip.String())
	f.Git("update-ref", "refs/store/below/017/x", tip.String())
	f.Git("pack-refs", "--all")
	f.Git("update-ref", "refs/store/loose/017", f.Commit("second").String())
	f.Write(".git/refs/store/locked/017.lock", "")
	before := f.Git("for-each-ref")
	for _, row := range []struct {
		name   string
		change func(u *gitstore.Update)
		want   error
	}{
		{"loose", func(*gitstore.Update) {}, gitstore.ErrRefMoved},
		{"packed", func(*gitstore.Update) {}, gitstore.ErrRefMoved},
		{"above", func(*gitstore.Update) {}, nil},
		{"below", func(*gitstore.Update) {}, nil},
		{"locked", func(*gitstore.Update) {}, gitstore.ErrLocked},
		{"nowhere", func(u *gitstore.Update) { u.New = gitstore.HashBlob([]byte("not here")) }, nil},
	} {
		updates := hundred(row.name, tip)
		row.change(&updates[17])
		err := repo.Refs.Update(t.Context(), updates...)
		if err == nil || row.want != nil && !errors.Is(err, row.want) {
			t.Errorf("%s: %v", row.name, err)
		}
		equal(t, "refs after "+row.name, f.Git("for-each-ref"), before)
	}
	updates := hundred("blob", tip)
	updates[17].New = blob // git's own way makes it
	noError(t, repo.Refs.Update(t.Context(), updates...))
	equal(t, "the blob", f.Git("rev-parse", "refs/store/blob/017"), blob.String())
	noError(t, os.Remove(filepath.Join(f.Dir, ".git", "refs", "store", "locked", "017.lock")))
}

// A hook that wants to see how refs move sees it, and refs whose history is kept
// have one.
func TestUpdateRefs_manyNewThatAreWatched(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	f.Write(".git/hooks/reference-transaction", "#!/bin/sh\necho $1 >>seen\ncat >>seen\n")
	noError(t, os.Chmod(filepath.Join(f.Dir, ".git", "hooks", "reference-transaction"), 0o777))
	repo := f.Open()
	noError(t, repo.Refs.Update(t.Context(), hundred("hook", f.OID("HEAD"))...))
	seen, err := os.ReadFile(filepath.Join(f.Dir, "seen"))
	noError(t, err)
	if !strings.Contains(string(seen), "committed") || strings.Count(string(seen), "refs/store/hook/017") != 2 {
		t.Errorf("the hook saw\n%.200s", seen)
	}
	noError(t, os.Remove(filepath.Join(f.Dir, ".git", "hooks", "reference-transaction")))
	f.Git("config", "core.logAllRefUpdates", "always")
	noError(t, repo.Refs.Update(t.Context(), hundred("log", f.OID("HEAD"))...))
	f.Git("rev-parse", "--verify", "refs/store/log/017@{0}")
}

// S-22: a writer of many new refs is killed at each step: they are all there, or
// none is, and nothing is in the way of the next writer, or of git.
func TestKill_S22_manyNewRefs(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t).Durable()
	repo := f.Open()
	run := 0
	prepare := func() *exec.Cmd {
		run++
		return child(f, "many", fmt.Sprint("run", run))
	}
	kills := killAtEachStep(t, 2, prepare, func(step int, killed bool) {
		locksGo(filepath.Join(f.Dir, ".git", "refs", "store", "*", "*.lock"))
		refs, err := repo.Refs.List(t.Context(), gitstoreRun(run))
		noError(t, err)
		if len(refs) != 100 && (len(refs) != 0 || !killed) {
			t.Fatalf("step %d: %d refs", step, len(refs))
		}
		run++
		noError(t, createHundred(t.Context(), repo, fmt.Sprint("run", run)))
		f.Git("pack-refs", "--all")
	})
	t.Logf("%d kills", kills)
	if kills == 0 {
		t.Error("the steps were not seen")
	}
	left, err := filepath.Glob(filepath.Join(f.Dir, ".git", "refs", "store", "*", "*.lock"))
	noError(t, err)
	equal(t, "locks left behind", strings.Join(left, " "), "")
}

// locksGo waits for a child that goes on by itself.
func locksGo(pattern string) {
	for range 400 {
		if locks, err := filepath.Glob(pattern); err != nil || len(locks) == 0 {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func gitstoreRun(run int) string { return fmt.Sprintf("refs/store/run%d/", run) }

// S-19: refs are made by the hundred while git packs and others write.
func TestWriters_S19_manyNewRefs(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	ctx, stop := context.WithCancel(t.Context())
	var besides, writers sync.WaitGroup
	besides.Go(func() {
		for ctx.Err() == nil {
			_, _ = f.TryGit("pack-refs", "--all")
		}
	})
	for w := range 3 {
		writers.Go(func() {
			for i := range torture(t, 5) {
				if err := createHundred(t.Context(), repo, fmt.Sprintf("w%d-%d", w, i)); err != nil {
					t.Errorf("writer %d: %v", w, err)
				}
				one := gitstore.RefName(fmt.Sprintf("refs/store/one/w%d-%d", w, i))
				if err := appendUnqueued(t.Context(), repo, one, "line"); err != nil {
					t.Errorf("writer %d: %v", w, err)
				}
			}
		})
	}
	writers.Wait()
	stop()
	besides.Wait()
	equal(t, "refs", len(strings.Split(f.Git("for-each-ref", "refs/store"), "\n")), 3*torture(t, 5)*101)
}
