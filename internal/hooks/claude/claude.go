// Package claude is the dialect of Claude Code: its events, how a payload is read
// (Decode), how an answer is written (Encode), where the client keeps its files. It
// decides nothing. The dialect of another client would be a package beside it, with the
// same two functions; hooks.Handle is where they are called.
package claude

import "path/filepath"

// Client is the program of the agent, and Recorded the range of its versions that the
// payloads in the tests of hooks stand for: they are of the first one.
const (
	Client   = "claude"
	Recorded = "^2.1.330"
)

// Event is one of the client's that git brew registers for.
type Event struct {
	Name string
	// Matcher is what the client compares with the tool's name; empty where
	// an event has none.
	Matcher string
}

// events are in the order of a session. Those of tools match every tool: a list of names
// is a hole for each tool that is new (BW-3), and costs, where it helps, the three
// milliseconds of a hook that has no opinion.
var events = []Event{
	{"SessionStart", ""},
	{"UserPromptSubmit", ""},
	{"PreToolUse", "*"},
	{"PostToolUse", "*"},
	{"PostToolUseFailure", "*"},
	{"PreCompact", ""},
	{"Stop", ""},
	{"SubagentStart", ""},
	{"SubagentStop", ""},
	{"Notification", ""},
	{"SessionEnd", ""},
}

// Events lists the events to register for.
func Events() []Event { return append([]Event(nil), events...) }

// Dir is where the client keeps its user's settings and plans:
// $CLAUDE_CONFIG_DIR, else .claude in the home directory; "" where nobody knows.
func Dir(getenv func(string) string) string {
	if dir := getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return Path(dir)
	}
	if home := Path(getenv("HOME")); home != "" {
		return filepath.Join(home, ".claude")
	}
	return ""
}
