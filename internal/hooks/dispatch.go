package hooks

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/event"
	"github.com/git-brew/git-brew/internal/hooks/claude"
	"github.com/git-brew/git-brew/internal/hooks/gate"
	"github.com/git-brew/git-brew/internal/hooks/place"
	"github.com/git-brew/git-brew/internal/hooks/shown"
	"github.com/git-brew/git-brew/internal/task"
)

// handlers answer the events. Any other is recorded, and never answered.
var handlers = []struct {
	event  string
	handle func(*call) (Reply, error)
}{
	{"SessionStart", sessionStart},
	{"UserPromptSubmit", userPrompt},
	{"PreToolUse", toolCall},
	{"PostToolUse", postTool},
	{"PostToolUseFailure", postTool},
	{"PreCompact", preCompact},
	{"Stop", stop},
	{"SubagentStart", subagentStart},
	{"SubagentStop", subagentStop},
	{"Notification", notification},
	{"SessionEnd", sessionEnd},
}

// handle runs the event's handler.
func (c *call) handle() (Reply, error) {
	for _, h := range handlers {
		if h.event == c.event {
			return h.handle(c)
		}
	}
	return Reply{}, nil
}

// eventName is an event as the client writes it, of what the client or a person wrote
// (PreToolUse, pre-tool-use).
func eventName(name string) string {
	bare := strings.NewReplacer("-", "", "_", "").Replace(name)
	for _, e := range claude.Events() {
		if strings.EqualFold(e.Name, bare) {
			return e.Name
		}
	}
	return shown.Clean(name, 60)
}

// call is one run of a hook.
type call struct {
	ctx     context.Context
	brew    Brew
	at      Place
	p       Payload
	event   string
	view    View
	getenv  func(string) string
	now     func() time.Time
	started time.Time
	// What handlers add to the event that is recorded: the agent by its plain
	// name; the source, reason, trigger or kind that the payload carries; why
	// something was decided; whether a sub-agent failed.
	agent, detail, reason string
	failed                bool
	// skip: the event is none of ours, and is not recorded.
	skip bool
	// undecided is why nobody can tell whether the call is allowed.
	undecided error
}

// answer runs the handler, tells of a lost lock, renews the lease where that is
// due, and records the event.
func (c *call) answer() (Reply, []error) {
	var errs []error
	note := func(err error) {
		if err != nil && !quiet(c.event, err) {
			errs = append(errs, err)
		}
	}
	reply, err := c.tellLost()
	note(err)
	if c.skip {
		return reply, errs
	}
	if c.view.Bound && c.view.RenewDue && c.view.Task != nil && c.event != "SessionEnd" &&
		!c.view.Task.Status.Terminal() {
		note(c.brew.RenewLock(c.ctx, c.at, c.view.Task.ID))
		if c.view.ShareDue {
			note(c.brew.ShareLater(c.ctx, c.at))
		}
	}
	if c.event == "SessionEnd" {
		return reply, errs // it recorded itself, before the journal was flushed
	}
	note(c.record(reply))
	return reply, errs
}

// record writes the event of this call.
func (c *call) record(reply Reply) error {
	now := c.now()
	e := event.Event{
		TS: now.UnixNano(), Session: c.at.Session, Hook: c.event, Type: event.TypeOfHook(c.event, reply.Kind()),
		Tool: shown.Clean(c.p.ToolName, 100), ToolUseID: shown.Clean(c.p.ToolUseID, 100),
		AgentID: shown.Clean(c.p.AgentID, 100), Agent: c.agent,
		Mode: string(c.view.Mode), Decision: reply.Kind(), Reason: c.reason,
		DurationMS: c.p.DurationMS, HookUS: max(0, now.Sub(c.started).Microseconds()),
	}
	if e.Agent == "" {
		e.Agent = shown.Clean(c.p.AgentType, 100)
	}
	if e.Reason == "" {
		e.Reason = shown.Clean(reply.PermReason+reply.Block, 100)
	}
	if t := c.view.Task; t != nil {
		e.Task = string(t.ID)
		if p, _ := c.view.Phase(); p != nil {
			e.Phase = p.ID
		}
	}
	if e.Type == event.ToolComplete {
		success := !failed(c.p)
		e.Success = &success
	}
	if c.detail != "" {
		e.Data = map[string]string{"detail": c.detail}
	}
	return c.brew.Record(c.ctx, c.at, e)
}

// look reads the view again, after a change.
func (c *call) look() error {
	v, err := c.brew.Look(c.ctx, c.at)
	if err == nil {
		c.view = v
	}
	return err
}

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

// quiet reports an error that was told where the session started. That the repository
// asks for another git-brew is said to the user's own words again: what they ask for
// is not recorded.
func quiet(event string, err error) bool {
	if _, other := errors.AsType[*config.RequiredError](err); other {
		return event != "SessionStart" && event != "UserPromptSubmit"
	}
	return errors.Is(err, place.ErrUnable) && event != "SessionStart"
}

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
