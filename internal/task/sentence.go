package task

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/git-brew/git-brew/internal/operation"
)

// maxSubject is how long a subject is meant to be at most, in runes.
const maxSubject = 72

// inOneLine removes what a line can't hold.
func inOneLine(s string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || r == '\r' {
			return ' '
		}
		if isControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "?"))), " ")
}

// subjectPath is a path in one line, of which the end tells the most.
func subjectPath(s string) string {
	s = inOneLine(s)
	if n := utf8.RuneCountInString(s); n > maxSubject {
		s = "…" + string([]rune(s)[n-maxSubject+1:])
	}
	return s
}

// subjectLine removes what a line can't hold and cuts it.
func subjectLine(s string) string {
	s = inOneLine(s)
	if utf8.RuneCountInString(s) <= maxSubject {
		return s
	}
	cut := string([]rune(s)[:maxSubject-1])
	if quotes := strings.Count(cut, `"`); quotes%2 == 1 {
		return strings.TrimSpace(string([]rune(s)[:maxSubject-2])) + `…"`
	}
	return strings.TrimSpace(cut) + "…"
}

func sayCreate(_ operation.Operation, p CreatePayload, _, _ Task) string {
	return "created: " + p.Title
}

func sayEdit(_ operation.Operation, p EditPayload, _, _ Task) string {
	var parts []string
	for _, part := range [][2]string{{"title", p.Title}, {"branch", p.Branch}, {"type", p.Type}, {"priority", string(p.Priority)}} {
		if part[1] != "" {
			parts = append(parts, part[0]+" "+part[1])
		}
	}
	for _, s := range p.AddServices {
		parts = append(parts, "service "+s.Path)
	}
	for _, path := range p.DropServices {
		parts = append(parts, "without service "+path)
	}
	for _, link := range p.AddIssues {
		parts = append(parts, "issue "+link)
	}
	for _, link := range p.DropIssues {
		parts = append(parts, "without issue "+link)
	}
	return "edited: " + strings.Join(parts, ", ")
}

func sayTask[P any](_ operation.Operation, _ P, before, after Task) string {
	if before.Status == after.Status {
		return fmt.Sprintf("task: went on, %s", after.Status)
	}
	return fmt.Sprintf("task: %s -> %s", before.Status, after.Status)
}

func sayStart(op operation.Operation, p StartPayload, before, after Task) string {
	s := sayTask(op, p, before, after)
	if p.TookFrom != "" {
		s += ", lock taken from " + p.TookFrom
	}
	return s
}

func sayPause(op operation.Operation, p PausePayload, before, after Task) string {
	s := sayTask(op, p, before, after)
	switch {
	case p.Reason != "":
		s += ": " + p.Reason
	case p.Cause == CauseCompaction:
		s += ": the agent's context is compacted"
	}
	return s
}

func sayFinish(op operation.Operation, p FinishPayload, before, after Task) string {
	s := sayTask(op, p, before, after)
	if p.Reason != "" {
		s += ": " + p.Reason
	}
	return s + before.sayPassed(p.Passed)
}

func sayDelete(operation.Operation, EmptyPayload, Task, Task) string { return "deleted" }

func sayStage(_ operation.Operation, p StagePayload, before, _ Task) string {
	return fmt.Sprintf("stage: %s -> %s", before.Stage, p.Stage) + before.sayPassed(p.Passed)
}

func sayPhaseAdd(op operation.Operation, p PhaseAddPayload, _, after Task) string {
	phase, _ := after.Phase(op.ID)
	return fmt.Sprintf("phase %s: added: %s", phase.ID, p.Title)
}

func phaseMove(uid UID, before, after Task) string {
	was, _ := before.Phase(uid)
	is, _ := after.Phase(uid)
	return fmt.Sprintf("phase %s: %s -> %s", is.ID, was.Status, is.Status)
}

func sayPhase[P any](op operation.Operation, _ P, before, after Task) string {
	return phaseMove(PhaseOf(op), before, after)
}

