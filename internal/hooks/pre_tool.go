package hooks

import "github.com/git-brew/git-brew/internal/hooks/gate"

// toolCall judges a tool call: a sub-agent's start gets the task's context, a list of
// steps is kept as it was agreed on, and all others package gate decides about.
func toolCall(c *call) (Reply, error) {
	switch {
	case gate.KindOf(c.p) == gate.Agent && !c.p.Twice:
		return c.brief()
	case c.keepsSteps():
		return c.judgeSteps()
	}
	reply, _, err := c.gated(func(g *gate.Call) (Reply, bool, error) {
		reply, err := g.Judge()
		return reply, true, err
	})
	return reply, err
}

// gated asks the gate about this call. What is recorded is the place that decided.
func (c *call) gated(ask func(*gate.Call) (Reply, bool, error)) (Reply, bool, error) {
	g := &gate.Call{Ctx: c.ctx, Brew: c.brew, Getenv: c.getenv, Payload: c.p, At: c.at, View: c.view}
	reply, answered, err := ask(g)
	c.at, c.view, c.reason, c.undecided = g.At, g.View, g.Reason, g.Undecided
	return reply, answered, err
}
