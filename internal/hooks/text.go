package hooks

import (
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
)

// clean makes one line of at most limit bytes of s.
func clean(s string, limit int) string {
	return invisible.CutBytes(invisible.Line(s[:min(len(s), 4*limit)]), limit) // bounds the work on hostile input
}

// word is a status as people write it.
func word[T ~string](status T) string { return strings.ReplaceAll(string(status), "_", " ") }

// name is how the task is called in texts and commands.
func (v View) name() string { return clean(v.Task.ID.Slug(), 100) }

// phase is the current phase and its index in the task's order; nil for none.
// Where none was started, it is the one that the next step is about.
func (v View) phase() (*task.Phase, int) {
	if v.Task == nil {
		return nil, 0
	}
	for i := range v.Task.Phases {
		p := &v.Task.Phases[i]
		if v.Task.Current != "" && p.UID == v.Task.Current {
			return p, i
		}
	}
	for i := range v.Task.Phases {
		p := &v.Task.Phases[i]
		if v.Next.Phase != "" && p.ID == v.Next.Phase {
			return p, i
		}
	}
	return nil, 0
}

// phaseText names a phase: `phase 2 of 3, "Login endpoint", executing`, and where
// its id is not its place `phase 2.1, …`.
func phaseText(p *task.Phase, index, total int) string {
	text := "phase " + phaseID(p)
	if phaseID(p) == strconv.Itoa(index+1) {
		text += " of " + strconv.Itoa(total)
	}
	if title := quoted(p.Title, 100); title != "" {
		text += ", " + title
	}
	text += ", " + word(p.Status)
	if p.Review == task.ReviewChanges {
		text += ", changes wanted"
	}
	return text
}

func phaseID(p *task.Phase) string { return clean(p.ID, 40) }

// progress counts what is done: "1 of 3 phases completed".
func progress(t *task.Task) string {
	if len(t.Phases) == 0 {
		return "no phases yet"
	}
	return task.CountPhases(*t).String()
}

// nextText says what comes next: "execute phase 2 (phase 2 is ready), 'git brew
// phase start 2'"; or what the user is asked, and what shows it or follows it.
func nextText(s route.Step) string {
	if ask := quoted(strings.TrimSuffix(s.Ask, "."), 320); ask != "" {
		if c := clean(s.Command, 160); c != "" {
			return "ask the user: " + ask + ", '" + c + "'"
		}
		return "ask the user: " + ask
	}
	text := clean(word(s.Step), 60)
	if text == "" {
		return ""
	}
	if s.Phase != "" {
		text += " phase " + clean(s.Phase, 40)
	}
	if r := inBrackets(s.Reason, 160); r != "" {
		text += " (" + r + ")"
	}
	if c := clean(s.Command, 160); c != "" {
		text += ", '" + c + "'"
	}
	return text
}

// among reports whether a list of words with blanks between holds word.
func among(list, word string) bool {
	if word == "" {
		return false
	}
	for one := range strings.FieldsSeq(list) {
		if one == word {
			return true
		}
	}
	return false
}
