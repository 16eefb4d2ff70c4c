package refsync

import (
	"context"
	"errors"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
)

// Records is what the exchange needs to know of records: the use cases say what
// is made of what a remote has.
type Records interface {
	// Accept checks what the remote has before anything is made of it: theirs
	// is what a stranger sent, which may be any kind of object. Ours is the
	// tip here, zero for none. It is called outside the writers' lock and may
	// read all of a history. An error sets this ref aside, and the others go
	// on; ErrForeign says that no record can have this name.
	Accept(ctx context.Context, ref gitstore.RefName, ours, theirs gitstore.OID) error
	// Settle decides, inside a change, what becomes of a record that is not
	// the same here and there. Zero ids: absent. Ours is read inside the
	// change. It stages every move of a local ref itself. An error sets this
	// ref aside: the change starts again without it. It may be called again
	// for the same ref, in the same exchange, and is for one change at a time.
	Settle(ctx context.Context, tx *ledger.Tx, remote Remote, ref gitstore.RefName, ours, theirs gitstore.OID) (Settlement,
		error)
	// Sendable checks what the remote is to have, there, as everybody else will
	// who takes it from there: theirs is what it has, zero for nothing. It is
	// called outside the writers' lock. An error keeps this record here, set
	// aside, and the others go.
	Sendable(ctx context.Context, ref gitstore.RefName, theirs, there gitstore.OID) error
}

// ErrForeign is what Accept and Settle return for a name that no record can
// have, such as a task's whose id is none: it is left alone, here and there.
var ErrForeign = errors.New("no record has such a name")

// Settlement is what became of one record.
type Settlement struct {
	// Outcome is how the two sides related.
	Outcome Outcome
	// There is what the remote is to have now; zero: nothing, the ref is to
	// be deleted there. The same as what it has: nothing is pushed.
	There gitstore.OID
	// Late: it is pushed behind everything else, and not before its task is
	// there. A lock that was released is: whoever takes it must find what was
	// done under it, or that would be void.
	Late bool
	// Notes are remarks for the person, a line each.
	Notes []string
}

// Outcome names how a record here and on the remote related before they were
// brought together.
type Outcome string

// The outcomes, as sync's JSON has them.
const (
	Unchanged     Outcome = "unchanged"      // the same on both sides
	New           Outcome = "new"            // only there: taken over
	Ahead         Outcome = "ahead"          // only here, or here with more: to push
	FastForwarded Outcome = "fast-forwarded" // there with more: taken over
	Merged        Outcome = "merged"         // each had what the other had not
	Archived      Outcome = "archived"       // there as live, here long in the archive
	LockConfirmed Outcome = "confirmed"      // a lock that was claimed here is the remote's too
	LockLost      Outcome = "lost"           // a lock that was claimed here is somebody else's
	SetAside      Outcome = "set-aside"      // one side's is not fit to be taken by the other; nothing changed
)
