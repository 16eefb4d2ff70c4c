package hooks

import (
	"slices"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
	"github.com/git-brew/git-brew/internal/hooks/shown"
)

// The client's tools that keep each step by itself: one makes it, the other
// changes it by the id that the first one answered with.
const (
	stepMaker   = "TaskCreate"
	stepChanger = "TaskUpdate"
)

// stepCall is a call of one of them.
type stepCall struct {
	subject, id, status string
}

func readStepCall(p Payload) stepCall {
	in := protocol.Object(p.ToolInput)
	call := stepCall{
		subject: shown.Clean(in.Text("subject"), 200), id: shown.Clean(in.Text("taskId"), 100),
		status: in.Text("status"),
	}
	if p.ToolName == stepMaker {
		call.id = shown.Clean(protocol.Object(protocol.Object(p.ToolResponse)["task"]).Text("id"), 100)
	}
	return call
}

// judgeStep keeps single steps as the user agreed to them: after that none is
// added, renamed or taken out before it is done. A step that is not known here is
// nobody's business: it was made before git brew looked.
func (c *call) judgeStep(have Steps) (Reply, error) {
	if c.view.Mode == ModeDiscussion || !have.Agreed || len(have.List) == 0 {
		return Reply{}, nil
	}
	call := readStepCall(c.p)
	if call.status == "deleted" && slices.Contains(have.Done, call.id) {
		return Reply{}, nil
	}
	list := stepsAfter(have, c.p.ToolName, call).List
	if slices.Equal(list, have.List) {
		return Reply{}, nil
	}
	return c.otherSteps(have.List, list)
}

// stepTold notes what became of a step, once the tool has done it: a proposal in
// the discussion, else how far what was agreed on has come.
func (c *call) stepTold() (Reply, error) {
	call := readStepCall(c.p)
	change := func(have Steps) Steps { return c.stepChange(have, call) }
	have, err := c.brew.Steps(c.ctx, c.at)
	if err != nil || change(have).Same(have) {
		return Reply{}, err
	}
	have, err = c.brew.ChangeSteps(c.ctx, c.at, change)
	if err != nil || c.view.Mode != ModeImplementation || !have.Agreed || len(have.Done) == 0 ||
		len(have.Done) < len(have.List) {
		return Reply{}, err
	}
	return c.allDone()
}

// stepChange is what a call makes of the list. Where the first list after the
// switch counts, it is complete when work on it begins.
func (c *call) stepChange(have Steps, call stepCall) Steps {
	next := stepsAfter(have, c.p.ToolName, call)
	if c.view.Mode != ModeImplementation || have.Agreed {
		return next
	}
	if c.view.Settings.Text(config.KeyGateSteps) != config.StepsFirst {
		return have
	}
	next.Agreed = len(next.List) > 0 && (call.status == "in_progress" || call.status == "completed")
	return next
}

// stepsAfter is a list after a call. One that the other tool keeps has no ids, and
// is replaced.
func stepsAfter(s Steps, tool string, call stepCall) Steps {
	next := s
	next.List, next.IDs, next.Done = slices.Clone(s.List), slices.Clone(s.IDs), slices.Clone(s.Done)
	if tool == stepMaker {
		if len(s.IDs) < len(s.List) && !s.Agreed {
			next = Steps{Session: s.Session}
		}
		next.List = append(next.List, call.subject)
		next.IDs = append(next.IDs, call.id)
		return next
	}
	at := slices.Index(next.IDs, call.id)
	if at < 0 || at >= len(next.List) {
		return next
	}
	if call.subject != "" {
		next.List[at] = call.subject
	}
	done := slices.Index(next.Done, call.id)
	switch {
	case call.status == "deleted":
		next.List, next.IDs = slices.Delete(next.List, at, at+1), slices.Delete(next.IDs, at, at+1)
		if done >= 0 {
			next.Done = slices.Delete(next.Done, done, done+1)
		}
	case call.status == "completed" && done < 0:
		next.Done = append(next.Done, call.id)
	case (call.status == "pending" || call.status == "in_progress") && done >= 0:
		next.Done = slices.Delete(next.Done, done, done+1)
	}
	return next
}
