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
	Parses       Reason = "parse"         // it can't be parsed, or has a form without a rule
	TooLong      Reason = "too-long"      // longer or deeper than what is judged
	Unknown      Reason = "unknown"       // no row knows the program
	UnknownSub   Reason = "unknown-sub"   // nor the subcommand
	UnknownFlag  Reason = "unknown-flag"  // nor the option
	BadValue     Reason = "value"         // the row has no such value or operand
	Hidden       Reason = "hidden"        // only the running shell knows the command
	HiddenFlag   Reason = "hidden-flag"   // or whether a word is an option
	HiddenText   Reason = "hidden-text"   // or a program that a command is given
	HiddenPlace  Reason = "hidden-place"  // or where something is asked for
	NeedsFlag    Reason = "needs-flag"    // it reads only beside an option
	NotListing   Reason = "not-listing"   // this form does not only list
	TooMany      Reason = "operands"      // a further operand is written to, or sets something
	Redirects    Reason = "redirect"      // output goes to a file
	Assigns      Reason = "assign"        // a variable that other commands obey
	Evaluates    Reason = "evaluate"      // a value that is read as a program
	Redefines    Reason = "redefines"     // what commands mean from here on
	WritesFile   Reason = "writes-file"   // a program of sed or awk writes one
	Changes      Reason = "changes-files" // what the command is for
	ChangesRepo  Reason = "changes-repo"  // refs, index, work tree, configuration
	ChangesHost  Reason = "changes-host"  // processes, packages, services, the system
	Sends        Reason = "sends"         // something goes to another machine
	RunsProgram  Reason = "runs-program"  // a program that its words name
	RunsCode     Reason = "runs-code"     // what the project or an argument says
	RunsHeld     Reason = "runs-held"     // what the directory holds: a configuration, plugins, a copy of its own
	AsRoot       Reason = "as-root"
	Waits        Reason = "waits" // it is for a person at a terminal
	BrewPersons  Reason = "brew-persons"
	KeepsGate    Reason = "keeps-gate"   // what decides what agents may do
	RemovesGate  Reason = "removes-gate" // in passing
	BrewChanges  Reason = "brew-changes"
	Destroys     Reason = "destroys"
	ForksForever Reason = "fork-bomb"
)

// words are what a reason says in one clause, {} being the word it is about, and
// what can be done about it.
type words struct {
	reason    Reason
	why, hint string
	// allow: the user may list the command as one that reads. unknown: nobody
	// says that it writes.
	allow, unknown bool
}

var reasons = []words{
	{Parses, "it can't be parsed: {}", "Plain commands can be checked.", false, true},
	{TooLong, "it is too long or too deep to be checked", "Several short commands can be.", false, true},
	{Unknown, "git brew does not know {}", "", true, true},
	{UnknownSub, "{} is not known to be reading only", "", true, true},
	{UnknownFlag, "the option {} is not known to be reading only", "", true, true},
	{BadValue, "{} is not known to be reading only", "", true, true},
	{Hidden, "only the running shell knows what {} runs", "Commands that are written out can be checked.", false, true},
	{HiddenFlag, "{} may turn into an option that writes", "After --, or with ./ in front, it can't.", false, true},
	{HiddenText, "git brew can't tell what the program {} does", "A plain program that is written out can be checked.", false, true},
	{HiddenPlace, "only the running shell knows what {} is", "Written out it can be checked.", false, true},
	{NeedsFlag, "it reads only with {}", "", true, false},
	{NotListing, "{} does not only list", "", true, false},
	{TooMany, "{} would be written or set", "", false, false},
	{Redirects, "{} writes a file", "Output to /dev/null, or none, is reading.", false, false},
	{Assigns, "setting {} changes what other commands do", "Without it the command can be checked.", false, false},
	{Evaluates, "the shell may run a command that hides in {}", "Plain numbers and names are safe there.", false, true},
	{Redefines, "{} changes what the shell runs", "Commands that are written out can be checked.", false, false},
	{WritesFile, "{} writes a file", "Without it, output goes to you.", false, false},
	{Changes, "{} changes files", "", false, false},
	{ChangesRepo, "{} changes the repository", "", false, false},
	{ChangesHost, "{} changes the system", "", false, false},
	{Sends, "{} sends something", "", false, false},
	{RunsProgram, "{} runs another program", "Alone, that program can be checked.", true, false},
	{RunsCode, "{} runs code", "", true, false},
	{RunsHeld, "{} may run what the directory holds", "", true, true},
	{AsRoot, "{} runs as another user", "", false, false},
	{Waits, "{} is for a person at a terminal", "", false, false},
	{BrewPersons, "{} is for the user alone", "", false, false},
	{KeepsGate, "{} decides what agents may do", "", false, false},
	{RemovesGate, "{} removes the settings with the hooks, too", "With -e .claude it does not.", false, false},
	{BrewChanges, "{} changes the task", "Reading it, documents, questions, decisions and reports go on.", false, false},
	{Destroys, "{} destroys what can't be brought back", "", false, false},
	{ForksForever, "{} starts itself without end", "", false, false},
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

func (p *problem) finding() *Finding {
	if p == nil {
		return nil
	}
	w := p.reason.words()
	f := &Finding{
		Reason: p.reason, Command: short(strings.TrimRight(p.command, " \t\n;&|"), maxCommand), Unknown: w.unknown,
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
	"sh bash zsh dash ksh fish csh tcsh nu pwsh powershell xonsh elvish rc npx pnpx bunx uvx pipx dlx claude codex gemini aws make gmake"

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
		case r == hole || r == plain || r == number || r == solid:
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
