package task

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/operation"
)

func checkDocSet(t Task, p DocSetPayload) error {
	if _, ok := t.DocPath(p.Name); !ok {
		if uid, _, ok := p.Name.phase(); ok {
			_, err := t.find(uid)
			return err
		}
		return fmt.Errorf("%w: %q", ErrNoDocument, clip(string(p.Name), MaxTitle))
	}
	return checkBlobs(p.OID, p.Base)
}

func checkBlobs(oid, base string) error {
	if validOID(oid) && emptyOrOID(base) {
		return nil
	}
	return refuse(CodeInvalid, "a text is named by its object id", "")
}

func checkDocResolve(t Task, p DocResolvePayload) error {
	i := slices.IndexFunc(t.Conflicts, func(c Conflict) bool { return c.UID == p.Conflict })
	if i < 0 {
		return fmt.Errorf("%w: conflict %q; see 'git brew doc list'", ErrNoEntry, clip(string(p.Conflict), maxName))
	}
	if c := t.Conflicts[i]; t.TextAt(c.Path) == "" && (p.OID == "" || !t.settles(c)) {
		then := "write it as that report again, then settle it"
		if t.settles(c) {
			then = "'git brew doc resolve " + strings.TrimSuffix(c.Path, textExt) + " -' says what stands there from then on"
		}
		return refuse(CodeTaskState, fmt.Sprintf("%s is not there any more, and settling the conflict would lose the other text", clip(c.Path, maxName)),
			fmt.Sprintf("'git brew show %s:%s' prints it; %s", t.ID.Slug(), ConflictPath(c), then))
	}
	return checkBlobs(p.OID, "")
}

func checkReport(t Task, p ReportPayload) error {
	phase, err := t.findFor(p.Phase, p.Agent)
	switch {
	case err != nil:
		return err
	case p.Iteration < 1:
		return refuse(CodeTransition, fmt.Sprintf("phase %s was never started", phase.ID), t.wayOn(phase))
	case p.Iteration > maxReports, len(t.Reports) >= maxReports:
		return refuse(CodeTaskState, "too many reports", "")
	}
	return checkBlobs(p.OID, p.Base)
}

// checkKnowledgeAdd checks the form; whether the text is worth keeping is for
// the knowledge package to say.
func checkKnowledgeAdd(t Task, p KnowledgeAddPayload) error {
	raw, err := json.Marshal(p)
	if err != nil {
		return refuse(CodeInvalid, err.Error(), "")
	}
	_, ok := knowledge.ApplyEntries(nil, operation.Operation{Kind: OpKnowledgeAdd, Payload: raw})
	switch {
	case !ok:
		return refuse(CodeInvalid, "the entry has an unknown kind, or no plain text", "use avoid, practice or fact and a short sentence")
	case len(t.Knowledge) >= maxKnowledge:
		return refuse(CodeTaskState, fmt.Sprintf("the task has %d entries, no more fit", len(t.Knowledge)), "git brew knowledge compact")
	}
	return nil
}

func checkKnowledgeRemove(t Task, p KnowledgeRemovePayload) error {
	if t.Knowledge == nil && t.KnowledgeOID != "" {
		return nil // not loaded: Apply finds out
	}
	for _, id := range p.IDs {
		if !slices.ContainsFunc(t.Knowledge, func(k knowledge.Entry) bool { return k.ID == operation.ID(id) }) {
			return fmt.Errorf("%w: %q; see 'git brew knowledge list'", ErrNoEntry, clip(string(id), maxName))
		}
	}
	if len(p.IDs) == 0 {
		return refuse(CodeInvalid, "no entry to remove is named", "see 'git brew knowledge list'")
	}
	return nil
}
