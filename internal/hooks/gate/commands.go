package gate

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/command"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
	"github.com/git-brew/git-brew/internal/shellgate"
	"github.com/git-brew/git-brew/internal/task"
)

type brewCall struct {
	words     []string // all of it
	name, sub string   // the command, and the word behind it
	args      []string // what is behind the command, without the options that every command has
	// understood: no other option stands before the command, so that nobody could tell
	// what its value is.
	understood bool
}

// The options that every command has, but for those of one letter; those with a value may
// have it in the next word.
const (
	valuedOptions = "--session --color"
	globalOptions = valuedOptions + " --quiet --json --porcelain --help --version"
)

func readBrew(words []string) brewCall {
	b := brewCall{words: words, understood: true}
	var rest []string
	for i := 0; i < len(words); i++ {
		option, _, valued := strings.Cut(words[i], "=")
		letters, ofLetters := globalLetters(option)
		switch {
		case !strings.HasPrefix(option, "-"):
			rest = append(rest, words[i])
		case !valued && (among(valuedOptions, option) || ofLetters && letters == "C"):
			i++
			b.understood = b.understood && i < len(words)
		case among(globalOptions, option), ofLetters:
		default:
			rest = append(rest, words[i])
			b.understood = b.understood && len(rest) > 1
		}
	}
	if len(rest) > 0 {
		b.name, b.args = rest[0], rest[1:]
	}
	if len(b.args) > 0 {
		b.sub = b.args[0] // an option there may hide which: no rule knows it
	}
	b.understood = b.understood && strings.Trim(b.name, "abcdefghijklmnopqrstuvwxyz-") == ""
	return b
}

// globalLetters reports whether an option is letters in one word that every command has:
// flags, and at last -C with its directory, which is left ("C" where the directory is the
// next word).
func globalLetters(option string) (left string, ok bool) {
	letters, ok := strings.CutPrefix(option, "-")
	left = strings.TrimLeft(letters, "qhv")
	return left, ok && letters != "" && (left == "" || left[0] == 'C')
}

// JudgeBrew judges what follows "git brew", in discussion mode.
func JudgeBrew(words []string) shellgate.Brew {
	b := readBrew(words)
	switch {
	case b.refused():
		return shellgate.BrewIsPersons
	case b.understood && !slices.ContainsFunc(words, bundlesDir) && !slices.ContainsFunc(words, mayBeOption) &&
		!slices.ContainsFunc(b.args, writesFile) && b.mayDiscuss():
		return shellgate.BrewPasses
	}
	return shellgate.BrewIsChange
}

// MayDiscuss reports whether an agent may run a command line while the gate is closed.
func MayDiscuss(line string) bool {
	return shellgate.Judge(line, shellgate.Options{Brew: JudgeBrew}).ReadOnly
}

// mayDiscuss reports whether the table lets an agent run it in discussion mode.
func (b brewCall) mayDiscuss() bool {
	r, known := command.Find(b.name, b.sub)
	never := slices.ContainsFunc(b.args, func(a string) bool {
		option, _, _ := strings.Cut(a, "=")
		return among(r.Never, option) || r.Only != "" && strings.HasPrefix(a, "-") && !among(r.Only, a)
	})
	return known && r.Has(command.Discussion) && !never && (r.Only == "" || anyOf(b.args, r.Only))
}

// forPeople reports whether it is for people alone in either mode.
func (b brewCall) forPeople() bool {
	return b.name != "" && b.refused() && !command.Listing(b.name, b.sub)
}

// refused finds a refused form at any place, whatever options stand between. A word
// that only the running shell knows may be one.
func (b brewCall) refused() bool {
	r, known := command.Find(b.name, b.sub)
	lists := known && r.Has(command.Discussion) && !slices.ContainsFunc(b.args, func(a string) bool {
		return strings.HasPrefix(a, "-") || !shellgate.Known(a)
	})
	i := slices.IndexFunc(b.args, func(a string) bool { return !strings.HasPrefix(a, "-") })
	hidden := b.name == "start" && slices.ContainsFunc(b.args, mayBeOption) ||
		i >= 0 && !shellgate.Known(b.args[i]) && hasPeoples(b.name, "")
	return hidden || !shellgate.Known(b.name) || !lists && command.Closed(b.name) ||
		slices.ContainsFunc(b.args, func(a string) bool {
			return !lists && command.ForPeople(b.name, a) || b.name == "start" && strings.HasPrefix(a, "--steal") ||
				strings.HasPrefix(a, "--allow-secret")
		}) || !b.understood && slices.ContainsFunc(b.words, refusedWord)
}

