package hooks

import (
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/shellgate"
)

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

// program is the name of a command that may be given by its path.
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
	// never are options with which it does not pass, only those without which it
	// does not, and beside which no other does.
	never, only string
}

// passing are the commands that an agent may run in discussion mode: those that
// read, and those that talk and plan. What begins work on code, ends or judges it
// is not among them.
var passing = []brewRule{
	{command: ""},
	{command: "status"},
	{command: "list"},
	{command: "show"},
	{command: "log"},
	{command: "diff"},
	{command: "next", never: "--claim --auto"}, // work begins
	{command: "graph"},
	{command: "events"},
	{command: "stats"},
	{command: "completion"},
	{command: "statusline"},
	{command: "version"},
	{command: "help"},
	{command: "learn"},
	{command: "question"},
	{command: "decision"},
	{command: "report"},
	{command: "pause"},
	{command: "start"},
	{command: "create"},
	{command: "switch"},
	{command: "stage"},
	{command: "session"},
	{command: "backlog"},
	{command: "doc", subs: []string{"", "list", "get", "set", "check", "template", "resolve"}},
	{command: "mode", subs: []string{"", "discussion"}},
	{command: "phase", subs: []string{"", "list", "add", "edit", "split", "drop", "review"}}, // what is planned
	{command: "lock", subs: []string{"", "show", "list"}},
	{command: "knowledge", subs: []string{"", "list", "inject", "compact", "prune", "rm", "import"}}, // no file is written
	{command: "pipeline", subs: []string{"", "show", "check", "failed"}},
	{command: "remark"},
	{command: "escalate", never: "--action"},
	{command: "verify", only: "-n --dry-run"},
	{command: "undo", only: "--list -l"},
	{command: "doctor", subs: []string{""}},
	{command: "config", subs: []string{"", "get", "list"}},
	{command: "trigger", subs: []string{"", "list"}},
	{command: "trust", subs: []string{"", "list"}},
}

// refused are the commands that are for people alone: they switch, loosen,
// destroy, or start others. Hooks are the client's to run: a prompt that an
// agent made up would switch the mode.
var refused = []brewRule{
	{command: "mode", subs: []string{"implementation", "implement", "impl", "toggle"}},
	{command: "trigger"},
	{command: "config"},
	{command: "trust"},
	{command: "delete"},
	{command: "purge"},
	{command: "hook"},
	{command: "uninit"}, // with the hooks goes the gate
}

// listing are forms of these that show something, or give an agent nothing more
// than it has: where the mode is implementation, they pass.
var listing = []brewRule{
	{command: "mode", subs: []string{"", "discussion", "discuss"}},
	{command: "trigger", subs: []string{"", "list"}},
	{command: "config", subs: []string{"", "get", "list"}},
	{command: "trust", subs: []string{"", "list"}},
}

// spared are the commands that the client need not ask about (AllowRules): what an
// agent's work is full of, and nothing of which any form is for people alone. Of a
// command that hands git's options on, or has a form that takes a lock from somebody,
// the form without more. verify is not here: it runs what a phase says, which the agent
// may have written.
var spared = []brewRule{
	{command: "status"},
	{command: "list"},
	{command: "show", subs: []string{""}},
	{command: "log", subs: []string{""}},
	{command: "diff", subs: []string{""}},
	{command: "next"},
	{command: "graph"},
	{command: "start", subs: []string{""}},
	{command: "pause"},
	{command: "create"},
	{command: "switch"},
	{command: "stage"},
	{command: "doc", subs: []string{"list", "get", "set", "check", "template", "resolve"}},
	{command: "question"},
	{command: "decision"},
	{command: "phase", subs: []string{"list", "add", "edit", "start", "done", "revise", "split", "drop", "review"}},
	{command: "report"},
	{command: "remark"},
	{command: "learn"},
	{command: "knowledge", subs: []string{"list", "inject"}},
	{command: "backlog", subs: []string{"list", "add"}},
	{command: "pipeline", subs: []string{"show", "failed"}},
}

// judgeBrew judges what follows "git brew", in discussion mode.
func judgeBrew(words []string) shellgate.Brew {
	args, understood := withoutGlobals(words)
	command, sub := "", ""
	if len(args) > 0 {
		command, args = args[0], args[1:]
	}
	if len(args) > 0 {
		sub = args[0] // an option there may hide which: no rule knows it
	}
	understood = understood && strings.Trim(command, "abcdefghijklmnopqrstuvwxyz-") == ""
	switch {
	case isRefused(command, args), !understood && slices.ContainsFunc(words, refusedWord):
		return shellgate.BrewIsPersons
	case !understood, slices.ContainsFunc(args, writesFile), slices.ContainsFunc(words, mayBeOption), slices.ContainsFunc(words, bundlesDir):
		return shellgate.BrewIsChange
	case slices.ContainsFunc(passing, func(r brewRule) bool { return r.has(command, sub) && r.options(args) }):
		return shellgate.BrewPasses
	}
	return shellgate.BrewIsChange
}

