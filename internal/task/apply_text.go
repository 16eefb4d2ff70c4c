package task

import (
	"maps"
	"slices"

	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/operation"
)

// maxReports and maxKnowledge bound what one task can hold.
const (
	maxReports   = 10_000
	maxKnowledge = 100_000
)

func applyDocSet(e *editor, op operation.Operation, p DocSetPayload) bool {
	path, ok := e.t.DocPath(p.Name)
	if !ok || !validOID(p.OID) || !emptyOrOID(p.Base) || p.Base == p.OID {
		return false
	}
	e.setDoc(p.Name, e.mergeText(op.ID, path, e.t.Docs[p.Name], p.Base, Doc{OID: p.OID}))
	return true
}

func (e *editor) setDoc(name DocName, doc Doc) {
	if !e.owned.docs {
		e.t.Docs, e.owned.docs = maps.Clone(e.t.Docs), true
	}
	if e.t.Docs == nil {
		e.t.Docs = map[DocName]Doc{}
	}
	e.t.Docs[name] = doc
	if name == DocContext {
		text, _ := e.text(doc)
		e.t.Questions = CountQuestions(text)
	}
}

// mergeText returns the text that stands at path after the operation uid
// changed it from the blob base to theirs, while current stands there. What
// can't be merged gives way to theirs and becomes a conflict; but for a summary,
// which is made from the state, and made anew with the next step of its phase: of two,
// the later stands, and nobody is asked which. That loses what somebody wrote into one
// by hand: a summary is no place for that.
func (e *editor) mergeText(uid operation.ID, path string, current Doc, base string, theirs Doc) Doc {
	if current.OID == base || current.OID == theirs.OID || current.OID == "" {
		return theirs // it is not there, or not any more: nothing is lost
	}
	a, okA := e.text(Doc{OID: base})
	b, okB := e.text(current)
	c, okC := e.text(theirs)
	if okA && okB && okC {
		if merged, clean := Merge(a, b, c); clean {
			return docOf(merged, len(theirs.OID))
		}
	}
	if isSummary(path) {
		return theirs
	}
	if !e.owned.conflicts {
		e.t.Conflicts, e.owned.conflicts = slices.Clone(e.t.Conflicts), true
	}
	e.t.Conflicts = append(e.t.Conflicts, Conflict{UID: uid, Path: path, OID: current.OID, Data: current.Data})
	return theirs
}

// text returns a text's contents; nothing for no text.
func (e *editor) text(d Doc) ([]byte, bool) {
	switch {
	case d.Data != nil || d.OID == "":
		return d.Data, true
	case e.texts == nil:
		return nil, false
	}
	return e.texts.Text(d.OID)
}

func applyDocResolve(e *editor, _ operation.Operation, p DocResolvePayload) bool {
	i := slices.IndexFunc(e.t.Conflicts, func(c Conflict) bool { return c.UID == p.Conflict })
	if i < 0 || !validOID(p.OID) {
		return false
	}
	path := e.t.Conflicts[i].Path
	e.t.Conflicts, e.owned.conflicts = slices.Delete(slices.Clone(e.t.Conflicts), i, i+1), true
	if name, ok := e.t.DocAt(path); ok {
		e.setDoc(name, Doc{OID: p.OID})
		return true
	}
	for j, r := range e.t.Reports {
		if ReportPath(e.t, r) == path {
			e.reports()[j].OID, e.reports()[j].Data = p.OID, nil
		}
	}
	return true
}

func (e *editor) reports() []Report {
	if !e.owned.reports {
		e.t.Reports, e.owned.reports = slices.Clone(e.t.Reports), true
	}
	return e.t.Reports
}

func applyReport(e *editor, op operation.Operation, p ReportPayload) bool {
	phase, ok := e.t.Phase(p.Phase)
	if !ok || !validName(p.Agent) || !validOID(p.OID) || !emptyOrOID(p.Base) ||
		p.Iteration < 1 || p.Iteration > maxReports {
		return false
	}
	p.Verify = p.Verify || phase.Kind == KindVerification
	report := Report{
		UID: op.ID, Phase: p.Phase, Iteration: p.Iteration, Verify: p.Verify,
		Agent: p.Agent, At: cleanTime(op.At), OID: p.OID,
	}
	path := ReportPath(e.t, report)
	for i, r := range e.t.Reports {
		if ReportPath(e.t, r) != path {
			continue
		}
		doc := e.mergeText(op.ID, path, Doc{OID: r.OID, Data: r.Data}, p.Base, Doc{OID: p.OID})
		e.reports()[i].OID, e.reports()[i].Data = doc.OID, doc.Data
		return true
	}
	if len(e.t.Reports) >= maxReports {
		return false
	}
	e.t.Reports = append(e.reports(), report)
	return true
}

func applyKnowledgeAdd(e *editor, op operation.Operation, _ KnowledgeAddPayload) bool {
	made, ok := knowledge.ApplyEntries(nil, op)
	if !ok || !op.ID.Valid() || !e.loadKnowledge() || len(e.t.Knowledge) >= maxKnowledge {
		return false
	}
	if slices.ContainsFunc(e.t.Knowledge, func(k knowledge.Entry) bool { return k.ID == op.ID }) {
		return false
	}
	e.t.Knowledge, e.t.KnowledgeOID = append(e.t.Knowledge, made...), ""
	return true
}

func applyKnowledgeRemove(e *editor, op operation.Operation, _ KnowledgeRemovePayload) bool {
	if !e.loadKnowledge() {
		return false
	}
	left, ok := knowledge.ApplyEntries(e.t.Knowledge, op)
	if ok {
		e.t.Knowledge, e.t.KnowledgeOID = left, ""
	}
	return ok
}

// loadKnowledge makes the entries ready for writing; false if their blob is
// missing.
func (e *editor) loadKnowledge() bool {
	if e.owned.knowledge {
		return true
	}
	t, err := LoadKnowledge(e.t, e.texts)
	if err != nil {
		return false
	}
	e.t.Knowledge, e.owned.knowledge = slices.Clone(t.Knowledge), true
	return true
}
