package hooks

import (
	"errors"
	"strings"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/event"
	"github.com/git-brew/git-brew/internal/hooks/claude"
	"github.com/git-brew/git-brew/internal/hooks/gate"
	"github.com/git-brew/git-brew/internal/hooks/place"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
)

// handle answers the event. Any other is recorded, and never answered.
func (c *call) handle() (Reply, error) {
	switch c.event {
	case "SessionStart":
		return sessionStart(c)
	case "UserPromptSubmit":
		return userPrompt(c)
	case "PreToolUse":
		return toolCall(c)
	case "PostToolUse", "PostToolUseFailure":
		return postTool(c)
	case "PreCompact":
		return preCompact(c)
	case "Stop":
		return stop(c)
	case "SubagentStart":
		return Reply{}, subagentStart(c)
	case "SessionEnd":
		return Reply{}, sessionEnd(c)
	}
	return Reply{}, nil
}

// eventName is an event as the client writes it, of what the client or a person wrote
// (PreToolUse, pre-tool-use).
func eventName(name string) string {
	bare := strings.NewReplacer("-", "", "_", "").Replace(name)
	for _, e := range claude.Events() {
		if strings.EqualFold(e, bare) {
			return e
		}
	}
	return protocol.Clean(name, 60)
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
	if c.event == "SubagentStop" && c.Payload.AgentType == "" {
		return Reply{}, nil // the client's own summariser is none of ours
	}
	if c.View.Bindable && c.View.Lock.Client != "" { // a shell that doesn't know its session took it
		note(c.takeUp())
	}
	reply, err := c.tellLost()
	note(err)
	if c.View.Bound && c.View.RenewDue && c.View.Task != nil && c.event != "SessionEnd" &&
		!c.View.Task.Status.Terminal() {
		note(c.here().RenewLock(c.Ctx, c.View.Task.ID))
		if c.View.ShareDue {
			c.here().ShareLater()
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
		TS: now.UnixNano(), Session: c.At.Session, Hook: c.event, Type: event.TypeOfHook(c.event, reply.Kind()),
		Tool: protocol.Clean(c.Payload.ToolName, 100), ToolUseID: protocol.Clean(c.Payload.ToolUseID, 100),
		AgentID: protocol.Clean(c.Payload.AgentID, 100), Agent: c.agent,
		Mode: string(c.View.Mode), Decision: reply.Kind(), Reason: c.Reason,
		DurationMS: c.Payload.DurationMS, HookUS: max(0, now.Sub(c.started).Microseconds()),
	}
	if e.Reason == "" {
		e.Reason = protocol.Clean(reply.PermReason+reply.Block, 100)
	}
	if t := c.View.Task; t != nil {
		e.Task = string(t.ID)
		if p := c.View.Phase(); p != nil {
			e.Phase = p.ID
		}
	}
	if e.Type == event.ToolComplete {
		success := !failed(c.Payload)
		e.Success = &success
	}
	if c.detail != "" {
		e.Data = map[string]string{event.DataDetail: c.detail}
	}
	return c.here().Record(c.Ctx, e)
}

// look reads the view again, after a change.
func (c *call) look() error {
	v, err := c.brew.Look(c.Ctx, c.At)
	if err == nil {
		c.View = v
	}
	return err
}

// subagentStart records a sub-agent; a worker of the holder owes a report from
// now on. It is here and not before the call that it is counted: a call that
// the user refuses starts nobody.
func subagentStart(c *call) error {
	t := c.View.Task
	if t == nil || !c.View.Bound || t.Status.Terminal() ||
		systemAgent(c.agent, c.View.Settings.List(config.KeySystemAgent)) {
		return nil
	}
	p := c.assigned(agentCall{name: c.agent}) // the event has no prompt
	if p == nil {
		return nil
	}
	return c.launched(t, p, c.agent)
}

// sessionEnd records the end, then flushes the journal and gives the lock free
// for the next session here, and lets the others know. The client waits 1.5 s
// at most.
func sessionEnd(c *call) error {
	err := errors.Join(c.record(Reply{}), c.here().SessionEnded(c.Ctx, c.detail))
	c.here().ShareLater()
	return err
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
	case gate.KindOf(c.Payload) == gate.Agent && !c.Payload.Twice:
		return c.brief()
	case c.keepsSteps():
		return c.judgeSteps()
	}
	return c.Judge()
}

// stand finds the place that has the say in this call, and how it stands there. That
// is where the agent is, unless nothing of git brew is there, or the gate stands open
// there: then the place where the session started goes first where it keeps the gate
// closed, or guards it while the other does not. A session leaves its gate neither by
// a cd into a nested repository nor out of all of them. Another work tree of the
// same repository has a mode of its own, or that of the session's start: it counts
// as it is.
func (c *call) stand() error {
	goesOn := c.event != "SessionStart" || c.Payload.Source == "compact"
	told := c.At.ProjectDir != ""
	if !told && goesOn {
		c.At.ProjectDir = c.startedIn()
	}
	view, err := c.brew.Look(c.Ctx, c.At)
	c.View = view
	switch {
	case err != nil && !place.Absent(err), err == nil && (c.View.Closed() || c.event == "SessionStart"):
		return err
	case err != nil || c.At.ProjectDir != c.View.Top:
		err = c.standWhereStarted(c.At.ProjectDir, err)
	}
	if told && goesOn && place.Absent(err) {
		err = c.standWhereStarted(c.startedIn(), err)
	}
	return err
}

// standWhereStarted looks at a directory in which the session started, and lets it
// have the say where that counts; have is the error of the place that has it so far.
func (c *call) standWhereStarted(dir string, have error) error {
	if dir == "" || dir == c.At.Cwd {
		return have
	}
	at := c.At
	at.Here = dir
	view, err := c.brew.Look(c.Ctx, at)
	switch {
	case err != nil && (place.Absent(err) || have == nil && c.event != "PreToolUse"):
		return have
	case err != nil:
		return err
	case have == nil && (view.Repo == c.View.Repo || !view.Closed() && (c.View.Guarded || !view.Guarded)):
		return nil
	}
	c.At, c.View = at, view
	return nil
}

// here are the use cases at the place that has the say.
func (c *call) here() Here { return c.brew.At(c.At) }

// startedIn is where the session started, as it was kept then; "" where nobody knows.
func (c *call) startedIn() string {
	if c.At.Session == "" {
		return ""
	}
	return claude.Path(c.brew.StartedIn(c.At.Session))
}
