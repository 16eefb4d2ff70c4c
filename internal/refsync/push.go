package refsync

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/ledger"
)

const (
	// maxPush is how many refs are pushed at once.
	maxPush = 500
	// maxLeased is how many are pushed with a lease each: git compares every
	// lease with every ref of the remote.
	maxLeased = 8
	// maxWindows is how many names there is room for in a command line of Windows.
	maxWindows = 64
)

type pushed struct {
	replies []reply // one a want
	words   string  // git's messages, where something was not done
}

func (p pushed) all(a Answer) bool {
	return !slices.ContainsFunc(p.replies, func(r reply) bool { return r.answer != a })
}

// push asks the remote to move refs, by their names here, each for itself. With leases, each moves
// only from its old value; without, only forward, which for a history that took
// in the old value is the same: what somebody else put there meanwhile is never
// lost. How are more options. The error is of this side: git could not be run, or was
// cut off.
func push(ctx context.Context, repo *gitstore.Repo, r Remote, wants []gitstore.Update, leased bool,
	how ...string,
) (pushed, error) {
	config, err := r.config(ctx, repo)
	if err != nil {
		return pushed{}, err
	}
	// State is not code: nobody's checks of what is pushed run for it, nor
	// ours, which would start a sync.
	args := append(r.settings(config), "push", "--porcelain", "--progress", "--no-verify", "--no-follow-tags",
		"--no-recurse-submodules")
	args = append(args, how...)
	refs := map[gitstore.RefName]gitstore.OID{}
	var specs []string
	for _, w := range wants {
		there := r.There(w.Ref)
		if leased || w.New.IsZero() {
			args = append(args, lease(there, w.Old))
		}
		if w.New.IsZero() {
			specs = append(specs, ":"+string(there))
		} else {
			refs[there] = w.New
		}
	}
	if len(refs) > 0 {
		all := string(r.There(ledger.Prefix + anything))
		specs = append(specs, all+":"+all)
	}
	args = append(append(args, "--", r.Name), specs...)
	out, err := repo.Remote.RunScratch(ctx, r.patience(config, len(wants)), refs, args...)
	answered := replies(string(out))
	p := pushed{replies: make([]reply, len(wants))}
	for i, w := range wants {
		p.replies[i] = reply{answer: Unknown}
		if a, ok := answered[r.There(w.Ref)]; ok {
			p.replies[i] = a
		}
	}
	if silent := r.silent(err); silent != nil {
		p.words, err = silent.Said, nil
	}
	var command *gitstore.CommandError
	if errors.As(err, &command) {
		p.words = command.Stderr
		for i, w := range wants {
			if cause := occupied(p.words, r.There(w.Ref)); cause != "" && p.replies[i].answer == Moved {
				p.replies[i] = reply{Refused, cause} // no other round makes room
			}
		}
		return p, nil
	}
	if err != nil {
		return p, fmt.Errorf("push to %s: %w", r.Name, err)
	}
	return p, nil
}

// lease is git's option that a ref moves only from what it is believed to be.
func lease(there gitstore.RefName, old gitstore.OID) string {
	if old.IsZero() {
		return "--force-with-lease=" + string(there) + ":"
	}
	return "--force-with-lease=" + string(there) + ":" + old.String()
}

// refused is the error of one ref that the remote does not take.
func (r Remote) refused(reason, words string) *RemoteError {
	if strings.Contains(reason, inTheWay) {
		return &RemoteError{Remote: r.Name, Kind: ErrOccupied, Said: reason}
	}
	text := said(words)
	switch {
	case text == "":
		text = reason
	case reason != "" && text != reason:
		text = reason + ": " + text
	}
	if strings.Contains(reason, "hidden ref") {
		text = reason + " (transfer.hideRefs or receive.hideRefs)"
	}
	why, _ := whyRefused(reason + "\n" + text)
	return &RemoteError{Remote: r.Name, Kind: ErrRefused, Why: why, Said: invisible.Cut(text, maxSaid)}
}

// PushTogether asks the remote to move refs, all of them or none, and says what became
// of the first. Pushed is what the remote said: a fetch tells what it has. The error is
// nil for Pushed, UpToDate and Moved; it is a *RemoteError for Refused and, where the
// remote could not be asked or its answer was lost, for Unknown. A remote that can't
// move several at once moves none of them.
func PushTogether(ctx context.Context, repo *gitstore.Repo, remote Remote, moves ...gitstore.Update) (Answer, error) {
	if len(moves) > 1 {
		return pushOnce(ctx, repo, remote, moves, "--atomic")
	}
	return pushOnce(ctx, repo, remote, moves)
}

// pushOnce pushes with leases, and says what became of the first want.
func pushOnce(ctx context.Context, repo *gitstore.Repo, remote Remote, wants []gitstore.Update,
	how ...string,
) (Answer, error) {
	p, err := push(ctx, repo, remote, wants, true, how...)
	if err != nil {
		return Unknown, err
	}
	got := p.replies[0]
	switch got.answer {
	case Refused:
		return Refused, remote.refused(got.reason, p.words)
	case Unknown:
		failure := remote.failure(p.words)
		if errors.Is(failure, ErrRefused) {
			return Refused, failure
		}
		return Unknown, failure
	case Pushed, UpToDate, Moved:
	}
	return got.answer, nil
}

// seenTries bounds how often tracking refs are written that somebody else
// writes, too.
const seenTries = 5

// setSeen records what the remote has now. git does so by itself only where the
// person's refspecs say so.
func setSeen(ctx context.Context, repo *gitstore.Repo, r Remote, have []gitstore.Update) error {
	for range seenTries {
		var updates []gitstore.Update
		for _, w := range have {
			seen := r.Seen(w.Ref)
			now, err := repo.Refs.Get(ctx, seen)
			if err != nil && !errors.Is(err, gitstore.ErrNotExist) {
				return fmt.Errorf("record what %s has: %w", r.Name, err)
			}
			if now != w.New {
				updates = append(updates, gitstore.Update{Ref: seen, Old: now, New: w.New})
			}
		}
		// What was pushed is pushed: that is recorded even if time is up.
		err := repo.Refs.Update(context.WithoutCancel(ctx), updates...)
		if err == nil {
			return nil
		}
		if errors.Is(err, gitstore.ErrLocked) {
			if cleared, cerr := repo.Refs.ClearLocks(ctx, ledger.TrackingPrefix(r.Name), leftBehind); cerr == nil && cleared {
				continue
			}
		}
		if !errors.Is(err, gitstore.ErrRefMoved) {
			return fmt.Errorf("record what %s has: %w", r.Name, err)
		}
	}
	return nil // a fetch is at work, which knows better
}
