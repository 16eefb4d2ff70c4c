package view

import (
	"time"

	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
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

// TaskLock is a lock with the task it is of.
type TaskLock struct {
	Task  task.ID  `json:"task"`
	Lock  Lock     `json:"lock"`
	Notes []string `json:"notes,omitempty"`
}

// NewTaskLock tells of a task's lock.
func NewTaskLock(l claim.LockView, now time.Time) TaskLock {
	return TaskLock{Task: l.Task, Lock: NewLock(l.Lock, l.State, l.Confirmed, now)}
}

// Locks is `lock list`.
type Locks struct {
	Locks []TaskLock `json:"locks"`
}

// NewLocks lists locks.
func NewLocks(locks []claim.LockView, now time.Time) Locks {
	docs := Locks{[]TaskLock{}}
	for _, l := range locks {
		docs.Locks = append(docs.Locks, NewTaskLock(l, now))
	}
	return docs
}
