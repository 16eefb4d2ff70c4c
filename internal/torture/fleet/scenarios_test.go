package fleet

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
)

// newPair is a fleet of two machines, whose clocks are right.
func newPair(t testing.TB) (f *fleet, a, b *machine) {
	for seed := uint64(1); ; seed++ {
		f = newFleet(t, seed)
		if !f.elsewhere && !f.events {
			break
		}
	}
	f.clones = f.clones[:2]
	for _, c := range f.clones {
		c.skew = 0
	}
	return f, f.clones[0], f.clones[1]
}

func (f *fleet) must(err error) {
	f.t.Helper()
	if err != nil {
		f.fail("%v", err)
	}
}

// S-3: both sides set one field. Whose value stays follows from what each had
// seen, never from the time of day; the other one stays in the log.
func TestFleet_S3_clocksDecideNothing(t *testing.T) {
	year := 365 * 24 * time.Hour
	for _, skews := range [][2]time.Duration{{0, 0}, {year, -year}, {-year, year}, {-year, -year}} {
		f, a, b := newPair(t)
		a.skew, b.skew = skews[0], skews[1]
		ctx := context.Background()
		made, err := a.service("").Tasks.Create(ctx, app.CreateRequest{Title: "shared", NoSwitch: true, Branch: "shared"})
		f.must(err)
		id := made.Task.ID
		f.settle()
		for _, edit := range []struct {
			c     *machine
			title string
		}{{b, "b, first"}, {b, "b, later"}, {a, "a"}} { // b goes on twice, and last by neither clock
			_, err := edit.c.service("").Tasks.EditTask(ctx, id, app.EditRequest{Title: edit.title})
			f.must(err)
		}
		f.settle()
		f.judge()
		for _, c := range f.clones {
			got, err := c.service("").Records.Task(ctx, id)
			f.must(err)
			steps, err := c.service("").Records.History(ctx, id)
			f.must(err)
			var log []string
			for _, s := range steps {
				log = append(log, s.Subject)
			}
			if all := strings.Join(log, "\n"); got.Title != "b, later" || !strings.Contains(all, "title a") ||
				!strings.Contains(all, "title b, first") {
				f.fail("clocks off by %v: %s has the title %q, and the log\n%s", skews, c.name, got.Title, all)
			}
		}
	}
}

// S-4: two clones create tasks apart, with the same titles in the same second:
// all of them are there, each with an id of its own.
func TestFleet_S4_sameTitlesSameSecond(t *testing.T) {
	each := 60
	if *full {
		each = 1000
	}
	f, a, b := newPair(t)
	made := map[string]bool{}
	for _, c := range []*machine{a, b} {
		at := c.now
		s := app.New(app.Options{Repo: c.repo, Caller: c.caller(""), Now: func() time.Time { return at }})
		for i := range each {
			r, err := s.Tasks.Create(context.Background(),
				app.CreateRequest{Title: "Add JWT auth", NoSwitch: true, Branch: fmt.Sprint("jwt-", i)})
			f.must(err)
			made[string(r.Task.ID)] = true
		}
	}
	f.settle()
	f.judge()
	for _, c := range f.clones {
		all, err := c.service("").List(context.Background(), app.ListRequest{All: true})
		f.must(err)
		for _, of := range all.Tasks {
			if !made[string(of.ID)] {
				f.fail("%s has %s, which nobody made", c.name, of.ID)
			}
		}
		if len(all.Tasks) != 2*each || len(made) != 2*each {
			f.fail("%s has %d tasks, with %d ids", c.name, len(all.Tasks), len(made))
		}
	}
}

// S-32: many tasks go to a remote that takes few refs at once, and dies on the
// way. The next sync goes on where that one stopped, and a fresh clone has all of
// them after one.
func TestFleet_S32_manyTasksFewAtOnce(t *testing.T) {
	many, limit := 240, 50
	if *full {
		many, limit = 10_000, 400
	}
	f, a, b := newPair(t)
	ctx := context.Background()
	for i := range many {
		_, err := a.service("").Tasks.Create(ctx,
			app.CreateRequest{Title: "One of many", NoSwitch: true, Branch: fmt.Sprint("many-", i)})
		f.must(err)
	}
	hook := filepath.Join(f.hub, "hooks", "pre-receive")
	refuse := func(more string) {
		f.must(os.WriteFile(hook, []byte(fmt.Sprintf("#!/bin/sh\nn=$(wc -l)\n[ $n -le %d ] || { echo \"at most %d refs\" "+
			">&2; exit 1; }\n%s\n", limit, limit, more)), 0o777))
	}
	refuse(`echo x >>pushes; [ $(wc -l <pushes) -ne 3 ] || kill -9 $PPID`)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var steps []string
	_, err := a.service("").Exchange.Sync(ctx,
		exchange.SyncRequest{Remote: "hub", Progress: func(step refsync.Step, done, total int) {
			steps = append(steps, fmt.Sprintf("%s %d/%d", step, done, total))
			if step == refsync.Pushing && done >= many/2 {
				stop() // somebody does not want to wait
			}
		}})
	there := len(f.refs(f.hub, string(ledger.TaskRef(""))))
	if err == nil || there < many/4 || there == many {
		f.fail("stopped half way: %v, %d of %d are there; progress %v", err, there, many, steps)
	}
	began := time.Now()
	rest, err := a.service("").Exchange.Sync(context.Background(), exchange.SyncRequest{Remote: "hub"})
	f.must(err)
	pushed := 0
	for _, of := range rest.Records {
		if of.Pushed {
			pushed++
		}
	}
	if pushed > many-there+limit || len(f.refs(f.hub, string(ledger.TaskRef("")))) != many {
		f.fail("the next sync pushed %d, where %d of %d were there", pushed, there, many)
	}
	t.Logf("%d of %d tasks pushed in %s; %v", pushed, many, time.Since(began).Round(time.Millisecond), steps)
	began = time.Now()
	_, err = b.service("").Exchange.Sync(context.Background(), exchange.SyncRequest{Remote: "hub"})
	f.must(err)
	all, err := b.service("").List(context.Background(), app.ListRequest{All: true})
	f.must(err)
	if len(all.Tasks) != many {
		f.fail("the fresh clone lists %d of %d", len(all.Tasks), many)
	}
	t.Logf("in the fresh clone in %s", time.Since(began).Round(time.Millisecond))
	f.settle()
	f.judge()
}

func (f *fleet) refs(dir, prefix string) []string {
	return strings.Fields(f.git(dir, "for-each-ref", "--format=%(refname)", strings.TrimSuffix(prefix, "/")))
}
