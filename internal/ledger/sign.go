package ledger

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
)

// Operations are signed where the person signs commits; all else under our refs
// is not: a merge must be the same commit everywhere, and locks, notes and the
// clone's own record say nothing that anybody would have to answer for.

// stageOperation adds the commit of an operation.
func (tx *Tx) stageOperation(
	ctx context.Context, tree gitstore.OID, message string, tip gitstore.OID,
) (gitstore.OID, error) {
	signs, err := tx.l.repo.Objects.Signs(ctx)
	if err != nil || !signs || tx.dryRun {
		return tx.Stage(ctx, tree, message, tip)
	}
	c, err := tx.commitOf(ctx, tree, message, tip)
	if err != nil {
		return tip, err
	}
	oid, err := tx.sign(ctx, c)
	if err != nil {
		return tip, err
	}
	tx.staged[oid] = c
	return oid, nil
}

// sign adds a commit, signed. Unattended it goes unsigned where that fails, and where
// it failed lately.
func (tx *Tx) sign(ctx context.Context, c gitstore.Commit) (gitstore.OID, error) {
	l := tx.l
	if l.Patience == 0 {
		oid, err := tx.w.SignedCommit(ctx, c, 0)
		if err == nil {
			_ = os.Remove(filepath.Join(l.repo.CacheDir(), unsignedFile)) // the key is at hand
		}
		return oid, err
	}
	if l.patienceEnds == nil {
		l.patienceEnds = time.NewTimer(l.Patience) // for all of them together
		l.unsigned = l.failedLately()
	}
	select {
	case <-l.patienceEnds.C:
		l.unsigned = true
	default:
	}
	if l.unsigned {
		return tx.w.Commit(c), nil
	}
	if oid, err := tx.w.SignedCommit(ctx, c, l.Patience); err == nil {
		return oid, nil
	}
	l.unsigned = true
	until := l.now().Add(unsignedFor).UTC().Format(time.RFC3339)
	_ = l.repo.WriteCache(unsignedFile, []byte(until)) // else it is tried again
	return tx.w.Commit(c), nil
}

// unsignedFor is for how long nobody tries again to sign unattended after it failed:
// each try costs its patience, and may make a key's agent ask.
const unsignedFor = 10 * time.Minute

// unsignedFile, in the cache directory, says until when.
const unsignedFile = "unsigned-until"

// failedLately reports that a try failed lately. What was written by a clock that was
// ahead does not hold for longer.
func (l *Ledger) failedLately() bool {
	data, err := gitfile.ReadFile(filepath.Join(l.repo.CacheDir(), unsignedFile))
	if err != nil {
		return false
	}
	until, err := time.Parse(time.RFC3339, string(data))
	left := until.Sub(l.now())
	return err == nil && left > 0 && left <= unsignedFor
}
