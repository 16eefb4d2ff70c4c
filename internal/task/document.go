package task

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The documents of a task. A phase's plan is named by PlanOf.
const (
	DocSpec     DocName = "spec"
	DocPlan     DocName = "plan"
	DocResearch DocName = "research"
	DocRoadmap  DocName = "roadmap"
	DocContext  DocName = "context"
	DocFinal    DocName = "final"
	// DocChangelog is what a person wrote of it; else it is told from history.
	DocChangelog DocName = "changelog"
)

var docNames = []DocName{DocSpec, DocPlan, DocResearch, DocRoadmap, DocContext, DocFinal, DocChangelog}

const (
	phasesDir = "phases/"
	planName  = "/plan"
	TextExt   = ".md"

	SummaryName = "/summary"
)

// ErrNoDocument says that there is no document of that name.
var ErrNoDocument = errors.New("no such document")

// PlanOf names a phase's own plan.
func PlanOf(uid UID) DocName { return DocName(phasesDir + string(uid) + planName) }

// SummaryOf names the summary of a phase's current iteration (BC-43).
func SummaryOf(p Phase) DocName {
	return DocName(ArtifactsDir + string(p.UID) + "-" + strconv.Itoa(p.Iteration) + SummaryName)
}

// IsSummary reports whether a path is that of an iteration's summary.
func IsSummary(path string) bool {
	_, is := between(path, ArtifactsDir, SummaryName+TextExt)
	return is
}

// ParseDocName returns the document that a person means: one of the fixed
// names, or phases/<phase>/plan by the phase's shown id or UID; ".md" may
// follow. Errors wrap ErrNoDocument or ErrNoPhase.
func ParseDocName(t Task, arg string) (DocName, error) {
	s := strings.TrimSuffix(arg, TextExt)
	if lower := DocName(strings.ToLower(s)); slices.Contains(docNames, lower) {
		return lower, nil
	}
	if id, ok := between(s, phasesDir, planName); ok {
		p, err := t.FindPhase(id)
		return PlanOf(p.UID), err
	}
	if name, ok := t.DocAt(s + TextExt); ok {
		return name, nil
	}
	return "", fmt.Errorf("%w: %q; use spec, plan, research, roadmap, context, final, changelog or phases/<id>/plan",
		ErrNoDocument, Clip(arg, MaxTitle))
}

// between is what stands between a beginning and an end.
func between(s, begin, end string) (string, bool) {
	rest, begins := strings.CutPrefix(s, begin)
	middle, ends := strings.CutSuffix(rest, end)
	return middle, begins && ends
}

// numbered parts "2-1" into what was iterated and the iteration.
func numbered(s string) (of string, iteration int, ok bool) {
	at := max(strings.LastIndexByte(s, '-'), 0)
	n, err := strconv.Atoi(strings.TrimPrefix(s[at:], "-"))
	return s[:at], n, err == nil && n > 0 && s[at:] == "-"+strconv.Itoa(n)
}

// Phase returns the phase that the document is about, if it is a plan or, with
// an iteration, a summary.
func (n DocName) Phase() (uid UID, iteration int, ok bool) {
	if id, ok := between(string(n), phasesDir, planName); ok {
		return UID(id), 0, true
	}
	if of, ok := between(string(n), ArtifactsDir, SummaryName); ok {
		id, iteration, ok := numbered(of)
		return UID(id), iteration, ok
	}
	return "", 0, false
}

// DocPath returns where a document stands in the task's tree; false for a
// name that is none.
func (t Task) DocPath(name DocName) (string, bool) {
	if slices.Contains(docNames, name) {
		return string(name) + TextExt, true
	}
	uid, iteration, ok := name.Phase()
	if !ok {
		return "", false
	}
	p, ok := t.Phase(uid)
	if !ok || iteration > MaxReports {
		return "", false
	}
	if iteration > 0 {
		dir, _ := artifactsOf(t, p, iteration, false)
		return dir + SummaryName[1:] + TextExt, true
	}
	return phasesDir + p.ID + planName + TextExt, true
}

// DocAt is the inverse of DocPath.
func (t Task) DocAt(path string) (DocName, bool) {
	s, ok := strings.CutSuffix(path, TextExt)
	if name := DocName(s); !ok || slices.Contains(docNames, name) {
		return name, ok
	}
	id, iteration := "", 0
	if dir, ok := between(s, ArtifactsDir, SummaryName); ok && dir != "" {
		id, iteration, _ = numbered(dir[:len(dir)-1]) // behind it stands a letter
	} else {
		id, _ = between(s, phasesDir, planName)
	}
	for _, p := range t.Phases {
		if p.ID != id && p.ID != id+"V" {
			continue
		}
		name := PlanOf(p.UID)
		if p.Iteration = iteration; iteration > 0 {
			name = SummaryOf(p)
		}
		if at, ok := t.DocPath(name); ok && at == path {
			return name, true
		}
	}
	return "", false
}

// ShownDoc is the name that people type for a document.
func (t Task) ShownDoc(name DocName) string {
	path, ok := t.DocPath(name)
	if !ok {
		return string(name)
	}
	return strings.TrimSuffix(path, TextExt)
}

// HasDoc reports whether the document was ever written.
func (t Task) HasDoc(name DocName) bool { return t.Docs[name].OID != "" }

// HasAny reports whether one of some documents was ever written.
func (t Task) HasAny(names ...DocName) bool { return slices.ContainsFunc(names, t.HasDoc) }

// DocNames lists the documents that exist: the fixed ones first, then the
// phases' plans and summaries in the order of the phases.
func (t Task) DocNames() []DocName {
	var all []DocName
	for _, name := range docNames {
		if t.HasDoc(name) {
			all = append(all, name)
		}
	}
	for _, p := range t.Phases {
		if name := PlanOf(p.UID); t.HasDoc(name) {
			all = append(all, name)
		}
		for n := range min(p.Iteration, MaxReports) {
			p.Iteration = n + 1
			if name := SummaryOf(p); t.HasDoc(name) {
				all = append(all, name)
			}
		}
	}
	return all
}

// CheckText reports why data can't be a document or a report: nothing in it,
// larger than MaxText, no UTF-8, or with NUL bytes.
func CheckText(data []byte) error {
	switch {
	case len(data) > MaxText:
		return Refuse(CodeInvalid, fmt.Sprintf("the text has %d bytes, at most %d are kept", len(data), MaxText), "split it")
	case len(bytes.TrimSpace(data)) == 0:
		return Refuse(CodeInvalid, "the text is empty", "write something into it")
	case !utf8.Valid(data):
		return Refuse(CodeInvalid, "the text is not UTF-8", "convert it, with iconv for example")
	case bytes.IndexByte(data, 0) >= 0:
		return Refuse(CodeInvalid, "the text has a NUL byte", "take it out, or give a file that is text")
	}
	return nil
}

// DocOf is a new text with the id that git gives its blob. size is the length
// of ids in this repository, in hexadecimal digits.
func DocOf(data []byte, size int) Doc {
	blob := append([]byte("blob "+strconv.Itoa(len(data))+"\x00"), data...)
	if size == 2*sha256.Size {
		sum := sha256.Sum256(blob)
		return Doc{OID: hex.EncodeToString(sum[:]), Data: data}
	}
	sum := sha1.Sum(blob)
	return Doc{OID: hex.EncodeToString(sum[:]), Data: data}
}

// Settles reports whether a text can be put where c belongs: what stands there, or
// a document that was taken away meanwhile.
func Settles(t Task, c Conflict) bool {
	_, place := t.DocAt(c.Path)
	return place || t.TextAt(c.Path) != ""
}
