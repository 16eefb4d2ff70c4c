package taskview

import (
	"time"

	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/task/lease"
	"github.com/git-brew/git-brew/internal/ui"
)

// ByClock says how long ago something was, or that the clock that says so was wrong:
// "renewed 5 min ago", "renewed by a clock that was 12 months ahead".
func ByClock(did string, at, now time.Time) string {
	if ahead := at.Sub(now); ahead > lease.Skew {
		return did + " by a clock that was " + ui.Span(ahead) + " ahead"
	}
	return did + " " + ui.Ago(at, now)
}

// LeaseEnd says when a held lock's lease ends or ended: "until 14:02", "its
// lease ran out 3 h ago"; "" where nobody knows.
func LeaseEnd(l lease.Lock, state lock.LockState, now time.Time) string {
	end, err := time.Parse(time.RFC3339, lease.ExpiresAt(l, now))
	switch {
	case err == nil && end.After(now):
		return "until " + ui.Until(end, now)
	case state != lock.LockStale:
		return ""
	case err != nil:
		return "its lease ran out"
	}
	return "its lease ran out " + ui.Ago(end, now)
}
