package lock

import (
	"bufio"
	"bytes"
	"context"
	"path/filepath"
	"strconv"
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

// maxObserved is how large the file may grow, in bytes, before it is written
// anew with what still counts; where that is much, twice of it.
const maxObserved = 256 << 10

// observed is the content of that file.
type observed struct {
	locks       map[task.ID]observation
	size, limit int // of the file
}

type observation struct {
	tip   string
	since int64 // seconds since 1970, by this machine's clock
}

// Stale reports whether the lease of a lock has run out. Of a lock of this
// clone its own times tell that. Of another clone's they don't, whoever's clock
// is wrong: besides, this clone must have seen it unchanged for a whole lease
// (design §5). Where a clock far ahead renewed it, that alone counts: else nobody
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
	now := s.Clone.Now().Unix()
	if s.observed == nil {
		s.observed = s.readObserved()
	}
	o, known := s.observed.locks[id]
	if known && o.tip == tip.String() && o.since <= now {
		return o
	}
	o = observation{tip: tip.String(), since: now}
	s.observed.locks[id] = o
	s.noteObserved(id, o)
	return o
}

func (s *Locks) observedFile() string { return filepath.Join(s.Clone.Repo.CacheDir(), observedLocks) }

// readObserved reads what was noted; lines that are none are passed over.
func (s *Locks) readObserved() *observed {
	o := &observed{locks: map[task.ID]observation{}, limit: maxObserved}
	data, err := gitfile.ReadFile(s.observedFile())
	if err != nil {
		return o
	}
	o.size = len(data)
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		if len(f) != 3 {
			continue
		}
		since, err := strconv.ParseInt(f[2], 10, 64)
		if _, bad := task.ParseID(f[0]); err == nil && bad == nil {
			o.locks[task.ID(f[0])] = observation{tip: f[1], since: since}
		}
	}
	return o
}

// noteObserved writes one more line, all at once, so that several processes may.
// Where it can't be written, as in a read-only repository, every look is the
// first.
func (s *Locks) noteObserved(id task.ID, o observation) {
	line := string(id) + " " + o.tip + " " + strconv.FormatInt(o.since, 10) + "\n"
	if s.observed.size += len(line); s.observed.size > s.observed.limit {
		s.rewriteObserved()
		return
	}
	if s.Clone.Repo.MakeDir(s.Clone.Repo.CacheDir()) != nil {
		return
	}
	file, err := gitfile.OpenToAppend(s.observedFile())
	if err != nil {
		return
	}
	_ = s.Clone.Repo.Share(file)
	_, _ = file.WriteString(line)
	_ = file.Close()
}

// rewriteObserved leaves in the file what still counts: the locks that are where
// they were seen.
func (s *Locks) rewriteObserved() {
	var text strings.Builder
	for id, o := range s.observed.locks {
		tip, err := s.Clone.Ledger.Tip(context.Background(), ledger.LockRef(string(id)))
		if err != nil || tip.String() != o.tip {
			delete(s.observed.locks, id)
			continue
		}
		text.WriteString(string(id) + " " + o.tip + " " + strconv.FormatInt(o.since, 10) + "\n")
	}
	s.observed.size, s.observed.limit = text.Len(), max(maxObserved, 2*text.Len())
	_ = s.Clone.Repo.WriteCache(observedLocks, []byte(text.String())) // else it goes on growing
}
