package gitstore_test

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// A writer is killed before each of its changes of a file in turn. Afterwards
// the ref has its old value or the new one, git finds nothing wrong, and the
// next write works without any repair.
func TestKill_S22_everyStep(t *testing.T) {
	t.Parallel()
	const name = gitstore.RefName("refs/store/deep/one")
	// A ref of its own for each run, so that its first write is killed too.
	for _, first := range []bool{true, false} {
		t.Run(fmt.Sprintf("first write %v", first), func(t *testing.T) {
			t.Parallel()
			f := gitstoretest.New(t).Durable()
			repo := f.Open()
			every := 3
			rounds := torture(t, 1)
			if rounds > 1 {
				every = 1
			}
			var before gitstore.OID
			run := 0
			prepare := func() *exec.Cmd {
				if first {
					_, err := f.TryGit("update-ref", "-d", string(name))
					noError(t, err)
					before = gitstore.OID{}
				} else {
					noError(t, appendLine(t.Context(), repo, name, fmt.Sprint("before-", run)))
					before = f.OID(string(name))
				}
				run++
				return child(f, "append", string(name), fmt.Sprint("run", run), "1")
			}
			kills := 0
			check := func(step int, killed bool) {
				now, err := repo.Refs.List(t.Context(), "refs/store/")
				noError(t, err)
				switch {
				case len(now) == 0 && before.IsZero() && killed:
				case len(now) != 1 || now[0].Err != nil:
					t.Fatalf("step %d: refs %v", step, now)
				case now[0].OID == before && killed:
				default:
					if last := lastLine(f, name); last != fmt.Sprintf("run%d-0", run) {
						t.Fatalf("step %d: neither the old state nor the new one: %q", step, last)
					}
				}
				if out, err := f.TryGit("fsck", "--strict", "--no-dangling"); err != nil {
					t.Fatalf("step %d: %v\n%s", step, err, out)
				}
				if err := appendLine(t.Context(), repo, name, "after"); err != nil {
					t.Fatalf("step %d: the next write: %v", step, err)
				}
				equal(t, "last line", lastLine(f, name), "after")
			}
			// About 30 kills a round: TORTURE=200 is above a thousand.
			for range max(1, rounds/10) {
				kills += killAtEachStep(t, every, prepare, check)
			}
			t.Logf("%d kills", kills)
			if kills < 7 {
				t.Errorf("only %d kills: the steps were not seen", kills)
			}
			leftovers, err := filepath.Glob(filepath.Join(f.Dir, ".git", "refs", "store", "deep", "*.lock"))
			noError(t, err)
			equal(t, "locks left behind", strings.Join(leftovers, " "), "")
		})
	}
}

// Two refs that must agree do, wherever their writer is killed: the child that
// moves them goes on by itself, or has not begun.
func TestKill_S22_twoRefsAgree(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t).Durable()
	repo := f.Open()
	const two = gitstore.RefName("refs/store/two")
	run := 0
	prepare := func() *exec.Cmd {
		run++
		return child(f, "pair", string(one), string(two), fmt.Sprint("run", run))
	}
	killAtEachStep(t, 2, prepare, func(step int, _ bool) {
		for range 400 { // the child may still be at work
			locks, err := filepath.Glob(filepath.Join(f.Dir, ".git", "refs", "store", "*.lock"))
			noError(t, err)
			if len(locks) == 0 {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		err := appendPair(t.Context(), repo, one, two, "after")
		for try := 0; errors.Is(err, gitstore.ErrRefMoved) && try < 3; try++ {
			err = appendPair(t.Context(), repo, one, two, "after") // the child was late
		}
		if err != nil {
			t.Fatalf("step %d: the next write: %v", step, err)
		}
		equal(t, fmt.Sprintf("step %d: the refs agree", step), f.OID(string(one)), f.OID(string(two)))
	})
}

func lastLine(f *gitstoretest.Fixture, name gitstore.RefName) string {
	all := lines(f, string(name))
	return all[len(all)-1]
}
