package hooks

import (
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/hooks/shown"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
)

// word is a status as people write it.
func word[T ~string](status T) string { return strings.ReplaceAll(string(status), "_", " ") }

// phaseText names a phase: `phase 2 of 3, "Login endpoint", executing`, and where
// its id is not its place `phase 2.1, …`.
func phaseText(p *task.Phase, index, total int) string {
	text := "phase " + phaseID(p)
	if phaseID(p) == strconv.Itoa(index+1) {
		text += " of " + strconv.Itoa(total)
	}
	if title := shown.Quoted(p.Title, 100); title != "" {
		text += ", " + title
	}
	text += ", " + word(p.Status)
	if p.Review == task.ReviewChanges {
		text += ", changes wanted"
	}
	return text
}

func phaseID(p *task.Phase) string { return shown.Clean(p.ID, 40) }

// progress counts what is done: "1 of 3 phases completed".
func progress(t *task.Task) string {
	if len(t.Phases) == 0 {
		return "no phases yet"
	}
	return task.CountPhases(*t).String()
}

// nowText is the current phase, if there is one, and what is done.
func nowText(v View) string {
	if p, i := v.Phase(); p != nil {
		return phaseText(p, i, len(v.Task.Phases)) + "; " + progress(v.Task)
	}
	return progress(v.Task)
}

// nextText says what comes next: "execute phase 2 (phase 2 is ready), 'git brew
// phase start 2'"; or what the user is asked, and what shows it or follows it.
func nextText(s route.Step) string {
	if ask := shown.Quoted(strings.TrimSuffix(s.Ask, "."), 320); ask != "" {
		if c := shown.Clean(s.Command, 160); c != "" {
			return "ask the user: " + ask + ", '" + c + "'"
		}
		return "ask the user: " + ask
	}
	text := shown.Clean(word(s.Step), 60)
	if text == "" {
		return ""
	}
	if s.Phase != "" {
		text += " phase " + shown.Clean(s.Phase, 40)
	}
	if r := shown.InBrackets(s.Reason, 160); r != "" {
		text += " (" + r + ")"
	}
	if c := shown.Clean(s.Command, 160); c != "" {
		text += ", '" + c + "'"
	}
	return text
}

// maxServices is how many services an agent is told by name.
const maxServices = 8

// servicesText says where a task is worked on that has its branch in submodules;
// "" for any other task.
func servicesText(t *task.Task) string {
	if len(t.Services) == 0 {
		return ""
	}
	var names []string
	for _, path := range t.ServicePaths() {
		if len(names) == maxServices {
			names = append(names, "others (see 'git brew status')")
			break
		}
		names = append(names, change.ShellWord(shown.Clean(path, 80)))
	}
	return "Its branch " + shown.Clean(t.Branch, 120) + " is in these submodules, not in the repository around them: " +
		strings.Join(names, ", ") + "."
}
