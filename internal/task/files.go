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
	ArtifactsDir  = "artifacts/"
)

// Needs reports whether Decode wants the contents of the file at path; of the
// others it wants the id.
func Needs(path string) bool { return path == TaskFile || path == KnowledgeFile }

// ReportPath returns where a report stands in the task's tree (BC-41):
// artifacts/<P>-<N><e|v>/<AGENT>_output.md, _review.md for a verification.
func ReportPath(t Task, r Report) string {
	p, _ := t.Phase(r.Phase)
	dir, verify := artifactsOf(t, p, r.Iteration, r.Verify)
	if verify {
		return dir + r.Agent + "_review" + TextExt
	}
	return dir + r.Agent + "_output" + TextExt
}

// artifactsOf is the directory of what was written about an iteration. That of a
// verification 2V stands with the phase it verifies, counted by the
// verification's own iterations.
func artifactsOf(t Task, p Phase, iteration int, verify bool) (dir string, isVerify bool) {
	if p.Kind == KindVerification {
		verify = true
		if parent, _ := t.Phase(p.Parent); p.ID == parent.ID+"V" {
			p = parent
		}
	}
	letter := "e"
	if verify {
		letter = "v"
	}
	return ArtifactsDir + p.ID + "-" + strconv.Itoa(iteration) + letter + "/", verify
}

// ReportPhase returns the phase whose iteration a report on arg is about:
// "report 2V" is "report 2 --verify" where there is a 2V. Errors wrap
// ErrNoPhase.
func (t Task) ReportPhase(arg string, verify bool) (Phase, bool, error) {
	p, err := t.FindPhase(arg)
	if err != nil {
		return Phase{}, false, err
	}
	if v := t.Children(p.UID, KindVerification); verify && len(v) > 0 {
		p = v[0]
	}
	return p, verify || p.Kind == KindVerification, nil
}

// Expected returns the agents that owe a report on p's current iteration
// (BC-42): those assigned to it and those launched for it.
func (p Phase) Expected() []string {
	all := []string{}
	for _, agent := range slices.Concat(p.Agents, p.Launched) {
		if !slices.Contains(all, agent) {
			all = append(all, agent)
		}
	}
	return all
}

// MissingReports returns the paths of the reports that are still owed on p's
// current iteration.
func MissingReports(t Task, p Phase) []string {
	var paths []string
	for _, agent := range MissingAgents(t, p) {
		paths = append(paths, reportPathOf(t, p, agent))
	}
	return paths
}

// MissingAgents names the agents whose reports are not there. A phase that was
// done by its parts, and never started itself, owes none.
func MissingAgents(t Task, p Phase) []string {
	if p.Iteration == 0 {
		return nil
	}
	var agents []string
	for _, agent := range p.Expected() {
		if t.TextAt(reportPathOf(t, p, agent)) == "" {
			agents = append(agents, agent)
		}
	}
	return agents
}

// reportPathOf is where an agent's report on p's current iteration stands.
func reportPathOf(t Task, p Phase, agent string) string {
	return ReportPath(t, Report{Phase: p.UID, Iteration: p.Iteration, Verify: p.Kind == KindVerification, Agent: agent})
}

// TextAt returns the blob of the document or report at a path of the tree, ""
// for none.
func (t Task) TextAt(path string) string {
	if name, ok := t.DocAt(path); ok {
		return t.Docs[name].OID
	}
	for _, r := range t.Reports {
		if ReportPath(t, r) == path {
			return r.OID
		}
	}
	return ""
}

// ConflictPath returns where a conflict's text stands in the task's tree.
func ConflictPath(c Conflict) string { return conflictsDir + string(c.UID) }

// SettleCommands are the commands that print the text of one of a task's conflicts,
// and that settle it with a text on standard input.
func SettleCommands(all []Conflict, c Conflict) (look, settle string) {
	name := strings.TrimSuffix(c.Path, TextExt)
	if slices.ContainsFunc(all, func(o Conflict) bool { return o.Path == c.Path && o.UID != c.UID }) {
		name = ConflictPath(c)
	}
	return "git brew doc get " + ConflictPath(c), "git brew doc resolve " + name + " -"
}

// FindConflict returns the conflict that a person means: the path of the text
// that stands, with or without .md, the conflict's id, or a unique prefix of
// it. Errors wrap ErrNoEntry.
func (t Task) FindConflict(arg string) (Conflict, error) {
	var found []Conflict
	for _, c := range t.Conflicts {
		path := ConflictPath(c)
		if arg != "" && (c.Path == arg || strings.TrimSuffix(c.Path, TextExt) == arg || path == arg ||
			strings.HasPrefix(string(c.UID), arg)) {
			found = append(found, c)
		}
	}
	switch len(found) {
	case 0:
		return Conflict{}, fmt.Errorf("%w: conflict %q; see 'git brew doc list'", ErrNoEntry, Clip(arg, MaxName))
	case 1:
		return found[0], nil
	}
	paths := make([]string, len(found))
	for i, c := range found {
		paths[i] = ConflictPath(c)
	}
	return Conflict{}, Refuse(CodeInvalid, fmt.Sprintf("%q has %d conflicts: %s", Clip(arg, MaxName), len(found),
		strings.Join(paths, ", ")), "resolve them one by one")
}

// Texts gives the contents of blobs, for merging. A fold comes to the same
// state everywhere only where it has every text that the operations name.
type Texts interface {
	Text(oid string) ([]byte, bool)
}
