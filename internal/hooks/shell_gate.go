package hooks

import (
	"slices"
	"strings"
)

// verdict is what the gate says about a shell command in discussion mode.
type verdict int

const (
	unclear verdict = iota // not known to be harmless: the user is asked
	passes
	never // switches, loosens or runs what only a person may
)

// judgeShell decides about a shell command in discussion mode. Only a single
// git brew command, written so plainly that it can mean nothing else, passes. A
// command that an agent never gets is found wherever it hides in the text.
func judgeShell(command string) verdict {
	if words, ok := simpleCommand(command); ok {
		if args, ok := brewArgs(words); ok && words[0] == program(words[0]) {
			return judgeBrew(args)
		}
	}
	words := looseWords(cut(command, 64<<10))
	for i := range words {
		if args, ok := brewArgs(words[i:]); ok && judgeBrew(args) == never {
			return never
		}
	}
	return unclear
}

// brewArgs returns what follows "git brew" or "git-brew". Of git's own options
// only -C is taken: others may run something.
func brewArgs(words []string) ([]string, bool) {
	switch {
	case len(words) == 0:
		return nil, false
	case program(words[0]) == "git-brew":
		return words[1:], true
	case program(words[0]) != "git":
		return nil, false
	}
	rest := words[1:]
	for len(rest) >= 2 && rest[0] == "-C" {
		rest = rest[2:]
	}
	if len(rest) == 0 || rest[0] != "brew" {
		return nil, false
	}
	return rest[1:], true
}

// program is the name of a command that may be given by its path. Such a one may
// be any program: it never passes, but is still found when it hides.
func program(word string) string {
	if strings.HasSuffix(word, "/git-brew") || strings.HasSuffix(word, "/git") {
		return word[strings.LastIndexByte(word, '/')+1:]
	}
	return word
}

// brewRule says which commands pass. Subs nil: all of its forms; else those
// that are listed, "" being the command alone.
type brewRule struct {
	command string
	subs    []string
}

// passing are the commands that an agent may run in discussion mode: those that
// read, and those that write what a discussion is for.
var passing = []brewRule{
	{"", nil},
	{"status", nil},
	{"list", nil},
	{"show", nil},
	{"log", nil},
	{"diff", nil},
	{"next", nil},
	{"graph", nil},
	{"events", nil},
	{"stats", nil},
	{"summary", nil},
	{"version", nil},
	{"help", nil},
	{"learn", nil},
	{"gray", nil},
	{"decision", nil},
	{"report", nil},
	{"block", nil},
	{"start", nil},
	{"doc", []string{"", "list", "get", "set", "check"}},
	{"mode", []string{"", "discussion"}},
	{"phase", []string{"list"}},
	{"stage", []string{""}},
	{"session", []string{"list", "show"}},
	{"lock", []string{"", "show", "list"}},
	{"knowledge", []string{"", "list", "inject"}},
	{"backlog", []string{"", "list"}},
	{"pipeline", []string{"", "show", "check"}},
	{"remark", []string{"tally"}},
	{"doctor", []string{""}},
}

// refused are the commands that an agent never gets in discussion mode.
var refused = []brewRule{
	{"mode", []string{"implementation", "implement", "impl", "toggle"}},
	{"toggle", nil},
	{"trigger", nil},
	{"config", nil},
	{"lock", []string{"steal"}},
	{"trust", nil},
	{"run", nil},
	{"delete", nil},
	{"purge", nil},
}

func judgeBrew(args []string) verdict {
	args, ok := withoutGlobals(args)
	if !ok {
		return unclear
	}
	command, sub := "", ""
	if len(args) > 0 {
		command = args[0]
		for _, a := range args[1:] {
			if !strings.HasPrefix(a, "-") {
				sub = a
				break
			}
		}
	}
	switch {
	case isRefused(args), command == "start" && slices.Contains(args, "--steal"):
		return never
	case slices.ContainsFunc(args, writesFile):
		return unclear
	case hasRule(passing, command, sub):
		return passes
	}
	return unclear
}

// withoutGlobals takes the options off that stand before the command.
func withoutGlobals(args []string) ([]string, bool) {
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		switch args[0] {
		case "-C":
			if len(args) < 2 {
				return nil, false
			}
			args = args[2:]
		case "-q", "--quiet", "--json", "--porcelain":
			args = args[1:]
		case "-h", "--help", "--version":
			return nil, true
		default:
			return nil, false
		}
	}
	return args, true
}

// writesFile reports options of reading commands that write a file, run a
// program, or repair.
func writesFile(arg string) bool {
	for _, option := range []string{"--output", "--ext-diff", "--textconv", "--fix"} {
		if strings.HasPrefix(arg, option) {
			return true
		}
	}
	return false
}

// isRefused finds a refused form at any place, whatever options stand between.
func isRefused(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool { return hasRule(refused, args[0], a) })
}

func hasRule(rules []brewRule, command, sub string) bool {
	return slices.ContainsFunc(rules, func(r brewRule) bool {
		return r.command == command && (r.subs == nil || slices.Contains(r.subs, sub))
	})
}
