package clone

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// CloneID names this clone: bound to its path and its machine, so that a copied
// directory gets a name of its own, and derived from them, so that there is no
// file to lose.
func CloneID(c Caller, commonDir string) string {
	machine := "machine\x00" + c.Machine
	if c.Machine == "" {
		machine = "host\x00" + c.Host
	}
	sum := sha256.Sum256([]byte(machine + "\x00" + commonDir))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:13])
}

// CallerDir is where relative paths of the caller start.
func (s *Clone) CallerDir() string { return cmp.Or(s.Caller.Dir, s.Repo.Dir()) }

// Session is the caller's session; empty for a person.
func (s *Clone) Session() string { return s.Caller.Session }

func (s *Clone) Timestamp() string { return s.Now().UTC().Format(time.RFC3339) }

func (s *Clone) Who() lease.Who {
	return lease.Who{Session: s.Caller.Session, Clone: s.ID, User: s.Caller.User}
}

// WorktreeKey names this work tree in the clone's record.
func (s *Clone) WorktreeKey() string { return worktreeKey(s.Repo) }

func worktreeKey(r *gitstore.Repo) string {
	if id := r.WorktreeID(); id != "" {
		return "linked-" + id
	}
	return "main"
}

// ParseTime reads a time in the form of the records; false where it is none.
func ParseTime(s string) (time.Time, bool) {
	t, err := time.Parse(time.RFC3339, s)
	return t, err == nil
}

// Background keeps a cache write from being cancelled with its command.
func Background(ctx context.Context) context.Context { return context.WithoutCancel(ctx) }
