package importer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/document"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/task"
)

// planned are the phases that a document plans, as 'git brew phase add --from' reads it.
func (r *reader) planned(name, p string, text []byte) []Phase {
	all := document.PlannedPhases(name, text)
	if n := len(all); n > task.MaxPhases {
		all = all[:task.MaxPhases]
		r.lose(p, 0, "a task has at most %d phases; %d more are left out", task.MaxPhases, n-task.MaxPhases)
	}
	plans := func(id string) bool {
		return slices.ContainsFunc(all, func(q document.PlannedPhase) bool { return q.ID == id })
	}
	var out []Phase
	for _, q := range all {
		phase := Phase{
			ID: q.ID, Title: q.Title, Agents: q.Agents, Acceptance: q.Acceptance, Verify: q.Verify, line: q.Line,
		}
		switch q.Kind {
		case document.Fix:
			r.lose(p, q.Line, "phase %s repairs another, and is none to plan", line(q.ID, task.MaxName))
			continue
		case document.FinalReview:
			phase.Kind = task.KindFinalReview
		case document.Verification:
			phase.Kind, phase.Of = task.KindVerification, q.Of
		case document.ResearchPhase:
			phase.Kind, phase.Of = task.KindResearch, q.Of
		case document.Execution:
		}
		for _, id := range q.DependsOn {
			switch {
			case id == q.Of: // it belongs to it, which says more
			case plans(id):
				phase.DependsOn = append(phase.DependsOn, id)
			default:
				r.lose(p, q.Line, "phase %s waits for %q, which is no phase", line(q.ID, task.MaxName), line(id, task.MaxTitle))
			}
		}
		out = append(out, phase)
	}
	return out
}

// find is the phase with an id, nil for none; 01 is 1.
func find(phases []Phase, id string) *Phase {
	i := slices.IndexFunc(phases, func(p Phase) bool { return document.SamePhase(p.ID, id) })
	if i < 0 {
		return nil
	}
	return &phases[i]
}

// boxes are the items of a text that have a box, with their lines.
func boxes(text []byte) (all []box) {
	for i, l := range strings.Split(string(text), "\n") {
		rest := strings.TrimLeft(l, " \t")
		indent := len(l) - len(rest)
		if rest = strings.TrimLeft(rest, "-*+ "); len(rest) < 4 || rest[0] != '[' || rest[2] != ']' ||
			strings.IndexByte(" xX", rest[1]) < 0 {
			continue
		}
		all = append(all, box{strings.TrimSpace(rest[3:]), rest[1] != ' ', i + 1, indent})
	}
	return all
}

// box is an item with a box: whether it is ticked, where it stands, how far it is indented.
type box struct {
	text         string
	done         bool
	line, indent int
}

// learned reads entries of knowledge, as JSONL.
func (r *reader) learned(p string) []knowledge.Entry {
	data, err := r.data(p, maxData)
	if err != nil {
		r.lose(p, 0, "%s", line(err.Error(), task.MaxTitle))
		return nil
	}
	entries, bad := knowledge.DecodeLines(data)
	for _, err := range bad {
		r.lose(p, 0, "%s", line(err.Error(), task.MaxTitle))
	}
	var out []knowledge.Entry
	for _, e := range entries {
		good, err := knowledge.Validate(e)
		if err != nil {
			r.lose(p, 0, "not remembered: %s", line(err.Error(), task.MaxTitle))
			continue
		}
		good.ID = ""
		out = append(out, good)
	}
	return out
}

// words are a name of a file or a directory as a title.
func words(name string) string {
	return strings.TrimSpace(strings.Join(strings.FieldsFunc(name, func(r rune) bool {
		return r == '_' || r == '-' || r == ' '
	}), " "))
}

// phaseStatus reads the words that systems have for how far a phase is.
func phaseStatus(s string) (task.PhaseStatus, bool) {
	word := strings.ToLower(strings.Trim(strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return r == ' ' || r == '-' || r == '_'
	}), " "), "*`. "))
	switch word {
	case "", "-", "pending", "todo", "to do", "open", "backlog", "planned", "not started", "deferred", "draft":
		return task.PhasePending, true
	case "in progress", "inprogress", "executing", "started", "doing", "active", "handoff", "blocked", "hooked":
		return task.PhaseInProgress, true
	case "executed", "review", "in review":
		return task.PhaseInReview, true
	case "completed", "complete", "done", "finished", "closed", "passed", "pass":
		return task.PhaseCompleted, true
	case "failed", "error", "fail":
		return task.PhaseFailed, true
	case "cancelled", "canceled", "dropped", "tombstone":
		return task.PhaseDropped, true
	}
	return task.PhasePending, false
}

// nextID is the number behind the highest of some phases.
func nextID(phases []Phase) string {
	highest := 0
	for _, p := range phases {
		if n, err := strconv.Atoi(p.ID); err == nil && n < 1<<30 {
			highest = max(highest, n)
		}
	}
	return strconv.Itoa(highest + 1)
}
