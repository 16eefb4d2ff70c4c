package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/doctor"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/task"
)

// told is what a sync did, a word a record, and what it remarked.
func told(report exchange.SyncReport) (words []string) {
	words = slices.Clone(report.Notes)
	for _, of := range report.Records {
		word := fmt.Sprintf("%s %s", strings.TrimPrefix(string(of.Ref), "refs/brew/"), of.Outcome)
		for _, flag := range []struct {
			on   bool
			word string
		}{{of.Pushed, "pushed"}, {of.Deleted, "deleted"}, {of.Pending, "pending"}, {of.Err != nil, fmt.Sprint(of.Err)}} {
			if flag.on {
				word += " " + flag.word
			}
		}
		words = append(words, word)
	}
	return words
}

// settle syncs everybody with the hub until nothing moves.
func (f *fleet) settle() {
	for rounds := 0; f.round() > 0; rounds++ {
		if rounds > 4 {
			f.fail("after %d rounds something still moves", rounds)
		}
	}
}

// round syncs everybody once, and counts what moved.
func (f *fleet) round() (moved int) {
	for _, i := range f.dice.Perm(len(f.clones)) {
		c := f.clones[i]
		report, err := c.service("").Exchange.Sync(context.Background(), exchange.SyncRequest{Remote: "hub"})
		f.tell("%s: last syncs: %v %v", c.name, told(report), err)
		partly := slices.ContainsFunc(report.Notes, func(note string) bool {
			return strings.Contains(note, "not everything")
		})
		if err != nil || len(report.Failed()) > 0 || partly {
			f.fail("%s: sync: %v, %+v, %q", c.name, err, report.Failed(), report.Notes)
		}
		moved += len(report.Records)
	}
	return moved
}

// agree looks whether everybody has the same, and returns it.
func (f *fleet) agree() []string {
	want := f.shared(f.hub)
	for _, c := range f.clones {
		if have := f.shared(c.dir); !slices.Equal(have, want) {
			f.fail("%s has\n%v\nthe hub has\n%v", c.name, have, want)
		}
	}
	return want
}

// judge looks whether everybody has the same, whether it is whole, and whether
// one more round leaves it so.
func (f *fleet) judge() {
	want := f.agree()
	if f.round() > 0 || !slices.Equal(f.shared(f.hub), want) {
		f.fail("one more round moved something")
	}
	c := pick(f, f.clones)
	// A lock that an interrupted git left, where nothing came since, is a
	// problem that a person removes.
	_, err := c.repo.Refs.ClearLocks(context.Background(), "refs/brew/remotes/", 0)
	if err != nil {
		f.fail("%v", err)
	}
	found, err := c.service("").Doctor.Doctor(context.Background(), doctor.DoctorRequest{})
	if err != nil {
		f.fail("doctor: %v", err)
	}
	for _, finding := range found {
		if finding.Severity == doctor.Problem {
			f.fail("%s: %s: %s", c.name, finding.What, finding.Message)
		}
	}
	f.git(c.dir, "fsck", "--strict", "--no-dangling")
	f.git(f.hub, "fsck", "--strict", "--no-dangling")
}

// outcome is what a fleet came to: the operations and the state of each task,
// and of what there is one of.
type outcome struct {
	operations, states map[string]string
	lost               map[string]int // what says that a lock was lost, by task
}

// outcome reads what the fleet came to from one of its clones.
func (f *fleet) outcome() outcome {
	ctx := context.Background()
	s := pick(f, f.clones).service("")
	got := outcome{map[string]string{}, map[string]string{}, map[string]int{}}
	must := func(err error) {
		if err != nil {
			f.fail("read what it came to: %v", err)
		}
	}
	all, err := s.List(ctx, app.ListRequest{All: true, Deleted: true, Archived: true})
	must(err)
	for _, listed := range all.Tasks {
		id := listed.ID
		steps, err := s.Records.History(ctx, id)
		must(err)
		var ops []string
		for _, step := range steps {
			switch {
			case step.Op == nil:
			case step.Op.Kind == task.OpLockLost:
				got.lost[string(id)]++
			default:
				ops = append(ops, string(step.Op.ID))
			}
		}
		slices.Sort(ops)
		got.operations[string(id)] = strings.Join(slices.Compact(ops), " ")
		t, err := s.Records.Task(ctx, id)
		if err != nil { // it was deleted
			got.states[string(id)] = err.Error()
			continue
		}
		t.Clock = 0
		state, err := json.MarshalIndent(t, "", " ")
		must(err)
		got.states[string(id)] = string(state)
	}
	project, err := s.Knowledge.Project(ctx)
	must(err)
	settings, _, err := s.Config.ConfigList(ctx)
	must(err)
	for name, state := range map[string]any{"knowledge": project, "config": settings} {
		text, err := json.Marshal(state)
		must(err)
		got.states[name] = string(text)
	}
	return got
}

// sameOutcome compares what one history came to in two orders. Nothing that was
// done is lost in either; and where the arbiter gave locks to the same ones, in
// the same way, it comes to the same state.
func (f *fleet) sameOutcome(one, other outcome) {
	for _, side := range [][2]outcome{{one, other}, {other, one}} {
		for name, ops := range side[0].operations {
			if side[1].operations[name] != ops {
				f.fail("%s: in one order its operations are\n%s\nand in the other\n%s", name, ops, side[1].operations[name])
			}
		}
		for name, state := range side[0].states {
			if side[0].lost[name] == 0 && side[1].lost[name] == 0 && side[1].states[name] != state {
				f.fail("%s: in one order it is\n%s\nand in the other\n%s", name, state, side[1].states[name])
			}
		}
	}
}

// saved is all repositories of a fleet, and its clocks, as they were.
type saved struct {
	dir    string
	clocks []time.Time
}

func (f *fleet) save() saved {
	before := saved{dir: f.t.TempDir()}
	for _, c := range f.clones {
		before.clocks = append(before.clocks, c.now)
	}
	if err := copyTree(f.top, before.dir); err != nil {
		f.fail("%v", err)
	}
	return before
}

func (f *fleet) restore(before saved) {
	for _, c := range f.clones {
		_ = c.repo.Close()
	}
	err := os.RemoveAll(f.top)
	if err == nil {
		err = copyTree(before.dir, f.top)
	}
	if err != nil {
		f.fail("%v", err)
	}
	for i, c := range f.clones {
		c.now = before.clocks[i]
		c.open()
	}
}

func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		at := filepath.Join(to, strings.TrimPrefix(path, from))
		if d.IsDir() {
			return os.MkdirAll(at, 0o777)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return os.WriteFile(at, data, info.Mode().Perm()|0o200)
	})
}
