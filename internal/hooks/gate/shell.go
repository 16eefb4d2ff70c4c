package gate

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/hooks/claude"
	"github.com/git-brew/git-brew/internal/hooks/protocol"

	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/redact"
	"github.com/git-brew/git-brew/internal/shellgate"
)

// judgeShell answers a call of a shell tool, or of one that runs something else. In
// discussion mode what only reads passes, what can't be told is asked about, and the
// rest is refused (BW-5). In either mode, unless the gate is
// off, plain destruction is refused (BW-9), and what is for people alone.
func (c *Call) judgeShell(tool string, kind Kind) protocol.Reply {
	if !c.View.Guarded && !c.View.Closed() {
		return protocol.Reply{}
	}
	text, ok := ShellCommand(c.Payload)
	v := shellgate.Judge(text, shellgate.Options{
		ReadOnly: c.View.Settings.List(config.KeyReadOnly), Brew: c.judgeBrew, Home: claude.Path(c.Getenv("HOME")),
		At:            fromTop(c.View.Top, c.Payload.Cwd),
		InEnvironment: func(name string) bool { return c.Getenv(name) != "" }, // the shell's begins as the hook's
	})
	switch {
	case v.Danger != nil:
		return c.refuse(tool, "in every mode", v.Danger, "Who wants it runs it in a terminal.")
	case v.Persons != nil:
		way := "The user runs it in a terminal."
		if c.View.Closed() && slices.ContainsFunc(v.Brew, switchesMode) {
			way = "The user switches with " + c.View.WayOut() + "."
		}
		return c.refuse(tool, "to agents", v.Persons, way)
	case !c.View.Closed() && v.Finding != nil && v.Finding.Reason == shellgate.TooLong:
		return c.ask("This " + tool + " call is too long or too deep for git brew to look through")
	case !c.View.Closed():
		return protocol.Reply{}
	case !ok || kind == Running:
		return c.ask("git brew can't tell what this " + tool + " call does")
	case v.ReadOnly:
		f, err := c.runsHere(v.Repositories)
		if err != nil {
			c.Undecided = err
		}
		if f == nil {
			return protocol.Reply{}
		}
		v.Finding = f
	}
	if v.Finding.Unknown && attended(c.Payload, c.Getenv) {
		return c.unknownCommand(tool, v.Finding)
	}
	return c.notReading(tool, v.Finding)
}

// fromTop is a directory as it is named from the top of the work tree.
func fromTop(top, dir string) string {
	rel, err := filepath.Rel(top, dir)
	switch {
	case err != nil || rel == ".." || strings.HasPrefix(rel, "../"):
		return dir
	case rel == ".":
		return ""
	}
	return rel
}

// runsHere finds a directory of those in which a command lets git read, where the
// directory itself may make git run something.
func (c *Call) runsHere(dirs []string) (*shellgate.Finding, error) {
	for _, dir := range dirs {
		path := dir
		if rest, ok := strings.CutPrefix(dir, "~"); ok && (rest == "" || rest[0] == '/') {
			path = claude.Path(c.Getenv("HOME")) + rest
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(c.At.Cwd, path)
		}
		if path == c.View.Top { // the session's own, where git looks first
			continue
		}
		what, err := c.Brew.RunsHere(c.Ctx, c.At, path)
		if err != nil {
			return nil, err
		}
		if what != "" {
			return &shellgate.Finding{
				Reason: shellgate.RunsHeld, Command: "git in " + cmp.Or(dir, "."), Unknown: true,
				Why: "git may run a program there: " + what, Hint: "In the session's own repository git reads.",
			}, nil
		}
	}
	return nil, nil
}

// attended reports whether somebody is there to answer a question: the client asks
// as it usually does, and a person started it.
func attended(p protocol.Payload, getenv func(string) string) bool {
	switch p.PermissionMode {
	case "", "default", "plan", "acceptEdits":
		return !strings.HasPrefix(getenv("CLAUDE_CODE_ENTRYPOINT"), "sdk")
	}
	return false
}

