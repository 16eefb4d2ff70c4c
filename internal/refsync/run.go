package refsync

import (
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
)

const (
	maxRounds = 10
	// maxStuck is how many rounds may change nothing.
	maxStuck = 2
	// Between two rounds it waits so long, twice as long each time, and more
	// or less by half: two clones that met must not meet again.
	firstWait = 50 * time.Millisecond
	maxWait   = 3 * time.Second
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
	Report  // without Refs

	items       map[gitstore.RefName]*item
	took        map[ledger.Kind]int // new ones
	shown       bool                // the remote showed something of ours
	done, total int                 // of this step

	open  map[gitstore.RefName]gitstore.OID // what the last round left, as the remote has it
	stuck int                               // how many rounds have met that again

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
	x := &exchange{
		repo: repo, ledger: l, o: o, records: records, Report: Report{Remote: o.Remote},
		items: map[gitstore.RefName]*item{}, took: map[ledger.Kind]int{}, sender: sender{size: maxPush},
	}
	err := x.run(ctx)
	if err == nil {
		err = x.verdict()
	}
	x.pack(ctx)
	return x.report(), err
}

func (x *exchange) run(ctx context.Context) error {
	_, err := x.o.Remote.config(ctx, x.repo)
	if err == nil {
		err = x.round(ctx)
	}
	for wait := firstWait; err == nil && x.o.Fetch && x.Rounds < maxRounds && x.stop == nil && x.unfinished(); {
		if err = x.wait(ctx, wait); err == nil {
			err = x.round(ctx)
		}
		wait = min(2*wait, maxWait)
	}
	return err
}

// unfinished reports whether the next round has to look at a record. Where round after
// round meets the same, the remote has something else than it shows.
func (x *exchange) unfinished() bool {
	open := map[gitstore.RefName]gitstore.OID{}
	for ref, it := range x.items {
		if it.again {
			open[ref] = it.theirs
		}
	}
	if x.stuck++; x.over || !maps.Equal(open, x.open) {
		x.open, x.stuck = open, 0
	}
	return len(open) > 0 && x.stuck < maxStuck
}

// round fetches, settles and pushes once.
func (x *exchange) round(ctx context.Context) error {
	x.Rounds++
	if x.o.Fetch {
		x.tell(Fetching)
		remark, err := fetch(ctx, x.repo, x.o.Remote, x.o.prefixes())
		if err != nil {
			return err
		}
		if remark != "" && !slices.Contains(x.Notes, remark) {
			x.Notes = append(x.Notes, remark)
		}
	}
	if err := x.settleAll(ctx); err != nil || !x.o.Push {
		return err
	}
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

// settleAll brings all records together, a kind after the other: what is in the archive
// now may be gone from here, and a lock that is lost leaves its trace in the task.
func (x *exchange) settleAll(ctx context.Context) error {
	work, err := x.differing(ctx)
	x.done, x.total = 0, len(work)
	for _, kind := range ledger.Kinds() {
		var batch []*item
		for _, it := range work {
			if it.kind == kind {
				batch = append(batch, it)
			}
		}
		if err != nil {
			return err
		}
		if len(batch) == 0 {
			continue
		}
		if err = x.settle(ctx, kind, batch); err == nil && x.movesOthers(kind) {
			work, err = x.differing(ctx)
		}
	}
	return err
}

// movesOthers reports whether what became of records of a kind may move other kinds':
// a task that is merged has other notes.
func (x *exchange) movesOthers(kind ledger.Kind) bool {
	return kind == ledger.KindArchive || kind == ledger.KindLock || kind == ledger.KindTask && x.o.Tasks == nil
}

// pack makes one file of refs that came by the thousand, as git gc does sooner or
// later. Where it can't be done, nothing is lost.
func (x *exchange) pack(ctx context.Context) {
	if x.o.DryRun || x.o.Tasks != nil {
		return
	}
	many := 0
	for _, it := range x.items {
		if it.Outcome == New || it.Pushed {
			many++
		}
	}
	if x.o.Fetch { // what is none of ours comes by the thousand, too
		many += len(x.Foreign)
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
func (x *exchange) sorted() []*item {
	byName := func(a, b *item) int { return strings.Compare(string(a.Ref), string(b.Ref)) }
	return slices.SortedFunc(maps.Values(x.items), byName)
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

func (x *exchange) tell(step Step) {
	if x.o.Progress != nil {
		x.o.Progress(step, x.done, x.total)
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
		if errors.As(it.Err, &failure) && refused == nil {
			refused = failure
		}
		if it.again {
			it.Err, it.Pushed, it.Pending = x.moving(), false, true
			moving = it.Err
		}
	}
	if refused != nil {
		return x.whole(refused)
	}
	return moving
}

// moving is why a record is not on the remote after all rounds.
func (x *exchange) moving() *RemoteError {
	failure := &RemoteError{Remote: x.o.Remote.Name, Kind: ErrMoving, Said: x.said}
	switch n := len(x.Notes); {
	case x.cut != nil:
		return x.cut
	case n > 0: // the fetch said that it did not show all
		failure.Said = x.Notes[n-1]
	case x.stuck >= maxStuck:
		return Hides(x.o.Remote)
	}
	return failure
}

// Hides is the error of a remote that says, time and again, that a ref is not what it
// shows.
func Hides(r Remote) *RemoteError {
	return &RemoteError{
		Remote: r.Name, Kind: ErrRefused, Why: WhyHidden,
		Said: "it has something else than it shows (uploadpack.hideRefs, receive.hideRefs, or a lock file left behind there)",
	}
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
	r := x.Report
	for _, it := range x.sorted() {
		switch {
		case it.Outcome == "": // its turn did not come
			if it.left {
				r.Left++
			}
		case errors.Is(it.Err, ErrForeign):
			r.Foreign = append(r.Foreign, it.Ref)
		case it.counted():
			r.Unchanged++
		default:
			if it.Outcome == LockConfirmed && it.Pending {
				it.Outcome = Ahead // only the remote's own answer confirms a lock
			}
			r.Refs = append(r.Refs, it.RefReport)
		}
	}
	if r.Left > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d more records are new on %s, and %d of a kind are taken at once; 'git "+
			"brew sync' takes the next", r.Left, r.Remote.Name, x.o.maxNew()))
	}
	slices.Sort(r.Foreign)
	r.Foreign = slices.Compact(r.Foreign)
	return r
}
