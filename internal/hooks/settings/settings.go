// Package settings puts git brew into the settings of agents' clients, and takes it out
// again: the hooks; with Claude Code the status line, too, and the rules by which the
// client asks about no command of git brew that an agent's work is full of. All else in
// the file stays byte for byte as it is. It opens no file.
package settings

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/command"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
)

// Form is how the hooks are registered.
type Form int

const (
	// Local is for a person's own file: the program is started as it is, and Claude
	// Code's status line is set where the file has none.
	Local Form = iota
	// Shared is for a file that is committed: nothing happens where git-brew is
	// not installed, and nobody's own status line is replaced.
	Shared
)

// ErrSettings is returned for a text that is not a settings file as the client
// reads it. It is left alone.
var ErrSettings = errors.New("not settings")

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
	// localCommand has no "args" beside it, by which Claude Code would do without a shell:
	// Copilot CLI reads the same file, and starts the command alone.
	localCommand  = "git-brew hook"
	statusHandler = `{"type": "command", "command": "` + statusCommand + `"}`
)

// Install adds git brew's hooks to the text of Claude Code's settings; no data is a file
// that does not exist. An event that has one of git brew's hooks, in whatever form, keeps
// it, and one that has it elsewhere gets none. Uninstall(Install(x)) is x.
func Install(data []byte, form Form, elsewhere ...string) ([]byte, error) {
	data, err := claudeCode().Install(data, form, elsewhere...)
	if err != nil {
		return nil, err
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
	c := claudeCode()
	data := []byte("{}\n")
	for _, e := range c.EventNames() {
		text := strings.ReplaceAll(c.entry(e, Shared), "git-brew hook", "git-brew hook "+FromPlugin)
		data = add(data, []string{"hooks", e}, "", text)
	}
	return data
}

// OnlyPluginHooks reports that nothing but what PluginHooks wrote, of whichever version, stands
// in a plugin's file of hooks.
func OnlyPluginHooks(data []byte) bool {
	plain := bytes.ReplaceAll(data, []byte("git-brew hook "+FromPlugin), []byte("git-brew hook"))
	left, err := Uninstall(plain)
	return err == nil && len(data) > 0 && (len(left) == 0 || string(bytes.TrimSpace(left)) == "{}")
}

// FromPlugin is the argument of a hook that a plugin registers.
const FromPlugin = "plugin"

// Uninstall takes git brew's hooks and status line out of the text of Claude Code's
// settings, and what Install had to make around them; no data: there is no file, or
// nothing is left of one that Install made.
func Uninstall(data []byte) ([]byte, error) { return claudeCode().Uninstall(data, false) }

func ourStatusLine(value protocol.Value) bool {
	command, _ := value.Member("command")
	return command.Text == statusCommand
}

func read(data []byte) (protocol.Value, error) { return claudeCode().read(data) }

// ForeignStatusLine reports that the text of a settings file has a status line
// that is not git brew's: Install leaves it.
func ForeignStatusLine(data []byte) bool {
	root, err := read(data)
	line, at := root.Member("statusLine")
	return err == nil && at >= 0 && !ourStatusLine(line)
}

// Registered lists the events that have one of git brew's hooks in the text of Claude
// Code's settings; no data is a file that does not exist.
func Registered(data []byte) ([]string, error) { return claudeCode().Registered(data) }

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
	return claudeCode().without(data, func(path []string, v protocol.Value) bool {
		return len(path) == 3 && path[0] == "permissions" && path[1] == "allow" && slices.Contains(rules, v.Text)
	})
}
