package records

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// Show is a text of a task as it is, or was.
type Show struct {
	Tip   string
	Task  task.Task
	Path  string // "" for the task itself
	Text  []byte
	Files []string
	// Archived: the task stands in the archive.
	Archived bool
}

// ShowAt returns the task, and the text at path in it where one is given, as
// they were at a time or a commit; now where at is "".
func (s *Records) ShowAt(ctx context.Context, id task.ID, path, at string) (Show, error) {
	tip, archived, err := s.TipOf(ctx, id)
	if err == nil && at != "" {
		tip, err = s.TipAt(ctx, id, at)
	}
	if err != nil {
		return Show{}, err
	}
	t, err := ledger.Load(ctx, s.Clone.Ledger, TaskLaw{}, tip)
	if err != nil {
		return Show{}, err
	}
	out := Show{Tip: tip.String(), Task: t, Path: path, Archived: archived}
	if path != "" && IsDecisions(path) {
		path = task.DecisionsFile
		out.Path = path
	}
	if path != "" {
		if out.Text, err = s.Clone.Ledger.File(ctx, tip, path); errors.Is(err, gitstore.ErrNotExist) {
			// As people name it: plan, phases/2/plan.
			if name, nerr := task.ParseDocName(t, path); nerr == nil && t.HasDoc(name) {
				out.Path, _ = t.DocPath(name)
				out.Text, err = s.Clone.Ledger.File(ctx, tip, out.Path)
			}
		}
		if errors.Is(err, gitstore.ErrNotExist) {
			return out, clone.NotFound("see 'git brew doc list' and 'git brew report list'", "%s has no %s", id, path)
		}
		return out, err
	}
	files, err := s.Clone.Repo.Objects.Files(ctx, tip)
	for _, f := range files {
		out.Files = append(out.Files, f.Path)
	}
	return out, err
}

// Void returns the commits of a task's history whose operations changed nothing, since
// somebody else held the lock when they were made. Where a part of the history is not
// here, nobody can tell, and there are none.
func (s *Records) Void(ctx context.Context, id task.ID) (map[string]bool, error) {
	tip, err := s.TipAt(ctx, id, "")
	if err != nil {
		return nil, err
	}
	merged, err := s.MergedSince(ctx, tip, gitstore.OID{})
	if err != nil || !merged {
		return nil, err
	}
	steps, err := s.Clone.Ledger.Void(ctx, tip, rules.Rules())
	if errors.Is(err, ledger.ErrShallow) {
		return nil, nil
	}
	void := make(map[string]bool, len(steps))
	for _, step := range steps {
		void[step.Commit.String()] = true
	}
	return void, err
}

// History returns the operations of a task, the latest first.
func (s *Records) History(ctx context.Context, id task.ID) ([]ledger.Step, error) {
	tip, err := s.TipAt(ctx, id, "")
	if err != nil {
		return nil, err
	}
	return s.Clone.Ledger.History(ctx, tip)
}

// MergedSince reports a merge between ours and the tip that goes on from it. Most of
// what comes is a few operations one after another, which are looked at without git.
func (s *Records) MergedSince(ctx context.Context, tip, ours gitstore.OID) (merged bool, err error) {
	err = s.Clone.Repo.History.Walk(ctx, tip, func(at gitstore.OID, c gitstore.Commit) (bool, error) {
		merged = at != ours && len(c.Parents) > 1
		return at != ours && !merged, nil
	})
	return merged, err
}

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
