package hooks

import (
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
	"github.com/git-brew/git-brew/internal/invisible"
)

// The client's tools for steps: one gives the whole list every time; of the others one
// makes a step, and one changes it by the id that the first one answered with.
const (
	stepsTool   = "TodoWrite"
	stepMaker   = "TaskCreate"
	stepChanger = "TaskUpdate"
)

type stepsCall struct {
	tool                string
	list                []string // of the whole list, and whether all of it is done
	done                bool
	subject, id, status string // of one step
}

func readSteps(p Payload) stepsCall {
	in := protocol.Object(p.ToolInput)
	call := stepsCall{
		tool: p.ToolName, subject: protocol.Clean(in.Text("subject"), 200), id: protocol.Clean(in.Text("taskId"), 100),
		status: in.Text("status"),
	}
	if p.ToolName == stepMaker {
		call.id = protocol.Clean(protocol.Object(protocol.Object(p.ToolResponse)["task"]).Text("id"), 100)
	}
	todos := protocol.List(in["todos"])
	call.done = len(todos) > 0
	for _, t := range todos {
		step := protocol.Object(t)
		call.list = append(call.list, protocol.Clean(step.Text("content"), 200))
		call.done = call.done && step.Text("status") == "completed"
	}
	return call
}

// keepsSteps reports whether lists of steps are looked at here: those of the
// session itself, sub-agents keep their own.
func (c *call) keepsSteps() bool {
	return slices.Contains([]string{stepsTool, stepMaker, stepChanger}, c.Payload.ToolName) && c.View.Gated &&
		c.View.Settings.Text(config.KeyGateSteps) != config.StepsOff && c.Payload.AgentID == "" && c.At.Session != ""
}

// judgeSteps keeps the list of steps as the user agreed to it (BW-46): what an
// agent proposes in a discussion is agreed to by the switch to implementation; other
// steps after that are refused and lead back to the discussion. A step that is not known
// here is nobody's business: it was made before git brew looked.
func (c *call) judgeSteps() (Reply, error) {
	have, err := c.here().Steps(c.Ctx)
	call := readSteps(c.Payload)
	next := call.after(have).List
	switch {
	case err != nil || slices.Equal(next, have.List) || call.status == "deleted" && slices.Contains(have.Done, call.id):
		return Reply{}, err
	case c.View.Mode != ModeDiscussion && have.Agreed && len(have.List) > 0:
	case call.tool == stepsTool:
		return Reply{}, c.noteSteps(call)
	default:
		return Reply{}, nil // noted once the tool has done it
	}
	if err := c.setMode(ModeDiscussion, "other steps than agreed"); err != nil {
		return Reply{}, err
	}
	if call.tool == stepsTool {
		err = c.noteSteps(call) // the next agreement is to these
	}
	// Two lists of the same length fit.
	const room = 90
	return protocol.Deny("These are other steps than the user agreed to, so the work tree is in discussion mode again. " +
		"Agreed: " + invisible.CutBytes(strings.Join(have.List, "; "), room) + ". Now: " +
		invisible.CutBytes(strings.Join(next, "; "), room) +
		". The list may be changed now; the user agrees to it with " + c.View.WayOut() + "."), err
}

// stepsDone notes what became of steps, once the tool has done it, and goes back to the
// discussion when all that was agreed on is done.
func (c *call) stepsDone() (Reply, error) {
	call := readSteps(c.Payload)
	if !c.failed && call.tool != stepsTool {
		if err := c.noteSteps(call); err != nil {
			return Reply{}, err
		}
	}
	if c.failed || c.View.Mode != ModeImplementation || call.tool == stepsTool && !call.done {
		return Reply{}, nil
	}
	have, err := c.here().Steps(c.Ctx)
	done := slices.Equal(call.list, have.List)
	if call.tool != stepsTool {
		done = len(have.Done) > 0 && len(have.Done) >= len(have.List)
	}
	if err != nil || !have.Agreed || !done {
		return Reply{}, err
	}
	if err := c.setMode(ModeDiscussion, "all agreed steps are done"); err != nil {
		return Reply{}, err
	}
	_, err = c.here().ChangeSteps(c.Ctx, func(Steps) Steps { return Steps{} })
	return protocol.Context("git brew: all steps that were agreed on are done, so the work tree is in discussion mode " +
		"again. The user switches with " + c.View.WayOut() + " for what comes next."), err
}

// noteSteps keeps what a call makes of the list: a proposal in the discussion, else how
// far what was agreed on has come. Where the first list after the switch counts, one of
// single steps is complete when work on it begins.
func (c *call) noteSteps(call stepsCall) error {
	change := func(have Steps) Steps {
		next := call.after(have)
		if c.View.Mode != ModeImplementation || have.Agreed {
			return next
		}
		if c.View.Settings.Text(config.KeyGateSteps) != config.StepsFirst {
			return have
		}
		next.Agreed = len(next.List) > 0 &&
			(call.tool == stepsTool || call.status == "in_progress" || call.status == "completed")
		return next
	}
	have, err := c.here().Steps(c.Ctx)
	if err == nil && !change(have).Same(have) {
		_, err = c.here().ChangeSteps(c.Ctx, change)
	}
	return err
}

// after is a list after the call. One that the tool for whole lists keeps has no ids, and
// is replaced.
func (s stepsCall) after(have Steps) Steps {
	next := have
	next.List, next.IDs, next.Done = slices.Clone(have.List), slices.Clone(have.IDs), slices.Clone(have.Done)
	if s.tool == stepsTool {
		return Steps{Session: have.Session, List: s.list}
	}
	if s.tool == stepMaker {
		if len(have.IDs) < len(have.List) && !have.Agreed {
			next = Steps{Session: have.Session}
		}
		next.List, next.IDs = append(next.List, s.subject), append(next.IDs, s.id)
		return next
	}
	at := slices.Index(next.IDs, s.id)
	if at < 0 || at >= len(next.List) {
		return next
	}
	if s.subject != "" {
		next.List[at] = s.subject
	}
	if s.status != "" {
		next.Done = slices.DeleteFunc(next.Done, func(id string) bool { return id == s.id })
	}
	switch s.status {
	case "deleted":
		next.List, next.IDs = slices.Delete(next.List, at, at+1), slices.Delete(next.IDs, at, at+1)
	case "completed":
		next.Done = append(next.Done, s.id)
	}
	return next
}
