package task

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The fixed names of a task's tree.
const (
	TaskFile      = "task.json"
	KnowledgeFile = "knowledge.jsonl"
	conflictsDir  = "conflicts/"
	artifactsDir  = "artifacts/"
)

// SummaryAgent is the agent under which the summary of an iteration is kept:
// artifacts/<P>-<N>e/summary.md (BC-43).
const SummaryAgent = "summary"

// Needs reports whether Decode wants the contents of the file at path; of the
// others it wants the id.
func Needs(path string) bool { return path == TaskFile || path == KnowledgeFile }

// Blob is a file of the tree. Data nil: it is stored already, under OID. OID
// empty: the caller stores Data and learns the id.
type Blob struct {
	OID  string
	Data []byte
}

// Files are the files of a task's tree by path.
type Files map[string]Blob

// ReportPath returns where a report stands in the task's tree (BC-41):
// artifacts/<P>-<N><e|v>/<AGENT>_output.md, _review.md for a verification.
func (t Task) ReportPath(r Report) string {
	p, _ := t.Phase(r.Phase)
	name, letter := r.Agent+"_output.md", "e"
	if r.Verify {
		name, letter = r.Agent+"_review.md", "v"
	}
	if r.Agent == SummaryAgent {
		name = SummaryAgent + textExt
	}
	return artifactsDir + p.ID + "-" + strconv.Itoa(r.Iteration) + letter + "/" + name
}

// ReportFor returns where a report on p's current iteration belongs, agent and
// text left out. Those of a verification 2V are filed with the phase 2 that it
// verifies, counted by the verification's own iterations.
func (t Task) ReportFor(p Phase, verify bool) Report {
	if p.Kind != KindVerification && verify {
		if v := t.children(p.UID, KindVerification); len(v) > 0 {
			p = v[0]
		}
	}
	return t.filed(Report{Phase: p.UID, Iteration: p.Iteration, Verify: verify})
}

// filed moves a report on a verification 2V to the phase 2; a second
// verification of the same phase keeps its own.
func (t Task) filed(r Report) Report {
	if p, _ := t.Phase(r.Phase); p.Kind == KindVerification {
		r.Verify = true
		if parent, ok := t.Phase(p.Parent); ok && p.ID == parent.ID+"V" {
			r.Phase = parent.UID
		}
	}
	return r
}

// Expected returns the agents that owe a report on p's current iteration
// (BC-42): those assigned to it and those launched for it.
func (p Phase) Expected() []string {
	all := make([]string, 0, len(p.Agents)+len(p.Launched))
	seen := map[string]bool{}
	for _, list := range [][]string{p.Agents, p.Launched} {
		for _, agent := range list {
			if !seen[agent] {
				seen[agent] = true
				all = append(all, agent)
			}
		}
	}
	return all
}

// Missing returns the paths of the reports that are still owed on p's current
// iteration.
func (t Task) Missing(p Phase) []string {
	var paths []string
	for _, agent := range p.Expected() {
		want := t.ReportFor(p, false)
		want.Agent = agent
		path := t.ReportPath(want)
		if !slices.ContainsFunc(t.Reports, func(r Report) bool { return t.ReportPath(r) == path }) {
			paths = append(paths, path)
		}
	}
	return paths
}

// schemaMajor returns the major number of "major.minor.patch".
func schemaMajor(s string) (int, bool) {
	parts := strings.Split(s, ".")
	if len(parts) != 3 || len(s) > 32 {
		return 0, false
	}
	for _, p := range parts {
		if !isNumber(p) || len(p) > 1 && p[0] == '0' {
			return 0, false
		}
	}
	n, err := strconv.Atoi(parts[0])
	return n, err == nil
}

// SchemaError says that a task was written in a format that this program does
// not read.
type SchemaError struct{ Have, Want string }

func (e *SchemaError) Error() string {
	return fmt.Sprintf("the task is stored in format %q, this git-brew reads %s; a newer git-brew is needed", clip(e.Have, 32), e.Want)
}

// checkSchema accepts every minor version of the major one that is known.
func checkSchema(have string) error {
	got, ok := schemaMajor(have)
	want, _ := schemaMajor(Schema)
	if !ok || got != want {
		return &SchemaError{Have: have, Want: Schema}
	}
	return nil
}
