package tasks

import (
	"context"
	"strconv"

	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/taskview"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func Lock() cli.Command {
	type action func(*claim.Claims, context.Context, task.ID) (claim.LockView, error)
	act := func(verb, short string, does action) cli.Command {
		return cli.Command{Use: verb + " [<task>]", Short: short, Task: func(c *cli.Call) (cli.Answer, error) {
			l, err := does(c.App.Claims, c.Ctx, c.ID)
			if err == nil && !l.Lock.Held {
				l.Notes = cli.TellFree(c.Env, c.App, l.Notes)
			}
			return lockAnswer(c, l), err
		}}
	}
	return cli.Command{
		Use: "lock [list|show|acquire|bind|renew|release]", Short: "who works on a task: look, take, let go",
		Subs: []cli.Command{
			{Use: "show [<task>]", Short: "show who holds the lock", Look: func(c *cli.Call) (cli.Answer, error) {
				l, err := c.App.Claims.LockOf(c.Ctx, c.ID)
				return lockAnswer(c, l), err
			}},
			act("acquire", "take the lock where it is free or stale", (*claim.Claims).AcquireLock),
			act("bind", "bind a lock that has no session yet to this one", (*claim.Claims).BindLock),
			act("renew", "extend the lease", (*claim.Claims).RenewLock),
			act("release", "let go of the lock", (*claim.Claims).ReleaseLock),
			{Use: "list", Short: "list the locks that are held", Repo: func(c *cli.Call) (cli.Answer, error) {
				locks, err := c.App.HeldLocks(c.Ctx)
				return locksAnswer(c, locks), err
			}},
		},
	}
}

func lockAnswer(c *cli.Call, l claim.LockView) cli.Answer {
	return cli.Answer{JSON: view.TaskLock(l, c.Now()), Records: cli.Record(lockRecord(l)...), Text: func() {
		if l.Lock.Held {
			c.Tell("%s: held by %s\n  %s\n", c.Name(l.Task), ui.Safe(c.App.Clone.Holder(l.Lock)), leaseLine(c.Env, l))
		} else {
			c.Tell("%s: nobody holds the lock\n", c.Name(l.Task))
		}
		if !l.Lock.Held && l.Lock.Unread != "" {
			c.Tell("! it can't be read and counts as free: %s\n", ui.Safe(cli.OneLine(l.Lock.Unread)))
		}
		c.Notes(c.AddressedAll(l.Notes))
	}}
}

func lockRecord(l claim.LockView) []string {
	return []string{
		string(l.Task), string(l.State), l.Lock.Session, l.Lock.User, l.Lock.Host,
		strconv.FormatUint(l.Lock.Fence, 10), l.Lock.AcquiredAt, l.ExpiresAt,
	}
}

func leaseLine(e *cli.Env, v claim.LockView) string {
	l := v.Lock
	renewed := l.RenewedAt != "" && (l.Event == lease.LockRenewed || l.RenewedAt != l.AcquiredAt)
	line := ui.Joined(", ", leaseWords(e, v),
		ui.Either(l.Client == "", "", "client "+ui.Safe(cli.OneLine(l.Client))),
		ui.Either(l.AcquiredAt == "", "", "taken "+cli.Ago(e, l.AcquiredAt)),
		ui.Either(renewed, "renewed "+cli.Ago(e, l.RenewedAt), ""),
		ui.Either(l.Session == "", "bound to no session", ""))
	stale := ui.Either(v.State == lock.LockStale, e.Addressed("; 'git brew start' takes it over"), "")
	return line + taskview.Confirmation(v.Arbiter, v.Confirmed) + stale
}

func locksAnswer(c *cli.Call, locks []claim.LockView) cli.Answer {
	docs := view.Each(locks, func(l claim.LockView) ui.Object { return view.TaskLock(l, c.Now()) })
	return cli.Answer{JSON: ui.Object{"locks", docs}, Records: cli.Each(locks, lockRecord), Text: func() {
		if len(locks) == 0 {
			c.Say("Nobody holds a lock.")
			c.Next("git brew start")
			return
		}
		called, table := c.App.Records.Names(c.Ctx), c.Table("")
		table.Leave, table.Give = []int{1}, []int{0, 2, 3}
		for _, l := range locks {
			table.Add(ui.Safe(called(l.Task)), string(l.State), ui.Safe(c.App.Clone.Holder(l.Lock)), leaseWords(c.Env, l))
		}
		c.WriteTable(table)
	}}
}
