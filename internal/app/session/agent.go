package session

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/journal"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
	"github.com/git-brew/git-brew/internal/task/route"
)

// AgentView is the view of an agent's session.
type AgentView struct {
	View
	// Bound: this very session holds the lock.
	Bound bool
	// Bindable: the lock is held without a session, taken in this work tree
	// of this clone by this user.
	Bindable bool
	RenewDue bool
	// ShareDue: the lease has rested for half of it, as the arbiter saw it last.
	// It is looked at only where RenewDue.
	ShareDue bool
	// Lost are the locks that this session held, and is to be told of.
	Lost []clone.LostLock
	// Session is what is recorded of it, where it was seen lately.
	Session  clone.SessionBrief
	Settings *config.Settings
	Raw      route.Step // what comes next, whoever asks
}

// Used reports whether git brew has anything to say in this repository: a
// record, a pending event, or a set-up. A cache alone says nothing: looking at
// a repository does not make it ours. Where no file says so, packed refs may;
// only refs that git alone can read (reftable) cost a process.
func (s *Sessions) Used() bool {
	if used(s.Clone.Repo.CommonDir, s.Clone.Repo.CacheDir()) {
		return true
	}
	refs, err := s.Clone.Repo.Refs.List(context.Background(), ledger.Prefix)
	return err == nil && len(refs) > 0
}

// UsedThere is Used, as far as files tell, for a repository that can't be opened:
// its common directory, and the private name that git brew has there.
func UsedThere(commonDir, name string) bool {
	if used(commonDir, filepath.Join(commonDir, name)) {
		return true
	}
	packed, err := gitfile.ReadFile(filepath.Join(commonDir, "packed-refs"))
	return err == nil && bytes.Contains(packed, []byte(" "+ledger.Prefix))
}

func used(commonDir, cache string) bool {
	kept := []string{
		filepath.Join(commonDir, "refs", "brew"), filepath.Join(cache, ledger.SetupFile), journal.JournalIn(cache),
	}
	return slices.ContainsFunc(kept, func(name string) bool {
		_, err := os.Stat(name)
		return err == nil
	})
}

// Agent returns the view of the caller's session here, from snapshots.
func (s *Sessions) Agent(ctx context.Context) (AgentView, error) {
	v, err := s.Look(ctx, "")
	if err != nil {
		return AgentView{}, err
	}
	a := AgentView{View: v}
	if a.Settings, err = s.Config.Settings(ctx); err != nil {
		return a, err
	}
	a.Raw = v.Next
	a.Next = v.Next.For(AskerIn(a.Settings, true, v.Mode, v.Gated))
	c, err := s.Clone.State(ctx)
	if err != nil {
		return a, err
	}
	a.Session, a.Lost = c.Session(s.Clone.Caller.Session), c.LostOf(s.Clone.Caller.Session)
	l := v.Lock
	a.Bound = l.Held && l.Session != "" && l.Session == s.Clone.Caller.Session
	a.Bindable = v.Holder && l.Session == "" && l.Clone == s.Clone.ID && l.WorkTree == s.Clone.Repo.WorkTree
	if a.RenewDue = a.Bound && lease.RenewDue(l, s.Clone.Now()); a.RenewDue {
		a.ShareDue, err = s.Claims.ShareDue(ctx, v.Task.ID, l)
	}
	return a, err
}

// SessionStart is what a client says about the start of a session. Empty fields
// leave what is recorded.
type SessionStart struct {
	Source, Model, Title string
	// Transcript is the absolute path of what was said.
	Transcript string
}

