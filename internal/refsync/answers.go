package refsync

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/ledger"
)

// answered notes what the remote said to a push.
func (x *exchange) answered(ctx context.Context, batch []*item, wants []gitstore.Update, p pushed) error {
	if p.all(Unknown) {
		x.unanswered(ctx, batch, p)
		return nil
	}
	var have []gitstore.Update
	for i, it := range batch {
		w, r := wants[i], p.replies[i]
		switch r.answer {
		case Pushed, UpToDate:
			if it.kind == ledger.KindLock && (r.answer == UpToDate || it.Outcome == LockConfirmed) && x.o.Fetch {
				it.again = true // whose it is, a fetch tells
				continue
			}
			// Does it show what it took?
			it.again = x.o.Fetch && !it.goes() && (!x.shown || r.answer == UpToDate && it.theirs.IsZero())
			it.theirs, it.Pending, it.Pushed, it.Deleted = w.New, false, !w.New.IsZero(), w.New.IsZero()
			have = append(have, w)
		case Moved:
			it.backward = r.reason == nonForward
			it.again, x.said = true, x.o.Remote.refused(r.reason, p.words).Said
		case Refused:
			x.refused(it, x.o.Remote.refused(r.reason, p.words), len(batch) == 1)
		case Unknown:
			it.again = true
		}
	}
	if len(have) == 0 {
		return nil
	}
	x.taken, x.cuts = true, 0
	if len(batch) == x.size {
		x.size = min(2*x.size, maxPush)
	}
	return setSeen(ctx, x.repo, x.o.Remote, have)
}

// refused notes that the remote does not take a record. What it refused alone may have
// been the reason why it refused others.
func (x *exchange) refused(it *item, failure *RemoteError, alone bool) {
	switch {
	case it.goes() && failure.keeps():
		x.keep(it)
	case alone && failure.Why == WhyLarge:
		x.tooLarge(it, failure)
	default:
		x.byRef, it.Err = true, failure
		if !alone {
			return
		}
		x.alone++
		if !x.taken && x.alone > 1 || x.alone >= maxAlone {
			x.stop = failure
		}
	}
}

func (x *exchange) keep(it *item) {
	it.Pending, it.again = false, false
	x.Kept++
}

// tooLarge sets a record aside that alone is more than the remote takes at once. The
// others go.
func (x *exchange) tooLarge(it *item, failure *RemoteError) {
	it.setAside(fmt.Errorf("%w for %s (%s); ask who runs it to take more at once", gitstore.ErrTooLarge, failure.Remote,
		failure.Said))
	it.large = true
}

// isLarge reports that the remote lacks so much of a record that it may hang up for that.
func (x *exchange) isLarge(ctx context.Context, it *item) bool {
	const small = 100_000 // bytes, as they are stored here
	args := []string{"rev-list", "--objects", "--disk-usage", it.there.String()}
	if !it.theirs.IsZero() {
		args = append(args, "^"+it.theirs.String())
	}
	out, err := x.repo.Git.Run(ctx, args...)
	size, _ := strconv.Atoi(strings.TrimSpace(string(out)))
	return err == nil && size > small
}

// unanswered looks at a push that had no answer at all.
func (x *exchange) unanswered(ctx context.Context, batch []*item, p pushed) {
	failure := x.o.Remote.failure(p.words)
	first, alone := batch[0], len(batch) == 1
	if alone {
		first.cuts++
	}
	switch {
	case failure.keeps() && first.goes():
		for _, it := range batch {
			x.keep(it)
		}
		return
	case errors.Is(failure, ErrRefused) && !(alone && failure.Why == WhyLarge), gone(p.words):
		x.stop = failure
	case alone && (failure.Why == WhyLarge || (x.taken || x.shown) && first.cuts > 1 && x.isLarge(ctx, first)):
		// A server that takes no more may answer by hanging up.
		x.tooLarge(first, failure)
		x.cuts = 0
		return
	default:
		// The connection broke: a fetch tells what has arrived, and less is
		// sent next time.
		x.cut, x.over = failure, true
		x.size = max(1, len(batch)/16)
		if x.cuts++; x.cuts >= maxCuts {
			x.stop = failure
		}
	}
	x.leave(batch)
}

// Answer is what a remote said to the push of one ref.
type Answer string

const (
	// Pushed: the remote moved the ref from the old value to the new one, for
	// us.
	Pushed Answer = "pushed"
	// UpToDate: it had the new value before we came. For a lock that is no
	// win: a fetch has to tell whose it is.
	UpToDate Answer = "up to date"
	// Moved: the remote has another value than the lease said.
	Moved Answer = "moved"
	// Refused: it does not take the ref.
	Refused Answer = "refused"
	// Unknown: the connection broke before the remote told.
	Unknown Answer = "unknown"
)

// nonForward is git's word for a ref that would not go forward, staleInfo for
// one that is not what a lease says.
const (
	nonForward = "non-fast-forward"
	staleInfo  = "stale info"
)

type reply struct {
	answer Answer
	reason string
}

// replies reads what `git push --porcelain` printed, by the names on the
// remote: a line "<flag>\t<from>:<to>\t<summary>" a ref.
func replies(out string) map[gitstore.RefName]reply {
	found := map[gitstore.RefName]reply{}
	for line := range strings.Lines(out) {
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 3)
		if len(fields) != 3 || len(fields[0]) != 1 {
			continue
		}
		_, to, ok := strings.Cut(fields[1], ":")
		if !ok {
			continue
		}
		found[gitstore.RefName(to)] = replyOf(fields[0][0], fields[2])
	}
	return found
}

func replyOf(flag byte, summary string) reply {
	switch flag {
	case ' ', '+', '*', '-':
		return reply{answer: Pushed}
	case '=':
		return reply{answer: UpToDate}
	}
	status, reason, _ := strings.Cut(summary, " (")
	reason = invisible.Cut(printable(strings.TrimSuffix(reason, ")")), maxSaid)
	switch {
	case status == "[remote failure]":
		return reply{Unknown, reason}
	case status == "[rejected]", contains(strings.ToLower(reason), movedWords):
		return reply{Moved, reason}
	}
	return reply{Refused, reason}
}

// inTheWay are git's words about a ref that can't be made beside another one, whose
// name is a directory of its own, or the other way round.
const inTheWay = "exists; cannot create '"

// occupied is the line among messages that says so of a ref of the remote's; ""
// where there is none.
func occupied(messages string, there gitstore.RefName) string {
	for line := range strings.Lines(messages) {
		if strings.Contains(line, inTheWay+string(there)+"'") {
			_, cause, _ := strings.Cut(printable(line), "': ")
			return invisible.Cut(cause, maxSaid)
		}
	}
	return ""
}
