package hooks

import (
	"errors"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/hooks/shown"

	"github.com/git-brew/git-brew/internal/task"
)

// subagentStart records a sub-agent; a worker of the holder owes a report from
// now on. It is here and not before the call that it is counted: a call that
// the user refuses starts nobody.
func subagentStart(c *call) (Reply, error) {
	agent := task.AgentName(c.p.AgentType)
	c.agent = agent
	t := c.view.Task
	if t == nil || !c.view.Bound || t.Status.Terminal() ||
		systemAgent(agent, c.view.Settings.List(config.KeySystemAgent)) {
		return Reply{}, nil
	}
	p := c.assigned(agentCall{name: agent}) // the event has no prompt
	if p == nil {
		return Reply{}, nil
	}
	return Reply{}, c.launched(t, p, agent)
}

// subagentStop records a sub-agent's end. The client's own summariser has no
// type and is none of ours.
func subagentStop(c *call) (Reply, error) {
	c.agent = task.AgentName(c.p.AgentType)
	c.skip = c.p.AgentType == ""
	return Reply{}, nil
}

// notification is recorded.
func notification(c *call) (Reply, error) {
	c.detail = shown.Clean(c.p.NotificationType, 60)
	return Reply{}, nil
}

// sessionEnd records the end, then flushes the journal and gives the lock free
// for the next session here, and lets the others know. The client waits 1.5 s
// at most.
func sessionEnd(c *call) (Reply, error) {
	c.detail = shown.Clean(c.p.Reason, 60)
	err := c.record(Reply{})
	err = errors.Join(err, c.brew.SessionEnded(c.ctx, c.at, c.detail))
	return Reply{}, errors.Join(err, c.brew.ShareLater(c.ctx, c.at))
}
