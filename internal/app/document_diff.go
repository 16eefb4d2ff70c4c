package app

import (
	"bytes"
	"context"
	"errors"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

// DocumentDiff is how a document changed, from one version to another.
type DocumentDiff struct {
	Task     task.ID
	Name     string
	From, To string // commits of the task's record; From "" before it was written
	Old, New []byte
}

// DiffDocument compares a document as it is with its version before the last
// change, or with how it was at a time or a commit.
func (s *App) DiffDocument(ctx context.Context, id task.ID, name, at string) (DocumentDiff, error) {
	t, err := s.Records.Task(ctx, id)
	if err != nil {
		return DocumentDiff{}, err
	}
	doc, err := task.ParseDocName(t, name)
	if err != nil {
		return DocumentDiff{}, err
	}
	d := DocumentDiff{Task: id, Name: t.ShownDoc(doc)}
	now, err := s.Records.Document(ctx, t, doc)
	if err != nil {
		return d, err
	}
	tip, _, err := s.Records.TipOf(ctx, id)
	if err != nil {
		return d, err
	}
	var before gitstore.OID
	d.To = tip.String()
	if at != "" {
		if before, err = s.Records.TipAt(ctx, id, at); err != nil {
			return d, err
		}
	} else if d.To, before, err = s.lastChanges(ctx, tip, now.Path); err != nil {
		return d, err
	}
	if !before.IsZero() {
		d.From = before.String()
		if d.Old, err = s.Clone.Ledger.File(ctx, before, now.Path); err != nil && !errors.Is(err, gitstore.ErrNotExist) {
			return d, err
		}
	}
	d.New = now.Text
	return d, nil
}

// lastChanges finds the commit that changed a file of a record last, and the
// one before it that did; zero: there is none.
func (s *App) lastChanges(ctx context.Context, tip gitstore.OID,
	path string,
) (last string, before gitstore.OID, err error) {
	out, err := s.Clone.Repo.Git.Run(ctx, "--literal-pathspecs", "rev-list", "--max-count=2", tip.String(), "--", path)
	if err != nil {
		return "", before, err
	}
	commits := bytes.Fields(out)
	if len(commits) == 0 {
		return tip.String(), before, nil
	}
	if len(commits) > 1 {
		if before, err = gitstore.ParseOID(string(commits[1])); err != nil {
			return "", before, err
		}
	}
	return string(commits[0]), before, nil
}
