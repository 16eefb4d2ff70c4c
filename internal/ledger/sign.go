package ledger

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// Operations are signed where the person signs commits; all else under our refs
// is not: a merge must be the same commit everywhere, and locks, notes and the
// clone's own record say nothing that anybody would have to answer for.

// Unattended says that nobody is there who could unlock a key: a hook, an
// agent, a process in the background. Operations are then signed if that takes
// no question, and no longer than patience; else they go without.
func (l *Ledger) Unattended(patience time.Duration) { l.patience = patience }

// stageOperation adds the commit of an operation.
func (tx *Tx) stageOperation(ctx context.Context, tree gitstore.OID, message string, tip gitstore.OID) (gitstore.OID, error) {
	signs, err := tx.l.repo.Signs(ctx)
	if err != nil || !signs {
		return tx.stage(ctx, tree, message, tip)
	}
	c, err := tx.commitOf(ctx, tree, message, tip)
	if err != nil {
		return tip, err
	}
	var oid gitstore.OID
	switch {
	case tx.l.patience > 0:
		oid = tx.signQuickly(ctx, c)
	case tx.turn == notNow:
		tx.toSign = true
	default:
		if oid, err = tx.w.SignedCommit(ctx, c, 0); err != nil {
			return tip, err
		}
		_ = os.Remove(tx.l.restPath()) // the key is at hand
	}
	if oid.IsZero() {
		oid = tx.w.Commit(c)
	}
	tx.staged[oid] = c
	return oid, nil
}

// signQuickly gives the zero id where a commit can't be signed without a person,
// or in time.
func (tx *Tx) signQuickly(ctx context.Context, c gitstore.Commit) gitstore.OID {
	l := tx.l
	if l.signingEnds == nil {
		l.signingEnds = time.NewTimer(l.patience)
		l.resting = l.rests()
	}
	select {
	case <-l.signingEnds.C:
		l.resting = true // the patience is for all of them together
	default:
	}
	if l.resting {
		return gitstore.OID{}
	}
	oid, err := tx.w.SignedCommit(ctx, c, l.patience)
	if err != nil {
		l.resting = true
		l.rest()
		return gitstore.OID{}
	}
	return oid
}

// rest is for how long nobody tries again to sign unattended after it failed:
// each try costs its patience, and may make a key's agent ask.
const rest = 10 * time.Minute

// restFile, in the cache directory, says until when.
const restFile = "unsigned-until"

func (l *Ledger) restPath() string { return filepath.Join(l.repo.CacheDir(), restFile) }

func (l *Ledger) rest() {
	_ = l.repo.WriteCache(restFile, []byte(l.now().Add(rest).UTC().Format(time.RFC3339))) // else it is tried again
}

// rests reports that a try failed lately. What was written by a clock that was
// ahead does not hold for longer.
func (l *Ledger) rests() bool {
	data, err := gitstore.ReadFile(l.restPath())
	if err != nil {
		return false
	}
	until, err := time.Parse(time.RFC3339, string(data))
	left := until.Sub(l.now())
	return err == nil && left > 0 && left <= rest
}
