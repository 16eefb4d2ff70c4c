package cli

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-brew/git-brew/internal/ui"
)

// Between takes at least low and at most high arguments; high below 0: any
// number.
func Between(low, high int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < low:
			return UsageOf(cmd, "missing argument")
		case high >= 0 && len(args) > high:
			what := fmt.Sprintf("unexpected argument %q", args[high])
			if endsInText(cmd) {
				return Misused(what, "quote what is one: \""+ui.Truncate(strings.Join(args[high-1:], " "), 60)+"\"")
			}
			return UsageOf(cmd, what)
		}
		return nil
	}
}

// endsInText reports whether a command's last argument is a text, as its synopsis says.
func endsInText(cmd *cobra.Command) bool {
	return regexp.MustCompile(`(add|\]|>) [(\[]?<(title|text|question|answer)>`).MatchString(cmd.Use)
}

// UsageOf is a usage error whose advice is the command's usage line.
func UsageOf(cmd *cobra.Command, msg string) error {
	return Misused(msg, "usage: "+cmd.UseLine())
}

// RefuseIf is the Check of a command with one rule: what is typed is wrong where it says so.
// Without a hint the usage line is one.
func RefuseIf(wrong func(*Call) bool, msg, hint string) func(*Call) error {
	return func(c *Call) error {
		if !wrong(c) {
			return nil
		}
		return Misused(msg, cmp.Or(hint, "usage: "+c.Cmd.UseLine()))
	}
}

// otherWords are words that people type for commands, of other tools and of older versions,
// and what is meant. Behind a noun its verbs are listed.
var otherWords = map[string]string{
	"gray": "question", "questions": "question",
	"block": "pause -m WHY", "handoff": "pause", "stop": "pause", "hold": "pause",
	"resume": "start", "continue": "start", "unlock": "start --steal", "steal": "start --steal",
	"done": "phase done", "executed": "phase done", "approve": "phase approve", "reject": "phase reject -m WHY",
	"review": "phase review", "drop": dropPhase, "skip": dropPhase, "retry": "phase reset PHASE",
	"close": "finish", "end": "finish", "complete": "finish",
	"cancel": cancelTask, "rm": cancelTask, "remove": cancelTask,
	"ls": "list", "tasks": "list", "new": "create TITLE", "add": "create TITLE", "checkout": "switch TASK",
	"push": "sync", "pull": "sync", "fetch": "sync --fetch",
	"plan": "phase add TITLE", "rename": "edit --title TITLE", "stat": "status",
	"history": "log", "revert": "undo", "uninstall": "uninit",
}

// otherVerbs are words that people type for the verbs that most nouns have.
var otherVerbs = map[string]string{"ls": "list", "new": "add", "create": "add"}

// dropPhase is meant by whoever goes on without one.
const dropPhase = "phase drop PHASE -m WHY"

// cancelTask is meant by whoever wants to be rid of a task: which one is to be said.
const cancelTask = "finish TASK --status cancelled -m WHY"

// KnownCommand refuses a word where a command's name belongs.
func KnownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	word, names := args[0], Verbs(cmd)
	how := word // 'resume retry' and 'resume skip' say what is meant in their second word
	if word == "resume" && len(args) > 1 && slices.Contains([]string{"retry", "skip"}, args[1]) {
		how = args[1]
	}
	hint := fmt.Sprintf("see '%s -h'", cmd.CommandPath())
	meant := otherWords[how]
	if cmd.HasParent() {
		hint, meant = fmt.Sprintf("it has %s; %s", strings.Join(names, ", "), hint), ""
		if slices.Contains(names, otherVerbs[word]) {
			meant = otherVerbs[word]
		}
	}
	if meant = cmp.Or(meant, nearest(word, names)); meant != "" {
		hint = fmt.Sprintf("did you mean '%s %s'?", cmd.CommandPath(), meant)
		if !cmd.HasParent() && (how == "resume" || how == "continue") {
			hint = "did you mean 'git brew start', or 'git brew run', where workers carry it out?"
		}
	}
	return Misused(fmt.Sprintf("%q is not a command of '%s'", word, cmd.CommandPath()), hint)
}

// UnknownVerb says that a line has a word where a command is to stand, and there is no such command.
func UnknownVerb(cmd *cobra.Command) error {
	if _, noun := cmd.Annotations[OnlyVerbs]; noun || !cmd.HasParent() {
		return KnownCommand(cmd, cmd.Flags().Args())
	}
	return nil
}

// FlagError turns pflag's errors into usage errors. Behind a word that is no command any
// option is unknown: the word is what is wrong.
func FlagError(cmd *cobra.Command, err error) error {
	if unknown := UnknownVerb(cmd); unknown != nil {
		return unknown
	}
	hint := fmt.Sprintf("see '%s -h'", cmd.CommandPath())
	if bad, ok := errors.AsType[*pflag.InvalidValueError](err); ok && bad.GetFlag().Value.Type() == "int" {
		return Misused(fmt.Sprintf("--%s takes a number, not %q", bad.GetFlag().Name, bad.GetValue()), hint)
	}
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		name := unknown.GetSpecifiedName()
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if name == "task" && strings.Contains(cmd.Use, "<task>") {
			hint = TaskIsArgument(cmd)
		} else if near := nearest(name, names); near != "" {
			hint = fmt.Sprintf("did you mean --%s?", near)
		}
	}
	return Misused(err.Error(), hint)
}

// TaskIsArgument says how a command takes its task, to whoever types --task.
func TaskIsArgument(cmd *cobra.Command) string {
	return fmt.Sprintf("the task is the argument: '%s TASK'", cmd.CommandPath())
}

// nearest is the name that was probably meant, "" when none is near, as cobra judges it.
func nearest(typed string, names []string) string {
	if len(typed) < 2 {
		return ""
	}
	for distance := 1; distance <= max(1, len(typed)/3); distance++ {
		all := &cobra.Command{SuggestionsMinimumDistance: distance}
		for _, name := range names {
			all.AddCommand(&cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}})
		}
		if near := all.SuggestionsFor(typed); len(near) > 0 {
			return near[0]
		}
	}
	return ""
}

// OnlyVerbs marks a command that takes a verb, and nothing else.
const OnlyVerbs = "verbs"

// Verbs are the names of a command's subcommands.
func Verbs(cmd *cobra.Command) []string {
	var names []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return names
}

// FirstArg is the argument that may be left out.
func FirstArg(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}
