package importer

import (
	"bytes"
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

// take gives a phase a text as its plan, none where that says no more than the title: such
// a file is written where there is no plan.
func (p *Phase) take(text []byte, says string) {
	said := strings.TrimSpace(strings.TrimPrefix(says, "# "))
	if said != p.Title && said != "Phase "+p.ID+": "+p.Title {
		p.Plan = text
	}
}

// find is the phase with an id, nil for none; 01 is 1.
func find(phases []Phase, id string) *Phase {
	i := slices.IndexFunc(phases, func(p Phase) bool { return document.SamePhase(p.ID, id) })
	if i < 0 {
		return nil
	}
	return &phases[i]
}

// itemsOf are the items of lists among some blocks, each in one line.
func itemsOf(blocks []document.Block) (items []string) {
	for _, b := range blocks {
		if b.Item {
			items = append(items, strings.Join(b.Lines, " "))
		}
	}
	return items
}

// boxes are the items of a text that have a box, with their lines. An x alone ticks one:
// OpenSpec's boxes may have other marks.
func boxes(text []byte) (all []box) {
	for i, l := range strings.Split(string(text), "\n") {
		rest, isBox := strings.CutPrefix(strings.TrimLeft(l, "-*+ \t"), "[")
		mark, rest, ends := strings.Cut(rest, "] ")
		rest = strings.TrimSpace(rest)
		if isBox && ends && rest != "" && len(mark) <= 3 && strings.Trim(mark, " xX~-/") == "" {
			all = append(all, box{rest, strings.EqualFold(strings.TrimSpace(mark), "x"), i + 1})
		}
	}
	return all
}

// box is an item with a box: whether it is ticked, and where it stands.
type box struct {
	text string
	done bool
	line int
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
	for i, l := range bytes.Split(data, []byte("\n")) {
		r.notCarried(p, i+1, l, "ts", "t", "txt", "src", "paths")
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
	case "", "-", "pending", "todo", "to do", "open", "backlog", "planned", "not started", "deferred", "draft",
		"blocked", "pinned":
		return task.PhasePending, true
	case "in progress", "inprogress", "executing", "started", "doing", "active", "handoff", "hooked":
		return task.PhaseInProgress, true
	case "executed", "review", "in review":
		return task.PhaseInReview, true
	case "completed", "complete", "done", "finished", "closed", "passed", "pass":
		return task.PhaseCompleted, true
	case "failed", "error", "fail":
		return task.PhaseFailed, true
	case "cancelled", "canceled", "dropped", "tombstone", "wontfix", "won't fix", "wont fix":
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
