package refsync

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
)

// durable makes git sync the objects that it takes from a remote: refs of ours
// will lead to them. The tracking refs are not worth it.
const durable = "core.fsync=objects"

// fetchTries bounds how often a fetch is tried again that could not write all
// of its tracking refs: another fetch is at work.
const fetchTries = 3

// leftBehind is how long the lock of a tracking ref has to stay as it is to be
// one that nobody holds: a fetch holds each for less than a millisecond.
const leftBehind = 2 * time.Second

// fetch brings what the remote has of the records whose names begin with prefixes into
// the tracking refs, and nothing else: no branch, tag or submodule. The remark says
// what could not be written here.
func fetch(ctx context.Context, repo *gitstore.Repo, r Remote, prefixes []gitstore.RefName) (remark string, err error) {
	config, err := r.config(ctx, repo)
	if err != nil {
		return "", err
	}
	args := r.settings(config)
	if value, _ := config.Get("core.fsync"); value != "none" {
		args = append(args, "-c", durable)
	}
	args = append(args, "-c", "advice.fetchShowForcedUpdates=false", "fetch", "--progress", "--prune", "--no-tags",
		"--refmap=",
		"--no-recurse-submodules", "--no-write-fetch-head", "--no-auto-gc", "--no-write-commit-graph",
		"--no-show-forced-updates")
	if _, partial := config.Get("remote." + r.Name + ".partialclonefilter"); partial {
		args = append(args, "--no-filter") // records are always whole
	}
	args = append(args, "--", r.Name)
	for _, p := range prefixes { // a name in full would make git fail where the remote has no such ref
		args = append(args, "+"+string(r.There(p))+anything+":"+string(r.Seen(p))+anything)
	}
	cleared := false
	for try := 1; ; try++ {
		_, err := repo.Remote.Run(ctx, r.patience(config, 0), args...)
		var command *gitstore.CommandError
		switch {
		case err == nil:
			return "", nil
		case r.silent(err) != nil:
			return "", r.silent(err)
		case !errors.As(err, &command):
			return "", fmt.Errorf("fetch from %s: %w", r.Name, err)
		case oursToMend(command.Stderr):
			return "", fmt.Errorf("fetch from %s: %s; 'git brew doctor' names what is broken", r.Name, said(command.Stderr))
		case !partly(command):
			return "", r.failure(command.Stderr)
		case try >= fetchTries && !cleared && locked(command.Stderr):
			// Somebody was interrupted there. Without what the remote has, the
			// exchange would be one with the past.
			if cleared, err = repo.Refs.ClearLocks(ctx, ledger.TrackingPrefix(r.Name), leftBehind); err != nil {
				return "", fmt.Errorf("fetch from %s: %w", r.Name, err)
			}
			if cleared {
				continue
			}
			fallthrough
		case try >= fetchTries:
			return fmt.Sprintf("not everything that %s has could be taken: %s", r.Name, said(command.Stderr)), nil
		}
		if err := pause(ctx, time.Duration(try)*50*time.Millisecond); err != nil {
			return "", err
		}
	}
}

// partly tells whether a fetch took what it could, and only some tracking refs
// are not what they should be: locked, or with names that exclude each other.
func partly(err *gitstore.CommandError) bool {
	const someFailed = 1
	return err.Code == someFailed && contains(err.Stderr, []string{
		"cannot lock ref", "could not be updated", "[rejected]",
		"unable to update local ref", "could not delete reference",
	})
}

// locked tells whether a lock file was in the way.
func locked(messages string) bool { return contains(messages, []string{".lock': File exists"}) }

// failure is the error of a remote that did not answer, or answered no.
func (r Remote) failure(messages string) *RemoteError {
	kind := ErrUnreachable
	why, answered := whyRefused(messages)
	if answered && !oursToMend(messages) {
		kind = ErrRefused
	}
	if why == WhyUnknown && contains(strings.ToLower(messages), []string{deniedWord}) {
		why = WhyDenied
	}
	return &RemoteError{Remote: r.Name, Kind: kind, Why: why, Said: cmp.Or(said(messages), lastLine(messages))}
}

// prefixes are what the names begin with that are exchanged.
func (o Options) prefixes() []gitstore.RefName {
	var prefixes []gitstore.RefName
	for _, id := range o.Tasks {
		prefixes = append(prefixes, ledger.TaskRef(id))
		if o.Locks {
			prefixes = append(prefixes, ledger.LockRef(id))
		}
	}
	if o.Tasks != nil {
		return prefixes
	}
	prefixes = append(prefixes, ledger.TaskRef(""), ledger.ArchiveRef, ledger.ConfigRef, ledger.KnowledgeRef,
		ledger.NotesRef)
	if o.Locks {
		prefixes = append(prefixes, ledger.LockRef(""))
	}
	if o.Clones {
		prefixes = append(prefixes, ledger.CloneRef(""))
	}
	return prefixes
}

// wants tells whether a kind is exchanged.
func (o Options) wants(kind ledger.Kind) bool {
	switch kind {
	case ledger.KindTask:
		return true
	case ledger.KindLock:
		return o.Locks
	case ledger.KindClone:
		return o.Clones && o.Tasks == nil
	case ledger.KindArchive:
		return o.Tasks == nil && !o.Seen
	default:
		return o.Tasks == nil
	}
}

// pause waits, or returns why the context ended.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}
