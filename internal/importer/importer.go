// Package importer reads the tasks of other systems out of their files, and writes ours
// as some of them have theirs. It changes nothing: what it read is data, with a list of
// what could not be carried. Files are somebody else's: sizes, counts and depths are
// bounded, links are not followed, and what stands in a line is made fit for one.
package importer

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/redact"
	"github.com/git-brew/git-brew/internal/task"
)

// Task is a task as another system has it.
type Task struct {
	// Source is the path of what it was read from; Line and ID say which of several in it.
	Source string
	Line   int
	ID     string
	Title  string
	// Created is when it was made, as RFC 3339 has it; empty where nobody says.
	Created string
	// Branch is empty where the system names none.
	Branch   string
	Stage    task.Stage
	Status   task.Status
	Priority task.Priority
	Docs     []Doc
	// Phases stand behind what they wait for, and what they belong to.
	Phases    []Phase
	Decisions []Decision
	Knowledge []knowledge.Entry
}

// Doc is a text that becomes a document of the task.
type Doc struct {
	Name task.DocName
	Text []byte
}

// Doc is the text of the document of that name, nil for none.
func (t Task) Doc(name task.DocName) []byte {
	i := slices.IndexFunc(t.Docs, func(d Doc) bool { return d.Name == name })
	if i < 0 {
		return nil
	}
	return t.Docs[i].Text
}

// Phase is a phase of a task, named by its id.
type Phase struct {
	ID, Title string
	Kind      task.PhaseKind
	// Of is the phase that it verifies.
	Of        string
	DependsOn []string
	// Verify are commands as a shell takes them.
	Acceptance, Verify, Agents []string
	Tier                       task.Tier
	Status                     task.PhaseStatus
	Plan                       []byte
	Reports                    []Report

	line int // in the file that plans it
}

// Report is what an agent reported on a phase.
type Report struct {
	Agent string
	Text  []byte
}

// Decision is what was decided, and whether it still holds.
type Decision struct {
	Title, Why string
	Revoked    bool
}

// Lost is something that could not be carried: where it stands, and what it is.
type Lost struct {
	Path string
	Line int // 0: all of it
	What string
}

// String is it in one line.
func (l Lost) String() string {
	switch {
	case l.Path == "":
		return l.What
	case l.Line > 0:
		return fmt.Sprintf("%s:%d: %s", l.Path, l.Line, l.What)
	}
	return l.Path + ": " + l.What
}

// Result is what was read.
type Result struct {
	Tasks []Task
	// Backlog is work that stands alone, a line each.
	Backlog []string
	Lost    []Lost
}

// System is another system.
type System struct {
	Name string
	// What says in a few words what of it is read.
	What string
	// Writes: tasks can be written as it has them.
	Writes bool
	// AllowSecret: texts are read as they are, whatever looks like a secret in them.
	AllowSecret bool

	read  func(*reader) error
	write func(Task) []File
}

// Systems are the systems that there are.
func Systems() []System {
	system := func(name, what string, read func(*reader) error, write func(Task) []File) System {
		return System{Name: name, What: what, Writes: write != nil, read: read, write: write}
	}
	return []System{
		system("brewcode", "a task's directory, or .claude/tasks", readBrewcode, writeBrewcode),
		system("brainworm", "a task's README.md, its directory, or .brainworm/tasks", readBrainworm, writeBrainworm),
		system("brigade", "a PRD in JSON, or a directory of them", readBrigade, writeBrigade),
		system("specdacular", "a task's directory, or .specd", readSpecdacular, writeSpecdacular),
		system("beads", "issues.jsonl, or .beads", readBeads, nil),
		system("task-master", "tasks.json, or .taskmaster", readTaskMaster, nil),
		system("backlog.md", "a task's file, or the directory backlog", readBacklogMD, nil),
		system("spec-kit", "a feature's directory, or specs", readSpecKit, nil),
		system("openspec", "a change's directory, or openspec", readOpenSpec, nil),
	}
}

// Named is the system of that name.
func Named(name string) (System, bool) {
	all := Systems()
	i := slices.IndexFunc(all, func(s System) bool { return s.Name == name })
	if i < 0 {
		return System{}, false
	}
	return all[i], true
}

// Read reads what stands in some files, or in one of them, only; name is what their
// directory is called.
func (s System) Read(files fs.FS, name, only string) (Result, error) {
	r := &reader{name: name, used: map[string]bool{}, paths: []string{only}}
	if !s.AllowSecret {
		r.secrets = new(redact.Redactor)
	}
	r.open = func(p string) (io.ReadCloser, error) { return files.Open(p) }
	if only == "" {
		r.paths = nil
		if err := r.list(files); err != nil {
			return Result{}, err
		}
	}
	if err := s.read(r); err != nil {
		return Result{}, err
	}
	if len(r.out.Tasks)+len(r.out.Backlog) == 0 {
		why := []string{"it reads " + s.What}
		for _, l := range r.out.Lost[:min(len(r.out.Lost), 3)] {
			why = append(why, l.String())
		}
		return Result{}, fmt.Errorf("there is no task of %s in it: %s", s.Name, strings.Join(why, "; "))
	}
	r.unread()
	for i := range r.out.Tasks {
		r.settle(&r.out.Tasks[i])
	}
	slices.SortStableFunc(r.out.Lost, func(a, b Lost) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
	})
	return r.out, nil
}

// File is a file to be written, by its path below the directory that was asked for.
type File struct {
	Path string
	Data []byte
}

// line is a text as one line of at most so many bytes.
func line(s string, limit int) string {
	return invisible.CutBytes(invisible.Line(s), limit)
}
