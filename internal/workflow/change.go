package workflow

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/journal"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// change is a change of one task under way. Task is its state after what was
// done so far.
type change struct {
	s     *Engine
	tx    *ledger.Tx
	id    task.ID
	Task  task.Task
	Lock  lease.Lock
	claim string
	bare  bool // nothing may be asked of the lock: the task is being made
	// deleted: it may be a task that was deleted.
	deleted bool
	// heard: it is the user's own word, which they said in the caller's session, and so
	// made by no session.
	heard bool
	woken woken
	last  lastChange // which UndoHint speaks of
	// observers are told of each transition, in transitions; found is the task as the
	// change found it, and worked what observers did before the change, by key.
	observers   []observer
	transitions []transition
	found       task.Task
	worked      map[string]bool
}

// change runs decide on the task and writes what it did, all or nothing, as the
// observers of changes let it.
func (s *Engine) change(ctx context.Context, id task.ID, decide func(ctx context.Context, c *change) error) (task.Task, error) {
	return s.changeOf(ctx, &change{s: s, id: id, observers: s.observers}, decide)
}

// attempt is one try of a change that is made for it.
func (s *Engine) attempt(
	ctx context.Context, as *change, decide func(ctx context.Context, c *change) error,
) (done *change, err error) {
	err = s.clone.Ledger.Change(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		c := *as
		c.tx, done = tx, &c
		if err := c.read(ctx); err != nil {
			return err
		}
		c.found = c.Task
		if err := decide(ctx, &c); err != nil {
			return s.records.Named(ctx, err)
		}
		return c.rest(ctx)
	})
	if err != nil {
		return nil, err
	}
	done.Task = s.records.WithPlan(ctx, done.Task)
	return done, nil
}

func (c *change) read(ctx context.Context) error {
	tip, err := c.tx.Tip(ctx, ledger.TaskRef(string(c.id)))
	if err == nil && tip.IsZero() {
		tip, err = c.wake(ctx)
	}
	if err != nil {
		return err
	}
	if tip.IsZero() {
		return &clone.NotFoundError{Kind: task.ErrNoTask, Msg: fmt.Sprintf("no task %q", c.id), Hint: "see 'git brew list --all'"}
	}
	if c.Task, err = ledger.Load(ctx, c.s.clone.Ledger, records.TaskLaw{}, tip); err != nil {
		return err
	}
	if c.Task.Deleted && !c.deleted {
		return clone.DeletedError(c.id)
	}
	return c.readLock(ctx)
}

func (c *change) readLock(ctx context.Context) error {
	ref := ledger.LockRef(string(c.id))
	tip, err := c.tx.Tip(ctx, ref)
	if err == nil && tip.IsZero() {
		tip, err = c.wakeLock(ctx)
	}
	if _, broken := errors.AsType[*gitstore.BrokenRefError](err); broken {
		c.Lock = lease.Lock{Unread: err.Error()}
		return c.tx.Anew(ref)
	}
	if err != nil || tip.IsZero() {
		return err
	}
	if c.Lock, err = c.s.records.LockBriefAt(ctx, c.id, tip); err != nil {
		return err
	}
	c.claim = records.ClaimOf(c.Lock, tip)
	return nil
}

// Do makes operations on the task. A guarded one asks the lock first; an agent
// that works under a lock which is not bound yet binds it. What the holder does
// renews its lease where that has rested.
func (c *change) Do(ctx context.Context, drafts ...ledger.Draft) error {
	var stamp ledger.Stamp
	if !c.heard {
		stamp.Session = c.s.clone.Caller.Session
	}
	guarded := false
	for _, d := range drafts {
		guarded = guarded || task.Guarded(d.Kind)
	}
	if guarded && !c.bare {
		if err := c.s.locks.Allows(c.Lock); err != nil {
			return err
		}
		if c.Lock.Held {
			if c.Lock.Session == "" && stamp.Session != "" {
				if err := c.bind(ctx); err != nil {
					return err
				}
			}
			stamp.Fence, stamp.Claim = c.Lock.Fence, c.claim
		}
	}
	if !c.bare && lease.Holds(c.Lock, c.s.clone.Who()) && lease.RenewDue(c.Lock, c.s.clone.Now()) {
		if err := c.renew(ctx); err != nil {
			return err
		}
	}
	after, err := ledger.Append(ctx, c.tx, records.TaskLaw{}, ledger.TaskRef(string(c.id)), c.Task, stamp, drafts...)
	if err != nil {
		return err
	}
	before := c.Task
	c.s.journal.RecordAfter(c.tx, journal.TaskEvents(before, after)...)
	c.Task = after
	if err := c.note(ctx, drafts); err != nil {
		return err
	}
	for _, d := range drafts {
		if err := c.observe(ctx, transition{kind: d.Kind, payload: d.Payload, before: before, after: after}); err != nil {
			return err
		}
	}
	return nil
}

// do makes one operation.
func (c *change) do(ctx context.Context, kind operation.Kind, payload any) error {
	return c.Do(ctx, ledger.Draft{Kind: kind, Payload: payload})
}

func (c *change) bind(ctx context.Context) error {
	next, err := lease.Bind(c.Lock, c.s.clone.Caller.Session, c.s.clone.Now())
	if err != nil {
		return err
	}
	return c.setLock(ctx, next)
}

// setLock stages the lock's next state.
func (c *change) setLock(ctx context.Context, next lease.Lock) (err error) {
	c.Lock, c.claim, err = c.s.locks.Stage(ctx, c.tx, c.id, c.claim, next)
	return err
}

// setText changes a document of the task that is told from its state; nothing where it
// says so already.
func (c *change) setText(ctx context.Context, name task.DocName, text []byte) error {
	return c.setDoc(ctx, name, c.tx.Blob(text).String())
}

// setDocument is setText of what somebody wrote.
func (c *change) setDocument(ctx context.Context, name task.DocName, text []byte) error {
	oid, err := c.screened(name, c.Task.Docs[name].OID, text)
	if err != nil {
		return err
	}
	return c.setDoc(ctx, name, oid)
}

func (c *change) setDoc(ctx context.Context, name task.DocName, oid string) error {
	have := c.Task.Docs[name].OID
	if oid == have {
		return nil
	}
	return c.do(ctx, task.OpDocSet, task.DocSetPayload{Name: name, Base: have, OID: oid})
}

// renew extends the lease, by what the setting says now.
func (c *change) renew(ctx context.Context) error {
	set, err := c.s.config.Settings(ctx)
	if err != nil {
		return err
	}
	return c.setLock(ctx, lease.Renew(c.Lock, int64(set.Period(config.KeyLockTTL).Seconds()), c.s.clone.Now()))
}

// screened stages a document, which is refused for a secret that had, the blob that it
// takes the place of, has not.
func (c *change) screened(name task.DocName, had string, text []byte) (string, error) {
	before := func() string {
		if had == "" {
			return ""
		}
		text, _ := c.tx.Text(had)
		return string(text)
	}
	if err := c.s.journal.RefuseSecrets(c.Task.ShownDoc(name), string(text), before); err != nil {
		return "", err
	}
	return c.tx.Blob(text).String(), nil
}
