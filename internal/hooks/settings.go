package hooks

import (
	"errors"
	"fmt"
	"strings"
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
		"$input | Out-Null; exit 0 #'; " + shellCommandLine
	shellCommandLine = "command -v git-brew >/dev/null 2>&1 || { cat >/dev/null 2>&1; exit 0; }; exec git-brew hook"
	statusCommand    = "git-brew statusline"
	localHandler     = `{"type": "command", "command": "git-brew", "args": ["hook"], "timeout": 10}`
	sharedHandler    = `{"type": "command", "command": "` + sharedCommand + `", "timeout": 10}`
	statusHandler    = `{"type": "command", "command": "` + statusCommand + `"}`
)

// Install adds git brew's hooks to the text of a settings file and leaves all
// else byte for byte as it is; no data is a file that does not exist. An event
// that has one of git brew's hooks, in whatever form, keeps it.
//
// Uninstall takes them out again: Uninstall(Install(x)) is x. The one thing it
// can't see, whether a container stood there empty before, is told by a blank:
// behind the opening bracket of one that was made here there is one, what goes
// into one that was found empty stands directly behind its bracket.
func Install(data []byte, form Form) ([]byte, error) {
	if len(data) == 0 {
		s := style{newline: "\n", unit: "  "}
		return []byte("{" + s.line(1) + strings.Join(rootMembers(s, form, true, form == Local), ","+s.line(1)) + "\n}\n"), nil
	}
	root, err := readSettings(data)
	if err != nil {
		return nil, err
	}
	s := styleOf(data, root)
	hooks, found := root.member("hooks")
	if found {
		if data, err = addEvents(data, hooks.value, s, form); err != nil {
			return nil, err
		}
		if root, err = readSettings(data); err != nil {
			return nil, err
		}
	}
	_, hasStatus := root.member("statusLine")
	return addMembers(data, root, s, 1, rootMembers(s, form, !found, form == Local && !hasStatus)), nil
}

func rootMembers(s style, form Form, hooks, status bool) []string {
	var members []string
	if hooks {
		members = append(members, `"hooks": `+s.object(2, eventMembers(s, form, events)))
	}
	if status {
		members = append(members, `"statusLine": `+statusHandler)
	}
	return members
}

func eventMembers(s style, form Form, list []Event) []string {
	members := make([]string, 0, len(list))
	for _, e := range list {
		members = append(members, `"`+e.Name+`": [`+s.line(3)+group(e, form)+s.line(2)+"]")
	}
	return members
}

// group is one element of an event's list.
func group(e Event, form Form) string {
	handler := localHandler
	if form == Shared {
		handler = sharedHandler
	}
	if e.Matcher == "" {
		return `{"hooks": [` + handler + `]}`
	}
	return `{"matcher": "` + e.Matcher + `", "hooks": [` + handler + `]}`
}

// addEvents adds what is missing to the object of hooks: first to the lists
// that are there, from the last in the text to the first, so that places stay
// true; then the others.
func addEvents(data []byte, hooks span, s style, form Form) ([]byte, error) {
	var missing []Event
	for _, e := range events {
		if _, found := hooks.member(e.Name); !found {
			missing = append(missing, e)
		}
	}
	data = addMembers(data, hooks, s, 2, eventMembers(s, form, missing))
	for _, e := range events {
		root, err := readSettings(data)
		if err != nil {
			return nil, err
		}
		object, _ := root.member("hooks")
		list, _ := object.value.member(e.Name)
		if !hasOurs(data, list.value) {
			data = addElement(data, list.value, group(e, form))
		}
	}
	return data, nil
}

func hasOurs(data []byte, list span) bool {
	for _, g := range list.elements {
		hooks, _ := g.member("hooks")
		for _, h := range hooks.value.elements {
			if ours(data, h) {
				return true
			}
		}
	}
	return false
}

// ours reports a handler that calls git brew's hook, in either form or as a
// person would write it.
func ours(data []byte, handler span) bool {
	text := func(key string) string {
		m, _ := handler.member(key)
		return m.value.text(data)
	}
	if text("type") != "command" {
		return false
	}
	words := strings.Fields(text("command"))
	if args, found := handler.member("args"); found {
		words = []string{text("command")}
		for _, a := range args.value.elements {
			words = append(words, a.text(data))
		}
	}
	if text("command") == sharedCommand {
		return true
	}
	args, isBrew := brewArgs(words)
	return isBrew && len(args) > 0 && args[0] == "hook"
}

func ourStatusLine(data []byte, value span) bool {
	command, _ := value.member("command")
	return command.value.text(data) == statusCommand
}

// readSettings parses the text and checks the shape of what is touched.
func readSettings(data []byte) (span, error) {
	root, err := parseSpans(data)
	if err != nil {
		return span{}, fmt.Errorf("%w: %w", ErrSettings, err)
	}
	if root.kind != '{' {
		return span{}, fmt.Errorf("%w: no JSON object", ErrSettings)
	}
	hooks, found := root.member("hooks")
	if !found {
		return root, nil
	}
	if hooks.value.kind != '{' {
		return span{}, fmt.Errorf("%w: \"hooks\" is no object", ErrSettings)
	}
	for _, e := range events {
		list, found := hooks.value.member(e.Name)
		if found && !isHookList(list.value) {
			return span{}, fmt.Errorf("%w: \"hooks\".%q is no list of groups of hooks", ErrSettings, e.Name)
		}
	}
	return root, nil
}

func isHookList(list span) bool {
	if list.kind != '[' {
		return false
	}
	for _, g := range list.elements {
		hooks, found := g.member("hooks")
		if g.kind != '{' || !found || hooks.value.kind != '[' {
			return false
		}
	}
	return true
}

// ForeignStatusLine reports that the text of a settings file has a status line
// that is not git brew's: Install leaves it.
func ForeignStatusLine(data []byte) bool {
	if len(data) == 0 {
		return false
	}
	root, err := readSettings(data)
	if err != nil {
		return false
	}
	line, found := root.member("statusLine")
	return found && !ourStatusLine(data, line.value)
}

// Registered lists the events that have one of git brew's hooks in the text of a
// settings file; no data is a file that does not exist.
func Registered(data []byte) ([]string, error) {
	if len(data) == 0 {
		return nil, nil
	}
	root, err := readSettings(data)
	if err != nil {
		return nil, err
	}
	var names []string
	hooks, _ := root.member("hooks")
	for _, e := range events {
		if list, found := hooks.value.member(e.Name); found && hasOurs(data, list.value) {
			names = append(names, e.Name)
		}
	}
	return names, nil
}