func sayPhaseStart(_ operation.Operation, p PhasePayload, before, after Task) string {
	s := phaseMove(p.Phase, before, after)
	phase, _ := after.Phase(p.Phase)
	if phase.Iteration > 1 {
		s += fmt.Sprintf(", iteration %d", phase.Iteration)
	}
	if p.Claimed && phase.Claim.Worker != "" {
		s += ", by " + phase.Claim.Worker
	}
	if len(p.Commit) >= 7 && p.Commit == phase.StartCommit {
		s += ", start commit " + p.Commit[:7]
	}
	return s + before.sayPassed(p.Passed)
}

func sayPhaseReview(_ operation.Operation, p PhaseReviewPayload, _, after Task) string {
	phase, _ := after.Phase(p.Phase)
	switch {
	case p.Verdict == ReviewApproved && phase.Status == PhaseInReview:
		return fmt.Sprintf("phase %s: the user wants no changes any more", phase.ID)
	case p.Verdict == ReviewApproved && p.Heard != "":
		return fmt.Sprintf("phase %s: the user approved it in session %s, %s", phase.ID, ShortSession(p.Heard), phase.Status)
	case p.Verdict == ReviewApproved:
		return fmt.Sprintf("phase %s: review approved, %s", phase.ID, phase.Status)
	}
	return fmt.Sprintf("phase %s: review wants changes: %s", phase.ID, p.Reason)
}

func sayPhaseReason(_ operation.Operation, p PhaseReasonPayload, before, after Task) string {
	return phaseMove(p.Phase, before, after) + ": " + p.Reason
}

func sayPhaseLaunch(_ operation.Operation, p PhaseLaunchPayload, _, after Task) string {
	phase, _ := after.Phase(p.Phase)
	return fmt.Sprintf("phase %s: launched %s", phase.ID, p.Agent)
}

// Generated are patterns, as git has them, for the sentences on texts that nobody wrote:
// summaries, final reports, and where a session left off.
var Generated = []string{
	`^phase [^ ]*: summary of iteration [0-9]* `,
	`^final: written$`,
	`^knowledge: fact "Paused at [^"]*"$`,
}

func sayDocSet(_ operation.Operation, p DocSetPayload, before, after Task) string {
	verb := "changed"
	if !before.HasDoc(p.Name) {
		verb = "written"
	}
	if len(after.Conflicts) > len(before.Conflicts) {
		verb += ", conflict kept"
	}
	uid, iteration, ofPhase := p.Name.phase()
	phase, known := after.Phase(uid)
	switch {
	case !ofPhase || !known:
		return after.ShownDoc(p.Name) + ": " + verb
	case iteration > 0:
		return fmt.Sprintf("phase %s: summary of iteration %d %s", phase.ID, iteration, verb)
	}
	return fmt.Sprintf("phase %s: plan %s", phase.ID, verb)
}

func sayDocResolve(_ operation.Operation, p DocResolvePayload, before, _ Task) string {
	for _, c := range before.Conflicts {
		if c.UID == p.Conflict {
			return strings.TrimSuffix(c.Path, textExt) + ": conflict resolved"
		}
	}
	return "conflict resolved"
}

func sayReport(_ operation.Operation, p ReportPayload, _, after Task) string {
	phase, _ := after.Phase(p.Phase)
	return fmt.Sprintf("phase %s: report of %s, iteration %d", phase.ID, p.Agent, p.Iteration)
}

func sayKnowledgeAdd(_ operation.Operation, p KnowledgeAddPayload, _, _ Task) string {
	return fmt.Sprintf("knowledge: %s \"%s\"", p.T, p.Txt)
}

func sayKnowledgeRemove(_ operation.Operation, p KnowledgeRemovePayload, _, _ Task) string {
	noun := "entries"
	if len(p.IDs) == 1 {
		noun = "entry"
	}
	s := "knowledge: removed " + strconv.Itoa(len(p.IDs)) + " " + noun
	if p.Reason != "" {
		s += ": " + p.Reason
	}
	return s
}
