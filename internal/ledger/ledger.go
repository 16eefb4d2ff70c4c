package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger/cache"
	"github.com/git-brew/git-brew/internal/operation"
)

// Ledger reads and changes the records of one repository. It is for one
// goroutine at a time. Its exported fields are set before anything is changed.
type Ledger struct {
	Cache *cache.Cache // of what was made of the records

	// May refuses every change, and every dry run of one, before anything is read for
	// it; nil: everybody may. RunDry changes nothing, and asks nobody.
	May func(context.Context) error
	// Screen looks at the payload of an operation that is to be made here, whoever makes
	// it, and gives the one that is made, or refuses it; nil: what comes is made.
	// Operations that come from elsewhere are as they are.
	Screen func(kind operation.Kind, payload json.RawMessage) (json.RawMessage, error)
	// DryRun: no change is written.
	DryRun bool
	// Patience says that nobody is there who could unlock a key: a hook, an agent, a
	// process in the background. Operations are then signed if that takes no question,
	// and no longer than this in all; else they go without. Zero: somebody is there.
	Patience time.Duration
	// Remember is for a program that goes on changing a record: what it read or wrote is
	// not read, and its trees are not written, once more. Nobody may change in place what
	// Load gives then.
	Remember bool

	repo   *gitstore.Repo
	now    func() time.Time
	random io.Reader
	listed directories // see Tx.Directories
	limits limits
	memory memory

	patienceEnds *time.Timer // nil before the first signature
	unsigned     bool        // operations go unsigned
}

// New returns the ledger of repo. Now stamps commits and operations; random
// names operations (crypto/rand where nil).
func New(repo *gitstore.Repo, now func() time.Time, random io.Reader) *Ledger {
	return &Ledger{
		Cache: cache.New(repo, now, prefix), repo: repo, now: now, random: random, limits: defaultLimits(),
	}
}

// Repo is the repository that the records are in.
func (l *Ledger) Repo() *gitstore.Repo { return l.repo }

// InNobodysName lets do change records for nobody, as where others' are taken over:
// nobody is asked.
func (l *Ledger) InNobodysName(do func()) {
	defer func(may func(context.Context) error) { l.May = may }(l.May)
	l.May = nil
	do()
}

// Tx is a change under way: objects to write, and refs to move from the values
// that were read. Nothing is visible before all of it is durable.
type Tx struct {
	l      *Ledger
	w      *gitstore.Writer
	old    map[gitstore.RefName]gitstore.OID
	new    map[gitstore.RefName]gitstore.OID
	order  []gitstore.RefName
	*blobs                                   // what folds may want
	before []func(ctx context.Context) error // right before the refs move, if any does
	after  []func(ctx context.Context)
	// snapshots are written before that.
	snapshots []func(ctx context.Context)
	staged    map[gitstore.OID]gitstore.Commit
	trees     []gitstore.OID      // of states, that are to be written
	author    *gitstore.Signature // once somebody asked
	mending   bool                // trees that are damaged count as empty

	dryRun bool               // nothing of it is written
	broken []gitstore.RefName // that Anew takes the place of

	acts map[gitstore.RefName]operation.ID // the first operation on each task
}

// Reading is a change that nothing comes of: for who reads as a change does.
func (l *Ledger) Reading(ctx context.Context) *Tx { return newTx(ctx, l) }

func newTx(ctx context.Context, l *Ledger) *Tx {
	w := l.repo.Objects.NewWriter()
	w.Stored = l.memory.trees
	return &Tx{
		l: l, w: w,
		old:   map[gitstore.RefName]gitstore.OID{},
		new:   map[gitstore.RefName]gitstore.OID{},
		blobs: newBlobs(ctx, l), staged: map[gitstore.OID]gitstore.Commit{},
		acts: map[gitstore.RefName]operation.ID{},
	}
}

func (tx *Tx) commit(ctx context.Context) error {
	if err := tx.dropBroken(ctx); err != nil {
		return err
	}
	var updates []gitstore.Update
	for _, ref := range tx.order {
		if tx.old[ref] != tx.new[ref] {
			updates = append(updates, gitstore.Update{Ref: ref, Old: tx.old[ref], New: tx.new[ref]})
		}
	}
	if len(updates) == 0 {
		return nil
	}
	for _, f := range tx.before {
		if err := f(ctx); err != nil {
			return err
		}
	}
	err := tx.l.repo.Publish(ctx, tx.w, updates...)
	if tx.l.Remember {
		tx.l.memory.wrote(tx.trees, err)
	}
	for _, u := range updates { // some may have moved even so
		if _, isTask := TaskOf(u.Ref); isTask && u.Old.IsZero() != u.New.IsZero() {
			tx.l.Cache.ForgetNames()
			break
		}
	}
	return err
}

