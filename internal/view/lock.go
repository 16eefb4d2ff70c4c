package view

import (
	"time"

	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/task/lease"
	"github.com/git-brew/git-brew/internal/ui"
)

// Lock is a task's lock.
type Lock struct {
	State      lock.LockState `json:"state"`
	Session    string         `json:"session_id"`
	Host       string         `json:"host"`
	User       string         `json:"user"`
	AcquiredAt string         `json:"acquired_at"`
	ExpiresAt  string         `json:"expires_at"`
	Fence      uint64         `json:"fence"`
	Confirmed  bool           `json:"confirmed"`
}

func NewLock(l lease.Lock, state lock.LockState, confirmed bool, now time.Time) Lock {
	return Lock{
		State: state, Session: l.Session, Host: l.Host, User: l.User,
		AcquiredAt: l.AcquiredAt, ExpiresAt: lease.ExpiresAt(l, now), Fence: l.Fence, Confirmed: confirmed,
	}
}

// TaskLock tells of a task's lock.
func TaskLock(l claim.LockView, now time.Time) ui.Object {
	return ui.Object{"task", l.Task, "lock", NewLock(l.Lock, l.State, l.Confirmed, now), "notes?", l.Notes}
}
