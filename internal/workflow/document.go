package workflow

import (
	"context"
	"fmt"

	"github.com/git-brew/git-brew/internal/task"
)

// Document is a text of a task.
type Document struct {
	Name string // as people see it: plan, phases/2/plan
	Path string // in the task's tree
	OID  string
	Size int
	Text []byte
}

// Documents lists the documents of a task, without their texts.
func (s *Service) Documents(ctx context.Context, id task.ID) ([]Document, error) {
	t, err := s.Task(ctx, id)
	if err != nil {
		return nil, err
	}
	var out []Document
	for _, name := range t.DocNames() {
		d, err := s.document(ctx, t, name)
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, nil
}

func (s *Service) document(ctx context.Context, t task.Task, name task.DocName) (Document, error) {
	path, _ := t.DocPath(name)
	d := Document{Name: t.ShownDoc(name), Path: path}
	have, ok := t.Docs[name]
	if !ok {
		return d, &NotFoundError{Kind: ErrNotFound, Msg: fmt.Sprintf("%s has no document %s", t.ID, d.Name), Hint: "see 'git brew doc list'"}
	}
	text, err := s.ledger.Blob(ctx, have.OID)
	if err != nil {
		return d, fmt.Errorf("read document %s: %w", d.Name, err)
	}
	d.OID, d.Size, d.Text = have.OID, len(text), text
	return d, nil
}

// Document returns a document of a task.
func (s *Service) Document(ctx context.Context, id task.ID, name string) (Document, error) {
	t, err := s.Task(ctx, id)
	if err != nil {
		return Document{}, err
	}
	doc, err := task.ParseDocName(t, name)
	if err != nil {
		return Document{}, err
	}
	return s.document(ctx, t, doc)
}

// SetDocument changes a document. Base is the blob that the writer started
// from: where the document has moved on since, the two changes are merged as
// texts. Empty: from what is there now.
func (s *Service) SetDocument(ctx context.Context, id task.ID, name string, text []byte, base string) (task.Task, error) {
	if err := task.CheckText(text); err != nil {
		return task.Task{}, err
	}
	return s.change(ctx, id, func(ctx context.Context, c *change) error {
		doc, err := task.ParseDocName(c.Task, name)
		if err != nil {
			return err
		}
		if base == "" || base == c.Task.Docs[doc].OID {
			return c.setText(ctx, doc, text)
		}
		oid := c.tx.Blob(text).String()
		return c.do(ctx, task.OpDocSet, task.DocSetPayload{Name: doc, Base: base, OID: oid})
	})
}

// editDocument changes a document by a function of its text.
func (s *Service) editDocument(ctx context.Context, id task.ID, doc task.DocName, edit func(text []byte) ([]byte, error)) (task.Task, error) {
	return s.change(ctx, id, func(ctx context.Context, c *change) error {
		var text []byte
		if have, ok := c.Task.Docs[doc]; ok {
			data, err := s.ledger.Blob(ctx, have.OID)
			if err != nil {
				return fmt.Errorf("read document %s: %w", doc, err)
			}
			text = data
		}
		next, err := edit(text)
		if err != nil {
			return err
		}
		return c.setText(ctx, doc, next)
	})
}

// ResolveConflict settles a text that could not be merged: what stands in its
// place becomes text, or stays as it is where text is nil.
func (s *Service) ResolveConflict(ctx context.Context, id task.ID, arg string, text []byte) (task.Task, error) {
	if text != nil {
		if err := task.CheckText(text); err != nil {
			return task.Task{}, err
		}
	}
	return s.change(ctx, id, func(ctx context.Context, c *change) error {
		con, err := c.Task.FindConflict(arg)
		if err != nil {
			return err
		}
		oid := c.Task.TextAt(con.Path)
		if text != nil {
			oid = c.tx.Blob(text).String()
		}
		return c.do(ctx, task.OpDocResolve, task.DocResolvePayload{Conflict: con.UID, OID: oid})
	})
}

// GrayAreas lists the open questions of a task: the boxes in its context.
func (s *Service) GrayAreas(ctx context.Context, id task.ID) ([]task.GrayArea, error) {
	t, err := s.Task(ctx, id)
	if err != nil {
		return nil, err
	}
	if _, ok := t.Docs["context"]; !ok {
		return nil, nil
	}
	d, err := s.document(ctx, t, "context")
	if err != nil {
		return nil, err
	}
	return task.GrayAreas(d.Text), nil
}

// AddGray adds an open question.
func (s *Service) AddGray(ctx context.Context, id task.ID, question string) (task.Task, error) {
	return s.editDocument(ctx, id, "context", func(text []byte) ([]byte, error) { return task.AddGray(text, question) })
}

// ResolveGray ticks an open question off, by its number in the list.
func (s *Service) ResolveGray(ctx context.Context, id task.ID, n int, answer string) (task.Task, error) {
	return s.editDocument(ctx, id, "context", func(text []byte) ([]byte, error) { return task.ResolveGray(text, n, answer) })
}
