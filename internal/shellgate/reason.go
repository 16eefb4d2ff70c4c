package shellgate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/invisible"
)

// Reason is why a command is not read-only: its key, what it says in one clause, {} being
// the word that it is about, and what can be done about it.
type Reason struct {
	key, why, hint string
	kind           kind
}

type kind int

const (
	listable kind = 1 << iota // the user may list the command as reading
	unsure                    // it does not say that the command writes
)

func (r *Reason) String() string { return r.key }

// Hints of more words, or that several reasons have.
const (
	inFront    = "After --, or with ./ in front, it can't."
	devNull    = "Output to /dev/null, or none, is reading."
	writtenOut = "Commands that are written out can be checked."
	without    = "Without it the command can be checked."
)

var (
	Parses       = &Reason{"parse", "it can't be parsed: {}", "Plain commands can be checked.", unsure}
	TooLong      = &Reason{"too-long", "it is too long or too deep to be checked", "Shorter commands can be.", unsure}
	Unknown      = &Reason{"unknown", "git brew does not know {}", "", listable | unsure}
	UnknownSub   = &Reason{"unknown-sub", "{} is not known to be reading only", "", listable | unsure}
	UnknownFlag  = &Reason{"unknown-flag", "the option {} is not known to be reading only", "", listable | unsure}
	BadValue     = &Reason{"value", "{} is not known to be reading only", "", listable | unsure}
	Hidden       = &Reason{"hidden", "only the running shell knows what {} runs", writtenOut, unsure}
	HiddenFlag   = &Reason{"hidden-flag", "{} may turn into an option that writes", inFront, unsure}
	HiddenText   = &Reason{"hidden-text", "git brew can't tell what the program {} does", writtenOut, unsure}
	HiddenPlace  = &Reason{"hidden-place", "only the running shell knows what {} is", writtenOut, unsure}
	NeedsFlag    = &Reason{"needs-flag", "it reads only with {}", "", listable}
	NotListing   = &Reason{"not-listing", "{} does not only list", "", listable}
	TooMany      = &Reason{"operands", "{} would be written or set", "", 0}
	Redirects    = &Reason{"redirect", "{} writes a file", devNull, 0}
	Assigns      = &Reason{"assign", "setting {} changes what other commands do", without, 0}
	Evaluates    = &Reason{"evaluate", "the shell may run a command that hides in {}", "Plain numbers are safe.", unsure}
	Redefines    = &Reason{"redefines", "{} changes what the shell runs", writtenOut, 0}
	WritesFile   = &Reason{"writes-file", "{} writes a file", "Without it, output goes to you.", 0}
	Changes      = &Reason{"changes-files", "{} changes files", "", 0}
	ChangesRepo  = &Reason{"changes-repo", "{} changes the repository", "", 0}
	ChangesHost  = &Reason{"changes-host", "{} changes the system", "", 0}
	Sends        = &Reason{"sends", "{} sends something", "", 0}
	RunsProgram  = &Reason{"runs-program", "{} runs another program", "Alone, that program can be checked.", listable}
	RunsCode     = &Reason{"runs-code", "{} runs code", "", listable}
	RunsHeld     = &Reason{"runs-held", "{} may run what the directory holds", "", listable | unsure}
	AsRoot       = &Reason{"as-root", "{} runs as another user", "", 0}
	Waits        = &Reason{"waits", "{} is for a person at a terminal", "", 0}
	BrewPersons  = &Reason{"brew-persons", "{} is for the user alone", "", 0}
	KeepsGate    = &Reason{"keeps-gate", "{} decides what agents may do", "", 0}
	RemovesGate  = &Reason{"removes-gate", "{} removes the settings with the hooks, too", "-e .claude spares them.", 0}
	StashesGate  = &Reason{"stashes-gate", "{} takes the settings with the hooks away, too", "-u leaves them.", 0}
	BrewChanges  = &Reason{"brew-changes", "{} waits for implementation mode", "'git brew next' says what to ask.", 0}
	Destroys     = &Reason{"destroys", "{} destroys what can't be brought back", "", 0}
	ForksForever = &Reason{"fork-bomb", "{} starts itself without end", "", 0}
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
		Reason: p.reason, Command: short(strings.TrimRight(p.command, " \t\n;&|"), maxCommand),
		Unknown: p.reason.kind&unsure != 0,
		Why:     strings.Replace(p.reason.why, "{}", quoted(p.detail), 1), Hint: cmp.Or(p.hint, p.reason.hint),
	}
	if p.reason.kind&listable != 0 {
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
	shown := strings.NewReplacer(
		Hole, "…", string(plain), "…", string(number), "…", string(solid), "…", string(home), "~").Replace(text)
	return invisible.Cut(invisible.Line(shown), n)
}
