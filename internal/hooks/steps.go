package hooks

import (
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
	"github.com/git-brew/git-brew/internal/hooks/shown"

	"github.com/git-brew/git-brew/internal/invisible"
)

// stepsTool is the client's tool for a list of steps; it gives the whole list
// every time.
const stepsTool = "TodoWrite"

// readTodos gives the steps of a call, and whether all are done; nil: it has none
// that can be read.
func readTodos(p Payload) (steps []string, done bool) {
	todos := protocol.List(protocol.Object(p.ToolInput)["todos"])
	done = len(todos) > 0
	for _, t := range todos {
		step := protocol.Object(t)
		steps = append(steps, shown.Clean(step.Text("content"), 200))
		done = done && step.Text("status") == "completed"
	}
	return steps, done
}

// keepsSteps reports whether lists of steps are looked at here: those of the
// session itself, sub-agents keep their own.
func (c *call) keepsSteps() bool {
	return (c.p.ToolName == stepsTool || c.p.ToolName == stepMaker || c.p.ToolName == stepChanger) && c.view.Gated &&
		c.view.Settings.Text(config.KeyGateSteps) != config.StepsOff && c.p.AgentID == "" && c.at.Session != ""
}

// judgeSteps keeps the list of steps as the user agreed to it (BW-46): what an
// agent proposes in a discussion is agreed to by the switch to implementation; a
// list of other steps after that is refused and leads back to the discussion.
func (c *call) judgeSteps() (Reply, error) {
	have, err := c.brew.Steps(c.ctx, c.at)
	if err != nil {
		return Reply{}, err
	}
	if c.p.ToolName != stepsTool {
		return c.judgeStep(have)
	}
	list, _ := readTodos(c.p)
	switch {
	case slices.Equal(list, have.List):
		return Reply{}, nil
	case c.view.Mode == ModeDiscussion:
		return Reply{}, c.setSteps(Steps{List: list})
	case !have.Agreed && c.view.Settings.Text(config.KeyGateSteps) == config.StepsFirst:
		return Reply{}, c.setSteps(Steps{List: list, Agreed: true})
	case !have.Agreed || len(have.List) == 0:
		return Reply{}, nil
	}
	reply, err := c.otherSteps(have.List, list)
	if err != nil {
		return reply, err
	}
	return reply, c.setSteps(Steps{List: list}) // the next agreement is to these
}

func (c *call) setSteps(to Steps) error {
	_, err := c.brew.ChangeSteps(c.ctx, c.at, func(Steps) Steps { return to })
	return err
}

// otherSteps refuses a list that is not the agreed one, and leads back to the
// discussion.
func (c *call) otherSteps(agreed, list []string) (Reply, error) {
	if err := c.brew.SetMode(c.ctx, c.at, ModeDiscussion, "other steps than agreed"); err != nil {
		return Reply{}, err
	}
	c.reason = "mode implementation -> discussion: other steps than agreed"
	c.view.Mode = ModeDiscussion
	// Two lists of the same length fit.
	const room = 90
	return protocol.Deny("These are other steps than the user agreed to, so the work tree is in discussion mode " +
		"again. Agreed: " +
		invisible.CutBytes(strings.Join(agreed, "; "), room) + ". Now: " +
		invisible.CutBytes(strings.Join(list, "; "), room) +
		". The list may be changed now; the user agrees to it with " + c.view.WayOut() + "."), nil
}

// stepsDone goes back to the discussion when all that was agreed on is done.
func (c *call) stepsDone() (Reply, error) {
	if c.failed {
		return Reply{}, nil
	}
	if c.p.ToolName != stepsTool {
		return c.stepTold()
	}
	list, done := readTodos(c.p)
	if !done || c.view.Mode != ModeImplementation {
		return Reply{}, nil
	}
	have, err := c.brew.Steps(c.ctx, c.at)
	if err != nil || !have.Agreed || !slices.Equal(list, have.List) {
		return Reply{}, err
	}
	return c.allDone()
}

// allDone goes back to the discussion.
func (c *call) allDone() (Reply, error) {
	if err := c.brew.SetMode(c.ctx, c.at, ModeDiscussion, "all agreed steps are done"); err != nil {
		return Reply{}, err
	}
	c.reason = "mode implementation -> discussion: all agreed steps are done"
	c.view.Mode = ModeDiscussion
	if err := c.setSteps(Steps{}); err != nil {
		return Reply{}, err
	}
	return protocol.Context("git brew: all steps that were agreed on are done, so the work tree is in discussion " +
		"mode again. " +
		"The user switches with " + c.view.WayOut() + " for what comes next."), nil
}
