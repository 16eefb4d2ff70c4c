package trust

import (
	"context"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/question"
)

// constraintsOf are the constraints of a plan, as a content to be trusted; false where
// it has none.
func constraintsOf(plan []byte) (clone.Content, bool) {
	lines := question.ConstraintLines(string(plan))
	return clone.Content{Kind: clone.TrustConstraints, Text: lines}, len(lines) > 0
}

// PlanConstraints are those of a task's plan as it stands.
func (s *Trust) PlanConstraints(ctx context.Context, t task.Task) (clone.Content, bool, error) {
	if t.Deleted || t.Status.Terminal() || !t.HasDoc(task.DocPlan) {
		return clone.Content{}, false, nil
	}
	plan, err := s.Records.Document(ctx, t, task.DocPlan)
	if err != nil {
		return clone.Content{}, false, err
	}
	c, found := constraintsOf(plan.Text)
	return c, found, nil
}

// PlanTrusted reports whether agents may be told the constraints of a plan: somebody
// wrote them in this clone, or its person has trusted them.
func (s *Trust) PlanTrusted(ctx context.Context, plan []byte) (bool, error) {
	c, found := constraintsOf(plan)
	if !found {
		return true, nil
	}
	return s.Clone.Trusted(ctx, c)
}

// PlannedHere stages that the constraints of a plan are trusted, for they are set
// here. An agent's set does not lift what waits: constraints of others stay theirs,
// whatever the agent changes.
func (s *Trust) PlannedHere(ctx context.Context, c *change.Tx, name task.DocName, had string, text []byte) error {
	content, found := constraintsOf(text)
	if name != task.DocPlan || !found {
		return nil
	}
	if s.Clone.Caller.Agent() && had != "" {
		before, err := s.Clone.Ledger.Blob(ctx, had)
		if err != nil {
			return ctx.Err() // what can't be read, nobody has trusted
		}
		if trusted, err := s.PlanTrusted(ctx, before); err != nil || !trusted {
			return err
		}
	}
	return s.Clone.TrustWhatIsSet(ctx, c.Ledger, []clone.Content{content})
}

// MadeHere is what the making of a task sets that is used on trust: by a person its
// commands, by whomever the constraints of its plan.
func (s *Trust) MadeHere(phases []task.Phase, plan []byte) []clone.Content {
	var set []clone.Content
	if !s.Clone.Caller.Agent() {
		set = records.CommandsOf(phases)
	}
	if c, found := constraintsOf(plan); found {
		set = append(set, c)
	}
	return set
}
