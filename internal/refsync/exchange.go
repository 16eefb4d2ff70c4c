// Package refsync exchanges records with a git remote: fetch, settle, push,
// and again while others push meanwhile.
//
// It moves refs, and knows of a record only its name and its tips. What two tips
// of one record make together is decided by Records, which the use cases
// implement. It never reads a record, never prints, and waits for the network
// only outside the lock that all writers of a repository queue on.
//
// Glossary
//
//	remote     a configured remote of git, and the prefix that records have there
//	seen       what a remote had when it was last asked: the tracking ref
//	accept     a check of what a stranger sent, before anything is made of it
//	settle     the decision what a record's ref becomes here, and there
//	lease      a push says what it believes the remote has; it moves nothing else
//	round      one fetch, settle and push; the next one is for what moved meanwhile
package refsync

import (
	"context"
	"errors"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
)

// The reasons why a remote did not do what it was asked for (exit 6).
var (
	// ErrUnreachable: it could not be reached, or the connection broke.
	ErrUnreachable = errors.New("the remote could not be reached")
	// ErrRefused: it answered, and did not do what it was asked for.
	ErrRefused = errors.New("the remote refused")
	// ErrOccupied: a ref there has the name of a directory of ours, or stands below
	// a name of ours: it stays in the way until somebody renames it.
	ErrOccupied = errors.New("the remote refused: a name there is in the way")
	// ErrMoving: others pushed in every round.
	ErrMoving = errors.New("the remote's refs kept moving")
)

// RemoteError is a failure of a remote: Kind is one of the reasons above, Said
// what git or the remote said, one line without control characters.
type RemoteError struct {
	Remote string
	Kind   error
	Why    Why // of ErrRefused
	Said   string
}

func (e *RemoteError) Error() string {
	text := e.Remote + ": " + e.Kind.Error()
	if e.Said != "" {
		text += ": " + e.Said
	}
	return text
}

func (e *RemoteError) Unwrap() error { return e.Kind }

// Options say what to exchange.
type Options struct {
	Remote Remote
	// Tasks limits the exchange to these tasks and their locks; nil: all
	// records. The ids must be valid.
	Tasks []string
	// Locks: the remote is the arbiter, so locks are exchanged with it.
	Locks bool
	// Clones: the records of clones are exchanged too (brew.sync.events); Own
	// is this clone's, the only one that is pushed.
	Clones bool
	Own    gitstore.RefName
	// Fetch and Push say which ways; both for a sync. Without Fetch the
	// remote is taken for what it was when it was last asked, and nothing
	// goes round again.
	Fetch, Push bool
	// Seen: only what the remote had when it was last asked is looked at; what
	// is here alone, and the archive, are left for an exchange.
	Seen bool
	// DryRun fetches, and tells what would become of each record, but moves
	// no ref of ours and pushes nothing.
	DryRun bool
	// MaxNew bounds how many new records of a kind are taken over; 0: 10,000.
	// The rest is left to the next exchange; with Seen all of them are, for it is
	// in the way of whoever asked for something else.
	MaxNew int
	// Agreed is asked once, before anything is pushed: whether who shares there
	// agrees on the namespace. Its error ends the exchange. Idle: it is asked where
	// nothing is to be pushed, too. Nil: nobody needs to be asked.
	Agreed func(ctx context.Context) error
	Idle   bool
	// Keeps: the remote is known to delete no refs, and is not asked to.
	Keeps bool
	// Wait waits between rounds, and returns early when the context ends; nil
	// is a plain wait.
	Wait func(d time.Duration)
	// Progress is told, now and then, how many of how many are done; total is
	// 0 where nobody knows.
	Progress func(step Step, done, total int)
}

// Step is what an exchange is at.
type Step string

// The steps, in their order.
const (
	Fetching Step = "fetching"
	Settling Step = "merging"
	Checking Step = "checking"
	Pushing  Step = "pushing"
)

// RefReport is what became of one record.
type RefReport struct {
	Ref     gitstore.RefName
	Outcome Outcome
	// Pushed: the remote has it now, as it is here.
	Pushed bool
	// Deleted: the remote had it, and has it no more.
	Deleted bool
	// Pending: the remote is to have it, or to have it no more, and does not
	// yet: a later exchange begins there.
	Pending bool
	Notes   []string
	// Err is why it was set aside, or refused there (*RemoteError).
	Err error
}

// Report is what an exchange did, the refs in the order of their names; refs
// that were the same on both sides are only counted.
type Report struct {
	Remote    Remote
	Rounds    int
	Unchanged int
	Refs      []RefReport
	// Foreign are names, here or there, that no record can have. They are
	// left alone.
	Foreign []gitstore.RefName
	// Left counts the new records that are left to the next exchange.
	Left int
	// Kept counts the refs that the remote was asked to delete, and did not: the
	// archive counts without that.
	Kept int
	// Notes are remarks on the exchange as a whole, a line each.
	Notes []string
}

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
