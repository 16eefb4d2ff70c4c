package app

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/learn"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/runner"
	"github.com/git-brew/git-brew/internal/task"
)

// prd is Brigade's list of stories, as much of it as a task takes.
type prd struct {
	FeatureName string  `json:"featureName"`
	BranchName  string  `json:"branchName"`
	Tasks       []story `json:"tasks"`
}

type story struct {
	ID           string            `json:"id"`
	Title        string            `json:"title"`
	Acceptance   []string          `json:"acceptanceCriteria"`
	Verification []json.RawMessage `json:"verification"`
	DependsOn    []string          `json:"dependsOn"`
	Complexity   string            `json:"complexity"`
}

func parsePRD(data []byte) (prd, error) {
	var p prd
	if len(data) == 0 {
		return p, nil
	}
	if err := json.Unmarshal(data, &p); err != nil {
		return p, clone.Invalid("it is a JSON object with featureName and tasks", "the PRD is not readable: %v", err)
	}
	if p.FeatureName == "" || len(p.Tasks) == 0 {
		return p, clone.Invalid("correct the file", "the PRD has no featureName or no tasks")
	}
	for i, t := range p.Tasks {
		if t.ID == "" || t.Title == "" {
			return p, clone.Invalid("correct the file", "story %d of the PRD has no id or no title", i+1)
		}
		if slices.IndexFunc(p.Tasks, func(o story) bool { return o.ID == t.ID }) != i {
			return p, clone.Invalid("correct the file", "the PRD has two stories %s", t.ID)
		}
	}
	return p, nil
}

// commands returns a story's verification: each a plain text or {type, cmd}.
// Brigade gave all of them to bash; what needs no shell goes without.
func (t story) commands() []string {
	var out []string
	for _, raw := range t.Verification {
		var text string
		var object struct {
			Cmd string `json:"cmd"`
		}
		if json.Unmarshal(raw, &text) == nil || (json.Unmarshal(raw, &object) == nil && object.Cmd != "") {
			command := cmp.Or(text, object.Cmd)
			if _, err := runner.ReadSimple(command); err != nil {
				command = "bash -c " + change.ShellWord(command)
			}
			out = append(out, command)
		}
	}
	return out
}

// addStories adds a phase for each story, in an order in which every story
// comes after those that it depends on.
func (s *Tasks) addStories(ctx context.Context, c *change.Tx, p prd) error {
	uids := map[string]task.UID{}
	left := p.Tasks
	for len(left) > 0 {
		var later []story
		for _, t := range left {
			var deps []task.UID
			for _, d := range t.DependsOn {
				if uid, ok := uids[d]; ok {
					deps = append(deps, uid)
				}
			}
			if len(deps) < len(t.DependsOn) {
				later = append(later, t)
				continue
			}
			uid, err := operation.NewID(s.Clone.Random)
			if err != nil {
				return err
			}
			tier := task.Tier(cmp.Or(t.Complexity, string(task.TierAuto)))
			if err := c.Do(ctx, ledger.Draft{ID: uid, Kind: task.OpPhaseAdd, Payload: task.PhaseAddPayload{
				Title: t.Title, Kind: task.KindExecution, ShownID: t.ID, DependsOn: deps,
				Acceptance: t.Acceptance, Verification: t.commands(), Tier: tier,
			}}); err != nil {
				return err
			}
			uids[t.ID] = uid
		}
		if len(later) == len(left) {
			return clone.Invalid("correct the file", "story %s of the PRD depends on itself, or on a story that is not there",
				later[0].ID)
		}
		left = later
	}
	return nil
}

// PromoteBacklog makes a task of an item.
func (s *Tasks) PromoteBacklog(ctx context.Context, arg string, r CreateRequest) (Result, error) {
	p, err := s.knowledge.Project(ctx)
	if err != nil {
		return Result{}, err
	}
	item, err := learn.FindItem(p.Backlog, arg)
	if err != nil {
		return Result{}, err
	}
	if !item.Open() {
		return Result{}, clone.Refuse("see 'git brew backlog list --all'", "that item is done, or a task already")
	}
	if r.Title == "" {
		r.Title = item.Txt
	}
	created, err := s.Create(ctx, r)
	if err != nil {
		return created, err
	}
	s.Engine.Last = change.LastChange{} // an item that is a task stays one
	return created, s.knowledge.ChangeProject(ctx, func(knowledge.State) ([]ledger.Draft, error) {
		return []ledger.Draft{{
			Kind:    knowledge.OpBacklogPromote,
			Payload: knowledge.BacklogItemPayload{Item: item.ID, Task: string(created.Task.ID)},
		}}, nil
	})
}
