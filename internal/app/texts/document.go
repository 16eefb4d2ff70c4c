package texts

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/linemerge"
)

// Documents lists the documents of a task, without their texts, and the texts
// that could not be merged with one.
func (s *Documents) Documents(ctx context.Context, id task.ID) ([]records.Document, []task.Conflict, error) {
	t, err := s.Records.Task(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	var out []records.Document
	for _, name := range t.DocNames() {
		d, err := s.Records.Document(ctx, t, name)
		if err != nil {
			return nil, nil, err
		}
		d.Text = nil
		out = append(out, d)
	}
	return out, t.Conflicts, nil
}

// Document returns a document of a task.
func (s *Documents) Document(ctx context.Context, id task.ID, name string) (records.Document, error) {
	t, err := s.Records.Task(ctx, id)
	if err != nil {
		return records.Document{}, err
	}
	if records.IsDecisions(name) {
		return records.DecisionsView(t)
	}
	doc, err := task.ParseDocName(t, name)
	if err != nil {
		if con, found := t.FindConflict(name); found == nil {
			return s.conflictText(ctx, t, con, name)
		}
		return records.Document{}, err
	}
	if doc == task.DocChangelog && !t.HasDoc(doc) {
		return s.Code.Changelog(ctx, t)
	}
	return s.Records.Document(ctx, t, doc)
}

// conflictText is a text that could not be merged, or, by its path, the one that
// stands, which may be a report.
func (s *Documents) conflictText(ctx context.Context, t task.Task, con task.Conflict,
	name string,
) (records.Document, error) {
	d := records.Document{Name: task.ConflictPath(con), Path: task.ConflictPath(con), OID: con.OID}
	if strings.TrimSuffix(con.Path, ".md") == strings.TrimSuffix(name, ".md") {
		d = records.Document{Name: con.Path, Path: con.Path, OID: t.TextAt(con.Path)}
	}
	text, err := s.Clone.Ledger.Blob(ctx, d.OID)
	if err != nil {
		return d, fmt.Errorf("read %s: %w", d.Path, err)
	}
	d.Size, d.Text = len(text), text
	return d, nil
}

// SetDocumentRequest changes a document.
type SetDocumentRequest struct {
	Name string
	Text []byte
	// Base is the blob that the writer started from, "" for no document. Where
	// the document has moved on since, the two changes are merged as texts.
	// Nil: the writer knows what is there now.
	Base *string
}

// DocumentResult is a document after a change.
type DocumentResult struct {
	Task     task.Task
	Document records.Document
	Changed  bool
	// Merged: somebody else changed the document meanwhile; both changes are
	// in it. Conflict is set where they could not be merged: what the other
	// wrote stands beside.
	Merged   bool
	Conflict *task.Conflict
}

// SetDocument changes a document.
func (s *Documents) SetDocument(ctx context.Context, id task.ID, r SetDocumentRequest) (DocumentResult, error) {
	var out DocumentResult
	if err := task.CheckText(r.Text); err != nil {
		return out, err
	}
	if records.IsDecisions(r.Name) {
		return out, clone.Refuse("git brew decision add TITLE", "%s is made from the decisions", task.DecisionsFile)
	}
	var doc task.DocName
	after, err := s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) error {
		var err error
		if doc, err = task.ParseDocName(c.Task, r.Name); err != nil {
			return err
		}
		before := c.Task
		have, text := before.Docs[doc].OID, r.Text
		base := have
		if r.Base != nil {
			base = *r.Base
		}
		out = DocumentResult{}
		if gitstore.HashBlob(text).String() == base {
			if r.Base == nil {
				return s.Trust.PlannedHere(ctx, c, doc, have, text)
			}
			return nil
		}
		// What both changed is merged here: the texts that an operation names
		// must stand in the task's tree, or only this clone has them.
		if merged, clean := mergeDocument(c, base, have, text); clean {
			text, base, out.Merged = merged, have, true
		}
		if err := cmp.Or(s.complete(ctx, c, doc, text), s.keepsQuestions(c, doc, have, text)); err != nil {
			return err
		}
		oid, err := c.Screened(doc, have, text)
		if err != nil || oid == have {
			return err
		}
		if err := c.Do(ctx, change.Op(task.OpDocSet, task.DocSetPayload{Name: doc, Base: base, OID: oid})); err != nil {
			return err
		}
		out.Changed = true
		if n := len(c.Task.Conflicts); n > len(before.Conflicts) {
			out.Conflict = &c.Task.Conflicts[n-1]
		}
		return s.Trust.PlannedHere(ctx, c, doc, have, r.Text)
	})
	if err != nil {
		return out, err
	}
	out.Task = after
	out.Document, err = s.Records.Document(ctx, after, doc)
	return out, err
}

