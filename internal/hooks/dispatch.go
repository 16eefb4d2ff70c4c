package hooks

import (
	"context"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/event"
)

// Event says how one of the client's events is handled.
type Event struct {
	Name string
	// Matcher is what the client compares with the tool's name; empty where
	// an event has none.
	Matcher string
	handle  func(*call) (Reply, error)
}

// events are those that git brew registers for, in the order of a session, and
// what answers them. The tool events match every tool: a list of names is a
// hole for each tool that is new (BW-3), and costs, where it helps, the three
// milliseconds of a hook that has no opinion.
var events = []Event{
	{"SessionStart", "", sessionStart},
	{"UserPromptSubmit", "", userPrompt},
	{"PreToolUse", "*", toolCall},
	{"PostToolUse", "*", postTool},
	{"PostToolUseFailure", "*", postTool},
	{"PreCompact", "", preCompact},
	{"Stop", "", stop},
	{"SubagentStart", "", subagentStart},
	{"SubagentStop", "", subagentStop},
	{"Notification", "", notification},
	{"SessionEnd", "", sessionEnd},
}

// Events lists the events to register for.
func Events() []Event { return append([]Event(nil), events...) }

// eventNamed finds an event by its name as the client or a person writes it
// (PreToolUse, pre-tool-use). An unknown one is recorded and never answered.
func eventNamed(name string) Event {
	bare := strings.NewReplacer("-", "", "_", "").Replace(name)
	for _, e := range events {
		if strings.EqualFold(e.Name, bare) {
			return e
		}
	}
	return Event{Name: clean(name, 60), handle: func(*call) (Reply, error) { return Reply{}, nil }}
}

// call is one run of a hook.
type call struct {
	ctx     context.Context
	brew    Brew
	at      Place
	p       Payload
	event   Event
	view    View
	home    string // of the user; "" where nobody knows
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
	// seen are the places that paths of the call lie in.
	seen map[string]spot
}

// answer runs the handler, tells of a lost lock, renews the lease where that is
// due, and records the event.
func (c *call) answer() (Reply, []error) {
	var errs []error
	note := func(err error) {
		if err != nil && !quiet(c.event.Name, err) {
			errs = append(errs, err)
		}
	}
	reply, err := c.tellLost()
	note(err)
	if c.skip {
		return reply, errs
	}
	if c.view.Bound && c.view.RenewDue && c.view.Task != nil && c.event.Name != "SessionEnd" &&
		!c.view.Task.Status.Terminal() {
		note(c.brew.RenewLock(c.ctx, c.at, c.view.Task.ID))
		if c.view.ShareDue {
			note(c.brew.ShareLater(c.ctx, c.at))
		}
	}
	if c.event.Name == "SessionEnd" {
		return reply, errs // it recorded itself, before the journal was flushed
	}
	note(c.record(reply))
	return reply, errs
}

// record writes the event of this call.
func (c *call) record(reply Reply) error {
	now := c.now()
	e := event.Event{
		TS: now.UnixNano(), Session: c.at.Session, Hook: c.event.Name, Type: event.TypeOfHook(c.event.Name, reply.kind()),
		Tool: clean(c.p.ToolName, 100), ToolUseID: clean(c.p.ToolUseID, 100),
		AgentID: clean(c.p.AgentID, 100), Agent: c.agent,
		Mode: string(c.view.Mode), Decision: reply.kind(), Reason: c.reason,
		DurationMS: c.p.DurationMS, HookUS: max(0, now.Sub(c.started).Microseconds()),
	}
	if e.Agent == "" {
		e.Agent = clean(c.p.AgentType, 100)
	}
	if e.Reason == "" {
		e.Reason = clean(reply.permReason+reply.reason, 100)
	}
	if t := c.view.Task; t != nil {
		e.Task = string(t.ID)
		if p, _ := c.view.phase(); p != nil {
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
