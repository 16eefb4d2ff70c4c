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
	return strings.HasPrefix(path, ArtifactsDir) && strings.HasSuffix(path, SummaryName+TextExt)
}

// ParseDocName returns the document that a person means: one of the fixed
// names, or phases/<phase>/plan by the phase's shown id or UID; ".md" may
// follow. Errors wrap ErrNoDocument or ErrNoPhase.
func ParseDocName(t Task, arg string) (DocName, error) {
	s := strings.TrimSuffix(arg, TextExt)
	if lower := DocName(strings.ToLower(s)); slices.Contains(docNames, lower) {
		return lower, nil
	}
	if rest, ok := strings.CutPrefix(s, phasesDir); ok {
		if id, ok := strings.CutSuffix(rest, planName); ok {
			p, err := t.FindPhase(id)
			return PlanOf(p.UID), err
		}
	}
	if name, ok := t.DocAt(s + TextExt); ok {
		return name, nil
	}
	return "", fmt.Errorf("%w: %q; use spec, plan, research, roadmap, context, final, changelog or phases/<id>/plan",
		ErrNoDocument, Clip(arg, MaxTitle))
}

// Phase returns the phase that the document is about, if it is a plan or, with
// an iteration, a summary.
func (n DocName) Phase() (uid UID, iteration int, ok bool) {
	s := string(n)
	if rest, ok := strings.CutPrefix(s, phasesDir); ok {
		id, ok := strings.CutSuffix(rest, planName)
		return UID(id), 0, ok
	}
	rest, ok := strings.CutPrefix(s, ArtifactsDir)
	if !ok {
		return "", 0, false
	}
	if rest, ok = strings.CutSuffix(rest, SummaryName); !ok {
		return "", 0, false
	}
	id, number, ok := strings.Cut(rest, "-")
	if iteration, err := strconv.Atoi(number); ok && err == nil && iteration > 0 && strconv.Itoa(iteration) == number {
		return UID(id), iteration, true
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
	if !ok {
		return "", false
	}
	if slices.Contains(docNames, DocName(s)) {
		return DocName(s), true
	}
	if rest, ok := strings.CutPrefix(s, phasesDir); ok {
		id, _ := strings.CutSuffix(rest, planName)
		return docIf(t, func(p Phase) DocName { return PlanOf(p.UID) }, path, func(p Phase) bool { return p.ID == id })
	}
	dir, ok := strings.CutSuffix(s, SummaryName)
	i := strings.LastIndexByte(dir, '-')
	if !ok || i < 0 || len(dir) < i+3 {
		return "", false
	}
	iteration, err := strconv.Atoi(dir[i+1 : len(dir)-1])
	if err != nil {
		return "", false
	}
	id := strings.TrimPrefix(dir[:i], ArtifactsDir)
	return docIf(t, func(p Phase) DocName { p.Iteration = iteration; return SummaryOf(p) }, path, func(p Phase) bool {
		if p.Kind != KindVerification || p.ID == id {
			return p.ID == id
		}
		parent, _ := t.Phase(p.Parent)
		return parent.ID == id
	})
}

// docIf returns the document of the first fitting phase that stands at path.
func docIf(t Task, name func(Phase) DocName, path string, fits func(Phase) bool) (DocName, bool) {
	for _, p := range t.Phases {
		if !fits(p) {
			continue
		}
		if at, ok := t.DocPath(name(p)); ok && at == path {
			return name(p), true
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
		for p.Iteration = 1; p.Iteration <= iterations(t, p.UID); p.Iteration++ {
			if name := SummaryOf(p); t.HasDoc(name) {
				all = append(all, name)
			}
		}
	}
	return all
}

func iterations(t Task, uid UID) int {
	p, _ := t.Phase(uid)
	return min(p.Iteration, MaxReports)
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
	}
	if at := bytes.IndexByte(data, 0); at >= 0 {
		line := 1 + bytes.Count(data[:at], []byte{'\n'})
		return Refuse(CodeInvalid, fmt.Sprintf("the text has a NUL byte, in line %d", line),
			"take it out, or give a file that is text")
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
