// Package texts keeps the documents of a task: read, set, edited, merged, checked.
package texts

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/trust"
	"github.com/git-brew/git-brew/internal/document"
	"github.com/git-brew/git-brew/internal/gitstore/worktree"
	"github.com/git-brew/git-brew/internal/task"
)

// DocumentCheck is what the rules say about a task's documents.
type DocumentCheck struct {
	Task task.Task
	// Document is the one that was asked for, "" for all.
	Document string
	document.Result
}

// CheckDocuments holds the documents of a task against the rules: all of them,
// or the one that a person names.
func (s *Documents) CheckDocuments(ctx context.Context, id task.ID, name string) (DocumentCheck, error) {
	t, err := s.Records.Task(ctx, id)
	if err != nil {
		return DocumentCheck{}, err
	}
	out := DocumentCheck{Task: t}
	if name != "" {
		doc, err := task.ParseDocName(t, name)
		if err != nil {
			return out, err
		}
		if out.Document = t.ShownDoc(doc); !t.HasDoc(doc) {
			return out, clone.NotFound("'git brew doc template "+out.Document+"' prints one to fill in", "%s has no document %s",
				t.ID, out.Document)
		}
	}
	subject, err := s.Records.Subject(ctx, t)
	if err != nil {
		return out, err
	}
	out.Result = document.Check(subject, out.Document)
	return out, nil
}

// LookAtPlan fills in what the plan lacks, before something is decided that begins
// work.
func (s *Documents) LookAtPlan(ctx context.Context, c *change.Tx) error {
	found, err := s.Records.Unready(ctx, c.Task)
	c.Task.Unready = found
	return err
}

// complete refuses an agent a document that is left half done, where nothing looks at that
// later: one that is not filled in, or a roadmap that says of nothing the spec asks for
// which phase covers it. What the start of a phase looks at may wait.
func (s *Documents) complete(ctx context.Context, c *change.Tx, doc task.DocName, text []byte) error {
	name := c.Task.ShownDoc(doc)
	switch _, _, ofPhase := doc.Phase(); {
	case ofPhase, doc == task.DocResearch:
		return s.FilledIn(name, text)
	case doc != task.DocRoadmap || !s.Clone.Caller.Agent():
		return nil
	}
	of, err := s.Records.Subject(ctx, c.Task)
	if err != nil {
		return err
	}
	of.Texts[name] = text
	return halfDone(of, name, "task.coverage", "'git brew doc get spec' has the numbers")
}

// FilledIn refuses an agent a text in which something waits to be filled in.
func (s *Documents) FilledIn(name string, text []byte) error {
	if !s.Clone.Caller.Agent() {
		return nil
	}
	return halfDone(document.Subject{Texts: map[string][]byte{name: text}}, name, "document.placeholder",
		"fill it in, or put it between backquotes where it is meant as it stands")
}

// halfDone refuses the text of that name for what a rule finds.
func halfDone(of document.Subject, name, rule, hint string) error {
	found := document.Check(of, "", rule).Findings
	if len(found) == 0 {
		return nil
	}
	if found[0].Line > 0 {
		name = fmt.Sprintf("%s:%d", name, found[0].Line)
	}
	said := found[0].Text
	if more := len(found) - 1; more > 0 {
		said += fmt.Sprintf("; and %d more", more)
	}
	return clone.Refuse(hint, "%s: %s", name, said)
}

// DocumentFindings counts errors and warnings by document.
func (s *Documents) DocumentFindings(ctx context.Context, id task.ID) (map[string][2]int, error) {
	check, err := s.CheckDocuments(ctx, id, "")
	counts := map[string][2]int{}
	for _, f := range check.Findings {
		n := counts[f.Document]
		if f.Severity == document.Error {
			n[0]++
		} else {
			n[1]++
		}
		counts[f.Document] = n
	}
	return counts, err
}

// TemplateResult is a document to be filled in.
type TemplateResult struct {
	Name string
	Text []byte
	// Project: it is the project's own.
	Project bool
}

// templateDir is where a project keeps templates of its own, in its work tree.
const templateDir = ".brew/templates"

// Template is the template of a document: the project's where it has one, else the
// one that git brew has (BC-2, BC-11). What is known of the task is filled in; id
// may be "".
func (s *Documents) Template(ctx context.Context, id task.ID, name string) (TemplateResult, error) {
	out := TemplateResult{Name: name}
	var t task.Task
	var subject document.Subject
	if id != "" {
		var err error
		if t, err = s.Records.Task(ctx, id); err != nil {
			return out, err
		}
		if subject, err = s.Records.Subject(ctx, t); err != nil {
			return out, err
		}
		if doc, err := task.ParseDocName(t, name); err == nil {
			out.Name = t.ShownDoc(doc)
		}
	}
	kind := document.TemplateOf(subject, out.Name)
	if !slices.Contains(document.Templates(), kind) {
		return out, clone.NotFoundAs(task.ErrNoDocument, "use one of "+strings.Join(document.Templates(), ", ")+
			" or phases/<id>/plan", "there is no template %q", name)
	}
	file := templateDir + "/" + kind + ".md"
	own, err := s.Clone.Repo.Tree.File(file, task.MaxText)
	switch {
	case errors.Is(err, worktree.ErrOutside):
		return out, clone.Refuse("put the template itself there", "%s is a link that leads out of the work tree", file)
	case err != nil:
		return out, fmt.Errorf("read the project's template %s: %w", kind, err)
	case own != nil:
		if err := task.CheckText(own); err != nil {
			return out, fmt.Errorf("the project's template %s: %w", kind, err)
		}
		out.Text, out.Project = own, true
	default:
		out.Text = []byte(document.TemplateText(kind))
	}
	out.Text = []byte(document.FillIn(string(out.Text), subject, t.Title, out.Name))
	return out, nil
}

// Documents keeps the texts of a task.
type Documents struct {
	*change.Engine
	Trust *trust.Trust
}
