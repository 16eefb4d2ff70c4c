package app

import (
	"context"
	"slices"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/question"
	"github.com/git-brew/git-brew/internal/task/route"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// NextResult is what comes next for a task.
type NextResult struct {
	Task task.Task
	Step route.Step
	// Plan is how the step is taken, where somebody asked; see StepPlan.
	Plan steps.StepPlan
	// Ready are the phases whose work can begin now. What somebody works on
	// is not among them (S-16), and nothing is while the task itself waits.
	Ready []task.Phase
	// UnderWay are the phases that are worked on.
	UnderWay []task.Phase
	asked    func(route.Step) route.Step
}

// Begin is what comes next for whoever takes one of the phases that are ready.
func (r NextResult) Begin(p task.Phase) route.Step { return r.asked(route.Begin(r.Task, p)) }

// WorkOn is what comes next for whoever works on one that is under way.
func (r NextResult) WorkOn(p task.Phase) route.Step { return r.asked(route.WorkOn(r.Task, p.UID)) }

// Next asks the routing table, for the caller's own phase where it claimed one
// (task.NextFor). Else it reads the task's snapshot alone, so the task has no
// knowledge, and the answer is the one that was given with all that it has.
func (s *Work) Next(ctx context.Context, id task.ID) (NextResult, error) {
	if err := task.CheckWorker(s.Clone.Caller.Worker); err != nil {
		return NextResult{}, err
	}
	b, _, err := s.Records.Brief(ctx, id)
	if err != nil {
		return NextResult{}, err
	}
	asked := func(step route.Step) route.Step { return s.next.AskedBy(ctx, b.Task, step) }
	r := NextResult{Task: b.Task, Step: asked(b.Next)}
	if who := s.Clone.Caller.Whose(); who.Worker != "" || len(route.Own(b.Task, who)) > 0 {
		t, err := s.Records.Task(ctx, id)
		if err != nil {
			return NextResult{}, err
		}
		r = s.nextOf(ctx, t)
	}
	r.asked = asked
	if b.Task.Status != task.InProgress {
		return r, nil
	}
	r.UnderWay = route.WorkedOn(b.Task)
	if len(b.Task.OpenHooks()) == 0 {
		r.Ready = slices.DeleteFunc(route.Ready(b.Task), func(p task.Phase) bool {
			return b.Held && p.Kind != task.KindResearch
		})
	}
	return r, nil
}

func (s *Work) nextOf(ctx context.Context, t task.Task) NextResult {
	step := s.next.Unasked(ctx, t)
	r := NextResult{Task: t, Step: s.next.AskedBy(ctx, t, step)}
	if r.Step.Skip != "" && step != route.Next(t) { // what is passed over is a step of the task
		r.Step.Skip = ""
	}
	return r
}

// SkipStep records that the step which comes next is passed over, where the
// routing table lets it be. Questions that stay open are named in the record.
func (s *Work) SkipStep(ctx context.Context, id task.ID, step, reason string) (NextResult, error) {
	after, err := s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) error {
		if err := s.documents.LookAtPlan(ctx, c); err != nil {
			return err
		}
		p := task.SkipPayload{Passed: route.PassedNext(c.Task), Reason: reason}
		p.Step = step
		if step == task.StepClarify && c.Task.HasDoc(task.DocContext) {
			context, err := s.Records.Document(ctx, c.Task, task.DocContext)
			if err != nil {
				return err
			}
			p.Questions = rules.QuestionTexts(question.ParseQuestions(context.Text))
		}
		if err := route.CheckSkip(c.Task, p); err != nil {
			return err
		}
		return c.Do(ctx, change.Op(task.OpStepSkip, p))
	})
	if err != nil {
		return NextResult{}, err
	}
	return s.nextOf(ctx, after), nil
}
