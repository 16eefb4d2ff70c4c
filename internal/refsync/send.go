package refsync

import (
	"context"
	"errors"
	"runtime"
	"slices"

	"github.com/git-brew/git-brew/internal/ledger"
)

const (
	// maxCuts is how many pushes in a row may end without any answer.
	maxCuts = 4
	// maxAlone is how many refs, pushed alone, a remote may refuse before all
	// others count as refused.
	maxAlone = 8
)

// sender is what is known of a remote that is pushed to.
type sender struct {
	size    int  // of the next push, in refs
	ceiling int  // what it has not yet refused
	taken   bool // it took something
	byRef   bool // it refused refs, not the push
	alone   int  // how many it refused that were pushed alone
	cuts    int  // pushes in a row that had no answer

	stop *RemoteError // why nothing more is pushed
	over bool         // nothing more in this round
	cut  *RemoteError // the last push that had no answer
	said string       // why a ref moved, the last time
}

// send pushes what the remote lacks: locks first and alone, since they decide
// who works; what frees a task behind the task; deletions when the archive is
// there.
func (x *exchange) send(ctx context.Context, items []*item) error {
	x.over = false
	var locks, others, late, gone []*item
	for _, kind := range ledger.Kinds() {
		for _, it := range items {
			switch {
			case it.kind != kind || !it.pending:
			case it.settled.There.IsZero():
				gone = append(gone, it)
			case it.settled.Late:
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
	if !x.archiveThere(ctx) {
		archive := x.items[ledger.ArchiveRef]
		for _, it := range gone {
			it.again = archive != nil && archive.again
		}
		return nil
	}
	return x.sendAll(ctx, gone)
}

// freed are those whose tasks are on the remote.
func (x *exchange) freed(late []*item) []*item {
	return slices.DeleteFunc(late, func(it *item) bool {
		task := x.items[ledger.TaskRef(it.id)]
		var large *LargeError
		if task == nil || !task.pending && (task.settled.Outcome != SetAside || errors.As(task.err, &large)) {
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
	for len(items) > 0 {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if x.stop != nil || x.over {
			for _, it := range items {
				it.again = x.stop == nil
				if x.stop != nil {
					it.err = x.stop
				}
			}
			return nil
		}
		most := x.size
		if runtime.GOOS == "windows" {
			most = min(most, maxWindows)
		}
		batch := items[:min(len(items), most)]
		leased := len(batch) <= maxLeased || slices.ContainsFunc(batch, func(it *item) bool { return it.backward })
		wants := make([]Move, len(batch))
		for i, it := range batch {
			wants[i] = Move{it.ref, it.theirs, it.settled.There}
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
	return nil
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
	x.ceiling = max(1, len(batch)/2)
	x.size = x.ceiling
	if !x.taken {
		x.size = 1
	}
	return true
}

// perRef tells whether every ref was refused for itself.
func perRef(p pushed) bool {
	return !slices.ContainsFunc(p.replies, func(r reply) bool {
		return !slices.Contains([]string{"hook declined", "deletion prohibited", nonForward}, r.reason)
	})
}
