// Package fleet plays random histories on several clones of one project, with
// real repositories and a real remote, and looks whether they come to the same
// state (S-1 to S-9).
//
//	go test ./internal/torture/fleet                          some of them
//	go test ./internal/torture/fleet -args -full              all, which takes hours
//	go test ./internal/torture/fleet -v -args -seed 17        one, and its story
//	go test ./internal/torture/fleet -args -first 51 -last 99 some others
package fleet

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/app/texts"
)

var (
	full  = flag.Bool("full", false, "as many histories as docs/reference/guarantees.md says")
	seed  = flag.Uint64("seed", 0, "play only the history of this seed")
	first = flag.Uint64("first", 1, "play the histories from this seed on")
	last  = flag.Uint64("last", 0, "play the histories up to this seed; 0: as many as there are to be")
)

// Two to five machines whose clocks are up to a year apart do what the rules
// let them do, and sync now and then: through the hub, from one to another,
// twice, at the same time, in vain, interrupted or killed. In the end everybody
// syncs, and all have the same tips; one more round moves nothing anywhere.
func TestFleet_S1_S9_everyCloneComesToTheSameTips(t *testing.T) {
	each(t, 50, 1000, func(t testing.TB, seed uint64) {
		f := play(t, seed)
		f.settle()
		f.judge()
		t.Logf("%d clones:\n  %s", len(f.clones), strings.Join(f.story, "\n  "))
	})
}

// The same history, and everybody's last syncs in two orders: what was done is
// all there both times, and comes to the same state.
func TestFleet_S2_S9_orderMakesNoDifference(t *testing.T) {
	each(t, 6, 100, func(t testing.TB, seed uint64) {
		f := play(t, seed)
		before := f.save()
		f.settle()
		f.agree()
		one := f.outcome()
		f.restore(before)
		f.tell("and again, in another order:")
		f.settle()
		f.agree()
		f.sameOutcome(one, f.outcome())
		t.Logf("%d clones:\n  %s", len(f.clones), strings.Join(f.story, "\n  "))
	})
}

// each plays the histories of some seeds, or of many in the long run.
func each(t *testing.T, some, many uint64, play func(t testing.TB, seed uint64)) {
	if *seed != 0 {
		play(t, *seed)
		return
	}
	to := *first + some - 1
	if raced {
		to = *first + some/8
	}
	if *full {
		to = *first + many - 1
	}
	if *last > 0 {
		to = *last
	}
	for i := *first; i <= to; i++ {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			play(t, i)
		})
	}
}

// play makes the history of a seed, up to where everybody syncs.
func play(t testing.TB, seed uint64) *fleet {
	f := newFleet(t, seed)
	away := pick(f, f.clones)
	f.begin()
	steps := 10 + f.dice.IntN(40)
	for i := range steps {
		c := pick(f, f.clones)
		switch {
		case f.dice.IntN(3) > 0:
			f.step(c)
		case c != away || i > steps*3/4: // one machine is away for long
			f.meet(c)
		}
	}
	f.quiet()
	return f
}

// begin lets all machines know one task that is under way.
func (f *fleet) begin() {
	ctx := context.Background()
	s := f.clones[0].service("")
	made, err := s.Tasks.Create(ctx, app.CreateRequest{
		Title: "shared", NoSwitch: true, Branch: "shared",
		Phases: []string{"One", "Two", "Three"},
	})
	if err == nil { // there is something to remark on
		_, err = s.Documents.SetDocument(ctx, made.Task.ID, texts.SetDocumentRequest{Name: "plan", Text: f.text()})
	}
	if err == nil {
		_, err = s.Work.Start(ctx, made.Task.ID, false, false)
	}
	if err == nil && f.dice.IntN(2) == 0 { // a free lock lets everybody do everything
		_, err = s.Claims.ReleaseLock(ctx, made.Task.ID)
	}
	for _, c := range f.clones {
		began := time.Now()
		if err == nil {
			_, err = c.service("").Exchange.Sync(ctx, exchange.SyncRequest{Remote: "hub"})
		}
		f.longest = max(f.longest, time.Since(began))
	}
	if err != nil {
		f.fail("begin: %v", err)
	}
}
