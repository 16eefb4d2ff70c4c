package records

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

// Document is a text of a task.
type Document struct {
	Name string // as people see it: plan, phases/2/plan
	Path string // in the task's tree
	OID  string
	Size int
	Text []byte
	// Beside are the texts that could not be merged with it.
	Beside []task.Conflict
	// Derived: it is told from the task, and not kept as a document.
	Derived bool
}

func (s *Records) Document(ctx context.Context, t task.Task, name task.DocName) (Document, error) {
	path, _ := t.DocPath(name)
	d := Document{Name: t.ShownDoc(name), Path: path}
	have, ok := t.Docs[name]
	if !ok {
		return d, clone.NotFound("see 'git brew doc list'", "%s has no document %s", t.ID, d.Name)
	}
	text, err := s.Clone.Ledger.Blob(ctx, have.OID)
	if err != nil {
		return d, fmt.Errorf("read document %s: %w", d.Name, err)
	}
	d.OID, d.Size, d.Text = have.OID, len(text), text
	d.Beside = slices.DeleteFunc(slices.Clone(t.Conflicts), func(c task.Conflict) bool { return c.Path != path })
	return d, nil
}

// DecisionsView is that view of a task.
func DecisionsView(t task.Task) (Document, error) {
	text := task.DecisionsText(t)
	if text == nil {
		return Document{}, clone.NotFound("git brew decision add TITLE", "nothing is decided yet")
	}
	name := strings.TrimSuffix(task.DecisionsFile, ".md")
	return Document{
		Name: name, Path: task.DecisionsFile, OID: gitstore.HashBlob(text).String(), Size: len(text),
		Text: text,
	}, nil
}

// IsDecisions reports whether a name is that of the view of the decisions, which
// is read as a document and never written as one.
func IsDecisions(name string) bool {
	return strings.EqualFold(name, task.DecisionsFile) || strings.EqualFold(name+".md", task.DecisionsFile)
}
