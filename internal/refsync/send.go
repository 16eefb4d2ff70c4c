package refsync

import (
	"context"
	"runtime"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
)

const (
	// maxCuts is how many pushes in a row may end without any answer.
	maxCuts = 4
	// maxAlone is how many refs, pushed alone, a remote may refuse before all
	// others count as refused.
	maxAlone = 8
)

type sender struct {
	size  int  // of the next push, in refs: it grows with each that was taken
	taken bool // it took something
	byRef bool // it refused refs, not the push
	alone int  // how many it refused that were pushed alone
	cuts  int  // pushes in a row that had no answer

	stop *RemoteError // why nothing more is pushed
	over bool         // nothing more in this round
	cut  *RemoteError // the last push that had no answer
	said string       // why a ref moved, the last time
}

// sendable are the records that the remote lacks and that everybody else would
// take from there, by name. What nobody would take is set aside: once it is
// there, it is in everybody's way.
func (x *exchange) sendable(ctx context.Context) ([]*item, error) {
	var sound []*item
	pending := slices.DeleteFunc(x.sorted(), func(it *item) bool { return !it.Pending || it.Err != nil })
	x.done, x.total = 0, len(pending)
	for _, it := range pending {
		if x.done%together == 0 {
			x.tell(Checking)
		}
		x.done++
		var err error
		tried := x.o.DryRun && it.there != it.ours // a merge that is not there
		if !it.goes() && it.there != it.sound && !tried {
			err = x.records.Sendable(ctx, it.Ref, it.theirs, it.there)
		}
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err != nil:
			it.setAside(err)
			continue
		case !tried:
			it.sound = it.there
		}
		sound = append(sound, it)
	}
	return sound, nil
}

// together is after how many records it is told how far a check is.
const together = 500

// send pushes what the remote lacks: locks first and alone, since they decide
// who works; what frees a task behind the task; deletions when the archive is
// there.
func (x *exchange) send(ctx context.Context, items []*item) error {
	x.over = false
	var locks, others, late, gone []*item
	for _, kind := range ledger.Kinds() {
		for _, it := range items {
			switch {
			case it.kind != kind:
			case it.goes():
				gone = append(gone, it)
			case it.late:
				late = append(late, it)
			case kind == ledger.KindLock:
				locks = append(locks, it)
			default:
				others = append(others, it)
			}
		}
	}
	x.done, x.total = 0, len(items)
	for _, part := range [][]*item{locks, others} {
		if err := x.sendAll(ctx, part); err != nil {
			return err
		}
	}
	if err := x.sendAll(ctx, x.freed(late)); err != nil {
		return err
	}
	if x.archiveThere(ctx) {
		return x.sendAll(ctx, gone)
	}
	archive := x.items[ledger.ArchiveRef]
	for _, it := range gone {
		it.again = archive != nil && archive.again
	}
	return nil
}

// freed are those whose tasks are on the remote.
func (x *exchange) freed(late []*item) []*item {
	return slices.DeleteFunc(late, func(it *item) bool {
		task := x.items[ledger.TaskRef(it.id)]
		if task == nil || task.large || !task.Pending && task.Outcome != SetAside {
			return false // what can't come holds nobody up
		}
		it.again = task.again
		return true
	})
}

// archiveThere tells whether the remote is known, from this exchange, to have
// the archive as it is here: only then may refs be deleted there.
func (x *exchange) archiveThere(ctx context.Context) bool {
	if x.o.Tasks != nil || !x.o.Fetch {
		return false
	}
	ours, err := x.ledger.Tip(ctx, ledger.ArchiveRef)
	if err != nil || ours.IsZero() {
		return false // it is set aside
	}
	seen, err := x.ledger.Tip(ctx, x.o.Remote.Seen(ledger.ArchiveRef))
	return err == nil && ours == seen
}

func (x *exchange) sendAll(ctx context.Context, items []*item) error {
	// What the connection broke over goes last, for it may break again.
	slices.SortStableFunc(items, func(a, b *item) int { return a.cuts - b.cuts })
	for len(items) > 0 && x.stop == nil && !x.over {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		most := x.size
		if runtime.GOOS == "windows" {
			most = min(most, maxWindows)
		}
		batch := items[:min(len(items), most)]
		leased := len(batch) <= maxLeased || slices.ContainsFunc(batch, func(it *item) bool { return it.backward })
		wants := make([]gitstore.Update, len(batch))
		for i, it := range batch {
			wants[i] = gitstore.Update{Ref: it.Ref, Old: it.theirs, New: it.there}
		}
		p, failure := push(ctx, x.repo, x.o.Remote, wants, leased)
		if failure == nil && x.narrow(batch, p) {
			continue
		}
		if err := x.answered(ctx, batch, wants, p); err != nil {
			return err
		}
		if failure != nil {
			return failure
		}
		items = items[len(batch):]
		for _, it := range batch {
			if it.again && it.backward && !leased {
				it.again = false
				items = append(items[:len(items):len(items)], it)
			} else {
				x.done++
			}
		}
		x.tell(Pushing)
	}
	x.leave(items)
	return nil
}

// leave puts off what is not pushed in this round, or at all.
func (x *exchange) leave(items []*item) {
	for _, it := range items {
		if it.again = x.stop == nil; !it.again {
			it.Err = x.stop
		}
	}
}

// narrow makes the next pushes smaller where a remote refused one as a whole:
// there is a ref that it does not take, or there were too many of them. As long
// as it took nothing at all, refs alone are tried first: most likely it takes
// none.
func (x *exchange) narrow(batch []*item, p pushed) bool {
	whole := p.all(Refused) && !perRef(p)
	if p.all(Unknown) {
		why, _ := whyRefused(p.words)
		whole = why == WhyLarge
	}
	if !whole || len(batch) == 1 || batch[0].goes() {
		return false
	}
	x.size = 1
	if x.taken {
		x.size = len(batch) / 2
	}
	return true
}

// perRef tells whether every ref was refused for itself.
func perRef(p pushed) bool {
	return !slices.ContainsFunc(p.replies, func(r reply) bool {
		return !slices.Contains([]string{"hook declined", "deletion prohibited", nonForward}, r.reason)
	})
}