// unknownCommand asks about a command of which nobody here knows whether it only
// reads.
func (c *Call) unknownCommand(tool string, f *shellgate.Finding) protocol.Reply {
	c.Reason = f.Reason.String() + ": " + noted(f.Command)
	text := tool + ": " + protocol.Clean(f.Why, 150) + ", and " + c.View.What() +
		" in discussion mode." + protocol.IfAgreed
	if f.Allow != "" {
		text += "; for good the user allows it with " + c.allowCommand(f.Allow)
	} else if f.Hint != "" {
		text += ". " + strings.TrimSuffix(f.Hint, ".")
	}
	return protocol.Ask(invisible.CutBytes(text+".", MaxReason))
}

func switchesMode(words []string) bool { return readBrew(words).name == "mode" }

func (c *Call) judgeBrew(words []string) shellgate.Brew {
	b := readBrew(words)
	switch {
	case c.View.Closed():
		return JudgeBrew(words)
	case b.forPeople() && (c.Payload.AgentID == "" || !c.agentsMay(b)):
		return shellgate.BrewIsPersons
	}
	return shellgate.BrewPasses
}

// noted is a command for the record: without secrets, and without the half of one
// that was left where the command was cut.
func noted(command string) string {
	if kept, cutOff := strings.CutSuffix(command, invisible.Ellipsis); cutOff {
		command = kept[:strings.LastIndexByte(kept, ' ')+1] + invisible.Ellipsis
	}
	return protocol.Clean(redact.Text(command), 80)
}

func (c *Call) refuse(tool, when string, f *shellgate.Finding, wayOut string) protocol.Reply {
	c.Reason = f.Reason.String() + ": " + noted(f.Command)
	if f.Hint != "" {
		when += ". " + strings.TrimSuffix(f.Hint, ".")
	}
	return c.deny(tool + " is not allowed: " + f.Why + ". git brew refuses that " + when + ". " + wayOut)
}

// notReading refuses a command that is not known to be reading only.
func (c *Call) notReading(tool string, f *shellgate.Finding) protocol.Reply {
	c.Reason = f.Reason.String() + ": " + noted(f.Command)
	hint := f.Hint
	if f.Allow != "" {
		hint = "If it only reads, the user allows it: " + c.allowCommand(f.Allow) + "."
	}
	text := tool + " is not allowed: " + c.View.What() + " in discussion mode, and '" + protocol.Clean(f.Command, 150) +
		"' is not read-only: " + protocol.Clean(f.Why, 150) + ". The user switches with " + c.View.WayOut() + "."
	if hint != "" && len(text+" "+hint) <= MaxReason {
		text += " " + hint
	}
	return c.deny(text)
}

// allowCommand is how the user adds a command to those that read.
func (c *Call) allowCommand(words string) string {
	words = protocol.Clean(words, 60)
	if len(c.View.Settings.List(config.KeyReadOnly)) > 0 {
		return `git config --add brew.gate.readOnly "` + words + `"`
	}
	return `git brew config set gate.readOnly "` + words + `"`
}

// ShellCommand is what a call gives a shell to run, in the directory that it names; where
// there are several commands, each in a shell of its own. It reports false where that is not all that decides, or
// where a shell of another kind may read it otherwise.
func ShellCommand(p protocol.Payload) (string, bool) {
	in := readInput(p)
	kind, _ := knownTool(p.ToolName)
	posix := kind == Shell && p.ToolName != "PowerShell"
	ok, all := len(in.commands) > 0 && !in.more && !in.beside && !p.Twice, ""
	dirs := slices.DeleteFunc(in.dirs, func(dir string) bool { return filepath.Clean(dir) == "." || dir == p.Cwd })
	ok = ok && (len(dirs) == 0 || posix && len(dirs) == 1)
	for _, command := range in.commands {
		if len(dirs) == 1 {
			command = "cd " + quote(dirs[0]) + "\n" + command
		}
		if ok = ok && (posix || everyShell(command)); len(in.commands) == 1 {
			return command, ok
		}
		all += "bash -c " + quote(command) + "\n"
	}
	return all, ok
}

// everyShell reports whether a command line has nothing in it but plain words:
// these mean the same to PowerShell.
func everyShell(text string) bool {
	return strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_./:=,+") == ""
}
