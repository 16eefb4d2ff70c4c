package importer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/task"
)

// issue is one of many that a tracker keeps beside each other.
type issue struct {
	id, title, parent string
	status            task.PhaseStatus
	dependsOn         []string
	acceptance        []string
	priority          task.Priority
	text              string // all that it says
	leaves            string // what of it an item of the backlog has no place for
	path              string
	line              int
	// whole: it is a task even without parts, as an epic.
	whole bool
}

// over: nothing is to be done for it any more.
func (i issue) over() bool { return i.status.Over() }

// tracker makes tasks of many issues: what has parts is a task, its parts are phases; what
// stands alone and is open is an item of the backlog, for a branch of its own would be too
// much. What is done stays where it is.
type tracker struct {
	*reader
	all     []issue
	byID    map[string]int
	parts   map[string][]int // all below it, however deep
	history int
}

// trackIssues makes tasks and a backlog of issues.
func (r *reader) trackIssues(source string, all []issue) {
	t := tracker{reader: r, all: all, byID: map[string]int{}, parts: map[string][]int{}}
	for i, one := range all {
		if _, twice := t.byID[one.id]; twice {
			r.lose(one.path, one.line, "there is another issue %s", line(one.id, task.MaxName))
			continue
		}
		t.byID[one.id] = i
	}
	roots := map[string]bool{}
	for i, one := range all {
		if t.byID[one.id] != i {
			continue
		}
		if root := t.rootOf(i); root != i {
			t.parts[all[root].id] = append(t.parts[all[root].id], i)
			roots[all[root].id] = true
		}
	}
	left := 0
	for i, one := range all {
		if t.byID[one.id] != i || t.rootOf(i) != i {
			continue
		}
		if one.parent != "" && !one.over() {
			r.lose(one.path, one.line, "%s is a part of %s, which is not there, or goes in a circle",
				line(one.id, task.MaxName), line(one.parent, task.MaxName))
		}
		switch {
		case one.over() && !slices.ContainsFunc(t.parts[one.id], func(i int) bool { return !all[i].over() }):
			t.history += 1 + len(t.parts[one.id])
		case !roots[one.id] && !one.whole && len(r.out.Backlog) == maxItems:
			left++
		case !roots[one.id] && !one.whole:
			t.toBacklog(one)
		case len(r.out.Tasks) == maxTasks:
			r.lose(one.path, one.line, "%s is one task too many; at most %d are made", line(one.id, task.MaxName), maxTasks)
		default:
			t.toTask(one)
		}
	}
	if left > 0 {
		r.lose(source, 0, "%s too many that stand alone; at most %d become items of the backlog",
			task.Counted(left, "issue"), maxItems)
	}
	if t.history > 0 {
		r.lose(source, 0, "left there as history: %s", task.Counted(t.history, "ended issue"))
	}
}

const maxParts = 50

// rootOf is the outermost issue that one is a part of. Parts in a circle, or deeper than
// any tracker has them, stand alone.
func (t *tracker) rootOf(i int) int {
	at := i
	for range maxParts {
		up, ok := t.byID[t.all[at].parent]
		if t.all[at].parent == "" || !ok {
			return at
		}
		at = up
	}
	return i
}

func (t *tracker) toBacklog(one issue) {
	id := line(one.id, task.MaxName)
	title := cmp.Or(t.cut(one.path, one.line, one.title, knowledge.MaxText/2), "untitled")
	t.out.Backlog = append(t.out.Backlog, title+" ("+id+")")
	if one.leaves != "" {
		t.lose(one.path, one.line, "%s of %s, which is an item of the backlog now", one.leaves, id)
	}
}

