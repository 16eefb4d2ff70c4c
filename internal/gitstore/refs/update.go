// Package refs reads and moves refs. They are read from their files, by binary search in
// packed-refs where they are packed, and moved by compare-and-swap under git's own
// <ref>.lock; everything unusual (reftable, reflogs, a reference-transaction hook,
// deletions) is done by "git update-ref".
package refs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/config"
	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/odb"
	"github.com/git-brew/git-brew/internal/gitstore/place"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// Update moves one ref from the value that was read to a new one. A zero Old
// means "must not exist", a zero New deletes.
type Update struct {
	Ref plumbing.RefName
	Old plumbing.OID
	New plumbing.OID
}

// Update moves refs in one transaction: all of them, or none. ErrRefMoved:
// one did not have its old value. ErrLocked (*LockedError): one stayed locked.
// When it returns nil, the new values have reached the disk.
func (r *Store) Update(ctx context.Context, updates ...Update) error {
	if len(updates) == 0 {
		return nil
	}
	for _, u := range updates {
		if _, err := plumbing.ParseRefName(string(u.Ref)); err != nil {
			return fmt.Errorf("update refs: %w", err)
		}
		if u.Old.IsZero() && u.New.IsZero() {
			return fmt.Errorf("update ref %q: neither an old nor a new value", u.Ref)
		}
	}
	timeout := time.NewTimer(place.LockPatience)
	defer timeout.Stop()
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		// A single ref moves by its lock; git does what is left, and what concerns
		// several: a killed process of ours then leaves the transaction to a child
		// that goes on.
		err := errLeaveToGit
		if len(updates) == 1 {
			err = r.updateByLock(ctx, updates[0])
		}
		if errors.Is(err, errLeaveToGit) {
			err = r.updateByGit(ctx, updates)
		}
		if err == nil {
			return nil
		}
		if !errors.Is(err, plumbing.ErrLocked) {
			return fmt.Errorf("update ref %q: %w", updates[0].Ref, err)
		}
		select {
		case <-timeout.C:
			return fmt.Errorf("update ref %q: %w", updates[0].Ref, err)
		case <-ctx.Done():
			return fmt.Errorf("update ref %q: %w", updates[0].Ref, context.Cause(ctx))
		case <-time.After(pause):
		}
	}
}

// updateByGit is one "git update-ref --stdin" transaction.
func (r *Store) updateByGit(ctx context.Context, updates []Update) error {
	var script bytes.Buffer
	script.WriteString("start\x00")
	for _, u := range updates {
		// A symbolic ref is never written through: its own value is compared.
		script.WriteString("option no-deref\x00")
		fmt.Fprintf(&script, "update %s\x00%s\x00%s\x00", u.Ref, u.New, u.Old)
	}
	script.WriteString("prepare\x00commit\x00")
	args := append(r.syncOptions(ctx), "update-ref", "-z", "--stdin")
	_, err := r.at.Git.Unbroken(ctx, script.Bytes(), args)
	if err == nil {
		return nil
	}
	return r.classify(ctx, err, updates)
}

// syncOptions make git sync what it writes. A git that is older than 2.36
// ignores the setting, and syncs as it always did.
func (r *Store) syncOptions(ctx context.Context) []string {
	if r.config.NoSync(ctx) {
		return nil
	}
	return []string{"-c", "core.fsync=committed,loose-object,reference"}
}

// classify finds out why update-ref refused. Its words are only a hint: the
// refs themselves, read again, tell whether one has moved.
func (r *Store) classify(ctx context.Context, err error, updates []Update) error {
	var command *gitcmd.CommandError
	if !errors.As(err, &command) {
		return err
	}
	if path, ok := lockedPath(command.Stderr); ok {
		return &plumbing.LockedError{Path: path}
	}
	for _, u := range updates {
		now, readErr := r.resolve(ctx, u.Ref)
		if errors.Is(readErr, plumbing.ErrNotExist) {
			now, readErr = plumbing.OID{}, nil
		}
		if readErr != nil {
			return fmt.Errorf("%w (and it can't be read: %w)", err, readErr)
		}
		if now != u.Old {
			return fmt.Errorf("ref %q: %w: expected %s, found %s", u.Ref, plumbing.ErrRefMoved, show(u.Old), show(now))
		}
	}
	// The ref may have moved and moved back, or its name is taken up by
	// another one that came and went.
	for _, words := range []string{"but expected", "reference already exists"} {
		if strings.Contains(command.Stderr, words) {
			return fmt.Errorf("%w: %w", plumbing.ErrRefMoved, err)
		}
	}
	return err
}

// lockedPath finds the lock that git could not take in what it said.
func lockedPath(stderr string) (string, bool) {
	if !strings.Contains(stderr, "File exists") {
		return "", false
	}
	_, rest, ok := strings.Cut(stderr, "Unable to create '")
	if !ok {
		return "", false
	}
	path, _, ok := strings.Cut(rest, "': ")
	return path, ok && strings.HasSuffix(path, ".lock")
}

func show(id plumbing.OID) string {
	if id.IsZero() {
		return "none"
	}
	return id.Short()
}

// Delete removes refs in one transaction, whatever they hold; of symbolic ones
// the target stays.
func (r *Store) Delete(ctx context.Context, names ...plumbing.RefName) error {
	if len(names) == 0 {
		return nil
	}
	var script bytes.Buffer
	for _, name := range names {
		if _, err := plumbing.ParseRefName(string(name)); err != nil {
			return fmt.Errorf("delete refs: %w", err)
		}
		fmt.Fprintf(&script, "option no-deref\x00delete %s\x00\x00", name)
	}
	if _, err := r.at.Git.Unbroken(ctx, script.Bytes(),
		append(r.syncOptions(ctx), "update-ref", "-z", "--stdin")); err != nil {
		return fmt.Errorf("delete refs: %w", err)
	}
	return nil
}

// SetSymbolic makes name a symbolic ref to target, which should exist: a
// dangling one makes git fsck fail.
func (r *Store) SetSymbolic(ctx context.Context, name, target plumbing.RefName) error {
	for _, n := range []plumbing.RefName{name, target} {
		if _, err := plumbing.ParseRefName(string(n)); err != nil {
			return fmt.Errorf("write symbolic ref: %w", err)
		}
	}
	if now, err := r.Symbolic(name); err == nil && now == target {
		return nil
	}
	return r.symbolic(ctx, name, string(name), string(target))
}

// DeleteSymbolic removes a symbolic ref, and leaves its target alone. git refuses one
// that is not symbolic, or not there.
func (r *Store) DeleteSymbolic(ctx context.Context, name plumbing.RefName) error {
	return r.symbolic(ctx, name, "--delete", string(name))
}

func (r *Store) symbolic(ctx context.Context, name plumbing.RefName, args ...string) error {
	args = slices.Concat(r.syncOptions(ctx), []string{"symbolic-ref"}, args)
	_, err := r.at.Git.Unbroken(ctx, nil, args)
	if command, ok := errors.AsType[*gitcmd.CommandError](err); ok {
		if path, ok := lockedPath(command.Stderr); ok {
			err = &plumbing.LockedError{Path: path}
		}
	}
	if err != nil {
		return fmt.Errorf("symbolic ref %q: %w", name, err)
	}
	return nil
}

// Store is the refs of a repository.
type Store struct {
	at      *place.Place
	config  *config.Store
	objects *odb.Store
}

// New is the refs of a repository; nothing is read yet.
func New(at *place.Place, config *config.Store, objects *odb.Store) *Store {
	return &Store{at: at, config: config, objects: objects}
}
