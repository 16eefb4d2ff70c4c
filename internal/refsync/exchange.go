package refsync

import (
	"context"
	"errors"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
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
	// Kept reports that the remote is known to keep a ref, which it has with this
	// tip, though it was asked to delete it. Nil: nothing is known.
	Kept func(ref gitstore.RefName, tip gitstore.OID) bool
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
	// Kept are the refs that the remote was asked to delete, and did not: the
	// archive counts without that.
	Kept []gitstore.Ref
	// Notes are remarks on the exchange as a whole, a line each.
	Notes []string
}
