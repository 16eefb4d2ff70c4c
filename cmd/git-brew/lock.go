package main

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
	"github.com/git-brew/git-brew/internal/workflow"
)

func newLockCmd(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lock [list|show|acquire|bind|renew|release]",
		Short: "who works on a task: look, take, let go",
		Long: `A task's lock says which session works on it. It is a lease: once the holder was
silent for brew.lock.ttl, another session may take it over. Each new holder gets
a higher fence number; what a former holder still does is then void.`,
	}
	act := func(verb, short string, does func(*workflow.Service, context.Context, task.ID) (workflow.LockView, error)) {
		cmd.AddCommand(&cobra.Command{
			Use: verb + " [<task>]", Short: short, Args: between(0, 1),
			RunE: func(cmd *cobra.Command, args []string) error {
				s, id, err := e.target(cmd.Context(), first(args))
				if err != nil {
					return err
				}
				l, err := does(s, cmd.Context(), id)
				if err != nil {
					return err
				}
				if !l.Lock.Held {
					l.Notes = e.tellFree(s, l.Notes)
				}
				return e.printLock(cmd.Context(), s, l)
			},
		})
	}
	cmd.AddCommand(&cobra.Command{
		Use: "show [<task>]", Short: "show who holds the lock", Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, id, ok, err := e.reading(cmd.Context(), first(args))
			if err != nil || !ok {
				return err
			}
			l, err := s.LockOf(cmd.Context(), id)
			if err != nil {
				return err
			}
			return e.printLock(cmd.Context(), s, l)
		},
	})
	act("acquire", "take the lock where it is free or stale", (*workflow.Service).AcquireLock)
	act("bind", "bind a lock that has no session yet to this one", (*workflow.Service).BindLock)
	act("renew", "extend the lease", (*workflow.Service).RenewLock)
	act("release", "let go of the lock", (*workflow.Service).ReleaseLock)
	cmd.AddCommand(&cobra.Command{
		Use: "list", Short: "list the locks that are held", Args: between(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := e.service()
			if err != nil {
				return err
			}
			locks, err := s.Locks(cmd.Context())
			if err != nil {
				return err
			}
			return e.printLocks(cmd.Context(), s, locks)
		},
	})
	return cmd
}

// taskLockDocument is a lock with the task it is of.
type taskLockDocument struct {
	Task  task.ID   `json:"task"`
	Lock  view.Lock `json:"lock"`
	Notes []string  `json:"notes,omitempty"`
	Undo  string    `json:"undo,omitzero"` // as in view.Change
}

func newTaskLockDocument(l workflow.LockView, now time.Time) taskLockDocument {
	return taskLockDocument{Task: l.Task, Lock: view.NewLock(l.Lock, l.State, l.Confirmed, now)}
}

func (e *env) printLock(ctx context.Context, s *workflow.Service, l workflow.LockView) error {
	switch {
	case e.Flags.JSON:
		doc := newTaskLockDocument(l, e.Now())
		doc.Notes, doc.Undo = l.Notes, e.undoneBy(ctx)
		return ui.JSON(e.Out, doc)
	case e.Flags.Porcelain:
		return e.recordLock(l)
	}
	name := e.name(ctx, s, l.Task)
	if !l.Lock.Held {
		e.tell("%s: nobody holds the lock\n", name)
		if l.Lock.Unread != "" {
			e.tell("! it can't be read and counts as free: %s\n", ui.Safe(oneLine(l.Lock.Unread)))
		}
		for _, note := range l.Notes {
			e.say("  %s", ui.Safe(e.addressed(note)))
		}
		return nil
	}
	e.tell("%s: held by %s\n  %s\n", name, ui.Safe(s.Holder(l.Lock)), e.leaseLine(l))
	for _, note := range l.Notes {
		e.say("  %s", ui.Safe(e.addressed(note)))
	}
	return nil
}

// leaseLine tells the times of a held lock.
func (e *env) leaseLine(l workflow.LockView) string {
	line := fmt.Sprintf("fence %d", l.Lock.Fence)
	if since, err := time.Parse(time.RFC3339, l.Lock.AcquiredAt); err == nil {
		line += ", " + byClock("taken", since, e.Now())
	}
	if renewed, err := time.Parse(time.RFC3339, l.Lock.RenewedAt); err == nil && (l.Lock.Event == task.LockRenewed || l.Lock.RenewedAt != l.Lock.AcquiredAt) {
		line += ", " + byClock("renewed", renewed, e.Now())
	}
	if end := leaseEnd(l.Lock, l.State, e.Now()); end != "" {
		line += ", " + end
	}
	if l.Lock.Session == "" {
		line += ", bound to no session"
	}
	line += confirmation(l)
	if l.State == workflow.LockStale {
		line += e.addressed("; 'git brew start' takes it over")
	}
	return line
}

// confirmation says what the arbiter says of a held lock; "" where there is
// none.
func confirmation(l workflow.LockView) string {
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
	if ahead := at.Sub(now); ahead > task.Skew {
		return did + " by a clock that was " + ui.Span(ahead) + " ahead"
	}
	return did + " " + ui.Ago(at, now)
}

// leaseEnd says when a held lock's lease ends or ended: "until 14:02", "its
// lease ran out 3 h ago"; "" where nobody knows.
func leaseEnd(l task.Lock, state workflow.LockState, now time.Time) string {
	end, err := time.Parse(time.RFC3339, task.ExpiresAt(l, now))
	switch {
	case err == nil && end.After(now):
		return "until " + ui.Until(end, now)
	case state != workflow.LockStale:
		return ""
	case err != nil:
		return "its lease ran out"
	}
	return "its lease ran out " + ui.Ago(end, now)
}

func (e *env) recordLock(l workflow.LockView) error {
	return ui.Record(e.Out, string(l.Task), string(l.State), l.Lock.Session, l.Lock.User, l.Lock.Host,
		strconv.FormatUint(l.Lock.Fence, 10), l.Lock.AcquiredAt, l.ExpiresAt)
}

func (e *env) printLocks(ctx context.Context, s *workflow.Service, locks []workflow.LockView) error {
	if e.Flags.JSON {
		docs := make([]taskLockDocument, 0, len(locks))
		for _, l := range locks {
			docs = append(docs, newTaskLockDocument(l, e.Now()))
		}
		return ui.JSON(e.Out, struct {
			Locks []taskLockDocument `json:"locks"`
		}{docs})
	}
	if e.Flags.Porcelain {
		for _, l := range locks {
			if err := e.recordLock(l); err != nil {
				return err
			}
		}
		return nil
	}
	if len(locks) == 0 {
		e.say("Nobody holds a lock.")
		e.next(ctx, s, "git brew start")
		return nil
	}
	called, table := s.Names(ctx), e.table("")
	table.Leave, table.Give = []int{1}, []int{0, 2, 3}
	for _, l := range locks {
		table.Add(ui.Safe(called(l.Task)), string(l.State), ui.Safe(s.Holder(l.Lock)), e.lease(l))
	}
	return table.Write(e.Out)
}
