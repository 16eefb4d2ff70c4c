package shellgate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/invisible"
)

// Reason is why a command is not read-only: its key, what it says in one clause, {} being
// the word that it is about, and what can be done about it. A command with one that allows
// may be listed by the user as reading; an unknown one does not say that it writes.
type Reason struct {
	key, why, hint  string
	allows, unknown bool
}

func (r *Reason) String() string { return r.key }

// The reasons.
var (
	Parses  = &Reason{"parse", "it can't be parsed: {}", "Plain commands can be checked.", false, true}
	TooLong = &Reason{"too-long", "it is too long or too deep to be checked", "Several short commands can " +
		"be.", false, true}
	Unknown     = &Reason{"unknown", "git brew does not know {}", "", true, true}
	UnknownSub  = &Reason{"unknown-sub", "{} is not known to be reading only", "", true, true}
	UnknownFlag = &Reason{"unknown-flag", "the option {} is not known to be reading only", "", true, true}
	BadValue    = &Reason{"value", "{} is not known to be reading only", "", true, true}
	Hidden      = &Reason{"hidden", "only the running shell knows what {} runs", "Commands that are written out can " +
		"be checked.", false, true}
	HiddenFlag = &Reason{"hidden-flag", "{} may turn into an option that writes", "After --, or with ./ in front, " +
		"it can't.", false, true}
	HiddenText = &Reason{"hidden-text", "git brew can't tell what the program {} does", "A plain program that is " +
		"written out can be checked.", false, true}
	HiddenPlace = &Reason{"hidden-place", "only the running shell knows what {} is", "Written out it can be " +
		"checked.", false, true}
	NeedsFlag  = &Reason{"needs-flag", "it reads only with {}", "", true, false}
	NotListing = &Reason{"not-listing", "{} does not only list", "", true, false}
	TooMany    = &Reason{"operands", "{} would be written or set", "", false, false}
	Redirects  = &Reason{"redirect", "{} writes a file", "Output to /dev/null, or none, is reading.", false, false}
	Assigns    = &Reason{"assign", "setting {} changes what other commands do", "Without it the command can be " +
		"checked.", false, false}
	Evaluates = &Reason{"evaluate", "the shell may run a command that hides in {}", "Plain numbers and names are " +
		"safe there.", false, true}
	Redefines = &Reason{"redefines", "{} changes what the shell runs", "Commands that are written out can be " +
		"checked.", false, false}
	WritesFile  = &Reason{"writes-file", "{} writes a file", "Without it, output goes to you.", false, false}
	Changes     = &Reason{"changes-files", "{} changes files", "", false, false}
	ChangesRepo = &Reason{"changes-repo", "{} changes the repository", "", false, false}
	ChangesHost = &Reason{"changes-host", "{} changes the system", "", false, false}
	Sends       = &Reason{"sends", "{} sends something", "", false, false}
	RunsProgram = &Reason{"runs-program", "{} runs another program", "Alone, that program can be checked.", true, false}
	RunsCode    = &Reason{"runs-code", "{} runs code", "", true, false}
	RunsHeld    = &Reason{"runs-held", "{} may run what the directory holds", "", true, true}
	AsRoot      = &Reason{"as-root", "{} runs as another user", "", false, false}
	Waits       = &Reason{"waits", "{} is for a person at a terminal", "", false, false}
	BrewPersons = &Reason{"brew-persons", "{} is for the user alone", "", false, false}
	KeepsGate   = &Reason{"keeps-gate", "{} decides what agents may do", "", false, false}
	RemovesGate = &Reason{"removes-gate", "{} removes the settings with the hooks, too", "With -e .claude it does " +
		"not.", false, false}
	BrewChanges = &Reason{"brew-changes", "{} waits for implementation mode", "Talk and plan go on; 'git brew next' " +
		"says what to ask the user.", false, false}
	Destroys     = &Reason{"destroys", "{} destroys what can't be brought back", "", false, false}
	ForksForever = &Reason{"fork-bomb", "{} starts itself without end", "", false, false}
)

// reasonNamed is the reason of a key in refused.txt.
func reasonNamed(key string) *Reason {
	for _, r := range []*Reason{
		Changes, ChangesHost, ChangesRepo, Waits, Redefines, Sends, AsRoot, RunsProgram, RunsCode, RunsHeld, UnknownSub,
	} {
		if r.key == key {
			return r
		}
	}
	return nil
}

// problem is something found that is not reading.
type problem struct {
	reason  *Reason
	detail  string
	command string
	hint    string // better than that of the reason, if any
	allow   string // the leading words that the user could list
}

func (p *problem) finding() *Finding {
	if p == nil {
		return nil
	}
	f := &Finding{
		Reason: p.reason, Command: short(strings.TrimRight(p.command, " \t\n;&|"), maxCommand), Unknown: p.reason.unknown,
		Why: strings.Replace(p.reason.why, "{}", quoted(p.detail), 1), Hint: cmp.Or(p.hint, p.reason.hint),
	}
	if p.reason.allows {
		f.Allow = short(offered(p.allow), maxCommand)
	}
	return f
}

func quoted(text string) string {
	if text = short(text, maxDetail); strings.HasPrefix(text, `"`) || strings.HasPrefix(text, "'") {
		return text
	}
	return `"` + text + `"`
}

// programOptions make a program of the word behind them: to allow one allows everything.
const programOptions = "- -e -E -c -p -r -x -i -s -ne -pe -pi --eval --execute --command"

// interpreters run any text: named alone, or with an option, they are for nobody's list.
const interpreters = "perl ruby php lua luajit tclsh Rscript julia swift scala groovy ghci guile racket elixir erl " +
	"iex osascript node nodejs deno python python2 python3 pypy pypy3 py ipython sqlite3 psql mysql mariadb mongosh " +
	"mongo redis-cli clickhouse-client cqlsh duckdb sqlcmd sh bash zsh dash ksh fish csh tcsh nu pwsh powershell " +
	"xonsh elvish rc npx pnpx bunx uvx pipx dlx claude codex gemini aws make gmake"

func offered(words string) string {
	first, rest, more := strings.Cut(words, " ")
	alone := has(interpreters, first) && (!more || strings.HasPrefix(rest, "-") && !has("make gmake", first))
	if alone || slices.ContainsFunc(strings.Fields(words), func(w string) bool { return has(programOptions, w) }) {
		return ""
	}
	return words
}

// short is text in one line of at most n characters, without what nobody sees.
func short(text string, n int) string {
	return invisible.Cut(invisible.Line(strings.Map(func(r rune) rune {
		switch r {
		case hole, plain, number, solid:
			return '…'
		case home:
			return '~'
		}
		return r
	}, text)), n)
}