// MayDiscuss reports whether an agent may run a command line while the gate is closed.
func MayDiscuss(command string) bool {
	return shellgate.Judge(command, shellgate.Options{Brew: judgeBrew}).ReadOnly
}

// options reports whether a command passes with what follows it.
func (r brewRule) options(args []string) bool {
	found := false
	for _, a := range args {
		name, _, _ := strings.Cut(a, "=")
		switch {
		case among(r.never, name), r.only != "" && strings.HasPrefix(a, "-") && !among(r.only, a):
			return false
		}
		found = found || among(r.only, a)
	}
	return found || r.only == ""
}

// bundlesDir reports letters in one word with a directory at their end (-qC dir), which
// is not looked at as -C is.
func bundlesDir(word string) bool {
	return strings.HasPrefix(word, "-") && !strings.HasPrefix(word, "--") && strings.IndexByte(word, 'C') > 1
}

// mayBeOption reports a word that the running shell may turn into an option.
func mayBeOption(word string) bool { return strings.HasPrefix(word, shellgate.Hole) }

// forPeople reports whether a command is for people alone in either mode.
func forPeople(words []string) bool {
	args, _ := withoutGlobals(words)
	if len(args) > 0 && judgeBrew(words) == shellgate.BrewIsPersons {
		sub := ""
		if len(args) > 1 {
			sub = args[1]
		}
		return !hasRule(listing, args[0], sub)
	}
	return false
}

// withoutGlobals takes the options off that every command has, wherever they
// stand, so that what is left begins with the command and goes on with its
// subcommand. False: an option before the command, or between the two, is none
// of these, so that nobody can tell what its value is.
func withoutGlobals(words []string) (rest []string, understood bool) {
	understood = true
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		if !strings.HasPrefix(word, "-") {
			rest = append(rest, word)
			continue
		}
		takes, known := globalOption(word)
		switch {
		case !known:
			rest = append(rest, word)
			understood = understood && len(rest) > 1
		case takes && len(words) > 0:
			words = words[1:]
		case takes:
			understood = false
		}
	}
	return rest, understood
}

// globalOption reports whether a word is an option that every command has, and
// whether the next word is its value.
func globalOption(word string) (takesNext, known bool) {
	name, _, withValue := strings.Cut(word, "=")
	switch name {
	case "--session", "--color":
		return !withValue, true
	case "--quiet", "--json", "--porcelain", "--help", "--version":
		return false, true
	}
	// Letters in one word: flags, and at last an option with its value.
	for i, letter := range word[1:] {
		switch letter {
		case 'q', 'h', 'v':
		case 'C':
			return i+2 == len(word), true
		case '=':
			return false, i > 0
		default:
			return false, false
		}
	}
	return false, len(word) > 1
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

// isRefused finds a refused form at any place, whatever options stand between. A
// word that only the running shell knows may be one.
func isRefused(command string, args []string) bool {
	return !shellgate.Known(command) || hasRule(refused, command, "") && !lists(command, args) || hidesRefused(command, args) ||
		slices.ContainsFunc(args, func(a string) bool {
			return hasRule(refused, command, a) && !lists(command, args) || command == "start" && strings.HasPrefix(a, "--steal") || strings.HasPrefix(a, "--allow-secret")
		})
}

// lists reports a form of a refused command that only shows something: all that it is
// given is known, and no option.
func lists(command string, args []string) bool {
	sub := ""
	if len(args) > 0 {
		sub = args[0]
	}
	return hasRule(passing, command, sub) && !slices.ContainsFunc(args, func(a string) bool {
		return strings.HasPrefix(a, "-") || !shellgate.Known(a)
	})
}

// hidesRefused reports whether the subcommand is hidden of a command that has refused
// ones, or an option of start.
func hidesRefused(command string, args []string) bool {
	if command == "start" {
		return slices.ContainsFunc(args, mayBeOption)
	}
	i := slices.IndexFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") })
	return i >= 0 && !shellgate.Known(args[i]) && slices.ContainsFunc(refused, func(r brewRule) bool { return r.command == command })
}

// refusedWord reports a word that stands for something refused: enough to refuse
// what can't be understood.
func refusedWord(word string) bool {
	return strings.HasPrefix(word, "--steal") || strings.HasPrefix(word, "--allow-secret") || slices.ContainsFunc(refused, func(r brewRule) bool {
		return r.subs == nil && r.command == word || slices.Contains(r.subs, word)
	})
}

func hasRule(rules []brewRule, command, sub string) bool {
	return slices.ContainsFunc(rules, func(r brewRule) bool { return r.has(command, sub) })
}

func (r brewRule) has(command, sub string) bool {
	return r.command == command && (r.subs == nil || slices.Contains(r.subs, sub))
}
