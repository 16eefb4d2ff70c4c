// Package settings puts git brew into the settings of Claude Code, and takes it out
// again: the hooks, the status line, the rules by which the client asks about no
// command of git brew that an agent's work is full of. All else in the file stays byte
// for byte as it is. It opens no file.
package settings

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/command"
	"github.com/git-brew/git-brew/internal/hooks/claude"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
)

// Form is how the hooks are registered.
type Form int

const (
	// Local is for a person's own file: the program is started directly, and
	// the status line is set where the file has none.
	Local Form = iota
	// Shared is for a file that is committed: nothing happens where git-brew is
	// not installed, and nobody's own status line is replaced.
	Shared
)

// ErrSettings is returned for a text that is not a settings file as the client
// reads it. It is left alone.
var ErrSettings = errors.New("not settings of Claude Code")

const (
	// sharedCommand is one line that both a POSIX shell and PowerShell can read:
	// on Windows the client starts a hook's command in Git Bash, or where that
	// is missing in PowerShell. To PowerShell, what follows --% up to the | is
	// text, and what follows # a comment; to a shell, all between the quotes is
	// text. Without git-brew both read standard input to its end, for the client
	// reports a hook that leaves it a broken pipe, and succeed.
	sharedCommand = "echo --% >/dev/null; : ' | Out-Null; " +
		"if (Get-Command git-brew -ErrorAction SilentlyContinue) { $input | git-brew hook; exit $LASTEXITCODE }; " +
		"$input | Out-Null; exit 0 #'; " +
		"command -v git-brew >/dev/null 2>&1 || { cat >/dev/null 2>&1; exit 0; }; exec git-brew hook"
	statusCommand = "git-brew statusline"
	localHandler  = `{"type": "command", "command": "git-brew", "args": ["hook"], "timeout": 10}`
	sharedHandler = `{"type": "command", "command": "` + sharedCommand + `", "timeout": 10}`
	statusHandler = `{"type": "command", "command": "` + statusCommand + `"}`
)

// Install adds git brew's hooks to the text of a settings file; no data is a file that
// does not exist. An event that has one of git brew's hooks, in whatever form, keeps
// it. Uninstall(Install(x)) is x.
func Install(data []byte, form Form) ([]byte, error) {
	registered, err := Registered(data)
	if err != nil {
		return nil, err
	}
	handler := localHandler
	if form == Shared {
		handler = sharedHandler
	}
	for _, e := range claude.Events() {
		if slices.Contains(registered, e) {
			continue
		}
		data = add(data, []string{"hooks", e}, "", group(e, handler))
	}
	root, _ := protocol.Parse(data)
	if _, at := root.Member("statusLine"); at < 0 && form == Local {
		data = add(data, nil, "statusLine", statusHandler)
	}
	return data, nil
}

// PluginHooks is the text of a plugin's file of hooks: every event, in the shared form,
// with the word by which the hook steps aside where the settings register one, too.
func PluginHooks() []byte {
	handler := strings.ReplaceAll(sharedHandler, "git-brew hook", "git-brew hook "+FromPlugin)
	data := []byte("{}\n")
	for _, e := range claude.Events() {
		data = add(data, []string{"hooks", e}, "", group(e, handler))
	}
	return data
}

// FromPlugin is the argument of a hook that a plugin registers.
const FromPlugin = "plugin"

// group is a group of hooks with one handler. It is for every tool: a list of names is a
// hole for each tool that is new (BW-3).
func group(event, handler string) string {
	matcher := ""
	if strings.Contains(event, "ToolUse") {
		matcher = `"matcher": "*", `
	}
	return "{" + matcher + `"hooks": [` + handler + `]}`
}

// Uninstall takes git brew's hooks and status line out of the text of a settings file,
// and what Install had to make around them; no data: there is no file, or nothing is
// left of one that Install made.
func Uninstall(data []byte) ([]byte, error) {
	return without(data, func(path []string, v protocol.Value) bool {
		switch len(path) {
		case 1:
			return path[0] == "statusLine" && ourStatusLine(v)
		case 3: // a group of hooks
			list, _ := v.Member("hooks")
			return path[0] == "hooks" && len(list.Parts) > 0 &&
				!slices.ContainsFunc(list.Parts, func(p protocol.Part) bool { return !ours(p.Value) })
		case 5:
			return path[0] == "hooks" && path[3] == "hooks" && ours(v)
		}
		return false
	})
}

