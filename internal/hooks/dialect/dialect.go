// Package dialect says how each agent's client writes an event and reads an answer. Inside,
// events, tools and fields have the names that Claude Code gives them; a dialect is what
// another client calls otherwise, as tables, and how its answers look. A dialect prints
// what its client's schema has, and nothing else: what the client has no word for is left
// out, and what it can't do is refused or let go, as docs/reference/clients.md says.
package dialect

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/git-brew/git-brew/internal/hooks/claude"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
)

// Dialect is how one client speaks.
type Dialect interface {
	// Decode reads what the client wrote, by our names.
	Decode(data []byte) (protocol.Payload, error)
	// Encode returns what the client is to read, or nothing.
	Encode(event string, r protocol.Reply) ([]byte, error)
	// Failed is the exit status of a hook that could not do its work. A client for
	// which any but 0 is a refusal is told 0.
	Failed() int
}

// Names lists the clients that have a dialect, as --agent takes them.
const Names = "claude-code codex copilot cursor gemini opencode qwen"

// StartedBy is the client that starts a hook of another one's file, by its payload, which
// names the event or the client in its own way, and by its environment; "" where nothing
// says so. Copilot CLI, Cursor and VS Code read Claude Code's files, VS Code Copilot CLI's;
// Codex CLI takes plugins of Claude Code's form, and names the plugin, not the project.
func StartedBy(data []byte, getenv func(string) string) string {
	says := func(field string) bool { // what stands in the input of a tool says nothing
		return bytes.Contains(data, []byte(`"`+field+`"`)) && protocol.Object(data)[field] != nil
	}
	switch {
	case says("hookEventName") && !says("hook_event_name"):
		return "vscode"
	case says("cursor_version"):
		return "cursor"
	case getenv("COPILOT_PROJECT_DIR") != "":
		return "copilot"
	case getenv("PLUGIN_ROOT") != "" && getenv("CLAUDE_PROJECT_DIR") == "":
		return "codex"
	}
	return ""
}

// Find is the dialect of that name; false: there is none. Without a name it is Claude Code's.
func Find(name string) (Dialect, bool) {
	switch name {
	case "", "claude-code":
		return claudeCode{}, true
	case "codex":
		return codex{}, true
	case "copilot":
		return copilot{}, true
	case "cursor":
		return cursor{}, true
	case "gemini":
		return gemini{}, true
	case "opencode":
		return opencode{}, true
	case "qwen":
		return qwen{}, true
	case "vscode": // which reads others' files
		return vscode{}, true
	}
	return nil, false
}

// claudeCode is the client whose words are used inside.
type claudeCode struct{}

// Decode reads a payload.
func (claudeCode) Decode(data []byte) (protocol.Payload, error) { return claude.Decode(data) }

// Encode writes an answer.
func (claudeCode) Encode(event string, r protocol.Reply) ([]byte, error) {
	return claude.Encode(event, r)
}

// Failed is a failure that the client shows, and goes on.
func (claudeCode) Failed() int { return 1 }

// goesOn is the part of a dialect whose client is told of no failure: the agent goes on.
type goesOn struct{}

// Failed is no failure.
func (goesOn) Failed() int { return 0 }

// words are pairs of a client's word and ours, with blanks between.
type words string

// ours is our word for a client's, or that word where it has no row.
func (w words) ours(theirs string) string { return w.find(theirs, 0) }

// theirs is a client's word for ours, or that word where it has no row.
func (w words) theirs(ours string) string { return w.find(ours, 1) }

func (w words) find(word string, column int) string {
	list := strings.Fields(string(w))
	for i := 0; i+1 < len(list); i += 2 {
		if list[i+column] == word {
			return list[i+1-column]
		}
	}
	return word
}

// vocabulary is what a client calls otherwise.
type vocabulary struct {
	events words
	fields words // of a payload
	tools  words
	agent  words // fields of the input with which a sub-agent is started
	// server ends the name of a server, in front of its tools' names, where these begin with
	// no mark; last says that it may be in that name, too.
	server string
	last   bool
}

// tool is our name for a client's tool. One that has no row and a server's name in front
// is that server's.
func (v vocabulary) tool(theirs string) string {
	if ours := v.tools.ours(theirs); ours != theirs || v.server == "" {
		return ours
	}
	at := strings.Index(theirs, v.server)
	if v.last {
		at = strings.LastIndex(theirs, v.server)
	}
	if at <= 0 {
		return theirs
	}
	return "mcp__" + theirs[:at] + "__" + theirs[at+len(v.server):]
}

// decode reads a payload by a client's words.
func (v vocabulary) decode(data []byte) (protocol.Payload, error) {
	f, err := claude.Members(data)
	if err != nil {
		return protocol.Payload{}, err
	}
	rename(f, v.fields)
	p := claude.Read(f, data)
	p.Event, p.ToolName = v.events.ours(p.Event), v.tool(p.ToolName)
	if p.ToolName == "Agent" && v.agent != "" {
		if in := protocol.Object(p.ToolInput); in != nil {
			rename(in, v.agent)
			p.ToolInput = whole(in)
		}
	}
	return p, nil
}

// input is a changed input of a sub-agent's start as the client has it.
func (v vocabulary) input(ours json.RawMessage) json.RawMessage {
	in := protocol.Object(ours)
	if v.agent == "" || in == nil {
		return ours
	}
	list := strings.Fields(string(v.agent))
	for i := 0; i+1 < len(list); i += 2 {
		if value, found := in[list[i+1]]; found {
			delete(in, list[i+1])
			in[list[i]] = value
		}
	}
	return whole(in)
}

// rename gives members our names; one that has its name already keeps its value.
func rename(f protocol.Fields, names words) {
	list := strings.Fields(string(names))
	for i := 0; i+1 < len(list); i += 2 {
		if value, found := f[list[i]]; found {
			delete(f, list[i])
			if f[list[i+1]] == nil {
				f[list[i+1]] = value
			}
		}
	}
}

// whole is an object of members as it is written.
func whole(f protocol.Fields) json.RawMessage {
	out, err := claude.JSON(f)
	if err != nil {
		return nil
	}
	return out
}

// refusing is a reply for a client that has no way to ask: where others would ask, the
// call is refused, as it is where nobody is there to answer, and nothing is said of asking.
func refusing(r protocol.Reply) protocol.Reply {
	if r.Permission == protocol.Asked {
		r.Permission = protocol.Denied
		why, rest, _ := strings.Cut(strings.TrimSuffix(r.PermReason, protocol.IsItRight), protocol.IfAgreed)
		if also, more := strings.CutPrefix(rest, "; "); more && also != "" {
			rest = ". " + strings.ToUpper(also[:1]) + also[1:]
		}
		r.PermReason = "This client's hooks can't ask the user, so the call was refused. Ask them yourself. " +
			why + strings.TrimPrefix(rest, ".")
	}
	return r
}
