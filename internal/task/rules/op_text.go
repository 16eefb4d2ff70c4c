package rules

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/linemerge"
	"github.com/git-brew/git-brew/internal/task/question"
)

func setText(e *editor, p task.DocSetPayload) error {
	path, ok := e.t.DocPath(p.Name)
	if !ok {
		if uid, _, is := p.Name.Phase(); is {
			return noPhase(uid)
		}
		return fmt.Errorf("%w: %q", task.ErrNoDocument, task.Clip(string(p.Name), task.MaxTitle))
	}
	if p.Base == p.OID {
		return task.Refuse(task.CodeInvalid, "the text is as it was", "")
	}
	e.setDoc(p.Name, e.mergeText(e.op.ID, path, e.t.Docs[p.Name], p.Base, task.Doc{OID: p.OID}))
	return nil
}

func (e *editor) setDoc(name task.DocName, doc task.Doc) {
	docs := map[task.DocName]task.Doc{}
	maps.Copy(docs, e.t.Docs)
	docs[name] = doc
	e.t.Docs = docs
	if name == task.DocContext {
		text, _ := e.text(doc)
		e.t.Questions = question.CountQuestions(text)
	}
}

// mergeText returns the text that stands at path after the operation uid
// changed it from the blob base to theirs, while current stands there. What
// can't be merged gives way to theirs and becomes a conflict; but for a summary,
// which is made from the state, and made anew with the next step of its phase: of two,
// the later stands, and nobody is asked which. That loses what somebody wrote into one
// by hand: a summary is no place for that.
func (e *editor) mergeText(uid operation.ID, path string, current task.Doc, base string, theirs task.Doc) task.Doc {
	if current.OID == base || current.OID == theirs.OID || current.OID == "" {
		return theirs // it is not there, or not any more: nothing is lost
	}
	a, okA := e.text(task.Doc{OID: base})
	b, okB := e.text(current)
	c, okC := e.text(theirs)
	if okA && okB && okC {
		if merged, clean := linemerge.Merge(a, b, c); clean {
			return task.DocOf(merged, len(theirs.OID))
		}
	}
	if task.IsSummary(path) {
		return theirs
	}
	lost := task.Conflict{UID: uid, Path: path, OID: current.OID, Data: current.Data}
	e.t.Conflicts = append(slices.Clip(e.t.Conflicts), lost)
	return theirs
}

// text returns a text's contents; nothing for no text.
func (e *editor) text(d task.Doc) ([]byte, bool) {
	switch {
	case d.Data != nil || d.OID == "":
		return d.Data, true
	case e.texts == nil:
		return nil, false
	}
	return e.texts.Text(d.OID)
}

func resolveText(e *editor, p task.DocResolvePayload) error {
	i := slices.IndexFunc(e.t.Conflicts, func(c task.Conflict) bool { return c.UID == p.Conflict })
	if i < 0 {
		return fmt.Errorf("%w: conflict %q; see 'git brew doc list'", task.ErrNoEntry,
			task.Clip(string(p.Conflict), task.MaxName))
	}
	c, path := e.t.Conflicts[i], e.t.Conflicts[i].Path
	if e.made && !task.Settles(e.t, c) {
		return task.Refuse(task.CodeTaskState, fmt.Sprintf("%s is not there any more, and settling the conflict would lose "+
			"the other text", task.Clip(path, task.MaxName)),
			fmt.Sprintf("'git brew show %s:%s' prints it; write it as that report again, then settle it", e.t.ID.Slug(),
				task.ConflictPath(c)))
	}
	e.t.Conflicts = slices.Delete(slices.Clone(e.t.Conflicts), i, i+1)
	if name, ok := e.t.DocAt(path); ok {
		e.setDoc(name, task.Doc{OID: p.OID})
		return nil
	}
	e.t.Reports = slices.Clone(e.t.Reports)
	for j, r := range e.t.Reports {
		if task.ReportPath(e.t, r) == path {
			e.t.Reports[j].OID, e.t.Reports[j].Data = p.OID, nil
		}
	}
	return nil
}

func addReport(e *editor, at int, p task.ReportPayload) error {
	phase := e.t.Phases[at]
	if p.Iteration < 1 {
		return wrongStatus(e.t, phase, "it was never started")
	}
	p.Verify = p.Verify || phase.Kind == task.KindVerification
	report := task.Report{
		UID: e.op.ID, Phase: p.Phase, Iteration: p.Iteration, Verify: p.Verify,
		Agent: p.Agent, At: e.at, OID: p.OID,
	}
	path := task.ReportPath(e.t, report)
	for i, r := range e.t.Reports {
		if task.ReportPath(e.t, r) != path {
			continue
		}
		doc := e.mergeText(e.op.ID, path, task.Doc{OID: r.OID, Data: r.Data}, p.Base, task.Doc{OID: p.OID})
		e.t.Reports = slices.Clone(e.t.Reports)
		e.t.Reports[i].OID, e.t.Reports[i].Data = doc.OID, doc.Data
		return nil
	}
	if err := full(len(e.t.Reports), task.MaxReports, "reports", ""); err != nil {
		return err
	}
	e.t.Reports = append(slices.Clip(e.t.Reports), report)
	return nil
}

func addKnowledge(e *editor, _ task.KnowledgeAddPayload) error {
	made, ok := knowledge.ApplyEntries(nil, e.op)
	if !ok {
		return task.Refuse(task.CodeInvalid, "the entry has an unknown kind, or no plain text",
			"use avoid, practice or fact and a short sentence")
	}
	if err := e.loadKnowledge(); err != nil {
		return err
	}
	if slices.ContainsFunc(e.t.Knowledge, func(k knowledge.Entry) bool { return k.ID == e.op.ID }) {
		return errNoID()
	}
	if err := full(len(e.t.Knowledge), task.MaxKnowledge, "entries", "git brew knowledge compact"); err != nil {
		return err
	}
	e.t.Knowledge, e.t.KnowledgeOID = append(slices.Clip(e.t.Knowledge), made...), ""
	return nil
}

// removeKnowledge takes out what is there of the entries; who removes them is told of the
// first that is not.
func removeKnowledge(e *editor, p task.KnowledgeRemovePayload) error {
	if len(p.IDs) == 0 {
		return task.Refuse(task.CodeInvalid, "no entry to remove is named", "see 'git brew knowledge list'")
	}
	if err := e.loadKnowledge(); err != nil {
		return err
	}
	left, ok := knowledge.ApplyEntries(e.t.Knowledge, e.op)
	for _, id := range p.IDs {
		there := slices.ContainsFunc(e.t.Knowledge, func(k knowledge.Entry) bool { return k.ID == id })
		if !there && (e.made || !ok) {
			return fmt.Errorf("%w: %q; see 'git brew knowledge list'", task.ErrNoEntry, task.Clip(string(id), task.MaxName))
		}
	}
	e.t.Knowledge, e.t.KnowledgeOID = left, ""
	return nil
}

// errUnloaded: Check has no texts to read the entries from, and leaves it to the fold.
var errUnloaded = errors.New("the entries are not loaded")

// loadKnowledge makes the entries ready for writing.
func (e *editor) loadKnowledge() error {
	if e.texts == nil && e.t.Knowledge == nil && e.t.KnowledgeOID != "" {
		return errUnloaded
	}
	t, err := task.LoadKnowledge(e.t, e.texts)
	if err != nil {
		return err
	}
	e.t.Knowledge = t.Knowledge
	return nil
}
