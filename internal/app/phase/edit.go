package phase

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/runner"
	"github.com/git-brew/git-brew/internal/task"
)

// EditPhase changes a phase, and what it waits for, by the ids that people see. Only a
// person takes out what verifies it.
func (s *Phases) EditPhase(ctx context.Context, id task.ID, arg string, edit task.PhaseEditPayload,
	dependsOn, noLonger []string,
) (PhaseResult, error) {
	if len(edit.DropVerification) > 0 {
		if err := s.Clone.Caller.ForPeople("take out what verifies its work",
			"the user can, with 'git brew phase edit'"); err != nil {
			return PhaseResult{}, err
		}
	}
	if err := CheckSimple(edit.AddVerification); err != nil {
		return PhaseResult{}, err
	}
	return s.Change(ctx, id, s.begun(arg), func(ctx context.Context, c *change.Tx, p task.Phase) ([]string, error) {
		var err error
		edit.Phase = p.UID
		if edit.AddDependsOn, err = findPhases(c.Task, dependsOn); err != nil {
			return nil, err
		}
		if edit.DropDependsOn, err = findPhases(c.Task, noLonger); err != nil {
			return nil, err
		}
		now := newIn(edit, p)
		notes := []string{"it was so already"}
		if edit.Empty() || !now.Empty() {
			notes, err = nil, c.Do(ctx, change.Op(task.OpPhaseEdit, now))
		}
		if err != nil {
			return nil, err
		}
		set := records.CommandsOf(task.Phase{Verification: edit.AddVerification})
		return notes, s.Clone.TrustOwn(ctx, c.Ledger, set...)
	})
}

// newIn is what of an edit a phase does not have yet. What it is to lose it must have.
func newIn(edit task.PhaseEditPayload, p task.Phase) task.PhaseEditPayload {
	if edit.Title == p.Title {
		edit.Title = ""
	}
	if edit.Tier == p.Tier {
		edit.Tier = ""
	}
	edit.AddAcceptance = added(edit.AddAcceptance, p.Acceptance, edit.DropAcceptance)
	edit.AddVerification = added(edit.AddVerification, p.Verification, edit.DropVerification)
	edit.AddAgents = added(edit.AddAgents, p.Agents, edit.DropAgents)
	edit.AddDependsOn = added(edit.AddDependsOn, p.DependsOn, edit.DropDependsOn)
	return edit
}

// added are those items that a list has not, or is to lose.
func added[T comparable](items, list, drop []T) (left []T) {
	for _, item := range items {
		if !slices.Contains(list, item) || slices.Contains(drop, item) {
			left = append(left, item)
		}
	}
	return left
}

// DropPhase ends a phase that is not wanted any more, with what belongs to it. An agent
// drops only what nobody has begun, and nothing that verifies work: else it would go
// round the review.
func (s *Phases) DropPhase(ctx context.Context, id task.ID, arg, reason string) (PhaseResult, error) {
	agent := s.Clone.Caller.Reached().Agent()
	return s.Change(ctx, id, s.begun(arg),
		func(ctx context.Context, c *change.Tx, p task.Phase) ([]string, error) {
			if p.Kind == task.KindVerification {
				if err := s.Clone.Caller.ForPeople("drop what verifies its work",
					"the user can, with 'git brew phase drop'"); err != nil {
					return nil, err
				}
			}
			before := c.Task
			if err := c.Do(ctx, change.Op(task.OpPhaseDrop, task.PhaseReasonPayload{Phase: p.UID, Reason: reason})); err != nil {
				return nil, err
			}
			for _, q := range c.Task.Phases {
				was, _ := before.Phase(q.UID)
				if agent && q.Status != was.Status && q.Status == task.PhaseDropped && was.Status != task.PhasePending {
					return nil, clone.Refuse("the user drops it, with 'git brew phase drop "+p.ID+" -m WHY' in a terminal",
						"phase %s is %s; an agent drops only what nobody has begun", q.ID, was.Status)
				}
			}
			return AlongWith(before, c.Task, p.UID), nil
		})
}

// PhaseAddRequest adds a phase. Phases are named by the ids that people see.
type PhaseAddRequest struct {
	Title, ShownID, After string
	Kind                  task.PhaseKind
	Parent                string
	DependsOn             []string
	Acceptance, Verify    []string
	Tier                  task.Tier
	Agents                []string
}

// findPhases are the phases that a person names, one by one or several between
// commas, which no id has.
func findPhases(t task.Task, args []string) ([]task.UID, error) {
	var uids []task.UID
	for _, arg := range args {
		for id := range strings.SplitSeq(arg, ",") {
			found, err := t.FindPhase(strings.TrimSpace(id))
			if err != nil {
				return nil, err
			}
			uids = append(uids, found.UID)
		}
	}
	return uids, nil
}