// ours reports a handler that calls git brew's hook, in either form or as a
// person would write it.
func ours(handler protocol.Value) bool {
	kind, _ := handler.Member("type")
	command, _ := handler.Member("command")
	line := strings.Join(strings.Fields(command.Text), " ") + " "
	if args, at := handler.Member("args"); at >= 0 {
		line = command.Text + " "
		for _, a := range args.Parts {
			line += a.Value.Text + " "
		}
	}
	return kind.Text == "command" && (command.Text == sharedCommand || strings.HasPrefix(line, "git-brew hook ") ||
		strings.HasPrefix(line, "git brew hook ") || strings.Contains(line, "/git-brew hook "))
}

func ourStatusLine(value protocol.Value) bool {
	command, _ := value.Member("command")
	return command.Text == statusCommand
}

// read parses the text and checks the shape of what is touched; no data is an empty
// object.
func read(data []byte) (protocol.Value, error) {
	if len(data) == 0 {
		return protocol.Value{Kind: '{'}, nil
	}
	root, err := protocol.Parse(data)
	if err != nil {
		return root, fmt.Errorf("%w: %w", ErrSettings, err)
	}
	events, hasHooks := root.Member("hooks")
	permissions, hasPermissions := root.Member("permissions")
	allow, hasAllow := permissions.Member("allow")
	switch {
	case root.Kind != '{':
		return root, fmt.Errorf("%w: no JSON object", ErrSettings)
	case hasHooks >= 0 && events.Kind != '{':
		return root, fmt.Errorf("%w: \"hooks\" is no object", ErrSettings)
	case hasPermissions >= 0 && permissions.Kind != '{', hasAllow >= 0 && allow.Kind != '[':
		return root, fmt.Errorf("%w: \"permissions\" is no object with a list \"allow\"", ErrSettings)
	}
	for _, e := range claude.Events() {
		if list, at := events.Member(e); at >= 0 && !isHookList(list) {
			return root, fmt.Errorf("%w: \"hooks\".%q is no list of groups of hooks", ErrSettings, e)
		}
	}
	return root, nil
}

func isHookList(list protocol.Value) bool {
	return list.Kind == '[' && !slices.ContainsFunc(list.Parts, func(group protocol.Part) bool {
		handlers, _ := group.Value.Member("hooks")
		return handlers.Kind != '['
	})
}

// ForeignStatusLine reports that the text of a settings file has a status line
// that is not git brew's: Install leaves it.
func ForeignStatusLine(data []byte) bool {
	root, err := read(data)
	line, at := root.Member("statusLine")
	return err == nil && at >= 0 && !ourStatusLine(line)
}

// Registered lists the events that have one of git brew's hooks in the text of a
// settings file; no data is a file that does not exist.
func Registered(data []byte) ([]string, error) {
	root, err := read(data)
	if err != nil {
		return nil, err
	}
	var names []string
	events, _ := root.Member("hooks")
	for _, e := range claude.Events() {
		list, _ := events.Member(e)
		if slices.ContainsFunc(list.Parts, func(group protocol.Part) bool {
			handlers, _ := group.Value.Member("hooks")
			return slices.ContainsFunc(handlers.Parts, func(h protocol.Part) bool { return ours(h.Value) })
		}) {
			names = append(names, e)
		}
	}
	return names, nil
}

// AllowRules are the client's permission rules for the git brew commands that an agent
// needs at its work, so that it asks about none of them. One that ends in :* allows
// whatever follows, another one the command alone.
func AllowRules() []string {
	var rules []string
	for _, r := range command.Table {
		switch {
		case r.Has(command.Spared):
			rules = append(rules, "Bash(git brew "+strings.TrimSuffix(r.Path, " *")+":*)")
		case r.Has(command.Alone):
			rules = append(rules, "Bash(git brew "+r.Path+")")
		}
	}
	return rules
}

// Allow adds rules to permissions.allow in the text of a settings file. Added are those
// that were not there.
func Allow(data []byte, rules []string) (after []byte, added []string, err error) {
	root, err := read(data)
	if err != nil {
		return nil, nil, err
	}
	permissions, _ := root.Member("permissions")
	list, _ := permissions.Member("allow")
	after = data
	for _, rule := range rules {
		if !slices.ContainsFunc(list.Parts, func(e protocol.Part) bool { return e.Value.Text == rule }) {
			added, after = append(added, rule), add(after, []string{"permissions", "allow"}, "", `"`+rule+`"`)
		}
	}
	return after, added, nil
}

// Disallow takes rules out that Allow added, and what it had to make around them:
// Disallow(Allow(x)) is x. No data: nothing is left of a file that was made for them.
func Disallow(data []byte, rules []string) ([]byte, error) {
	return without(data, func(path []string, v protocol.Value) bool {
		return len(path) == 3 && path[0] == "permissions" && path[1] == "allow" && slices.Contains(rules, v.Text)
	})
}
