package workflow

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
)

// noteAgain makes the notes on commits again that tell of these tasks: a merge
// may have given their phases other numbers. It reports whether any was missing.
// Notes are a view, so only what is here of the user's commits gets one.
func (s *Code) noteAgain(ctx context.Context, ids []task.ID) (made bool, err error) {
	var lines []ledger.NoteLine
	for _, id := range ids {
		b, _, err := s.records.Brief(ctx, id)
		if err != nil {
			return false, err
		}
		lines = append(lines, s.noteLines(ctx, b.Task)...)
	}
	err = s.clone.Ledger.Change(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		var missing []ledger.NoteLine
		for _, line := range lines {
			have, err := tx.NoteLines(ctx, line.On)
			if err != nil {
				return err
			}
			if !slices.Contains(have, line.Line) {
				missing = append(missing, line)
			}
		}
		made = len(missing) > 0
		return tx.Note(ctx, missing...)
	})
	return made, err
}

// noteLines are the lines that a task's phases have on commits that are here.
func (s *Code) noteLines(ctx context.Context, t task.Task) []ledger.NoteLine {
	var lines []ledger.NoteLine
	for _, p := range t.Phases {
		add := func(commit, what string) {
			oid, err := gitstore.ParseOID(commit)
			if err != nil {
				return
			}
			if _, err := s.clone.Repo.Objects.Commit(ctx, oid); err == nil {
				lines = append(lines, ledger.NoteLine{On: oid, Line: noteLine(t.ID, p, what)})
			}
		}
		add(p.StartCommit, noteStarts)
		if p.Status == task.PhaseCompleted {
			add(p.EndCommit, noteEnds)
		}
	}
	return lines
}

// What the note on a commit says of a phase.
const (
	noteStarts = "starts here"
	noteEnds   = "ends here"
)

func noteLine(id task.ID, p task.Phase, what string) string {
	return fmt.Sprintf("%s: phase %s %q %s", id, p.ID, p.Title, what)
}
