package session

import (
	"context"

	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
	"github.com/git-brew/git-brew/internal/task/route"
)

// View is where a task stands, as status, hooks and lists see it.
type View struct {
	// Task is nil where there is none here. Its knowledge is not loaded.
	Task *task.Task
	// Trimmed: its phases are those of a snapshot, where that has less of them.
	Trimmed bool
	// Archived: it ended long ago and stands in the archive.
	Archived  bool
	Tip       string
	Lock      lease.Lock
	LockState lock.LockState
	// Holder: the caller may make guarded changes because it holds the lock.
	Holder           bool
	claim.Arbitrated // which hooks don't ask for
	Mode             clone.Mode
	// Gated: the mode restricts what an agent may do here.
	Gated bool
	// Guarded: what keeps the gate is guarded from agents here, in either mode.
	Guarded bool
	// Off says why agents are kept from nothing here, "" where they are.
	Off       clone.Off
	Knowledge knowledge.Counts
	// Decided stands for the task's decisions, which Task does not have here, nor
	// what reviewers said.
	Decided task.Decided
	Next    route.Step
	// Warnings say, a line each, what could not be read and counts as not
	// recorded.
	Warnings []string
	// Remote is the one that state is shared with; "" for none.
	Remote string
}

// Look is Status as hooks have it: what the arbiter says of the lock is not
// asked. Where there is no task, it is what holds for all of them.
func (s *Sessions) Look(ctx context.Context, id task.ID) (View, error) {
	mode, err := s.Mode(ctx)
	if err != nil {
		return View{}, err
	}
	set, err := s.Config.Settings(ctx)
	if err != nil {
		return View{}, err
	}
	c, err := s.Clone.State(ctx)
	if err != nil {
		return View{}, err
	}
	v := View{Mode: mode.Mode, Warnings: set.Unread(), Remote: set.Text(config.KeyRemote), Off: s.Off(set)}
	gate := set.Text(config.KeyGate)
	v.Guarded = v.Off == "" && gate != config.GateOff
	handed := s.Place.IsHanded(ctx)
	v.Gated = v.Off == "" && Gated(gate, nil) && !handed
	if c.Broken != nil {
		v.Warnings = append(v.Warnings, c.Broken.Error())
	}
	if id == "" {
		if id, err = s.Place.Here(ctx); err != nil || id == "" {
			return v, err
		}
	}
	b, tip, err := s.Records.Brief(ctx, id)
	if err != nil || b.Task.Deleted {
		return v, err
	}
	if v.Lock, err = s.Records.LockOf(ctx, id, b.Archived); err != nil {
		return v, err
	}
	v.Archived, v.Trimmed, v.Decided = b.Archived, b.Trimmed, b.Decided
	v.Task, v.Tip, v.Knowledge, v.Next = &b.Task, tip.String(), b.Count, b.Next
	v.LockState = s.Locks.LockState(v.Lock)
	if v.Lock.Unread != "" {
		v.Warnings = append(v.Warnings, "the lock can't be read and counts as free: "+v.Lock.Unread)
	}
	v.Holder = v.Lock.Held && s.Locks.Allows(v.Lock) == nil
	v.Gated = v.Off == "" && Gated(gate, v.Task) && !handed
	return v, nil
}

// Closed reports whether the gate is closed here: an agent may look and discuss, and
// the rest waits for the user.
func (s *Sessions) Closed(ctx context.Context) bool {
	mode, err := s.Mode(ctx)
	if err != nil || mode.Mode != clone.ModeDiscussion {
		return false
	}
	v, err := s.Look(ctx, "")
	return err == nil && v.Gated
}

func (s *Sessions) Off(set *config.Settings) clone.Off {
	if s.Clone.Caller.Off != "" {
		return s.Clone.Caller.Off
	}
	if set.Bool(config.KeyBypass) {
		return clone.OffSetting
	}
	return ""
}

// Gated applies the setting brew.gate.
func Gated(setting string, t *task.Task) bool {
	switch setting {
	case config.GateOff:
		return false
	case config.GateAlways:
		return true
	}
	return t != nil && !t.Status.Terminal()
}
