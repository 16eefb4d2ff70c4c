package records

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

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
	t, err := ledger.Load(ctx, s.Clone.Ledger, TaskLaw(), tip)
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

// TipAt is the commit of a task's record at a time, or at a commit of it; its tip
// where at is "".
func (s *Records) TipAt(ctx context.Context, id task.ID, at string) (gitstore.OID, error) {
	tip, _, err := s.TipOf(ctx, id)
	if err != nil || at == "" {
		return tip, err
	}
	when, isTime, err := momentAt(ctx, s, at)
	if err != nil {
		return tip, err
	}
	var found gitstore.OID
	var first time.Time
	err = s.Clone.Repo.History.Walk(ctx, tip, func(oid gitstore.OID, c gitstore.Commit) (bool, error) {
		first = c.Committer.When
		if (isTime && !c.Committer.When.After(when)) ||
			(!isTime && isPrefix(at) && strings.HasPrefix(oid.String(), strings.ToLower(at))) {
			found = oid
		}
		return found.IsZero(), nil
	})
	switch {
	case err != nil, !found.IsZero():
		return found, err
	case isTime:
		return tip, clone.NotFound("it began at "+first.UTC().Format(time.RFC3339), "%s was not there yet at %s",
			s.Name(ctx, id), when.UTC().Format(time.RFC3339))
	}
	return tip, clone.NotFound("give a time (2026-01-31, yesterday, '2 hours ago') or a commit from 'git brew log'",
		"%s has no state at %q", s.Name(ctx, id), at)
}

// momentAt is the time that a text says, as git reads it; false for one that says
// none, or may be a commit.
func momentAt(ctx context.Context, s *Records, text string) (time.Time, bool, error) {
	text = strings.TrimSpace(text)
	if when, ok := ParseMoment(text); ok {
		return when, true, nil
	}
	// Git counts on from days that there are not, and takes a lone number for now.
	const digits = "0123456789"
	isDate := len(text) > 4 && strings.Trim(text[:4], digits) == "" && strings.ContainsRune("-/.", rune(text[4]))
	if isDate || isPrefix(text) || strings.Trim(text, digits+" ") == "" {
		return time.Time{}, false, nil
	}
	when, err := s.Clone.Repo.Git.Approxidate(ctx, text, s.Clone.Now())
	if errors.Is(err, gitstore.ErrNotExist) {
		return when, false, nil
	}
	return when, err == nil, err
}

// isPrefix reports what may be the beginning of a commit's id.
func isPrefix(text string) bool {
	return len(text) >= 4 && strings.Trim(strings.ToLower(text), "0123456789abcdef") == ""
}

// ParseMoment reads a time as people write it; a date means its end.
func ParseMoment(text string) (time.Time, bool) {
	for _, layout := range []string{
		time.RFC3339, "2006-01-02 15:04:05 -0700", "2006-01-02T15:04:05", "2006-01-02 15:04:05",
		"2006-01-02T15:04", "2006-01-02 15:04",
	} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	if t, err := time.Parse("2006-01-02", text); err == nil {
		return t.Add(24*time.Hour - time.Second), true
	}
	return time.Time{}, false
}
