package lock

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// observedLocks, in the cache directory, says since when this clone has seen
// other clones' locks as they are: a line "<task> <tip> <seconds>" each, the
// last one of a task counts. Losing it restarts the wait.
const observedLocks = "observed-locks"

// maxObserved is how large the file may grow, in bytes, before it is written anew
// with the last line of each task.
const maxObserved = 1 << 20

// observation is since when a lock was seen at its tip.
type observation struct {
	tip   string
	since int64 // seconds since 1970, by this machine's clock
}

func (o observation) line(id task.ID) string { return fmt.Sprintln(id, o.tip, o.since) }

// Stale reports whether the lease of a lock has run out. Of a lock of this
// clone its own times tell that. Of another clone's they don't, whoever's clock
// is wrong: besides, this clone must have seen it unchanged for a whole lease.
// Where a clock far ahead renewed it, that alone counts: else nobody
// could take it before that time. Nobody's pid is asked.
func (s *Locks) Stale(l lease.Lock) bool {
	switch {
	case lease.Ahead(l, s.Clone.Now()) > 0:
		return s.silent(l)
	case !lease.Stale(l, s.Clone.Now()):
		return false
	}
	return l.Clone == s.Clone.ID || s.silent(l)
}

// silent reports whether this clone has seen a lock, mostly another one's, unchanged for
// as long as its lease is. Whoever looks first begins the wait.
func (s *Locks) silent(l lease.Lock) bool {
	tip, err := s.Clone.Ledger.Tip(context.Background(), ledger.LockRef(string(l.Task)))
	if err != nil || tip.IsZero() {
		return false
	}
	seen := s.observe(l.Task, tip)
	return s.Clone.Now().Sub(time.Unix(seen.since, 0)) > lease.Lease(l)
}

// observe notes that the lock of a task is at tip, and since when this clone
// has seen it there. A time that is still to come counts as now.
func (s *Locks) observe(id task.ID, tip gitstore.OID) observation {
	if s.observed == nil {
		s.readObserved()
	}
	now := s.Clone.Now().Unix()
	o, known := s.observed[id]
	if known && o.tip == tip.String() && o.since <= now {
		return o
	}
	o = observation{tip: tip.String(), since: now}
	s.observed[id] = o
	s.appendObserved(o.line(id))
	return o
}

// readObserved reads what was noted; lines that are none are passed over. A file that
// has grown is written anew.
func (s *Locks) readObserved() {
	s.observed = map[task.ID]observation{}
	data, err := gitfile.ReadFile(s.Clone.SyncFile(observedLocks))
	if err != nil {
		return
	}
	for line := range strings.Lines(string(data)) {
		var id task.ID
		var o observation
		if _, err := fmt.Sscan(line, &id, &o.tip, &o.since); err == nil {
			s.observed[id] = o
		}
	}
	if len(data) < maxObserved {
		return
	}
	var text strings.Builder
	for id, o := range s.observed {
		text.WriteString(o.line(id))
	}
	if 2*text.Len() < len(data) {
		_ = s.Clone.Repo.WriteCache(observedLocks, []byte(text.String())) // else it goes on growing
	}
}

// appendObserved writes one more line, all at once, so that several processes may.
// Where it can't be written, as in a read-only repository, every look is the
// first.
func (s *Locks) appendObserved(line string) {
	if s.Clone.Repo.MakeDir(s.Clone.Repo.CacheDir()) != nil {
		return
	}
	file, err := gitfile.OpenToAppend(s.Clone.SyncFile(observedLocks))
	if err != nil {
		return
	}
	_ = s.Clone.Repo.Share(file)
	_, _ = file.WriteString(line)
	_ = file.Close()
}
