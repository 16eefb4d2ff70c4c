package event

import "slices"

// The types of events; docs/using/record.md says when each is recorded, and with which
// fields. Runs of workers add names of their own.
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

// types is the registry: what is not in it is not recorded.
var types = [...]Type{
	SessionStart, SessionEnd, Prompt, ToolStart, Denial, ToolComplete, Compaction, Stop, AgentStart, AgentStop,
	Notification, ModeChange, TaskChange, TaskSwitch, PhaseChange, LockChange, LockLost, Other,
}

// Known reports whether t is a type of the registry.
func Known(t Type) bool { return slices.Contains(types[:], t) }

// TypeNames are the names of the registry's types.
func TypeNames() []string {
	names := make([]string, 0, len(types))
	for _, t := range types {
		names = append(names, string(t))
	}
	return names
}

// TypeOfHook is the type of what an agent's hook tells; decision is what it
// answered. A tool whose call was refused did not start.
func TypeOfHook(hook, decision string) Type {
	switch hook {
	case "SessionStart":
		return SessionStart
	case "SessionEnd":
		return SessionEnd
	case "UserPromptSubmit":
		return Prompt
	case "PreToolUse":
		if decision == "deny" {
			return Denial
		}
		return ToolStart
	case "PostToolUse", "PostToolUseFailure":
		return ToolComplete
	case "PreCompact", "PostCompact":
		return Compaction
	case "Stop", "StopFailure":
		return Stop
	case "SubagentStart":
		return AgentStart
	case "SubagentStop":
		return AgentStop
	case "Notification":
		return Notification
	}
	return Other
}
