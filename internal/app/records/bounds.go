package records

import (
	"encoding/json"
	"fmt"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// Bounds: a task begins with the operation that creates it, under the very id
// that its ref has.
func (TaskLaw) Bounds() ledger.Bounds {
	return ledger.Bounds{
		Owns:    ownsTask,
		OneRoot: true,
		Limit: func(path string) int64 {
			if task.Needs(path) {
				return gitstore.MaxObjectSize
			}
			return task.MaxText
		},
		Names: task.NamedBy,
		LockFence: func(file []byte) (uint64, error) {
			var l lease.Lock
			if err := json.Unmarshal(file, &l); err != nil {
				return 0, err
			}
			return l.Fence, lease.CheckLock(l)
		},
	}
}

// Fence is ledger.Law's.
func (TaskLaw) Fence(t task.Task) uint64 { return t.Fence }

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

// Fence: the project has no lock.
func (ProjectLaw) Fence(knowledge.State) uint64 { return 0 }

// Bounds: two clones may begin the project's record apart.
func (ProjectLaw) Bounds() ledger.Bounds { return ledger.OneRecord(ledger.KnowledgeRef) }