// Tip is the ref's commit as this change has it: staged, else in the
// repository. Zero: no such ref.
func (tx *Tx) Tip(ctx context.Context, ref gitstore.RefName) (gitstore.OID, error) {
	if oid, ok := tx.new[ref]; ok {
		return oid, nil
	}
	oid, err := tx.l.Tip(ctx, ref)
	if err != nil {
		return oid, err
	}
	tx.old[ref], tx.new[ref] = oid, oid
	tx.order = append(tx.order, ref)
	return oid, nil
}

// Anew makes a ref that can't be read (*gitstore.BrokenRefError) count as one
// that is not there. If it moves, what stands there now goes.
func (tx *Tx) Anew(ref gitstore.RefName) error {
	if _, known := tx.new[ref]; known {
		return fmt.Errorf("ref %q was read before", ref)
	}
	tx.old[ref], tx.new[ref] = gitstore.OID{}, gitstore.OID{}
	tx.order, tx.broken = append(tx.order, ref), append(tx.broken, ref)
	return nil
}

// dropBroken clears the way for the refs that Anew was called for: git refuses
// to move them. Whatever older value is packed shows then, and is moved from.
func (tx *Tx) dropBroken(ctx context.Context) error {
	for _, ref := range tx.broken {
		if tx.new[ref].IsZero() {
			continue
		}
		if err := tx.l.repo.Refs.DropBroken(ctx, ref); err != nil {
			return err
		}
		var err error
		if tx.old[ref], err = tx.l.Tip(ctx, ref); err != nil {
			return err
		}
	}
	return nil
}

// Move stages the ref's new tip; the zero id deletes it.
func (tx *Tx) Move(ctx context.Context, ref gitstore.RefName, to gitstore.OID) error {
	if _, err := tx.Tip(ctx, ref); err != nil {
		return err
	}
	tx.new[ref] = to
	return nil
}

// After runs f once the change is durable. F must not fail it: what f does
// (caches, conveniences) can be done again.
func (tx *Tx) After(f func(ctx context.Context)) { tx.after = append(tx.after, f) }

// Snapshot writes what brief says as the snapshot of the record at ref, once the
// change is durable, before what After runs. Of a record that moves several times the
// last one counts, and only that is asked for.
func (tx *Tx) Snapshot(ref gitstore.RefName, tip gitstore.OID, brief func() any) {
	tx.snapshots = append(tx.snapshots, func(context.Context) {
		if tip == tx.new[ref] {
			tx.l.Cache.Store(ref, tip, brief())
		}
	})
}

// Ledger is the one that this changes.
func (tx *Tx) Ledger() *Ledger { return tx.l }

// Writer takes the objects of this change. Blobs that folds may want are Blob's.
func (tx *Tx) Writer() *gitstore.Writer { return tx.w }

// Blob stages a text and returns its id.
func (tx *Tx) Blob(data []byte) gitstore.OID {
	oid := tx.w.Blob(data)
	tx.made[oid.String()] = data
	return oid
}

// ReadBlob reads a blob, staged or, of so many bytes at most, stored.
func (tx *Tx) ReadBlob(ctx context.Context, oid gitstore.OID, limit int64) ([]byte, error) {
	if data, ok := tx.made[oid.String()]; ok {
		return data, nil
	}
	return tx.l.repo.Objects.UpTo(limit).Blob(ctx, oid)
}

// Tip is the commit that ref points to; zero where there is none.
func (l *Ledger) Tip(ctx context.Context, ref gitstore.RefName) (gitstore.OID, error) {
	oid, err := l.repo.Refs.Get(ctx, ref)
	if errors.Is(err, gitstore.ErrNotExist) {
		return gitstore.OID{}, nil
	}
	return oid, err
}

// Blob reads a blob by its id as text has it.
func (l *Ledger) Blob(ctx context.Context, oid string) ([]byte, error) {
	id, err := gitstore.ParseOID(oid)
	if err != nil {
		return nil, err
	}
	return l.repo.Objects.Blob(ctx, id)
}
