package workflow

import (
	"context"

	"github.com/git-brew/git-brew/internal/task"
)

// asker is whoever asks what comes next, in a work tree of a mode where the gate is
// in force or not.
func (s *Service) asker(set *Settings, agent bool, mode Mode, gated bool) task.Asker {
	a := task.Asker{Agent: agent, Closed: gated && mode == ModeDiscussion, Praise: "approved"}
	if phrases := set.List(KeyTrigger); len(phrases) > 0 {
		a.Agree = phrases[0]
	}
	return a
}

// askedBy is what comes next as it is for the caller: who is asked, and a command
// that they may type. What nobody can tell of the mode counts as discussion.
func (s *Service) askedBy(ctx context.Context, t task.Task, step task.Step) task.Step {
	if here, err := s.Here(ctx); s.address != nil && (err != nil || here != t.ID) {
		name := s.Name(ctx, t.ID)
		step.Command, step.Ask = s.address(step.Command, name), s.address(step.Ask, name)
	}
	set, err := s.Settings(ctx)
	if err != nil {
		return step.For(task.Asker{Agent: s.caller.agent(), Closed: true})
	}
	mode, err := s.Mode(ctx)
	if err != nil {
		mode.Mode = ModeDiscussion
	}
	open := s.off(set) != "" || !gated(set.Text(KeyGate), &t)
	return step.For(s.asker(set, s.caller.agent(), mode.Mode, !open))
}
