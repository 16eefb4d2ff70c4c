package refsync

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
)

// LargeError says that a record, as it is here, is more than the remote takes at
// once. It is set aside, and the others go.
type LargeError struct {
	Remote string
	// Size is what the remote lacks of it, in bytes; 0 where nobody can tell.
	Size int64
	Said string
}

func (e *LargeError) Error() string {
	size := ""
	if e.Size > 0 {
		size = fmt.Sprintf(" with its %d kB", (e.Size+999)/1000)
	}
	return fmt.Sprintf("too large for %s%s (%s); ask who runs it to take more at once", e.Remote, size, e.Said)
}

// answered notes what the remote said to a push.
func (x *exchange) answered(ctx context.Context, batch []*item, wants []Move, p pushed) error {
	if p.all(Unknown) {
		x.unanswered(ctx, batch, p)
		return nil
	}
	var have []Move
	for i, it := range batch {
		w, r := wants[i], p.replies[i]
		switch r.answer {
		case Pushed, UpToDate:
			if w.Old.IsZero() && it.doubted(w.Old) > 1 && r.answer == UpToDate { // it took it, and a fetch shows nothing
				it.err, it.again, it.pushed = x.unseen(), false, false
				continue
			}
			if it.kind == ledger.KindLock && (r.answer == UpToDate || it.settled.Outcome == LockConfirmed) && x.o.Fetch {
				it.again = true // whose it is, a fetch tells
				continue
			}
			// Does it show what it took?
			it.again = x.o.Fetch && !it.goes() && (!x.shown || r.answer == UpToDate && it.theirs.IsZero())
			it.theirs, it.pending, it.pushed, it.deleted = w.New, false, !w.New.IsZero(), w.New.IsZero()
			have = append(have, w)
		case Moved:
			if it.backward = r.reason == nonForward; it.backward {
				it.doubts = 0
			} else if it.doubted(w.Old) > maxDoubts {
				it.err = x.unseen()
				continue
			}
			it.again, x.said = true, x.o.Remote.refused(r.reason, p.words).Said
		case Refused:
			x.refused(ctx, it, x.o.Remote.refused(r.reason, p.words), len(batch) == 1)
		case Unknown:
			it.again = true
		}
	}
	if len(have) == 0 {
		return nil
	}
	x.taken, x.cuts = true, 0
	if len(batch) == x.size {
		x.size = x.ceiling
	}
	return setSeen(ctx, x.repo, x.o.Remote, have)
}

// maxDoubts is how often a remote may have something else than a fetch showed: then it
// shows its pushers something else.
const maxDoubts = 2

// refused notes that the remote does not take a record. What it refused alone may have
// been the reason why it refused others.
func (x *exchange) refused(ctx context.Context, it *item, failure *RemoteError, alone bool) {
	switch {
	case it.goes() && failure.keeps():
		x.keep(it)
	case alone && failure.Why == WhyLarge:
		x.tooLarge(ctx, it, failure)
	default:
		x.byRef, it.err = true, failure
		if !alone {
			return
		}
		x.alone++
		if !x.taken && x.alone > 1 || x.alone >= maxAlone {
			x.stop = failure
			return
		}
		x.enlarge()
	}
}

// leaveKept asks for nothing that was refused before: refs that the remote was asked to
// delete, and did not.
func (x *exchange) leaveKept() {
	for _, it := range x.items {
		if it.pending && it.goes() && x.o.Kept != nil && x.o.Kept(it.ref, it.theirs) {
			it.pending, it.settled.Outcome = false, Unchanged
		}
	}
}

// keep notes that the remote did not delete a ref.
func (x *exchange) keep(it *item) {
	it.pending, it.again = false, false
	x.kept = append(x.kept, gitstore.Ref{Name: it.ref, OID: it.theirs})
}

// tooLarge sets a record aside that alone is more than the remote takes.
func (x *exchange) tooLarge(ctx context.Context, it *item, failure *RemoteError) {
	it.setAside(&LargeError{Remote: failure.Remote, Size: x.sizeOf(ctx, it), Said: failure.Said})
	x.enlarge()
}

// brokeAgain notes that the connection broke while nothing but it was pushed, and
// reports whether that looks like a server that takes no more: some answer by hanging
// up. What is small was cut off by something else.
func (it *item) brokeAgain(size int64) bool {
	const small = 100_000
	it.cuts++
	return it.cuts > 1 && size > small
}

// sizeOf is how many bytes the remote lacks of a record, as they are stored here; 0
// where git can't tell.
func (x *exchange) sizeOf(ctx context.Context, it *item) int64 {
	args := []string{"rev-list", "--objects", "--disk-usage", it.settled.There.String()}
	if !it.theirs.IsZero() {
		args = append(args, "^"+it.theirs.String())
	}
	out, err := x.repo.Git.Run(ctx, args...)
	if err != nil {
		return 0
	}
	size, _ := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	return size
}

// enlarge goes back to large pushes, once what was too large is out of the way.
func (x *exchange) enlarge() {
	if x.taken {
		x.size, x.ceiling = maxPush, maxPush
	}
}

// unseen is why a ref can't be pushed that has another value there, each time,
// than the last fetch showed.
func (x *exchange) unseen() *RemoteError {
	if n := len(x.notes); n > 0 { // the fetch said that it did not show all
		return &RemoteError{Remote: x.o.Remote.Name, Kind: ErrMoving, Said: x.notes[n-1]}
	}
	return Hides(x.o.Remote)
}

// Hides is the error of a remote that says, time and again, that a ref is not what it
// shows.
func Hides(r Remote) *RemoteError {
	return &RemoteError{Remote: r.Name, Kind: ErrRefused, Why: WhyHidden, Said: hidden}
}

// hidden is why a remote always has something else than it shows.
const hidden = "it has something else than it shows (uploadpack.hideRefs, receive.hideRefs, or a lock file left " +
	"behind there)"

// unanswered looks at a push that had no answer at all.
func (x *exchange) unanswered(ctx context.Context, batch []*item, p pushed) {
	failure := x.o.Remote.failure(p.words)
	first, alone := batch[0], len(batch) == 1
	switch {
	case failure.keeps() && first.goes():
		for _, it := range batch {
			x.keep(it)
		}
		return
	case alone && failure.Why == WhyLarge:
		x.tooLarge(ctx, first, failure)
		return
	case errors.Is(failure, ErrRefused), gone(p.words):
		x.stop = failure
	case alone && first.brokeAgain(x.sizeOf(ctx, first)):
		x.tooLarge(ctx, first, failure)
		x.cuts = 0
		return
	default:
		// The connection broke: a fetch tells what has arrived, and less is
		// sent next time.
		x.cut, x.over = failure, true
		x.size = max(1, len(batch)/16)
		x.ceiling = x.size
		if x.cuts++; x.cuts >= maxCuts {
			x.stop = failure
		}
	}
	for _, it := range batch {
		if it.again = x.stop == nil; !it.again {
			it.err = x.stop
		}
	}
}
