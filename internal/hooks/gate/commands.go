package gate

import (
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/command"
	"github.com/git-brew/git-brew/internal/shellgate"
)

// JudgeBrew judges what follows "git brew", in discussion mode.
func JudgeBrew(words []string) shellgate.Brew {
	args, understood := withoutGlobals(words)
	name, sub := "", ""
	if len(args) > 0 {
		name, args = args[0], args[1:]
	}
	if len(args) > 0 {
		sub = args[0] // an option there may hide which: no rule knows it
	}
	understood = understood && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz-") == ""
	switch {
	case isRefused(name, args), !understood && slices.ContainsFunc(words, refusedWord):
		return shellgate.BrewIsPersons
	case !understood, slices.ContainsFunc(args, writesFile), slices.ContainsFunc(words, mayBeOption),
		slices.ContainsFunc(words, bundlesDir):
		return shellgate.BrewIsChange
	case mayDiscuss(name, sub, args):
		return shellgate.BrewPasses
	}
	return shellgate.BrewIsChange
}

// MayDiscuss reports whether an agent may run a command line while the gate is closed.
func MayDiscuss(line string) bool {
	return shellgate.Judge(line, shellgate.Options{Brew: JudgeBrew}).ReadOnly
}

// mayDiscuss reports whether an agent may run a command, with what follows it, in discussion
// mode.
func mayDiscuss(name, sub string, args []string) bool {
	r, known := command.Find(name, sub)
	if !known || !r.Has(command.Discussion) {
		return false
	}
	found := false
	for _, a := range args {
		option, _, _ := strings.Cut(a, "=")
		switch {
		case among(r.Never, option), r.Only != "" && strings.HasPrefix(a, "-") && !among(r.Only, a):
			return false
		}
		found = found || among(r.Only, a)
	}
	return found || r.Only == ""
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
	if len(args) > 0 && JudgeBrew(words) == shellgate.BrewIsPersons {
		sub := ""
		if len(args) > 1 {
			sub = args[1]
		}
		return !command.Listing(args[0], sub)
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
func isRefused(name string, args []string) bool {
	if !shellgate.Known(name) || command.Closed(name) && !lists(name, args) || hidesRefused(name, args) {
		return true
	}
	return slices.ContainsFunc(args, func(a string) bool {
		return command.ForPeople(name, a) && !lists(name, args) ||
			name == "start" && strings.HasPrefix(a, "--steal") || strings.HasPrefix(a, "--allow-secret")
	})
}

// lists reports a form of a refused command that only shows something: all that it is
// given is known, and no option.
func lists(name string, args []string) bool {
	sub := ""
	if len(args) > 0 {
		sub = args[0]
	}
	r, known := command.Find(name, sub)
	return known && r.Has(command.Discussion) && !slices.ContainsFunc(args, func(a string) bool {
		return strings.HasPrefix(a, "-") || !shellgate.Known(a)
	})
}

// hidesRefused reports whether the subcommand is hidden of a command that has refused
// ones, or an option of start.
func hidesRefused(name string, args []string) bool {
	if name == "start" {
		return slices.ContainsFunc(args, mayBeOption)
	}
	i := slices.IndexFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") })
	return i >= 0 && !shellgate.Known(args[i]) && slices.ContainsFunc(command.Table, func(r command.Rule) bool {
		return r.Command() == name && r.Has(command.People)
	})
}

// refusedWord reports a word that stands for something refused: enough to refuse
// what can't be understood.
func refusedWord(word string) bool {
	return strings.HasPrefix(word, "--steal") || strings.HasPrefix(word, "--allow-secret") || command.Closed(word) ||
		slices.ContainsFunc(command.Table, func(r command.Rule) bool {
			return r.Has(command.People) && r.Word() == word && !command.Closed(r.Command())
		})
}
