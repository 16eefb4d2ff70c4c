package exchange

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// SyncReport is what a sync did.
type SyncReport struct {
	Remote string
	// First: with this sync the person agreed to share with the remote.
	First bool
	// Records that were not the same here and there, by ref; Unchanged counts
	// the others.
	Records   []SyncedRecord
	Unchanged int
	Rounds    int
	// Notes are remarks that are about no record.
	Notes []string
	// Again: somebody wanted a sync in the background meanwhile.
	Again bool
}

// SyncedRecord is what became of one record.
type SyncedRecord struct {
	refsync.RefReport
	Kind ledger.Kind
	// ID is the task's, or the clone's; "" for what there is one of.
	ID string
	// Ours and Theirs are how many operations each side of a merge had that the
	// other had not.
	Ours, Theirs int
	// Conflicts are the texts of a task that could not be merged.
	Conflicts []task.Conflict
}

// Failed are the records that were set aside, or refused there.
func (r SyncReport) Failed() []SyncedRecord {
	return slices.DeleteFunc(slices.Clone(r.Records), func(of SyncedRecord) bool { return of.Err == nil })
}

func (r *SyncReport) take(report refsync.Report, records []SyncedRecord) {
	r.Rounds, r.Unchanged = report.Rounds, report.Unchanged
	r.Notes = append(r.Notes, report.Notes...)
	if n := len(report.Foreign); n > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("left alone, since no record can have such a name: %.200q%s",
			string(report.Foreign[0]), more(n-1)))
	}
	r.Records = records
}

func more(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", and %d more", n)
}

// failureOf is what a sync is said to have failed of: its error, else the first
// record that was set aside.
func failureOf(err error, out *SyncReport) error {
	if failed := out.Failed(); err == nil && len(failed) > 0 {
		return fmt.Errorf("%s: %w", failed[0].Ref, failed[0].Err)
	}
	return err
}

// maxLooked bounds how many records are looked at only to tell more of them.
const maxLooked = 100

func (s *Exchange) synced(ctx context.Context, x *Settler, report refsync.Report) []SyncedRecord {
	var all []SyncedRecord
	looked := 0
	for _, ref := range report.Refs {
		r := SyncedRecord{RefReport: ref}
		r.Kind, r.ID, _ = ledger.KindOf(ref.Ref)
		met, known := x.met[ref.Ref]
		if known && r.Outcome == refsync.Merged && looked < maxLooked {
			r.Ours, r.Theirs = apart(ctx, s, met.Ours, met.Theirs)
		}
		if known && r.Kind == ledger.KindTask && looked < maxLooked {
			looked++
			if b, _, err := s.Records.Brief(ctx, task.ID(r.ID)); err == nil { // else whoever reads it is told
				r.Conflicts = b.Task.Conflicts
				r.Notes = append(r.Notes, revived(ctx, s, met, r.Outcome, b.Task)...)
			}
			r.Notes = append(r.Notes, s.voided(ctx, met)...)
		}
		all = append(all, r)
	}
	return all
}

// apart counts the operations that each of two histories has alone; 0 where git
// can't tell.
func apart(ctx context.Context, s *Exchange, ours, theirs gitstore.OID) (mine, other int) {
	text, err := s.Clone.Repo.Git.Run(ctx, "rev-list", "--left-right", "--count", "--no-merges",
		ours.String()+"..."+theirs.String(), "--")
	if err != nil {
		return 0, 0
	}
	left, right, _ := strings.Cut(strings.TrimSpace(string(text)), "\t")
	mine, _ = strconv.Atoi(left)
	other, _ = strconv.Atoi(right)
	return mine, other
}

// revived says of a task that was deleted on one side of an exchange, and edited on
// the other, that it lives: whoever deleted it does not expect it.
func revived(ctx context.Context, s *Exchange, r sides, how refsync.Outcome, t task.Task) []string {
	here, there := deletedAt(ctx, s, r.Ours), how == refsync.Merged && deletedAt(ctx, s, r.Theirs)
	switch {
	case here == there, t.Deleted:
		return nil
	case here:
		return []string{"deleted here and edited elsewhere: it stays"}
	}
	return []string{"deleted elsewhere and edited here: it stays"}
}

// deletedAt tells whether a task was deleted at one of its tips, which may be none.
func deletedAt(ctx context.Context, s *Exchange, tip gitstore.OID) bool {
	if tip.IsZero() {
		return false
	}
	data, err := s.Clone.Ledger.File(ctx, tip, task.TaskFile)
	row, err := records.ReadTaskRow(data, err)
	return err == nil && row.Deleted
}

// maxVoidNamed is how many operations a note names.
const maxVoidNamed = 3

// voided says which operations on a task were known here and count no more, since an
// exchange met somebody who held the lock meanwhile: who made them does not expect it.
// The log marks them. Where nobody can tell, nothing is said.
func (s *Exchange) voided(ctx context.Context, r sides) []string {
	tip, err := s.Clone.Ledger.Tip(ctx, r.Ref)
	if err != nil || r.Ours.IsZero() || tip == r.Ours {
		return nil
	}
	if merged, err := s.Records.MergedSince(ctx, tip, r.Ours); err != nil || !merged {
		return nil // nothing that was made apart came together
	}
	laws := rules.Rules()
	laws.Delete = nil // that has a note of its own
	now, err := s.Clone.Ledger.Void(ctx, tip, laws)
	if err != nil || len(now) == 0 {
		return nil
	}
	before, err := s.Clone.Ledger.Void(ctx, r.Ours, laws)
	if err != nil {
		return nil
	}
	known := map[gitstore.OID]bool{} // here, and no void one
	_ = s.Clone.Repo.History.Walk(ctx, r.Ours, func(at gitstore.OID, _ gitstore.Commit) (bool, error) {
		known[at] = true
		return true, nil
	})
	for _, step := range before {
		delete(known, step.Commit)
	}
	var dropped []string
	for _, step := range now {
		if known[step.Commit] {
			dropped = append(dropped, step.Subject)
		}
	}
	if len(dropped) == 0 {
		return nil
	}
	holder := "somebody else"
	if lock, err := s.Records.LockOf(ctx, task.ID(r.ID), false); err == nil && lock.Held {
		holder = s.Clone.Holder(lock)
	}
	named := min(len(dropped), maxVoidNamed)
	return []string{fmt.Sprintf("%s dropped: %s held the lock (%s%s)",
		clone.Counted(len(dropped), "change made offline was", "changes made offline were"), holder,
		strings.Join(dropped[:named], ", "), more(len(dropped)-named))}
}
