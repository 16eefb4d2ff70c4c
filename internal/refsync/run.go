package refsync

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/safego"
)

const (
	defaultRounds = 10
	// Between two rounds it waits so long, twice as long each time, and more
	// or less by half: two clones that met must not meet again.
	firstWait = 50 * time.Millisecond
	maxWait   = 3 * time.Second
	// maxNamed is how many refs a fetch of a later round names; it fetches
	// all where there are more.
	maxNamed = 200
	// manyRefs is how many refs have to come or go for git to pack them: as
	// files of their own they make every later fetch and listing slow.
	manyRefs = 1000
)

// exchange is one exchange under way.
type exchange struct {
	repo    *gitstore.Repo
	ledger  *ledger.Ledger
	o       Options
	records Records

	items     map[gitstore.RefName]*item
	unchanged int
	left      int // new ones, left to the next exchange
	rounds    int
	foreign   []gitstore.RefName
	notes     []string
	shown     bool           // the remote showed something of ours
	kept      []gitstore.Ref // what it did not delete

	sender
}

// Run exchanges records with a remote: it fetches, settles what is not the same
// here and there, pushes what the remote lacks, and goes round again for what
// moved there meanwhile.
//
// The report is whole whatever the error is: what is done is done, and what the
// remote still lacks is Pending. The error is a *RemoteError where the remote
// could not be reached, refused a ref or kept moving; the context's cause where
// that ended; else of this repository. A record that is set aside is no error.
func Run(ctx context.Context, repo *gitstore.Repo, l *ledger.Ledger, o Options, records Records) (Report, error) {
	x := &exchange{repo: repo, ledger: l, o: o, records: records, items: map[gitstore.RefName]*item{}, sender: newSender()}
	err := x.run(ctx)
	if err == nil {
		err = x.verdict()
	}
	x.pack(ctx)
	return x.report(), err
}

func (x *exchange) run(ctx context.Context) error {
	if err := x.check(ctx); err != nil {
		return err
	}
	rounds := x.o.Rounds
	if rounds == 0 {
		rounds = defaultRounds
	}
	if !x.o.Fetch {
		rounds = 1
	}
	err := x.round(ctx, nil)
	for wait := firstWait; err == nil && x.rounds < rounds && x.stop == nil &&
		len(x.moved()) > 0; wait = min(2*wait, maxWait) {
		if err = x.wait(ctx, wait); err == nil {
			err = x.round(ctx, x.moved())
		}
	}
	return err
}

func (x *exchange) check(ctx context.Context) error {
	config, err := x.repo.Config.Read(ctx)
	if err != nil {
		return err
	}
	return x.o.Remote.check(ctx, config)
}