// mergeDocument merges a text that was made from the blob base with what stands
// there now, have, where that is another.
func mergeDocument(c *change.Tx, base, have string, text []byte) (merged []byte, clean bool) {
	if base == have {
		return nil, false
	}
	var texts [2][]byte
	for i, oid := range []string{base, have} {
		if oid == "" {
			continue // there was no document
		}
		var known bool
		if texts[i], known = c.Ledger.Text(oid); !known {
			return nil, false
		}
	}
	return linemerge.Merge(texts[0], texts[1], text)
}

// EditDocument lets a person change a document in git's editor. Nothing is held
// meanwhile: what others change in the document is merged. In the streams is
// the person.
func (s *Documents) EditDocument(ctx context.Context, id task.ID, name string,
	streams gitstore.Streams,
) (DocumentResult, error) {
	t, err := s.Records.Task(ctx, id)
	if err != nil {
		return DocumentResult{}, err
	}
	doc, err := task.ParseDocName(t, name)
	if err != nil {
		return DocumentResult{}, err
	}
	before, err := s.Records.Document(ctx, t, doc)
	if err != nil && !errors.Is(err, clone.ErrNotFound) {
		return DocumentResult{}, err
	}
	text, err := s.Clone.Repo.Edit(ctx, fileOf(before.Name), before.Text, streams)
	if err != nil {
		return DocumentResult{}, s.keepEdited(t.ID, before, text, fmt.Errorf("edit %s: %w", before.Name, err))
	}
	if len(text) == 0 {
		return DocumentResult{}, fmt.Errorf("edit %s: nothing is in it; the document stays as it was", before.Name)
	}
	out, err := s.SetDocument(ctx, id, SetDocumentRequest{Name: name, Text: text, Base: &before.OID})
	if err != nil {
		err = s.keepEdited(t.ID, before, text, err)
	}
	return out, err
}

// keepEdited keeps a text that was written in an editor and could not be stored, for
// nobody types it twice, and says where in what is returned of why. Each text has a
// file of its own.
func (s *Documents) keepEdited(id task.ID, before records.Document, text []byte, why error) error {
	if len(text) == 0 || bytes.Equal(text, before.Text) {
		return why
	}
	kept := fmt.Sprintf("edited-%s-%s-%s", id, gitstore.HashBlob(text).Short(), fileOf(before.Name))
	if err := s.Clone.Repo.WriteCache(kept, text); err != nil {
		return why
	}
	return fmt.Errorf("what was written is kept in %s: %w", filepath.Join(s.Clone.Repo.CacheDir(), kept), why)
}

func fileOf(document string) string { return strings.ReplaceAll(document, "/", "-") + ".md" }

func (s *Documents) editDocument(ctx context.Context, id task.ID, doc task.DocName,
	edit func(text []byte) ([]byte, error),
) (task.Task, error) {
	return s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) error {
		var text []byte
		if have, ok := c.Task.Docs[doc]; ok {
			data, err := s.Clone.Ledger.Blob(ctx, have.OID)
			if err != nil {
				return fmt.Errorf("read document %s: %w", doc, err)
			}
			text = data
		}
		next, err := edit(text)
		if err != nil {
			return err
		}
		return c.SetDocument(ctx, doc, next)
	})
}

// ResolveConflict settles a text that could not be merged: what stands in its
// place becomes text. Nil text is refused: nobody settles what was not looked at.
func (s *Documents) ResolveConflict(ctx context.Context, id task.ID, arg string, text []byte) (task.Task, error) {
	if err := task.CheckText(text); err != nil && text != nil {
		return task.Task{}, err
	}
	return s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) error {
		con, err := c.Task.FindConflict(arg)
		if err != nil {
			return err
		}
		if text == nil {
			look, settle := task.SettleCommands(c.Task.Conflicts, con)
			return clone.Refuse("read the other text with '"+look+"', then give the one that is to stand to '"+settle+"'",
				"no text is given that %s is to have", con.Path)
		}
		had := c.Task.TextAt(con.Path)
		name, _ := c.Task.DocAt(con.Path)
		if err := s.keepsQuestions(c, name, had, text); err != nil {
			return err
		}
		oid, err := c.Screened(name, had, text)
		if err != nil {
			return err
		}
		if err := c.Do(ctx, change.Op(task.OpDocResolve, task.DocResolvePayload{Conflict: con.UID, OID: oid})); err != nil {
			return err
		}
		return s.Trust.PlannedHere(ctx, c, name, had, text)
	})
}
