// Package protocol is what an agent's client says at an event and what it is answered,
// whichever client it is: a dialect (claude) reads a Payload from what the client wrote
// and writes a Reply as the client reads it.
package protocol

import (
	"encoding/json"

	"github.com/git-brew/git-brew/internal/app/session"
)

// Payload is what the client sent. Fields that are absent, or of another type
// than the contract says, are zero: clients change weekly.
type Payload struct {
	// Session is safe as part of a ref or a file name, or empty.
	Session string
	Event   string
	// Cwd is an absolute path, or empty.
	Cwd string
	// Transcript is the absolute path of the session's transcript, or empty; in
	// a sub-agent it is that of the session which started it.
	Transcript     string
	PermissionMode string
	// AgentID is set inside a sub-agent; AgentType alone is the main agent's.
	AgentID   string
	AgentType string

	// Source is SessionStart's, and UserPromptSubmit's.
	Source       string
	Model        string
	SessionTitle string
	// Kind is SessionEnd's reason, PreCompact's trigger, Notification's type.
	Kind   string
	Prompt string

	ToolName     string
	ToolUseID    string
	ToolInput    json.RawMessage
	ToolResponse json.RawMessage
	// Twice: a key of a call that is not made yet stands there twice, or in two cases.
	Twice      bool
	DurationMS int64
	// Failure is PostToolUseFailure's error.
	Failure string

	// Waits: something still runs in the background when an agent stops.
	Waits bool
	// Context is how much of the model's context is used, where the client says.
	Context session.ContextUse
}

// Fields are the members of an object as a client reads it: a key is matched with
// its case, and the last of several counts. What decides is read through them, never
// into a struct, which encoding/json fills whatever the case.
type Fields map[string]json.RawMessage

// Object reads an object; nil: raw is none.
func Object(raw json.RawMessage) Fields { return as[Fields](raw) }

// List reads an array; nil: raw is none.
func List(raw json.RawMessage) []json.RawMessage { return as[[]json.RawMessage](raw) }

// Text is a member that is a string, "" for any other.
func (f Fields) Text(key string) string { return as[string](f[key]) }

// Truth reports a member that is true.
func (f Fields) Truth(key string) bool { return as[bool](f[key]) }

// Whole is a member that is a number, without its fraction; 0 for any other.
func (f Fields) Whole(key string) int64 {
	if n := as[float64](f[key]); n >= 0 && n <= 1<<53 {
		return int64(n)
	}
	return 0
}

// as reads a value of a type; the zero value where it is of another.
func as[T any](raw json.RawMessage) T {
	var value, none T
	if json.Unmarshal(raw, &value) != nil {
		return none
	}
	return value
}

// Reply is what is answered. The zero value is no opinion.
type Reply struct {
	Block      string // why an agent is kept from stopping
	Permission string // of a tool call: Denied or Asked
	PermReason string
	Input      json.RawMessage // all of a tool call's input, changed
	Context    string          // what the model is told
	Title      string          // of the session
	Plain      string          // what is handed on as it is
}

// The permissions.
const (
	Denied = "deny"
	Asked  = "ask"
)

// Deny refuses a tool call.
func Deny(reason string) Reply { return Reply{Permission: Denied, PermReason: reason} }

// Ask leaves a tool call to the user.
func Ask(reason string) Reply { return Reply{Permission: Asked, PermReason: reason} }

// Context tells the model something. Nothing to tell is no opinion.
func Context(text string) Reply { return Reply{Context: text} }

// Kind names what the reply is, for the record of the event.
func (r Reply) Kind() string {
	switch {
	case r.Block != "":
		return "block"
	case r.Permission != "":
		return r.Permission
	case r.Input != nil:
		return "rewrite"
	case r.Context != "" || r.Plain != "":
		return "context"
	}
	return ""
}