func (t *tracker) toTask(one issue) {
	made := Task{
		Source: one.path, Line: one.line, ID: line(one.id, task.MaxName), Title: one.title, Stage: task.StageExecute,
		Priority: one.priority,
	}
	if text := t.whole(one); text != nil {
		made.Docs = []Doc{{task.DocSpec, text}}
	}
	inside := map[string]bool{}
	for _, i := range t.parts[one.id] {
		inside[t.all[i].id] = true
	}
	for _, i := range t.parts[one.id] {
		part := t.all[i]
		p := Phase{
			ID: part.id, Title: part.title, Acceptance: part.acceptance, Status: part.status, line: part.line,
		}
		if part.text != "" {
			p.Plan = t.whole(part)
		}
		for _, id := range part.dependsOn {
			switch at, known := t.byID[id]; {
			case inside[id]:
				p.DependsOn = append(p.DependsOn, id)
			case known && t.all[at].over(): // it waits no more
			default:
				t.lose(part.path, part.line, "%s waits for %s, which is no part of the task", line(part.id, task.MaxName),
					line(id, task.MaxName))
			}
		}
		made.Phases = append(made.Phases, p)
	}
	if len(made.Phases) == 0 {
		made.Stage = task.StageClarify
	}
	if begun(made.Phases) || one.status == task.PhaseInProgress {
		made.Status = task.InProgress
	}
	t.out.Tasks = append(t.out.Tasks, made)
}

// leaving is what of an issue an item of the backlog has no place for: its text, else the
// fields with those names.
func leaving(text string, fields []string) string {
	if strings.TrimSpace(text) != "" {
		return "the text"
	}
	return line(strings.Join(fields, ", "), task.MaxItem)
}

// whole is all that an issue says, below its title; nil where that can't be kept.
func (r *reader) whole(i issue) []byte {
	text := []byte(strings.TrimSpace("# "+invisible.Line(i.title)+"\n\n"+strings.TrimSpace(i.text)) + "\n")
	if err := task.CheckText(text); err != nil {
		r.lose(i.path, i.line, "the text of %s: %s", line(i.id, task.MaxName), line(err.Error(), task.MaxTitle))
		return nil
	}
	return r.screened(i.path, i.line, "the text of "+line(i.id, task.MaxName)+": ", text)
}

// priorityOf reads how soon something is wanted; the most urgent of beads' numbers are high.
func priorityOf(word string) task.Priority {
	switch strings.ToLower(word) {
	case "high", "critical", "0", "1":
		return task.PriorityHigh
	case "medium", "2":
		return task.PriorityMedium
	case "low", "3", "4":
		return task.PriorityLow
	}
	return ""
}

// listed are the items of a text that are lines of a list, else its lines.
func listed(text string) (items []string) {
	for _, l := range strings.Split(text, "\n") {
		l = strings.TrimLeft(strings.TrimSpace(l), "-*• ")
		l = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(l, "[ ] "), "[x] "), "[X] ")
		if l != "" {
			items = append(items, l)
		}
	}
	return items
}

// section is a text below a heading, nothing where there is no text.
func section(heading, text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return "\n\n## " + heading + "\n\n" + strings.TrimSpace(text)
}

// known reads a status, and says where a word means none.
func (r *reader) known(p string, at int, id, word string) task.PhaseStatus {
	status, ok := phaseStatus(word)
	if !ok {
		r.lose(p, at, "%s: %q is no status that is known; it is pending", line(id, task.MaxName), line(word, task.MaxName))
	}
	return status
}

func byPath(a, b issue) int {
	return cmp.Or(strings.Compare(a.path, b.path), cmp.Compare(a.line, b.line))
}

// parentOf is the issue that an id with dots belongs to: back-1.2 to back-1.
func parentOf(id string) string {
	at := strings.LastIndexByte(id, '.')
	return id[:max(at, 0)]
}

// sortIssues sorts by id, numbers by their values.
func sortIssues(all []issue) {
	number := func(id string) (string, int) {
		digits := len(id) - len(strings.TrimRight(id, "0123456789"))
		n := 0
		for _, c := range id[len(id)-min(digits, 9):] {
			n = n*10 + int(c-'0')
		}
		return id[:len(id)-digits], n
	}
	slices.SortStableFunc(all, func(a, b issue) int {
		as, an := number(a.id)
		bs, bn := number(b.id)
		return cmp.Or(strings.Compare(as, bs), cmp.Compare(an, bn), byPath(a, b))
	})
}