// moved are the records that have to be looked at again, and those that they
// depend on.
func (x *exchange) moved() []gitstore.RefName {
	var names []gitstore.RefName
	for _, it := range x.items {
		if !it.again {
			continue
		}
		names = append(names, it.ref)
		if it.kind == ledger.KindLock {
			names = append(names, ledger.TaskRef(it.id))
		}
	}
	if len(names) > 0 && x.o.Tasks == nil {
		names = append(names, ledger.ArchiveRef)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// round fetches, settles and pushes once: the records named, or all.
func (x *exchange) round(ctx context.Context, names []gitstore.RefName) error {
	x.rounds++
	work, err := x.differing(ctx, names, x.o.Fetch)
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(work, isArchive); i >= 0 {
		if err := x.settle(ctx, work[i:i+1]); err != nil {
			return err
		}
		// What is in the archive now may be gone from here.
		if work, err = x.differing(ctx, names, false); err != nil {
			return err
		}
		work = slices.DeleteFunc(work, isArchive)
	}
	if err := x.settle(ctx, work); err != nil {
		return err
	}
	if !x.o.Push {
		return nil
	}
	x.leaveKept()
	pending, err := x.sendable(ctx)
	if err != nil || x.o.DryRun {
		return err
	}
	if x.o.Agreed != nil && (x.o.Idle || len(pending) > 0) {
		if err := x.o.Agreed(ctx); err != nil {
			return err
		}
		x.o.Agreed = nil
	}
	return x.send(ctx, pending)
}

func isArchive(it *item) bool { return it.kind == ledger.KindArchive }

// differing are the records, of those named or of all, that are to be settled.
// While git waits for the remote, the refs here are listed.
func (x *exchange) differing(ctx context.Context, names []gitstore.RefName, ask bool) ([]*item, error) {
	var ours []gitstore.Ref
	var asking error
	var here safego.Group
	here.Go(func() (err error) {
		ours, err = x.ours(ctx, names)
		return err
	})
	if ask {
		asking = x.fetch(ctx, names)
	}
	listing := here.Wait()
	if err := cmp.Or(asking, listing); err != nil {
		return nil, err
	}
	l, err := x.list(ctx, names, ours)
	if err != nil {
		return nil, err
	}
	if names == nil {
		x.unchanged, x.foreign = l.unchanged, l.foreign
	}
	listed := map[gitstore.RefName]bool{}
	var work []*item
	for _, fresh := range l.items {
		listed[fresh.ref] = true
		it := x.items[fresh.ref]
		if it == nil {
			it = fresh
			x.items[it.ref] = it
		}
		it.ours, it.theirs = fresh.ours, fresh.theirs
		if fresh.settled.Outcome == SetAside {
			it.setAside(fresh.err)
			continue
		}
		work = append(work, it)
	}
	for _, name := range names {
		if it := x.items[name]; it != nil && it.again && !listed[name] {
			it.vanished()
		}
	}
	return work, nil
}

// pack makes one file of refs that came by the thousand, as git gc does sooner or
// later. Where it can't be done, nothing is lost.
func (x *exchange) pack(ctx context.Context) {
	if x.o.DryRun || x.o.Tasks != nil {
		return
	}
	many := 0
	for _, it := range x.items {
		if it.settled.Outcome == New || it.pushed {
			many++
		}
	}
	if x.o.Fetch { // what is none of ours comes by the thousand, too
		many += x.repo.Refs.CountLoose(ledger.TrackingPrefix(x.o.Remote.Name), manyRefs-many)
	}
	config, err := x.repo.Config.Read(ctx)
	if many < manyRefs || err != nil {
		return
	}
	args := []string{"pack-refs", "--all"}
	if value, _ := config.Get("core.fsync"); value != "none" {
		args = append([]string{"-c", "core.fsync=committed"}, args...)
	}
	_, _ = x.repo.Git.Run(ctx, args...)
}

// sorted are the records that differ, or did, by name.
func (x *exchange) sorted() []*item { return slices.SortedFunc(maps.Values(x.items), byName) }

func byName(a, b *item) int { return strings.Compare(string(a.ref), string(b.ref)) }

func (x *exchange) fetch(ctx context.Context, names []gitstore.RefName) error {
	patterns := x.o.patterns()
	if len(names) > 0 && len(names) <= maxNamed {
		patterns = patterns[:0]
		for _, name := range names {
			patterns = append(patterns, name+anything)
		}
	}
	x.tell(Fetching, 0, 0)
	remark, err := fetch(ctx, x.repo, x.o.Remote, patterns)
	if remark != "" && !slices.Contains(x.notes, remark) {
		x.notes = append(x.notes, remark)
	}
	return err
}

func (x *exchange) wait(ctx context.Context, d time.Duration) error {
	d = d/2 + rand.N(d)
	if x.o.Wait == nil {
		return pause(ctx, d)
	}
	x.o.Wait(d)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

func (x *exchange) tell(step Step, done, total int) {
	if x.o.Progress != nil {
		x.o.Progress(step, done, total)
	}
}

// verdict is the error of an exchange that went to its end.
func (x *exchange) verdict() error {
	if x.stop != nil {
		return x.whole(x.stop)
	}
	var refused *RemoteError
	var moving error
	for _, it := range x.sorted() {
		var failure *RemoteError
		if errors.As(it.err, &failure) && refused == nil {
			refused = failure
		}
		if it.again {
			failure := x.cut
			if failure == nil {
				failure = &RemoteError{Remote: x.o.Remote.Name, Kind: ErrMoving, Said: x.said}
			}
			it.err, moving = failure, failure
		}
	}
	if refused != nil {
		return x.whole(refused)
	}
	return moving
}

// whole says of a refusal that no name of ours is taken, where it was one of refs and
// the remote has nothing of ours.
func (x *exchange) whole(failure *RemoteError) *RemoteError {
	if x.byRef && !x.taken && !x.shown && x.o.Fetch && x.o.Tasks == nil {
		failure.noName(x.o.Remote)
	}
	return failure
}

func (x *exchange) report() Report {
	r := Report{
		Remote: x.o.Remote, Rounds: x.rounds, Unchanged: x.unchanged, Foreign: x.foreign, Left: x.left,
		Kept: x.kept, Notes: x.notes,
	}
	if x.left > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d more records are new on %s, and %d of a kind are taken at once; 'git "+
			"brew sync' takes the next",
			x.left, x.o.Remote.Name, x.maxNew()))
	}
	for _, it := range x.sorted() {
		switch {
		case errors.Is(it.err, ErrForeign):
			r.Foreign = append(r.Foreign, it.ref)
		case it.counted():
			r.Unchanged++
		default:
			r.Refs = append(r.Refs, it.report())
		}
	}
	slices.Sort(r.Foreign)
	r.Foreign = slices.Compact(r.Foreign)
	return r
}
