package clone

import (
	"github.com/git-brew/git-brew/internal/task/lease"
)

// Holder names who holds a lock, for the caller: see task.Lock.HolderTo.
func (s *Clone) Holder(l lease.Lock) string { return l.HolderTo(s.Who()) }
