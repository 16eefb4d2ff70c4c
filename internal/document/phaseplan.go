package document

import (
	"path"
	"slices"
	"strings"
)

// PhaseFile is a phase's own plan, as far as it says what will change.
type PhaseFile struct {
	Task, Phase string
	DependsOn   []string
	// Creates, Modifies and Touches are paths, patterns and directories: touched is
	// what a task names without saying which of both.
	Creates, Modifies, Touches []string
	Covers                     []string
	Tasks                      []PlannedTask
	// Objective is the first paragraph under that heading, in one line.
	Objective string
}

// PlannedTask is a task of a phase's plan.
type PlannedTask struct {
	Title  string
	Line   int
	Files  []string
	labels []label
	items  bool // it is an item of a list, from which nothing is expected
}

// maxTasks and maxPaths bound what is read of a phase's plan.
const (
	maxTasks = 200
	maxPaths = 2000
)

var taskFileNames = []string{"Files", "File", "Creates", "Modifies"}

// ReadPhaseFile reads a phase's plan. It never fails.
func ReadPhaseFile(raw []byte) PhaseFile { return phaseFile(Read(raw)) }

func phaseFile(t Text) PhaseFile {
	f := PhaseFile{
		Task: t.Front.Value("task"), Phase: t.Front.Value("phase"), DependsOn: t.Front.Values("depends_on"),
		Creates: paths(t.Front.Values("creates")), Modifies: paths(t.Front.Values("modifies")),
		Covers: t.Front.Values("covers"), Tasks: plannedTasks(t),
	}
	if s, ok := t.Find(objectiveNames...); ok {
		f.Objective = t.Lead(s)
	}
	whole := labels(t)
	for _, say := range []struct {
		to    *[]string
		names []string
	}{{&f.Creates, []string{"Creates", "Files to create", "New files"}}, {&f.Modifies, []string{"Modifies", "Files to modify", "Changed files"}}} {
		for _, l := range whole {
			if slices.ContainsFunc(say.names, func(n string) bool { return nameOf(n) == l.name }) {
				*say.to = add(*say.to, paths(pathList(l.value)))
			}
		}
		if s, ok := t.Find(say.names...); ok {
			for _, item := range t.Outermost(s) {
				*say.to = add(*say.to, paths(firstPath(item.Text)))
			}
		}
	}
	for _, task := range f.Tasks {
		for _, p := range task.Files {
			if !slices.Contains(f.Creates, p) && !slices.Contains(f.Modifies, p) {
				f.Touches = add(f.Touches, []string{p})
			}
		}
	}
	return f
}

// labels are those of the whole document.
func labels(t Text) []label { return t.labels(Section{End: len(t.Blocks)}) }

func add(to, more []string) []string {
	for _, p := range more {
		if len(to) < maxPaths && !slices.Contains(to, p) {
			to = append(to, p)
		}
	}
	return to
}

// paths are the values that can be paths in a work tree, cleaned.
func paths(values []string) []string {
	var all []string
	for _, v := range values {
		v = strings.Trim(unwrapped(v), "\"'")
		if v == "" || len(v) > 1000 || strings.HasPrefix(v, "/") || strings.ContainsAny(v, "\\\x00\n \t") {
			continue
		}
		dir := strings.HasSuffix(v, "/")
		v = path.Clean(v)
		if v == "." || v == ".." || strings.HasPrefix(v, "../") {
			continue
		}
		if dir {
			v += "/"
		}
		all = append(all, v)
	}
	return all
}

// firstPath is what an item of a list of files names: what stands in its code, else
// its first word.
func firstPath(s string) []string {
	if _, after, ok := strings.Cut(s, "`"); ok {
		if inside, _, ok := strings.Cut(after, "`"); ok {
			return []string{inside}
		}
	}
	first, _, _ := strings.Cut(strings.TrimSpace(s), " ")
	return []string{strings.TrimRight(first, ":")}
}

// plannedTasks are the sections headed "Task 1: …", else those below Tasks, else
// its items.
func plannedTasks(t Text) []PlannedTask {
	var all []PlannedTask
	within, listed := t.Find(taskNames...)
	for _, s := range t.Sections {
		word, _, _ := strings.Cut(nameOf(s.Title), " ")
		if s.Level > 0 && word == "task" && len(all) < maxTasks {
			all = append(all, taskOf(t, s))
		}
	}
	if len(all) > 0 || !listed {
		return all
	}
	for _, s := range t.Below(within) {
		if len(all) < maxTasks {
			all = append(all, taskOf(t, s))
		}
	}
	if len(all) > 0 {
		return all
	}
	for _, item := range t.Outermost(within) {
		if len(all) < maxTasks {
			all = append(all, PlannedTask{Title: item.Text, Line: item.Line, items: true})
		}
	}
	return all
}

func taskOf(t Text, s Section) PlannedTask {
	task := PlannedTask{Title: s.Title, Line: s.Line, labels: t.labels(s)}
	for _, l := range task.labels {
		if slices.ContainsFunc(taskFileNames, func(n string) bool { return nameOf(n) == l.name }) {
			task.Files = add(task.Files, paths(pathList(l.value)))
		}
	}
	return task
}
