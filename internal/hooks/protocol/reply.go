package protocol

import "encoding/json"

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
