// Package change is the engine of a change: read the task and its lock, decide, write once.
// Observers are told of each transition, before it is written and after.
package change

import (
	"context"
	"errors"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/journal"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/ledger/archive"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// Engine changes a task: it reads, decides and writes once.
type Engine struct {
	Last      LastChange
	Observers []Observer // of changes
	Clone     *clone.Clone
	Code      *codediff.Code
	Config    *config.Config
	Journal   *journal.Journal
	Locks     *lock.Locks
	Place     *worktree.Place
	Records   *records.Records
}

// Tx is a change of one task under way. Task is its state after what was
// done so far.
type Tx struct {
	Engine *Engine
	Ledger *ledger.Tx
	ID     task.ID
	Task   task.Task
	Lock   lease.Lock
	claim  string
	Bare   bool // nothing may be asked of the lock: the task is being made
	// deleted: it may be a task that was deleted.
	Deleted bool
	// heard: it is the user's own word, which they said in the caller's session, and so
	// made by no session.
	Heard      bool
	unarchived archive.Entry // it was in the archive alone, as this
	Last       LastChange    // which UndoHint speaks of
	// observers are told of each transition, in transitions; found is the task as the
	// change found it, and worked what observers did before the change, by key.
	Observers   []Observer
	transitions []Transition
	Found       task.Task
	worked      map[string]bool
}

// Option says how a change differs from others.
type Option func(*Tx)

// Heard makes it the user's own word, which they said in the caller's session.
func Heard(c *Tx) { c.Heard = true }

// EvenDeleted lets it be a task that was deleted, and tells no observer.
func EvenDeleted(c *Tx) { c.Deleted, c.Observers = true, nil }

// maxFirst is how much may have to be done before one change, while others change the
// task.
const maxFirst = 20

// Update is the one way to change a task: it reads the task and its lock, runs decide on
// them, and writes what that did, all or nothing, as the observers of changes let it.
func (s *Engine) Update(
	ctx context.Context, id task.ID, decide func(ctx context.Context, c *Tx) error, as ...Option,
) (task.Task, error) {
	worked := map[string]bool{}
	for range maxFirst {
		var c *Tx
		err := s.Clone.Ledger.Change(ctx, func(ctx context.Context, tx *ledger.Tx) error {
			c = &Tx{Engine: s, Ledger: tx, ID: id, Observers: s.Observers, worked: worked}
			for _, option := range as {
				option(c)
			}
			if err := c.Read(ctx); err != nil {
				return err
			}
			c.Found = c.Task
			if err := decide(ctx, c); err != nil {
				return s.Records.Named(ctx, err)
			}
			return c.archiveUnchanged(ctx)
		})
		first, waits := errors.AsType[*firstError](err)
		switch {
		case err == nil:
			return c.Task, c.tell(ctx)
		case !waits:
			return task.Task{}, err
		}
		if err := first.work(ctx); err != nil {
			return task.Task{}, err
		}
		worked[first.key] = true
	}
	return task.Task{}, clone.Refuse("try again", "the task keeps changing while this waits for what comes before it")
}

// tell completes a change that is written.
func (c *Tx) tell(ctx context.Context) error {
	c.Task = c.Engine.Records.WithPlan(ctx, c.Task)
	for _, t := range c.transitions {
		for _, o := range c.Observers {
			if err := o.After(ctx, t); err != nil {
				return err
			}
		}
	}
	return nil
}

// Read reads the task, and its lock; a task of the archive is taken out for it.
func (c *Tx) Read(ctx context.Context) error {
	tip, err := c.Ledger.Tip(ctx, ledger.TaskRef(string(c.ID)))
	if err == nil && tip.IsZero() {
		tip, err = c.unarchive(ctx)
	}
	if err != nil {
		return err
	}
	if tip.IsZero() {
		return clone.NotFoundAs(task.ErrNoTask, "see 'git brew list --all'", "no task %q", c.ID)
	}
	if c.Task, err = ledger.Load(ctx, c.Engine.Clone.Ledger, records.TaskLaw(), tip); err != nil {
		return err
	}
	if c.Task.Deleted && !c.Deleted {
		return clone.DeletedError(c.ID)
	}
	return c.readLock(ctx)
}

func (c *Tx) readLock(ctx context.Context) error {
	ref := ledger.LockRef(string(c.ID))
	tip, err := c.Ledger.Tip(ctx, ref)
	if err == nil && tip.IsZero() {
		tip, err = c.unarchiveLock(ctx)
	}
	if _, broken := errors.AsType[*gitstore.BrokenRefError](err); broken {
		c.Lock = lease.Lock{Unread: err.Error()}
		return c.Ledger.Anew(ref)
	}
	if err != nil || tip.IsZero() {
		return err
	}
	if c.Lock, err = c.Engine.Records.LockBriefAt(ctx, c.ID, tip); err != nil {
		return err
	}
	c.claim = records.ClaimOf(c.Lock, tip)
	return nil
}

// Op is an operation to do.
func Op(kind operation.Kind, payload any) ledger.Draft {
	return ledger.Draft{Kind: kind, Payload: payload}
}

// Do makes operations on the task. A guarded one asks the lock first; an agent
// that works under a lock which is not bound yet binds it. What the holder does
// renews its lease where that has rested.
func (c *Tx) Do(ctx context.Context, drafts ...ledger.Draft) error {
	var stamp ledger.Stamp
	if !c.Heard {
		stamp.Session = c.Engine.Clone.Caller.Session
	}
	guarded := false
	for _, d := range drafts {
		guarded = guarded || rules.Guarded(d.Kind)
	}
	if guarded && !c.Bare {
		if err := c.Engine.Locks.Allows(c.Lock); err != nil {
			return err
		}
		if c.Lock.Held {
			if c.Lock.Session == "" && stamp.Session != "" {
				if err := c.Bind(ctx); err != nil {
					return err
				}
			}
			stamp.Fence, stamp.Claim = c.Lock.Fence, c.claim
		}
	}
	if !c.Bare && lease.Holds(c.Lock, c.Engine.Clone.Who()) && lease.RenewDue(c.Lock, c.Engine.Clone.Now()) {
		if err := c.Renew(ctx); err != nil {
			return err
		}
	}
	after, err := ledger.Append(ctx, c.Ledger, records.TaskLaw(), ledger.TaskRef(string(c.ID)), c.Task, stamp, drafts...)
	if err != nil {
		return err
	}
	before := c.Task
	c.Engine.Journal.RecordAfter(c.Ledger, journal.TaskEvents(before, after)...)
	c.Task = after
	if err := c.Note(ctx, drafts); err != nil {
		return err
	}
	for _, d := range drafts {
		if err := c.observe(ctx, Transition{Kind: d.Kind, Payload: d.Payload, Before: before, After: after}); err != nil {
			return err
		}
	}
	return nil
}

func (c *Tx) Bind(ctx context.Context) error {
	next, err := lease.Bind(c.Lock, c.Engine.Clone.Caller.Session, c.Engine.Clone.Caller.Client, c.Engine.Clone.Now())
	if err != nil {
		return err
	}
	return c.SetLock(ctx, next)
}

// SetLock stages the lock's next state.
func (c *Tx) SetLock(ctx context.Context, next lease.Lock) (err error) {
	c.Lock, c.claim, err = c.Engine.Locks.Stage(ctx, c.Ledger, c.ID, c.claim, next)
	return err
}

// SetText changes a document of the task that is told from its state; nothing where it
// says so already.
func (c *Tx) SetText(ctx context.Context, name task.DocName, text []byte) error {
	return c.setDoc(ctx, name, c.Ledger.Blob(text).String())
}

// SetDocument is setText of what somebody wrote.
func (c *Tx) SetDocument(ctx context.Context, name task.DocName, text []byte) error {
	oid, err := c.Screened(name, c.Task.Docs[name].OID, text)
	if err != nil {
		return err
	}
	return c.setDoc(ctx, name, oid)
}

func (c *Tx) setDoc(ctx context.Context, name task.DocName, oid string) error {
	have := c.Task.Docs[name].OID
	if oid == have {
		return nil
	}
	return c.Do(ctx, Op(task.OpDocSet, task.DocSetPayload{Name: name, Base: have, OID: oid}))
}

// Renew extends the lease, by what the setting says now.
func (c *Tx) Renew(ctx context.Context) error {
	set, err := c.Engine.Config.Settings(ctx)
	if err != nil {
		return err
	}
	return c.SetLock(ctx, lease.Renew(c.Lock, int64(set.Period(config.KeyLockTTL).Seconds()), c.Engine.Clone.Now()))
}

// Screened stages a document, which is refused for a secret that had, the blob that it
// takes the place of, has not.
func (c *Tx) Screened(name task.DocName, had string, text []byte) (string, error) {
	before := func() string {
		if had == "" {
			return ""
		}
		text, _ := c.Ledger.Text(had)
		return string(text)
	}
	if err := c.Engine.Journal.RefuseSecrets(c.Task.ShownDoc(name), string(text), before); err != nil {
		return "", err
	}
	return c.Ledger.Blob(text).String(), nil
}