// refusedWord reports a word that stands for something refused: enough to refuse
// what can't be understood.
func refusedWord(word string) bool {
	return strings.HasPrefix(word, "--steal") || strings.HasPrefix(word, "--allow-secret") || command.Closed(word) ||
		word != "" && hasPeoples("", word)
}

// hasPeoples reports whether a command, or a word behind any command, has a form that is
// for people alone.
func hasPeoples(name, word string) bool {
	return slices.ContainsFunc(command.Table, func(r command.Rule) bool {
		return r.Has(command.People) &&
			(r.Command() == name || word != "" && r.Word() == word && !command.Closed(r.Command()))
	})
}

// bundlesDir reports letters in one word with a directory at their end (-qC dir), which
// is not looked at as -C is.
func bundlesDir(word string) bool {
	return strings.HasPrefix(word, "-") && !strings.HasPrefix(word, "--") && strings.IndexByte(word, 'C') > 1
}

// mayBeOption reports a word that the running shell may turn into an option.
func mayBeOption(word string) bool { return strings.HasPrefix(word, shellgate.Hole) }

// writesFile reports options of reading commands that write a file, run a program, or
// repair.
func writesFile(arg string) bool {
	return slices.ContainsFunc([]string{"--output", "--ext-diff", "--textconv", "--fix"}, func(option string) bool {
		return strings.HasPrefix(arg, option)
	})
}

// overreach is the first git brew command in a sub-agent's shell command that
// is not for sub-agents; "": there is none.
func (c *Call) overreach(kind Kind) string {
	if c.Payload.AgentID == "" || !kind.runs() || c.View.Off != "" {
		return ""
	}
	text, _ := ShellCommand(c.Payload)
	v := shellgate.Judge(text, shellgate.Options{})
	for _, words := range v.Brew {
		if b := readBrew(words); !c.agentMay(b) {
			first := strings.TrimSpace(b.name + " " + b.sub)
			return cmp.Or(protocol.Clean(strings.ReplaceAll(first, shellgate.Hole, "…"), 60), "…")
		}
	}
	if f := v.Finding; f != nil && (f.Reason == shellgate.Parses || f.Reason == shellgate.TooLong) &&
		strings.Contains(text, "brew") {
		return "…" // whatever a shell makes of it
	}
	return ""
}

// agentMay reports whether a sub-agent may run a command of git brew.
func (c *Call) agentMay(b brewCall) bool {
	if c.agentsMay(b) {
		return true
	}
	word := b.sub
	if strings.HasPrefix(word, "-") {
		word = ""
	}
	r, known := command.Find(b.name, word)
	stores := r.Texts == nil || len(b.args) > 1 && slices.Contains(r.Texts, path.Base(b.args[1]))
	may := r.Has(command.SubAgent) && stores ||
		r.Has(command.Coordinator) && Coordinator(task.AgentName(c.Payload.AgentType))
	return b.understood && known && may && !slices.ContainsFunc(b.args, func(a string) bool {
		option, _, _ := strings.Cut(a, "=")
		return r.SubNever != "" && (among(r.SubNever, option) || mayBeOption(a))
	})
}

// agentsMay reports whether the setting allows a command: each of its words is
// the command's at that place.
func (c *Call) agentsMay(b brewCall) bool {
	return slices.ContainsFunc(c.View.Settings.List(config.KeyAgentCommand), func(allowed string) bool {
		words, args := strings.Fields(allowed), append([]string{b.name}, b.args...)
		return allowed == "*" || len(words) > 0 && len(words) <= len(args) && slices.Equal(words, args[:len(words)])
	})
}

// Coordinator reports an agent that coordinates others, by its name.
func Coordinator(agent string) bool { return strings.Contains(strings.ToLower(agent), "coordinator") }
