package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/hooks/protocol"
)

// Client is where an agent's client reads its hooks, and in which form.
type Client struct {
	// Name is what --agent and the hook call it, Title what people do, Program what it is
	// started by.
	Name, Title, Program string
	// Local and Shared are its files in a work tree, a person's own and everybody's; they
	// may be the same.
	Local, Shared string
	// Text is all of a file that is ours alone; "": hooks are put into a file of settings.
	Text string

	events string
	// handler is one hook, with %s for its command.
	handler string
	// flat: hooks stand in an event's list as they are, without groups. versioned: beside
	// them stands which version of the form it is. guarded: a command that fails refuses
	// the call, so that one that is not there must not.
	flat, versioned, guarded bool
}

// Clients are those whose hooks git brew can put in, Claude Code first: others read its
// file, too.
func Clients() []Client {
	const seconds, milliseconds = `, "timeout": 10}`, `, "timeout": 10000}`
	return []Client{
		{
			Name: "claude-code", Title: "Claude Code", Program: "claude",
			Local: ".claude/settings.local.json", Shared: ".claude/settings.json",
			events: "SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure PreCompact Stop " +
				"SubagentStart SubagentStop Notification SessionEnd",
			handler: `{"type": "command", "command": "%s"` + seconds,
		},
		{
			Name: "codex", Title: "Codex CLI", Program: "codex",
			Local: ".codex/hooks.json", Shared: ".codex/hooks.json",
			events: "SessionStart UserPromptSubmit PreToolUse PostToolUse PreCompact Stop SubagentStart SubagentStop " +
				"SessionEnd",
			handler: `{"type": "command", "command": "%s", "timeout": 3}`, // more it does not give SessionEnd
		},
		{
			Name: "copilot", Title: "Copilot CLI", Program: "copilot",
			Local: ".github/hooks/git-brew.json", Shared: ".github/hooks/git-brew.json",
			events: "SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure Stop SubagentStop " +
				"Notification SessionEnd",
			handler: `{"type": "command", "command": "%s", "timeoutSec": 10}`,
			flat:    true, versioned: true, guarded: true,
		},
		{
			Name: "cursor", Title: "Cursor", Program: "cursor-agent",
			Local: ".cursor/hooks.json", Shared: ".cursor/hooks.json",
			events: "sessionStart beforeSubmitPrompt preToolUse postToolUse postToolUseFailure stop subagentStart " +
				"subagentStop sessionEnd",
			handler: `{"command": "%s"` + seconds,
			flat:    true, versioned: true,
		},
		{
			Name: "gemini", Title: "Gemini CLI", Program: "gemini",
			Local: ".gemini/settings.json", Shared: ".gemini/settings.json",
			events:  "SessionStart BeforeAgent BeforeTool AfterTool AfterAgent Notification SessionEnd",
			handler: `{"type": "command", "name": "git-brew", "command": "%s"` + milliseconds,
		},
		{
			Name: "opencode", Title: "opencode", Program: "opencode",
			Local: ".opencode/plugins/git-brew.js", Shared: ".opencode/plugins/git-brew.js",
			Text: opencodePlugin,
		},
		{
			Name: "qwen", Title: "Qwen Code", Program: "qwen",
			Local: ".qwen/settings.json", Shared: ".qwen/settings.json",
			events: "SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure PreCompact Stop " +
				"SubagentStart SubagentStop Notification SessionEnd",
			handler: `{"type": "command", "name": "git-brew", "command": "%s"` + milliseconds,
		},
	}
}

func claudeCode() Client { return Clients()[0] }

// EventNames lists the events that are registered, in the order of a session.
func (c Client) EventNames() []string { return strings.Fields(c.events) }

// entry is what stands in an event's list: a hook, or a group with one. It is for every
// tool: a list of names is a hole for each tool that is new (BW-3).
func (c Client) entry(event string, form Form) string {
	command := localCommand
	if form == Shared || c.guarded {
		command = sharedCommand
	}
	if c.Name != "claude-code" { // whose hooks need not say so
		command = strings.ReplaceAll(command, localCommand, localCommand+" --agent "+c.Name)
	}
	handler := fmt.Sprintf(c.handler, command)
	switch {
	case c.flat:
		return handler
	case strings.Contains(event, "Tool"):
		return `{"matcher": "*", "hooks": [` + handler + `]}`
	}
	return `{"hooks": [` + handler + `]}`
}

// Install adds git brew's hooks to the text of the client's file; no data is a file that
// does not exist. An event that has one of git brew's hooks, in whatever form, keeps it, and
// one that has it elsewhere gets none.
func (c Client) Install(data []byte, form Form, elsewhere ...string) ([]byte, error) {
	registered, err := c.Registered(data)
	if err != nil {
		return nil, err
	}
	if c.versioned && data == nil { // a person's file says it or not
		data = add(data, nil, "version", "1")
	}
	for _, e := range c.EventNames() {
		if !slices.Contains(registered, e) && !slices.Contains(elsewhere, e) {
			data = add(data, []string{"hooks", e}, "", c.entry(e, form))
		}
	}
	return data, nil
}

