package app

import (
	"context"
	"errors"
	"strings"

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
	d.To, d.New = tip.String(), now.Text
	var before gitstore.OID
	if at != "" {
		before, err = s.Records.TipAt(ctx, id, at)
	} else {
		before, err = s.lastChange(ctx, &d, now.Path)
	}
	if err != nil || before.IsZero() {
		return d, err
	}
	d.From = before.String()
	if d.Old, err = s.Clone.Ledger.File(ctx, before, now.Path); errors.Is(err, gitstore.ErrNotExist) {
		err = nil // it was not written yet
	}
	return d, err
}

// lastChange has a comparison end at the commit that changed a file of a record last, and
// gives the one before it that did; zero: there is none.
func (s *App) lastChange(ctx context.Context, d *DocumentDiff, path string) (gitstore.OID, error) {
	out, err := s.Clone.Repo.Git.Run(ctx, "--literal-pathspecs", "rev-list", "--max-count=2", d.To, "--", path)
	if err != nil {
		return gitstore.OID{}, err
	}
	commits := strings.Fields(string(out))
	if len(commits) > 0 {
		d.To = commits[0]
	}
	if len(commits) < 2 {
		return gitstore.OID{}, nil
	}
	return gitstore.ParseOID(commits[1])
}
