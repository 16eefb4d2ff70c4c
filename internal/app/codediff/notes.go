package codediff

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/ledger/notes"
	"github.com/git-brew/git-brew/internal/task"
)

// NoteLines are the lines that a task's phases have on commits that are here.
func (s *Code) NoteLines(ctx context.Context, t task.Task) []notes.Line {
	var lines []notes.Line
	for _, p := range t.Phases {
		add := func(commit, what string) {
			oid, err := gitstore.ParseOID(commit)
			if err != nil {
				return
			}
			if _, err := s.Clone.Repo.Objects.Commit(ctx, oid); err == nil {
				lines = append(lines, notes.Line{On: oid, Text: NoteLine(t.ID, p, what)})
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

// maxRewritten bounds how many rewritten commits one call looks at.
const maxRewritten = 100_000

// Rewritten takes what git's post-rewrite hook says on its standard input, an
// old and a new commit a line, and carries our notes to the new ones. git does
// that itself by notes.rewriteRef, but two rewrites at once lose lines to each
// other there.
func (s *Code) Rewritten(ctx context.Context, pairs io.Reader) error {
	type pair struct{ old, new gitstore.OID }
	var all []pair
	lines := bufio.NewScanner(pairs)
	for lines.Scan() && len(all) < maxRewritten {
		words := strings.Fields(lines.Text())
		if len(words) < 2 {
			continue
		}
		old, oerr := gitstore.ParseOID(words[0])
		now, nerr := gitstore.ParseOID(words[1])
		if oerr != nil || nerr != nil {
			return fmt.Errorf("read the rewritten commits: %q", lines.Text())
		}
		all = append(all, pair{old, now})
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read the rewritten commits: %w", err)
	}
	tip, err := s.Clone.Ledger.Tip(ctx, ledger.NotesRef)
	if err != nil || tip.IsZero() {
		return err
	}
	return s.Clone.Ledger.Change(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		var carried []notes.Line
		for _, p := range all {
			noted, err := notes.Lines(ctx, tx, p.old)
			if err != nil {
				return err
			}
			for _, line := range noted {
				id, _, ok := strings.Cut(line, ":")
				if !ok {
					continue
				}
				carried = append(carried, notes.Line{On: p.new, Text: line})
				if known, err := s.Clone.Ledger.Tip(ctx, ledger.TaskRef(id)); err == nil && !known.IsZero() {
					if err := tx.Keep(ctx, id, p.new); err != nil {
						return err
					}
				}
			}
		}
		return notes.Add(ctx, tx, carried...)
	})
}
