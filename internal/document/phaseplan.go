package document

import (
	"path"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/markdown"
)

// PhaseFile is a phase's own plan, as far as it says what will change.
type PhaseFile struct {
	// Creates, Modifies and Touches are paths, patterns and directories: touched is
	// what a task names without saying which of both.
	Creates, Modifies, Touches []string
	// Refused are the others that it names, in their order.
	Refused []RefusedPath
	Covers  []string
	Tasks   []PlannedTask
	// Objective is the first paragraph under that heading, in one line.
	Objective string
}

// RefusedPath is what is named as a file, and is no path in the work tree.
type RefusedPath struct {
	Text string `json:"text"`
	Line int    `json:"line"`
	Why  string `json:"why"`
	// Outside: it is a path, and leads elsewhere.
	Outside bool `json:"-"`
}

// PlannedTask is a task of a phase's plan.
type PlannedTask struct {
	Title   string
	Line    int
	Files   []string
	refused []RefusedPath // as in PhaseFile
	part                  // its section; of an item of a list, from which nothing is expected, none
}

var taskFileNames = []string{"Files", "File", "Creates", "Modifies"}

// ReadPhaseFile reads a phase's plan. It never fails.
func ReadPhaseFile(raw []byte) PhaseFile { return phaseFile(Read(raw)) }

func phaseFile(t Text) PhaseFile {
	f := PhaseFile{Covers: t.Front.Values("covers"), Tasks: plannedTasks(t)}
	if s, ok := t.Find(sectionNames(PhasePlan, "objective")...); ok {
		f.Objective = t.Lead(s)
	}
	labels := t.labels(Section{End: len(t.Blocks)})
	creates := pathsOf(t, labels, "creates", "Creates", "Files to create", "New files")
	modifies := pathsOf(t, labels, "modifies", "Modifies", "Files to modify", "Changed files")
	var touches []string
	f.Refused = slices.Concat(creates.refused, modifies.refused)
	for _, task := range f.Tasks {
		touches, f.Refused = append(touches, task.Files...), append(f.Refused, task.refused...)
	}
	f.Creates, f.Modifies = once(creates.all), once(modifies.all)
	named := once(slices.Concat(f.Creates, f.Modifies))
	f.Touches = once(slices.Concat(named, touches))[len(named):]
	f.Refused = once(f.Refused)
	slices.SortStableFunc(f.Refused, func(a, b RefusedPath) int { return a.Line - b.Line })
	return f
}

// pathsOf are the paths in a field of front matter, behind labels, and in a section.
func pathsOf(t Text, labels []label, key string, names ...string) (p paths) {
	field, _ := t.Front.Field(key)
	for _, v := range t.Front.Values(key) {
		p.add(pathText{unwrapped(v), true}, field.Line)
	}
	p.addLabelled(labels, names)
	if s, ok := t.Find(names...); ok {
		for _, item := range t.items(s) {
			p.add(firstPath(item.said()), item.Line)
		}
	}
	return p
}

// paths are those in a work tree that a plan names, and what else it names as one.
type paths struct {
	all     []string
	refused []RefusedPath
}

// add takes a text as a path, or says why it is none.
func (p *paths) add(said pathText, line int) {
	name, why := said.clean()
	switch {
	case name != "":
		p.all = append(p.all, name)
	case why != "":
		p.refused = append(p.refused, RefusedPath{said.text, line, why, why == leadsOut})
	}
}

func (p *paths) addLabelled(labels []label, names []string) {
	for _, l := range labels {
		if !isOne(l.name, names) {
			continue
		}
		for _, said := range pathList(l.value()) {
			p.add(said, l.line)
		}
	}
}

// pathText is what a document says in the place of a path; marked: it stands in
// code, or in front matter, so that blanks are a part of it.
type pathText struct {
	text   string
	marked bool
}

const maxPathText = 1000

const leadsOut = "it leads out of the work tree"

// clean is a path in a work tree as one writes it; "" with the reason where it is none,
// without where nothing is said.
func (said pathText) clean() (name, why string) {
	v := said.text
	name = path.Clean(v)
	switch {
	case name == "." || len(Placeholders(v)) > 0:
		return "", ""
	case len(v) > maxPathText:
		return "", "it is too long"
	case strings.ContainsFunc(v, invisible.Hides):
		return "", "it is no plain text"
	case path.IsAbs(v) || strings.HasPrefix(v, "~/") || name == ".." || strings.HasPrefix(name, "../"),
		markdown.RunLength(v, letters) == 1 && strings.HasPrefix(v[1:], ":"): // a drive
		return "", leadsOut
	case strings.Contains(v, "\\"):
		return "", "it has a backslash; paths are written with slashes"
	case !said.marked && strings.ContainsAny(v, " \t"):
		return "", "a path with blanks is put into backquotes"
	case strings.HasSuffix(v, "/"):
		name += "/"
	}
	return name, ""
}

// firstPath is what an item of a list of files names: what stands in its code, else
// its first word.
func firstPath(s string) pathText {
	if inside, _, ok := codeIn(s); ok {
		return pathText{inside, true}
	}
	first, _, _ := strings.Cut(strings.TrimSpace(s), " ")
	return pathText{unwrapped(strings.TrimRight(first, ":")), false}
}

// codeIn is what stands in the first code of a line, and what stands behind that.
func codeIn(s string) (inside, behind string, ok bool) {
	at := strings.IndexByte(s, '`')
	if at < 0 {
		return "", "", false
	}
	n := markdown.RunLength(s[at:], "`")
	inside, behind, ok = strings.Cut(s[at+n:], strings.Repeat("`", n))
	return strings.TrimSpace(inside), behind, ok
}

// plannedTasks are the sections headed "Task 1: …", else those below Tasks, else
// its items.
func plannedTasks(t Text) []PlannedTask {
	var all []PlannedTask
	within, listed := t.Find(sectionNames(PhasePlan, "tasks")...)
	for _, s := range t.Sections {
		word, _, _ := strings.Cut(nameOf(s.Title), " ")
		if s.Level > 0 && word == "task" {
			all = append(all, taskOf(t, s))
		}
	}
	if len(all) > 0 || !listed {
		return all
	}
	for _, s := range t.Below(within) {
		all = append(all, taskOf(t, s))
	}
	if len(all) > 0 {
		return all
	}
	for _, item := range t.items(within) {
		all = append(all, PlannedTask{Title: item.said(), Line: item.Line})
	}
	return all
}

func taskOf(t Text, s Section) PlannedTask {
	task := PlannedTask{Title: s.Title, Line: s.Line, part: t.part(s)}
	var files paths
	files.addLabelled(task.labels, taskFileNames)
	task.Files, task.refused = once(files.all), files.refused
	return task
}
