package app

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/app/overlap"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger/cache"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// ListRequest selects tasks.
type ListRequest struct {
	All      bool // terminal ones too
	Deleted  bool // deleted ones too, whatever their status was
	Archived bool // those in the archive; with All, the others too
	Status   []task.Status
}

// Listed is a task in a list: what the index of all tasks holds of it, its title,
// status and so on, and its lock. A list may be of ten thousand, so nothing is
// copied.
type Listed struct {
	*records.TaskRow
	ID        task.ID
	Tip       gitstore.OID
	Lock      *lease.Lock // of a task that nobody holds, a free one
	LockState lock.LockState
	// Confirmed: the arbiter agreed to the lock (see View).
	Confirmed bool
	// Overlap is what its branch meets of other tasks'; nil: nobody looked.
	Overlap *overlap.Seen
}

// Head is the task, of which the head and the current phase are known.
func (l Listed) Head() *task.Task { return l.Task(string(l.ID)) }

// CurrentPhase is the phase that was started last and is not completed.
func (l Listed) CurrentPhase() (task.Phase, bool) {
	if len(l.Current) == 0 {
		return task.Phase{}, false
	}
	return l.Current[0], true
}

// Listing is the answer to List. Broken names the refs that can't be read.
type Listing struct {
	Tasks  []Listed
	Broken []BrokenTask
	Here   task.ID // "" for none
	// Arbiter is the remote that decides about locks; "" for none.
	Arbiter string
	// Called is Names for this list.
	Called func(id task.ID) string
}

// BrokenTask is a task that can't be read, and why.
type BrokenTask struct {
	Ref string
	Err error
}

// List returns tasks, newest first.
func (s *App) List(ctx context.Context, r ListRequest) (Listing, error) {
	all, err := s.Records.Index(ctx)
	if err != nil {
		return Listing{}, err
	}
	ids := make([]string, len(all))
	for i := range all {
		ids[i] = all[i].ID
	}
	out := Listing{Called: s.Records.NamesAmong(ctx, ids)}
	if out.Here, err = s.Place.Here(ctx); err != nil {
		return out, err
	}
	arbiter, decided, err := s.Config.Arbiter(ctx)
	if err != nil {
		return out, err
	}
	locks, err := s.Records.LockIndex(ctx)
	if err != nil {
		return out, err
	}
	met := s.Radar.Among(ctx, all)
	if r.Archived {
		rows, err := s.Records.ArchiveIndex(ctx, all)
		if err != nil {
			return out, err
		}
		if r.All {
			rows = append(rows, all...)
		}
		all = rows
	}
	var open []*records.Indexed
	for i := range all {
		switch l := &all[i]; {
		case l.Err != nil:
			out.Broken = append(out.Broken, BrokenTask{Ref: string(l.Ref), Err: l.Err})
		case l.State.Deleted && r.Deleted, !l.State.Deleted && wanted(r, l.State.Status):
			open = append(open, l)
		}
	}
	slices.SortFunc(open, func(a, b *records.Indexed) int {
		return cmp.Or(strings.Compare(b.State.CreatedAt, a.State.CreatedAt), strings.Compare(a.ID, b.ID))
	})
	out.Arbiter = arbiter.Name
	out.addLocked(open, locks)
	for i := range out.Tasks {
		one := &out.Tasks[i]
		if seen, ok := met[one.ID]; ok {
			one.Overlap = &seen
		}
		one.LockState, one.Confirmed = s.Locks.LockState(*one.Lock), one.Lock.Held
		if decided && one.Confirmed {
			if one.Confirmed, err = s.Claims.ConfirmedBy(ctx, arbiter, one.ID, *one.Lock); err != nil {
				return out, err
			}
		}
	}
	return out, nil
}

// addLocked adds tasks, each with its lock.
func (l *Listing) addLocked(tasks []*records.Indexed, locks []cache.Row[lease.Lock]) {
	l.Tasks = make([]Listed, 0, len(tasks))
	var free lease.Lock
	for _, row := range tasks {
		one := Listed{TaskRow: &row.State, ID: task.ID(row.ID), Tip: row.Tip, Lock: &free}
		if i := records.RowAt(locks, row.ID); i >= 0 {
			lock := &locks[i]
			if lock.Err != nil {
				l.Broken = append(l.Broken, BrokenTask{Ref: string(lock.Ref), Err: lock.Err})
				var err error
				if lock.State, err = records.FreeIfUnread(lock.State, lock.Err); err != nil {
					continue
				}
			}
			one.Lock = &lock.State
		}
		l.Tasks = append(l.Tasks, one)
	}
}

func wanted(r ListRequest, st task.Status) bool {
	if len(r.Status) > 0 {
		return slices.Contains(r.Status, st)
	}
	return r.All || r.Archived || !st.Terminal()
}

// HeldLocks lists the locks that are held, those of archived tasks too.
func (s *App) HeldLocks(ctx context.Context) ([]claim.LockView, error) {
	locks, err := s.Records.LockIndex(ctx)
	if err != nil {
		return nil, err
	}
	var out []claim.LockView
	for _, row := range locks {
		if row.Err != nil || !row.State.Held {
			continue
		}
		id := task.ID(row.ID)
		if _, _, err := s.Records.TipOf(ctx, id); errors.Is(err, task.ErrNoTask) {
			continue // it has no task
		}
		v, err := s.Claims.LockView(ctx, id, row.State)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}