// SessionStarted records that the caller's session started. It reports false
// where this very start is recorded already.
func (s *Sessions) SessionStarted(ctx context.Context, st SessionStart, of task.ID) (first bool, err error) {
	s.Journal.SweepTranscripts()
	if err := s.Adopt(ctx, of); err != nil {
		return false, err
	}
	err = s.Clone.Update(ctx, "session "+task.ShortSession(s.Clone.Caller.Session)+": "+st.Source,
		func(ctx context.Context, c *clone.Change) error {
			e, known, err := c.Session(ctx, s.Clone.Caller.Session)
			if err != nil {
				return err
			}
			if seen, ok := clone.ParseTime(e.SeenAt); known && ok && e.Source == st.Source && e.EndedAt == "" &&
				s.Clone.Now().Sub(seen) < journal.DoubleStart {
				first = false
				return nil
			}
			first = true
			e.ID, e.Source, e.SeenAt, e.EndedAt, e.EndReason = s.Clone.Caller.Session, st.Source, s.Clone.Timestamp(), "", ""
			if e.StartedAt == "" {
				e.StartedAt = e.SeenAt
			}
			if st.Source == "compact" {
				e.Compactions++
			}
			e.Model, e.Title, e.Transcript = cmp.Or(st.Model, e.Model), cmp.Or(st.Title, e.Title),
				cmp.Or(st.Transcript, e.Transcript)
			if e.Correlation == "" || of != "" && of != e.Task {
				e.Task = cmp.Or(of, e.Task)
				e.Correlation = correlation(c.State, e)
			}
			e.WorkTree = s.Clone.Repo.WorkTree
			e.StopBlocks, e.StopMark = 0, ""
			if st.Source != "resume" {
				e.Told = nil // what a resumed session was told it still has
			}
			return c.SetSession(ctx, e)
		})
	return first, err
}

// correlation ties the sessions of a task together: the one of the task's
// latest session that was seen of late, else one made of the task's id.
func correlation(c clone.State, e clone.Session) string {
	var last clone.SessionBrief
	for _, o := range c.Sessions {
		if e.Task != "" && o.Task == e.Task && o.ID != e.ID && o.SeenAt > last.SeenAt {
			last = o
		}
	}
	if last.Correlation != "" {
		return last.Correlation
	}
	return journal.CorrelationAnew(e.ID, e.Task)
}

// own is the caller's session as it is recorded, or anew, seen now.
func (s *Sessions) own(ctx context.Context, c *clone.Change) (clone.Session, error) {
	e, known, err := c.Session(ctx, s.Clone.Caller.Session)
	if !known {
		e = clone.Session{StartedAt: s.Clone.Timestamp()}
	}
	e.ID, e.SeenAt = s.Clone.Caller.Session, s.Clone.Timestamp()
	return e, err
}

// StopBlocked counts one more stop in a row that was refused while the task's
// tip was mark.
func (s *Sessions) StopBlocked(ctx context.Context, mark string) error {
	return s.Clone.Update(ctx, "session "+task.ShortSession(s.Clone.Caller.Session)+": kept from stopping",
		func(ctx context.Context, c *clone.Change) error {
			e, err := s.own(ctx, c)
			if err != nil {
				return err
			}
			if e.StopMark != mark {
				e.StopMark, e.StopBlocks = mark, 0
			}
			e.StopBlocks++
			return c.SetSession(ctx, e)
		})
}

// ClearLock frees the lock of a task if it still is the one that was seen, and
// is stale or bound to nobody.
func (s *Sessions) ClearLock(ctx context.Context, id task.ID, seen lease.Lock) error {
	_, err := s.Claims.LockChange(ctx, id, func(ctx context.Context, c *change.Tx) error {
		mine := c.Lock.Clone == s.Clone.ID && c.Lock.User == s.Clone.Caller.User
		same := c.Lock.Fence == seen.Fence && c.Lock.Nonce == seen.Nonce && c.Lock.Session == seen.Session
		if !c.Lock.Held || !mine || !same || (c.Lock.Session != "" && !s.Locks.Stale(c.Lock)) {
			return nil
		}
		return c.SetLock(ctx, lease.Release(c.Lock, s.Clone.Now()))
	})
	return err
}

// Launched records that the client started a worker for a phase, so that its
// report is waited for.
func (s *Sessions) Launched(ctx context.Context, id task.ID, phase task.UID, agent string) error {
	if err := s.Adopt(ctx, id); err != nil {
		return err
	}
	b, _, err := s.Records.Brief(ctx, id)
	if err != nil || !owes(b.Task, phase, agent) {
		return err
	}
	_, err = s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) error {
		if !owes(c.Task, phase, agent) {
			return nil
		}
		return c.Do(ctx, change.Op(task.OpPhaseLaunch, task.PhaseLaunchPayload{Phase: phase, Agent: agent}))
	})
	return err
}

// owes reports whether launching agent makes it owe a report that it does not
// owe yet.
func owes(t task.Task, phase task.UID, agent string) bool {
	p, ok := t.Phase(phase)
	if !ok || p.Status != task.PhaseInProgress {
		return false
	}
	return !slices.Contains(p.Agents, agent) && !slices.Contains(p.Launched, agent)
}
