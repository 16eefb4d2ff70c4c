package records

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
	"github.com/git-brew/git-brew/internal/task/report"
	"github.com/git-brew/git-brew/internal/task/route"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// topEntries is how many entries of knowledge a snapshot holds: more than a
// digest can show, so that a hook never reads them all.
const topEntries = 60

// Brief is a task as a snapshot holds it: everything but the entries of its
// knowledge, of which it has the most valuable ones and the counts, its decisions,
// of which it has the newest, and what reviewers said.
type Brief struct {
	Task  task.Task                 `json:"task"`
	Docs  map[task.DocName]task.Doc `json:"docs,omitempty"`
	Top   []knowledge.Entry         `json:"top,omitempty"`
	Count knowledge.Counts          `json:"count"`
	Next  route.Step                `json:"next"`
	// AsksPlan: Next hangs on what the texts of the plan lack, which no snapshot
	// knows.
	AsksPlan bool `json:"asks_plan,omitempty"`
	// Held is task.Held, as far as boards say so: Task has none of them.
	Held bool `json:"held,omitempty"`
	// Trimmed: completed phases are told without what decides nothing; see trimmed.
	Trimmed bool `json:"trimmed,omitempty"`
	// Decided stands for the task's decisions.
	Decided task.Decided `json:"decided,omitzero"`
	// Archived: it comes from the archive, and never from a snapshot.
	Archived bool `json:"-"`
}

func briefTask(t task.Task) Brief {
	t.Unready = task.Unready{}
	b := Brief{
		Task: t, Docs: t.Docs, Top: knowledge.Top(t.Knowledge, topEntries), Count: knowledge.Count(t.Knowledge),
		Next: route.Next(t), Decided: task.DecidedOf(t),
	}
	b.AsksPlan, b.Held = route.AsksPlan(t), route.Held(t)
	b.Task.Knowledge, b.Task.Decisions, b.Task.Boards, b.Task.Remarks = nil, nil, nil, nil
	b.Task.Phases, b.Trimmed = trimmed(t.Phases)
	return b
}

// TaskLaw is what a record under refs/brew/tasks means.
func TaskLaw() ledger.Law[task.Task] {
	return ledger.Law[task.Task]{
		Needs: task.Needs, Decode: task.Decode, Encode: task.Encode,
		Apply: func(t task.Task, op operation.Operation, texts ledger.Texts) (task.Task, bool) {
			return rules.Apply(t, op, texts)
		},
		Check: rules.Check, Rules: rules.Rules(),
		Clock:   func(t *task.Task) *uint64 { return &t.Clock },
		Fence:   func(t task.Task) uint64 { return t.Fence },
		Subject: report.Subject, Trailers: report.Trailers,
		Brief: func(t task.Task) any { return briefTask(t) },
		// A task begins with the operation that creates it, under the very id that its
		// ref has.
		Bounds: ledger.Bounds{Owns: ownsTask, OneRoot: true, Limit: taskLimit, Names: task.NamedBy, LockFence: lockFence},
	}
}

// taskLimit is how large a file of a task may be.
func taskLimit(path string) int64 {
	if task.Needs(path) {
		return gitstore.MaxObjectSize
	}
	return task.MaxText
}

// lockFence reads the fence of a lock from its file.
func lockFence(file []byte) (uint64, error) {
	var l lease.Lock
	if err := json.Unmarshal(file, &l); err != nil {
		return 0, err
	}
	return l.Fence, lease.CheckLock(l)
}

// projectBrief is the project's record as a snapshot holds it.
type projectBrief struct {
	Top     []knowledge.Entry `json:"top,omitempty"`
	Count   knowledge.Counts  `json:"count"`
	Backlog int               `json:"backlog,omitempty"` // open items
}

func briefProject(p knowledge.State) projectBrief {
	b := projectBrief{Top: knowledge.Top(p.Entries, topEntries), Count: knowledge.Count(p.Entries)}
	for _, i := range p.Backlog {
		if i.Open() {
			b.Backlog++
		}
	}
	return b
}

// ProjectLaw is what refs/brew/knowledge means: it has no lock, and two clones may begin
// it apart.
func ProjectLaw() ledger.Law[knowledge.State] {
	return ledger.Law[knowledge.State]{
		Needs: func(string) bool { return true }, Decode: knowledge.Decode, Encode: knowledge.Encode,
		Apply: func(p knowledge.State, op operation.Operation, _ ledger.Texts) (knowledge.State, bool) {
			return knowledge.Apply(p, op)
		},
		Clock: func(p *knowledge.State) *uint64 { return &p.Clock },
		Subject: func(op operation.Operation, before, _ knowledge.State) string {
			return knowledge.Subject(before, op)
		},
		Trailers: func(op operation.Operation, _, _ knowledge.State) []operation.Trailer {
			return config.CommonTrailers(op)
		},
		Brief:  func(p knowledge.State) any { return briefProject(p) },
		Bounds: ledger.OneRecord(ledger.KnowledgeRef),
	}
}

// trimmed are phases as a snapshot holds them, and whether that is less than they
// are. What reviews said of a completed one, and how its commands came out, decides
// nothing any more; there may be hundreds of them in each phase, and every hook would
// decode them all.
func trimmed(phases []task.Phase) (brief []task.Phase, less bool) {
	brief = phases
	for i, p := range phases {
		if p.Status != task.PhaseCompleted || len(p.Deviations) == 0 && p.Verified == nil {
			continue
		}
		if !less {
			brief, less = slices.Clone(phases), true
		}
		brief[i].Deviations, brief[i].Verified = nil, nil
	}
	return brief, less
}

func ownsTask(ref gitstore.RefName, first operation.Operation) error {
	id, ok := ledger.TaskOf(ref)
	if !ok {
		return fmt.Errorf("%.200q is no task's ref", string(ref))
	}
	if _, err := task.ParseID(id); err != nil {
		return err
	}
	var p task.CreatePayload
	switch err := json.Unmarshal(first.Payload, &p); {
	case first.Kind != task.OpCreate:
		return fmt.Errorf("a task does not begin with %.40q", string(first.Kind))
	case err != nil:
		return fmt.Errorf("the payload of %s can't be read: %w", first.Kind, err)
	case string(p.ID) != id:
		return fmt.Errorf("it creates %.100q, not %s", string(p.ID), id)
	case first.Law > operation.Law:
		return nil // what makes it a good one is not known here
	}
	if _, applied := rules.Apply(task.Task{}, first, nil); !applied {
		return fmt.Errorf("it creates no task: its title, branch or stage can't be one")
	}
	return nil
}
