package hooks

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/config"

	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/redact"
	"github.com/git-brew/git-brew/internal/shellgate"
)

// judgeShell answers a call of a shell tool, or of one that runs something else. In
// discussion mode what only reads passes, what can't be told is asked about, and the
// rest is refused (BW-5). In either mode, unless the gate is
// off, plain destruction is refused (BW-9), and what is for people alone.
func (c *call) judgeShell(tool string, kind toolKind) Reply {
	if !c.view.Guarded && !c.view.closed() {
		return Reply{}
	}
	text, ok := shellCommand(c.p)
	v := shellgate.Judge(text, shellgate.Options{
		ReadOnly: c.view.Settings.List(config.KeyReadOnly), Brew: c.judgeBrew, Home: c.home,
		InEnvironment: func(name string) bool { return c.getenv(name) != "" }, // the shell's begins as the hook's
	})
	switch {
	case v.Danger != nil:
		return c.refuse(tool, "in every mode", v.Danger, "Who wants it runs it in a terminal.")
	case v.Persons != nil && c.view.closed() && switchesMode(v.Brew):
		return c.refuse(tool, "to agents", v.Persons, "The user switches with "+wayOut(c.view)+".")
	case v.Persons != nil && (c.view.closed() || c.view.Guarded):
		return c.refuse(tool, "to agents", v.Persons, "The user runs it in a terminal.")
	case !c.view.closed():
		return Reply{}
	case !ok || kind == runningTool:
		return c.ask("git brew can't tell what this " + tool + " call does")
	case v.ReadOnly:
		f, err := c.runsHere(v.Repositories)
		if err != nil {
			c.undecided = err
		}
		if f == nil {
			return Reply{}
		}
		v.Finding = f
	}
	if v.Finding.Unknown && attended(c.p, c.getenv) {
		return c.unknownCommand(tool, v.Finding)
	}
	return c.notReading(tool, v.Finding)
}

// runsHere finds a directory of those in which a command lets git read, where the
// directory itself may make git run something.
func (c *call) runsHere(dirs []string) (*shellgate.Finding, error) {
	for _, dir := range dirs {
		path := dir
		if rest, ok := strings.CutPrefix(dir, "~"); ok && (rest == "" || rest[0] == '/') {
			path = c.home + rest
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(c.at.Cwd, path)
		}
		if path == c.view.Top { // the session's own, where git looks first
			continue
		}
		what, err := c.brew.RunsHere(c.ctx, c.at, path)
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
func attended(p Payload, getenv func(string) string) bool {
	switch p.PermissionMode {
	case "", "default", "plan", "acceptEdits":
		return !strings.HasPrefix(getenv("CLAUDE_CODE_ENTRYPOINT"), "sdk")
	}
	return false
}

// unknownCommand asks about a command of which nobody here knows whether it only
// reads.
func (c *call) unknownCommand(tool string, f *shellgate.Finding) Reply {
	c.reason = f.Reason.String() + ": " + noted(f.Command)
	text := tool + ": " + clean(f.Why, 150) + ", and " + c.where() + " in discussion mode. It runs if the user agrees now"
	if f.Allow != "" {
		text += "; for good the user allows it with " + c.allowCommand(f.Allow)
	} else if f.Hint != "" {
		text += ". " + strings.TrimSuffix(f.Hint, ".")
	}
	return Ask(invisible.CutBytes(text+".", maxReason))
}

// switchesMode reports whether one of these commands of git brew is there to
// switch the mode.
func switchesMode(commands [][]string) bool {
	return slices.ContainsFunc(commands, func(words []string) bool {
		args, _ := withoutGlobals(words)
		return len(args) > 0 && args[0] == "mode"
	})
}

// judgeBrew judges a git brew command for this call.
func (c *call) judgeBrew(args []string) shellgate.Brew {
	switch {
	case c.view.closed():
		return judgeBrew(args)
	case forPeople(args) && (c.p.AgentID == "" || !c.agentsMay(args)):
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
	return clean(redact.Text(command), 80)
}

func (c *call) refuse(tool, when string, f *shellgate.Finding, wayOut string) Reply {
	c.reason = f.Reason.String() + ": " + noted(f.Command)
	if f.Hint != "" {
		when += ". " + strings.TrimSuffix(f.Hint, ".")
	}
	return c.deny(tool + " is not allowed: " + f.Why + ". git brew refuses that " + when + ". " + wayOut)
}

// notReading refuses a command that is not known to be reading only. What does
// not fit gives way: the hint first, then the command.
func (c *call) notReading(tool string, f *shellgate.Finding) Reply {
	c.reason = f.Reason.String() + ": " + noted(f.Command)
	start := tool + " is not allowed: " + c.where() + " in discussion mode, and "
	command := "'" + clean(f.Command, 150) + "'"
	hint := f.Hint
	if f.Allow != "" {
		hint = "If it only reads, the user allows it: " + c.allowCommand(f.Allow) + "."
	}
	end := " The user switches with " + wayOut(c.view) + "."
	if hint != "" {
		hint = " " + hint
	}
	why := " is not read-only: " + clean(f.Why, 150) + "."
	for _, text := range []string{start + command + why + hint + end, start + "this" + why + hint + end} {
		if len(text) <= maxReason {
			return c.deny(text)
		}
	}
	return c.deny(start + "this" + why + end)
}

// allowCommand is how the user adds a command to those that read.
func (c *call) allowCommand(words string) string {
	words = clean(words, 60)
	if len(c.view.Settings.List(config.KeyReadOnly)) > 0 {
		return `git config --add brew.gate.readOnly "` + words + `"`
	}
	return `git brew config set gate.readOnly "` + words + `"`
}

// shellCommand is what a call gives a shell to run, whichever client's tool it is:
// its command behind a cd to the directory that is named beside it, and where there
// are several, each in a shell of its own. It reports false where that is not all
// that decides, or where a shell of another kind may read it otherwise.
func shellCommand(p Payload) (string, bool) {
	in := readInput(p)
	kind, _ := knownTool(p.ToolName)
	ok := len(in.commands) > 0 && !in.untold && !p.Twice && (in.plain || kind == shellTool && p.ToolName != "PowerShell")
	if len(in.commands) == 1 {
		return in.commands[0], ok
	}
	var b strings.Builder
	for _, command := range in.commands {
		b.WriteString("bash -c " + quote(command) + "\n")
	}
	return b.String(), ok
}

// everyShell reports whether a command line has nothing in it but plain words:
// these mean the same to PowerShell.
func everyShell(text string) bool {
	return strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_./:=,+") == ""
}
