package event

import "slices"

// Kind is a type of event: when it is recorded, and which fields it has besides
// those that every event may have (schema, ts, session, correlation, execution,
// worktree, task, phase, mode).
type Kind struct {
	Type Type
	// When says it for people.
	When string
	// Hooks are the client's events that record it; none: the command, or the
	// use case that changed something, does.
	Hooks []string
	// Hooked: an agent's hook records it; it may have hook, agent_id, agent,
	// decision, reason and hook_us too.
	Hooked bool
	// Fields are the names of its own fields; of Data, "data." and the key.
	Fields []string
}

// The types of events. Runs of workers add names of their own.
const (
	SessionStart Type = "session_start"
	SessionEnd   Type = "session_end"
	Prompt       Type = "prompt"
	ToolStart    Type = "tool_start"
	Denial       Type = "denial"
	ToolComplete Type = "tool_complete"
	Compaction   Type = "compaction"
	Stop         Type = "stop"
	AgentStart   Type = "agent_start"
	AgentStop    Type = "agent_stop"
	Notification Type = "notification"
	ModeChange   Type = "mode_change"
	TaskChange   Type = "task_change"
	TaskSwitch   Type = "task_switch"
	PhaseChange  Type = "phase_change"
	LockChange   Type = "lock_change"
	LockLost     Type = "lock_lost"
	Other        Type = "other"
)

// Names of what Data holds.
const (
	DataWhat   = "what"   // which part changed
	DataFrom   = "from"   // what it was
	DataTo     = "to"     // what it is
	DataHolder = "holder" // who has the lock
	DataDetail = "detail"
)

// kinds is the registry: what is in no row is not recorded.
var kinds = [...]Kind{
	{SessionStart, "a session starts, or goes on after a break", []string{"SessionStart"}, true, []string{"data.detail"}},
	{SessionEnd, "a session ends", []string{"SessionEnd"}, true, []string{"data.detail"}},
	{
		Prompt, "a person sends a prompt; reason: the phrase that switched the mode",
		[]string{"UserPromptSubmit"},
		true,
		[]string{"data.detail"},
	},
	{ToolStart, "a tool is called", []string{"PreToolUse"}, true, []string{"tool", "tool_use_id", "data.detail"}},
	{Denial, "a tool call is refused", nil, true, []string{"tool", "tool_use_id", "data.detail"}},
	{
		ToolComplete, "a tool has run",
		[]string{"PostToolUse", "PostToolUseFailure"},
		true,
		[]string{"tool", "tool_use_id", "success", "duration_ms", "data.detail"},
	},
	{Compaction, "the context is summarised", []string{"PreCompact", "PostCompact"}, true, []string{"data.detail"}},
	{Stop, "an agent ends its turn, or is kept from it", []string{"Stop", "StopFailure"}, true, []string{"data.detail"}},
	{AgentStart, "a sub-agent starts", []string{"SubagentStart"}, true, []string{"data.detail"}},
	{AgentStop, "a sub-agent ends", []string{"SubagentStop"}, true, []string{"data.detail"}},
	{Notification, "the client wants a person's attention", []string{"Notification"}, true, []string{"data.detail"}},
	{ModeChange, "the mode switched; reason: what switched it", nil, false, []string{"reason", "data.from"}},
	{
		TaskChange, "a task was created or deleted, its status or stage changed; reason: why", nil, false,
		[]string{"reason", "data.what", "data.from", "data.to"},
	},
	{TaskSwitch, "a task's branch was checked out", nil, false, []string{"data.from"}},
	{
		PhaseChange, "a phase was added, its status or review changed; reason: why", nil, false,
		[]string{"reason", "data.what", "data.from", "data.to"},
	},
	{
		LockChange, "a lock was taken, bound, renewed, let go or taken over", nil, false,
		[]string{"data.what", "data.holder"},
	},
	{LockLost, "a sync showed that somebody else holds the lock", nil, false, []string{"data.holder"}},
	{Other, "the client told of an event that is unknown here", nil, true, []string{"tool", "tool_use_id", "data.detail"}},
}

// Kinds lists the registry.
func Kinds() []Kind { return slices.Clone(kinds[:]) }

// Known reports whether t is a type of the registry.
func Known(t Type) bool {
	return slices.ContainsFunc(kinds[:], func(k Kind) bool { return k.Type == t })
}

// TypeNames are the names of the registry's types.
func TypeNames() []string {
	names := make([]string, 0, len(kinds))
	for _, k := range kinds {
		names = append(names, string(k.Type))
	}
	return names
}

// TypeOfHook is the type of what an agent's hook tells; decision is what it
// answered. A tool whose call was refused did not start.
func TypeOfHook(hook, decision string) Type {
	for i := range kinds {
		if slices.Contains(kinds[i].Hooks, hook) {
			if kinds[i].Type == ToolStart && decision == "deny" {
				return Denial
			}
			return kinds[i].Type
		}
	}
	return Other
}
