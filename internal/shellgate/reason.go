package shellgate

import (
	"cmp"
	"strings"

	"github.com/git-brew/git-brew/internal/unseen"
)

// Reason is why a command is not read-only.
type Reason string

// The reasons.
const (
	Parses       Reason = "parse"         // it can't be parsed
	TooLong      Reason = "too-long"      // longer or deeper than what is judged
	Unknown      Reason = "unknown"       // no row knows the program
	UnknownSub   Reason = "unknown-sub"   // nor the subcommand
	UnknownFlag  Reason = "unknown-flag"  // nor the option
	Hidden       Reason = "hidden"        // only the running shell knows the command
	HiddenFlag   Reason = "hidden-flag"   // or whether a word is an option
	HiddenText   Reason = "hidden-text"   // or a program that a command is given
	HiddenPlace  Reason = "hidden-place"  // or what kind of address
	Redirects    Reason = "redirect"      // output goes to a file
	Assigns      Reason = "assign"        // a variable that other commands obey
	Evaluates    Reason = "evaluate"      // a value that is read as a program
	Redefines    Reason = "redefines"     // what commands mean from here on
	WritesFile   Reason = "writes-file"   // an option or operand names a file to write
	Changes      Reason = "changes-files" // what the command is for
	ChangesRepo  Reason = "changes-repo"  // refs, index, work tree, configuration
	ChangesHost  Reason = "changes-host"  // processes, packages, services, the system
	Sends        Reason = "sends"         // something goes to another machine
	RunsProgram  Reason = "runs-program"  // an option names a program to run
	RunsCode     Reason = "runs-code"     // it runs what the project or an argument says
	RunsElse     Reason = "runs-elsewhere"
	AsRoot       Reason = "as-root"
	Waits        Reason = "waits" // it is for a person at a terminal
	NeedsFlag    Reason = "needs-flag"
	NotListing   Reason = "not-listing" // this form does not only list
	TooMany      Reason = "operands"    // a further operand is written to, or sets something
	BrewPersons  Reason = "brew-persons"
	KeepsGate    Reason = "keeps-gate"   // what decides what agents may do
	RemovesGate  Reason = "removes-gate" // in passing
	BrewChanges  Reason = "brew-changes"
	Destroys     Reason = "destroys"
	ForksForever Reason = "fork-bomb"
	Recurses     Reason = "recursion"
)

// words are what a reason says in one clause, {} being the word it is about, and
// what can be done about it.
type words struct {
	reason    Reason
	why, hint string
	// allow: the user may list the command as one that reads.
	allow bool
}

var reasons = []words{
	{Parses, "it can't be parsed: {}", "Plain commands can be checked.", false},
	{TooLong, "it is too long or too deep to be checked", "Several short commands can be.", false},
	{Unknown, "git brew does not know {}", "", true},
	{UnknownSub, "{} is not known to be reading only", "", true},
	{UnknownFlag, "the option {} is not known to be reading only", "", false},
	{Hidden, "only the running shell knows what {} runs", "Commands that are written out can be checked.", false},
	{HiddenFlag, "{} may turn into an option that writes", "After --, or with ./ in front, it can't.", false},
	{HiddenText, "only the running shell knows the program {}", "A program that is written out can be checked.", false},
	{HiddenPlace, "only the running shell knows what kind of address {} is, and so whether it is only fetched", "Written out as far as the host, \"https://$HOST/x\", it can be checked.", false},
	{Redirects, "{} writes a file", "Output to /dev/null, or none, is reading.", false},
	{Assigns, "setting {} changes what other commands do", "Without it the command can be checked.", false},
	{Evaluates, "the shell may run a command that hides in the value of {}", "Plain numbers are safe there.", false},
	{Redefines, "{} changes what the shell runs", "Commands that are written out can be checked.", false},
	{WritesFile, "{} writes a file", "Without it, output goes to you.", false},
	{Changes, "{} changes files", "", false},
	{ChangesRepo, "{} changes the repository", "", false},
	{ChangesHost, "{} changes the system", "", false},
	{Sends, "{} sends something", "", false},
	{RunsProgram, "{} runs a program", "Without it the command can be checked.", false},
	{RunsCode, "{} runs code", "", true},
	{RunsElse, "{} runs commands elsewhere", "", true},
	{AsRoot, "{} runs as another user", "", false},
	{Waits, "{} is for a person at a terminal", "", false},
	{NeedsFlag, "it reads only with {}", "", false},
	{NotListing, "in this form {} does not only list", "", false},
	{TooMany, "{} would be written or set", "", false},
	{BrewPersons, "{} is for the user alone", "", false},
	{KeepsGate, "{} decides what agents may do", "", false},
	{RemovesGate, "{} removes the settings with the hooks, too", "With -e .claude it does not.", false},
	{BrewChanges, "{} changes the task", "Reading it, documents, questions, decisions and reports go on.", false},
	{Destroys, "{} destroys what can't be brought back", "", false},
	{ForksForever, "{} starts itself without end", "", false},
	{Recurses, "{} calls itself", "", false},
}

func (r Reason) words() words {
	for _, w := range reasons {
		if w.reason == r {
			return w
		}
	}
	return words{reason: r, why: string(r)}
}

// problem is something found that is not reading.
type problem struct {
	reason  Reason
	detail  string
	command string
	// hint is better than that of the reason, where it is not empty.
	hint string
	// allow are the leading words that the user could list.
	allow string
}

func (p *problem) finding() Finding {
	w := p.reason.words()
	f := Finding{
		Reason: p.reason, Command: short(strings.TrimRight(p.command, " \t\n;&|"), maxCommand),
		Why: strings.Replace(w.why, "{}", quoted(p.detail), 1), Hint: cmp.Or(p.hint, w.hint),
	}
	if w.allow {
		f.Allow = short(allowable(p.allow), maxCommand)
	}
	return f
}

// maxCommand and maxDetail bound what a finding repeats of a command, in runes.
const (
	maxCommand = 48
	maxDetail  = 40
)

func quoted(text string) string {
	text = short(text, maxDetail)
	if strings.HasPrefix(text, `"`) || strings.HasPrefix(text, "'") {
		return text
	}
	return `"` + text + `"`
}

// programOptions make a program of the word behind them: to allow a command
// with one would be to allow everything.
const programOptions = "- -e -E -c -p -r -x -i -s -ne -pe -pi --eval --execute --command"

// interpreters run any text that they are given: named alone, or with an option,
// they are for nobody's list.
const interpreters = "perl ruby php lua luajit tclsh Rscript julia swift scala groovy ghci guile racket elixir erl iex osascript node nodejs deno " +
	"python python2 python3 pypy pypy3 py ipython sqlite3 psql mysql mariadb mongosh mongo redis-cli clickhouse-client cqlsh duckdb sqlcmd " +
	"fish csh tcsh nu pwsh powershell xonsh elvish rc npx pnpx bunx uvx pipx dlx claude codex gemini aws make gmake"

func allowable(words string) string {
	first, rest, more := strings.Cut(words, " ")
	if has(interpreters, first) && (!more || strings.HasPrefix(rest, "-") && !has("make gmake", first)) {
		return ""
	}
	for w := range strings.FieldsSeq(words) {
		if has(programOptions, w) {
			return ""
		}
	}
	return words
}

// short is text in one line of at most n runes, without what nobody sees.
func short(text string, n int) string {
	text = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case r == hole || r == other || r == solid:
			return '…'
		case r == home:
			return '~'
		case unseen.Hides(r) || r == 0xfffd:
			return ' '
		}
		return r
	}, text)), " ")
	if runes := []rune(text); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return text
}