// CheckSimple refuses commands that need a shell.
func CheckSimple(commands []string) error {
	for _, c := range commands {
		if _, err := SimpleCommand(c); err != nil {
			return err
		}
	}
	return nil
}

// SimpleCommand reads a command that verifies a phase; one that needs a shell is
// refused.
func SimpleCommand(text string) (runner.Simple, error) {
	simple, err := runner.ReadSimple(text)
	if err != nil {
		return simple, clone.Refuse("put it into a script, or write it as sh -c '…'", "%q needs a shell: %v",
			invisible.Cut(text, 80), err)
	}
	return simple, nil
}

// AddPhase adds a phase to the task.
func (s *Phases) AddPhase(ctx context.Context, id task.ID, r PhaseAddRequest) (PhaseResult, error) {
	uid, err := operation.NewID(s.Clone.Random)
	if err != nil {
		return PhaseResult{}, err
	}
	return s.Change(ctx, id, Meant{UID: uid}, func(ctx context.Context, c *change.Tx, _ task.Phase) ([]string, error) {
		p := task.PhaseAddPayload{
			Title: r.Title, Kind: r.Kind, ShownID: r.ShownID, Acceptance: r.Acceptance,
			Verification: r.Verify, Tier: r.Tier, Agents: r.Agents,
		}
		if r.Parent != "" && (p.Kind == task.KindFinalReview || cmp.Or(p.Kind, task.KindExecution) == task.KindExecution) {
			return nil, clone.Invalid("say with --kind what it is to that one, or leave --of out",
				"a phase of kind %s belongs to no other", cmp.Or(p.Kind, task.KindExecution))
		}
		var err error
		if p.DependsOn, err = findPhases(c.Task, r.DependsOn); err != nil {
			return nil, err
		}
		for _, name := range []struct {
			arg string
			to  *task.UID
		}{{r.After, &p.After}, {r.Parent, &p.Parent}} {
			if name.arg == "" {
				continue
			}
			found, err := c.Task.FindPhase(name.arg)
			if err != nil {
				return nil, err
			}
			*name.to = found.UID
		}
		before := c.Task
		draft, err := AddDraft(c.Task, uid, p)
		if err == nil {
			err = c.Do(ctx, draft)
		}
		if err != nil {
			return nil, err
		}
		added, _ := c.Task.Phase(uid)
		return AlongWith(before, c.Task, uid), s.Clone.TrustOwn(ctx, c.Ledger, records.CommandsOf(added)...)
	})
}

// AddDraft is the operation that adds a phase. An id such as 2V says what it is, and to
// which phase.
func AddDraft(t task.Task, uid task.UID, p task.PhaseAddPayload) (ledger.Draft, error) {
	if kind, parent, ok := t.KindOf(p.ShownID); ok && p.Parent == "" && (p.Kind == "" || p.Kind == kind) {
		p.Kind, p.Parent = kind, parent.UID
	}
	if p.Kind == "" {
		p.Kind = task.KindExecution
		if err := t.CheckID(p.ShownID); err != nil {
			return ledger.Draft{}, err
		}
	}
	return ledger.Draft{ID: uid, Kind: task.OpPhaseAdd, Payload: p}, CheckSimple(p.Verification)
}

// SplitPhase adds parts to a phase: it is done when they are.
func (s *Phases) SplitPhase(ctx context.Context, id task.ID, arg string, titles []string) (PhaseResult, error) {
	if len(titles) < 2 {
		return PhaseResult{}, clone.Invalid("give --into TITLE for each part", "a phase is split into two parts or more")
	}
	return s.Change(ctx, id, s.begun(arg), func(ctx context.Context, c *change.Tx, p task.Phase) ([]string, error) {
		var parts []string
		for _, title := range titles {
			part, err := Add(ctx, c, task.PhaseAddPayload{Title: title, Kind: task.KindSplit, Parent: p.UID})
			if err != nil {
				return nil, err
			}
			parts = append(parts, "phase "+part.ID+" "+part.Title)
		}
		return parts, nil
	})
}

// Add adds a phase as a part of a change.
func Add(ctx context.Context, c *change.Tx, p task.PhaseAddPayload) (added task.Phase, err error) {
	uid, err := operation.NewID(c.Engine.Clone.Random)
	if err != nil {
		return added, err
	}
	draft, err := AddDraft(c.Task, uid, p)
	if err == nil {
		err = c.Do(ctx, draft)
	}
	added, _ = c.Task.Phase(uid)
	return added, err
}
