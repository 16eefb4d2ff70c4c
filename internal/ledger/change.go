package ledger

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
)

// attempts bounds how often a change starts again because somebody who does
// not queue on our lock (plain git, for example) moved a ref meanwhile.
const attempts = 20

// ErrBusy is returned when a change lost every one of its attempts.
var ErrBusy = errors.New("the refs kept moving")

// Change runs fn until what it staged could be written: fn reads, decides and
// stages; it runs again, on fresh values, when a ref had moved. All writers of
// git brew in this repository queue here, so fn must not wait for a network or
// a person. For one thing all wait: a person who signs commits has to unlock the key.
func (l *Ledger) Change(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) error {
	if err := l.mayChange(ctx); err != nil {
		return err
	}
	if l.DryRun {
		return l.RunDry(ctx, fn)
	}
	for range attempts {
		tx := newTx(ctx, l)
		err := l.repo.Locked(ctx, func() error {
			if err := tx.decide(ctx, fn); err != nil {
				return err
			}
			return tx.commit(ctx)
		})
		if err == nil {
			for _, f := range append(tx.snapshots, tx.after...) {
				f(ctx)
			}
		}
		if !errors.Is(err, gitstore.ErrRefMoved) {
			return err
		}
	}
	return fmt.Errorf("change the records: %w for %d attempts", ErrBusy, attempts)
}

// RunDry runs fn as Change does, and writes nothing of what it staged: what the
// rules refuse is refused, what would be made is told. It waits for nobody.
func (l *Ledger) RunDry(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) error {
	tx := newTx(ctx, l)
	tx.dryRun = true
	return tx.decide(ctx, fn)
}

// Stage runs fn as Change does and writes the objects of what it staged, but moves no
// ref: what is made may be given to somebody else before it counts here. It waits for
// nobody, and what fn read may have moved by now.
func (l *Ledger) Stage(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) error {
	if err := l.mayChange(ctx); err != nil {
		return err
	}
	tx := newTx(ctx, l)
	if err := tx.decide(ctx, fn); err != nil {
		return err
	}
	return tx.w.Flush(ctx)
}

func (l *Ledger) mayChange(ctx context.Context) error {
	if l.May == nil {
		return nil
	}
	return l.May(ctx)
}

func (tx *Tx) decide(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) error {
	err := fn(ctx, tx)
	if tx.blobs.err != nil { // what fn decided, it decided without a text
		return tx.blobs.err
	}
	return err
}

// Operations are signed where the person signs commits; all else under our refs
// is not: a merge must be the same commit everywhere, and locks, notes and the
// clone's own record say nothing that anybody would have to answer for.

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

// Author is the person, by git's rules, now.
func (tx *Tx) Author(ctx context.Context) (gitstore.Signature, error) {
	if tx.author == nil {
		s, err := tx.l.repo.Config.Identity(ctx)
		if err != nil {
			return s, err
		}
		s.Name, s.Email = printable(s.Name), printable(s.Email)
		tx.author = &s
	}
	who := *tx.author
	who.When = tx.l.now()
	return who, nil
}

// Staged reports whether a commit is one of this change.
func (tx *Tx) Staged(commit gitstore.OID) bool {
	_, staged := tx.staged[commit]
	return staged
}

// Stage adds a commit on top of parents.
func (tx *Tx) Stage(ctx context.Context, tree gitstore.OID, message string,
	parents ...gitstore.OID,
) (gitstore.OID, error) {
	c, err := tx.commitOf(ctx, tree, message, parents...)
	if err != nil {
		return gitstore.OID{}, err
	}
	return tx.stage(c), nil
}

// StageBy adds a commit in the name of who, at that time.
func (tx *Tx) StageBy(who gitstore.Signature, tree gitstore.OID, message string, parents []gitstore.OID) gitstore.OID {
	return tx.stage(gitstore.Commit{Tree: tree, Parents: parents, Author: who, Committer: who, Message: message})
}

func (tx *Tx) stage(c gitstore.Commit) gitstore.OID {
	oid := tx.w.Commit(c)
	tx.staged[oid] = c
	return oid
}

// commitOf is a commit by the person, made now.
func (tx *Tx) commitOf(ctx context.Context, tree gitstore.OID, message string,
	parents ...gitstore.OID,
) (gitstore.Commit, error) {
	who, err := tx.Author(ctx)
	if err != nil {
		return gitstore.Commit{}, err
	}
	c := gitstore.Commit{Tree: tree, Author: who, Committer: who, Message: printable(message)}
	for _, p := range parents {
		if !p.IsZero() {
			c.Parents = append(c.Parents, p)
		}
	}
	return c, nil
}

// printable is a text without what a terminal would take for a command: nobody
// else would accept it (see commitFault).
func printable(text string) string {
	return strings.Map(func(c rune) rune {
		if c != '\n' && c != '\t' && unicode.IsControl(c) {
			return -1
		}
		return c
	}, strings.ToValidUTF8(text, "?"))
}