// Uninstall takes out what Install put in, and what it had to make around that; no data:
// there is no file, or nothing is left of one that Install made. Made says that it was
// not there before.
func (c Client) Uninstall(data []byte, made bool) ([]byte, error) {
	data, err := c.without(data, func(path []string, v protocol.Value) bool {
		if path[0] == "statusLine" {
			return len(path) == 1 && c.Name == "claude-code" && ourStatusLine(v)
		}
		return c.hooksOnly(path, v, ours)
	})
	root, _ := c.read(data)
	if err == nil && c.versioned && made && len(root.Parts) == 1 && has(root, "version") {
		return nil, nil
	}
	return data, err
}

// hooksOnly reports that what stands at a path is a hook, or a group of hooks, of one kind.
func (c Client) hooksOnly(path []string, v protocol.Value, kind func(protocol.Value) bool) bool {
	switch {
	case path[0] != "hooks":
		return false
	case len(path) == 3 && !c.flat: // a group of hooks
		list, _ := v.Member("hooks")
		return len(list.Parts) > 0 &&
			!slices.ContainsFunc(list.Parts, func(p protocol.Part) bool { return !kind(p.Value) })
	case len(path) == 3:
		return kind(v)
	}
	return len(path) == 5 && path[3] == "hooks" && kind(v)
}

func has(object protocol.Value, member string) bool {
	_, at := object.Member(member)
	return at >= 0
}

// ours reports a hook that calls git brew, in either form or as a person would write it.
func ours(handler protocol.Value) bool {
	kind, typed := handler.Member("type")
	command, _ := handler.Member("command")
	text := command.Text
	for _, c := range Clients() {
		text = strings.ReplaceAll(text, localCommand+" --agent "+c.Name, localCommand)
	}
	line := strings.Join(strings.Fields(text), " ") + " "
	if args, at := handler.Member("args"); at >= 0 {
		line = command.Text + " "
		for _, a := range args.Parts {
			line += a.Value.Text + " "
		}
	}
	return (typed < 0 || kind.Text == "command") && (guards(text) || strings.HasPrefix(line, "git-brew hook ") ||
		strings.HasPrefix(line, "git brew hook ") || strings.Contains(line, "/git-brew hook "))
}

// guards reports a command, without the client's name, in the shared form of whichever version.
func guards(command string) bool {
	return strings.HasPrefix(command, "echo --% ") && strings.HasSuffix(command, "exec "+localCommand)
}

// Registered lists the events that have one of git brew's hooks in the text of the
// client's file; no data is a file that does not exist.
func (c Client) Registered(data []byte) ([]string, error) {
	root, err := c.read(data)
	if err != nil {
		return nil, err
	}
	var names []string
	events, _ := root.Member("hooks")
	for _, e := range c.EventNames() {
		list, _ := events.Member(e)
		if slices.ContainsFunc(list.Parts, func(p protocol.Part) bool {
			handlers, _ := p.Value.Member("hooks")
			return c.flat && ours(p.Value) ||
				slices.ContainsFunc(handlers.Parts, func(h protocol.Part) bool { return ours(h.Value) })
		}) {
			names = append(names, e)
		}
	}
	return names, nil
}

// read parses the text and checks the shape of what is touched; no data is an empty
// object.
func (c Client) read(data []byte) (protocol.Value, error) {
	if len(data) == 0 {
		return protocol.Value{Kind: '{'}, nil
	}
	root, err := protocol.Parse(data)
	if err != nil {
		return root, fmt.Errorf("%w of %s: %w", ErrSettings, c.Title, err)
	}
	events, hasHooks := root.Member("hooks")
	permissions, hasPermissions := root.Member("permissions")
	allow, hasAllow := permissions.Member("allow")
	switch {
	case root.Kind != '{':
		return root, fmt.Errorf("%w of %s: no JSON object", ErrSettings, c.Title)
	case hasHooks >= 0 && events.Kind != '{':
		return root, fmt.Errorf("%w of %s: \"hooks\" is no object", ErrSettings, c.Title)
	case c.Name != "claude-code":
	case hasPermissions >= 0 && permissions.Kind != '{', hasAllow >= 0 && allow.Kind != '[':
		return root, fmt.Errorf("%w of %s: \"permissions\" is no object with a list \"allow\"", ErrSettings, c.Title)
	}
	for _, e := range c.EventNames() {
		if list, at := events.Member(e); at >= 0 && !c.isHookList(list) {
			return root, fmt.Errorf("%w of %s: \"hooks\".%q is no list of hooks", ErrSettings, c.Title, e)
		}
	}
	return root, nil
}

func (c Client) isHookList(list protocol.Value) bool {
	return list.Kind == '[' && !slices.ContainsFunc(list.Parts, func(p protocol.Part) bool {
		handlers, _ := p.Value.Member("hooks")
		return c.flat && p.Value.Kind != '{' || !c.flat && handlers.Kind != '['
	})
}
