package main

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func newLockCmd(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lock [list|show|acquire|bind|renew|release]",
		Short: "who works on a task: look, take, let go",
		Long: `A task's lock says which session works on it. It is a lease: once the holder was
silent for brew.lock.ttl, another session may take it over. Each new holder gets
a higher fence number; what a former holder still does is then void.`,
	}
	act := func(verb, short string, does func(*claim.Claims, context.Context, task.ID) (claim.LockView, error)) {
		cmd.AddCommand(&cobra.Command{
			Use: verb + " [<task>]", Short: short, Args: between(0, 1),
			RunE: e.onTask(nil, func(c *call) (answer, error) {
				l, err := does(c.s.Claims, c.ctx, c.id)
				if err == nil && !l.Lock.Held {
					l.Notes = c.tellFree(c.s, l.Notes)
				}
				return lockAnswer(c, l), err
			}),
		})
	}
	cmd.AddCommand(&cobra.Command{
		Use: "show [<task>]", Short: "show who holds the lock", Args: between(0, 1),
		RunE: e.looksAt(nil, func(c *call) (answer, error) {
			l, err := c.s.Claims.LockOf(c.ctx, c.id)
			return lockAnswer(c, l), err
		}),
	})
	act("acquire", "take the lock where it is free or stale", (*claim.Claims).AcquireLock)
	act("bind", "bind a lock that has no session yet to this one", (*claim.Claims).BindLock)
	act("renew", "extend the lease", (*claim.Claims).RenewLock)
	act("release", "let go of the lock", (*claim.Claims).ReleaseLock)
	cmd.AddCommand(&cobra.Command{
		Use: "list", Short: "list the locks that are held", Args: between(0, 0),
		RunE: e.onRepo(func(c *call) (answer, error) {
			locks, err := c.s.Overview.Locks(c.ctx)
			return locksAnswer(c, locks), err
		}),
	})
	return cmd
}

func lockAnswer(c *call, l claim.LockView) answer {
	doc := view.NewTaskLock(l, c.Now())
	doc.Notes = l.Notes
	return answer{JSON: doc, Records: record(lockRecord(l)...), Text: func() {
		if l.Lock.Held {
			c.tell("%s: held by %s\n  %s\n", c.name(l.Task), ui.Safe(c.s.Clone.Holder(l.Lock)), c.leaseLine(l))
		} else {
			c.tell("%s: nobody holds the lock\n", c.name(l.Task))
		}
		if !l.Lock.Held && l.Lock.Unread != "" {
			c.tell("! it can't be read and counts as free: %s\n", ui.Safe(oneLine(l.Lock.Unread)))
		}
		c.notes(c.addressedAll(l.Notes))
	}}
}

func lockRecord(l claim.LockView) []string {
	return []string{
		string(l.Task), string(l.State), l.Lock.Session, l.Lock.User, l.Lock.Host,
		strconv.FormatUint(l.Lock.Fence, 10), l.Lock.AcquiredAt, l.ExpiresAt,
	}
}

// leaseLine tells the times of a held lock.
func (e *env) leaseLine(l claim.LockView) string {
	line := fmt.Sprintf("fence %d", l.Lock.Fence)
	if since, err := time.Parse(time.RFC3339, l.Lock.AcquiredAt); err == nil {
		line += ", " + byClock("taken", since, e.Now())
	}
	if renewed, err := time.Parse(time.RFC3339, l.Lock.RenewedAt); err == nil && (l.Lock.Event == lease.LockRenewed || l.Lock.RenewedAt != l.Lock.AcquiredAt) {
		line += ", " + byClock("renewed", renewed, e.Now())
	}
	if end := leaseEnd(l.Lock, l.State, e.Now()); end != "" {
		line += ", " + end
	}
	if l.Lock.Session == "" {
		line += ", bound to no session"
	}
	line += confirmation(l)
	if l.State == lock.LockStale {
		line += e.addressed("; 'git brew start' takes it over")
	}
	return line
}

// confirmation says what the arbiter says of a held lock; "" where there is
// none.
func confirmation(l claim.LockView) string {
	switch {
	case l.Arbiter == "":
		return ""
	case l.Confirmed:
		return ", confirmed by " + ui.Safe(l.Arbiter)
	}
	return ", not confirmed by " + ui.Safe(l.Arbiter)
}

// byClock says how long ago something was, or that the clock that says so was wrong:
// "renewed 5 min ago", "renewed by a clock that was 12 months ahead".
func byClock(did string, at, now time.Time) string {
	if ahead := at.Sub(now); ahead > lease.Skew {
		return did + " by a clock that was " + ui.Span(ahead) + " ahead"
	}
	return did + " " + ui.Ago(at, now)
}

// leaseEnd says when a held lock's lease ends or ended: "until 14:02", "its
// lease ran out 3 h ago"; "" where nobody knows.
func leaseEnd(l lease.Lock, state lock.LockState, now time.Time) string {
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

func locksAnswer(c *call, locks []claim.LockView) answer {
	return answer{JSON: view.NewLocks(locks, c.Now()), Records: each(locks, lockRecord), Text: func() {
		if len(locks) == 0 {
			c.say("Nobody holds a lock.")
			c.next("git brew start")
			return
		}
		called, table := c.s.Records.Names(c.ctx), c.table("")
		table.Leave, table.Give = []int{1}, []int{0, 2, 3}
		for _, l := range locks {
			table.Add(ui.Safe(called(l.Task)), string(l.State), ui.Safe(c.s.Clone.Holder(l.Lock)), c.lease(l))
		}
		c.write(table)
	}}
}
