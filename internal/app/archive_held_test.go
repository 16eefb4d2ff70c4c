package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/archive"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
)

// records are the tasks, locks and archive that a repository has.
func records(refs interface{ Git(args ...string) string }) []string {
	return strings.Fields(refs.Git("for-each-ref", "--format=%(refname)=%(objectname)", "refs/brew/tasks",
		"refs/brew/locks", "refs/brew/archive"))
}

// S-7, S-9: one machine archives a task whose lock another one takes meanwhile,
// without doing anything under it. Whoever syncs first, all come to the same
// tasks, locks and archive, and it rests there. What the holder does then makes
// the task live again, and counts.
func TestArchive_S7_S9_heldMeanwhile(t *testing.T) {
	const archiver, holder, watcher = 0, 1, 2
	claim := func(f *fleet, m int) {
		_, err := f.as(m, "").Claims.AcquireLock(f.t.Context(), f.id)
		f.must(err)
	}
	release := func(f *fleet, m int) {
		_, err := f.as(m, "").Claims.ReleaseLock(f.t.Context(), f.id)
		f.must(err)
	}
	apart := func(work func(f *fleet)) func(f *fleet) {
		return func(f *fleet) {
			defer f.offline()()
			work(f)
		}
	}
	orders := [][]int{{archiver, holder, watcher}, {watcher, holder, archiver}}
	for i, row := range []struct {
		name string
		work func(f *fleet)
		held bool // in the end
	}{
		{"the arbiter knows of it", func(f *fleet) { claim(f, holder) }, true},
		{"the arbiter does not", apart(func(f *fleet) { claim(f, holder) }), true},
		{"it was let go of again", func(f *fleet) { claim(f, holder); release(f, holder) }, false},
		{"the end is not known yet", func(f *fleet) {
			claim(f, holder)
			apart(func(f *fleet) { release(f, holder) })(f)
		}, false},
		{"a third one knows no end", func(f *fleet) {
			claim(f, holder)
			f.sync(watcher)
			apart(func(f *fleet) { release(f, holder) })(f)
		}, false},
		{"the archiver held it too", apart(func(f *fleet) {
			claim(f, holder)
			claim(f, archiver)
			release(f, archiver)
		}), true},
		{"the archiver held it too, twice", apart(func(f *fleet) {
			claim(f, holder)
			for range 2 {
				claim(f, archiver)
				release(f, archiver)
			}
		}), true},
		{"both let go of it", apart(func(f *fleet) {
			for _, m := range []int{holder, archiver} {
				claim(f, m)
				release(f, m)
			}
		}), false},
	} {
		order := orders[i%2]
		t.Run(fmt.Sprint(row.name, order), func(t *testing.T) {
			t.Parallel()
			f := newFleet(t, 3)
			_, err := f.as(archiver, "").Work.Finish(t.Context(), f.id, app.FinishRequest{Status: task.Cancelled})
			f.must(err)
			for _, m := range []int{archiver, holder, watcher} {
				f.sync(m)
			}
			row.work(f)
			_, err = f.as(archiver, "").Archive.Archive(t.Context(), archive.ArchiveRequest{Tasks: []task.ID{f.id}})
			f.must(err)
			f.rest(order)
			for m := range f.clones {
				if have := records(f.clones[m]); slices.ContainsFunc(have, func(r string) bool {
					return strings.HasPrefix(r, string(ledger.TaskRef("")))
				}) {
					t.Errorf("machine %d has live tasks: %q", m, have)
				}
				if l := f.lockOf(m); l.Lock.Held != row.held || l.Holder != (row.held && m == holder) {
					t.Errorf("machine %d: the lock is %+v", m, l.Lock)
				}
			}
			_, err = f.as(holder, "").Work.Start(t.Context(), f.id, true, false)
			f.must(err)
			f.rest(order)
			f.same()
			for m := range f.clones {
				now, err := f.as(m, "").Records.Task(t.Context(), f.id)
				if err != nil || now.Status != task.InProgress {
					t.Errorf("machine %d has it as %s, %v", m, now.Status, err)
				}
			}
		})
	}
}

// rest lets the machines sync, in some order, until nothing moves, and checks
// that all have what the remote has.
func (f *fleet) rest(order []int) {
	f.t.Helper()
	for round := 0; ; round++ {
		moved := 0
		for _, m := range order {
			moved += len(f.sync(m).Records)
		}
		if moved == 0 {
			break
		}
		if round > 3 {
			f.t.Fatalf("after %d rounds something still moves", round)
		}
	}
	want := records(f.hub)
	for m, c := range f.clones {
		if have := records(c); !slices.Equal(have, want) {
			f.t.Errorf("machine %d has\n%q\nthe remote has\n%q", m, have, want)
		}
	}
}
