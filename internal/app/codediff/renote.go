package codediff

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
)

// NoteAgain makes the notes on commits again that tell of these tasks: a merge
// may have given their phases other numbers. It reports whether any was missing.
// Notes are a view, so only what is here of the user's commits gets one.
func (s *Code) NoteAgain(ctx context.Context, ids []task.ID) (made bool, err error) {
	var lines []ledger.NoteLine
	for _, id := range ids {
		b, _, err := s.Records.Brief(ctx, id)
		if err != nil {
			return false, err
		}
		lines = append(lines, s.NoteLines(ctx, b.Task)...)
	}
	err = s.Clone.Ledger.Change(ctx, func(ctx context.Context, tx *ledger.Tx) error {
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

// NoteLines are the lines that a task's phases have on commits that are here.
func (s *Code) NoteLines(ctx context.Context, t task.Task) []ledger.NoteLine {
	var lines []ledger.NoteLine
	for _, p := range t.Phases {
		add := func(commit, what string) {
			oid, err := gitstore.ParseOID(commit)
			if err != nil {
				return
			}
			if _, err := s.Clone.Repo.Objects.Commit(ctx, oid); err == nil {
				lines = append(lines, ledger.NoteLine{On: oid, Line: NoteLine(t.ID, p, what)})
			}
		}
		add(p.StartCommit, NoteStarts)
		if p.Status == task.PhaseCompleted {
			add(p.EndCommit, NoteEnds)
		}
	}
	return lines
}

// What the note on a commit says of a phase.
const (
	NoteStarts = "starts here"
	NoteEnds   = "ends here"
)

func NoteLine(id task.ID, p task.Phase, what string) string {
	return fmt.Sprintf("%s: phase %s %q %s", id, p.ID, p.Title, what)
}
