package shellgate

import (
	"cmp"
	"errors"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// Brew is what becomes of a command of git brew.
type Brew int

// The answers.
const (
	BrewPasses Brew = iota
	BrewIsChange
	BrewIsPersons // no agent gets it
)

// Hole stands, in words that Options.Brew is given, for a part that only the
// running shell knows; a word that begins with it may be anything, an option too.
const Hole = string(hole)

// Known reports whether the whole of a word that Options.Brew is given is known.
func Known(word string) bool { return !strings.ContainsAny(word, unknowns) }

// Options are what a user or a caller adds to the rows.
type Options struct {
	// ReadOnly are commands that the user counts as reading: leading words of a
	// simple command, such as "make -n". Redirections and assignments beside
	// them are judged as ever. Wrappers named alone, and sudo, don't count.
	ReadOnly []string
	// InEnvironment reports whether a variable has a value in the environment of the
	// shell, so that programs get what it is set to; nil: none has.
	InEnvironment func(name string) bool
	// Brew judges a command of git brew by what follows "git brew"; nil: none
	// of them passes.
	Brew func(args []string) Brew
}

// Finding is the simple command that does not only read, and why.
type Finding struct {
	Reason  *Reason
	Command string // as it is written, shortened
	Why     string // in one clause
	Hint    string // what could be done, in a sentence; often empty
	// Allow are the words with which the user could list the command in
	// Options.ReadOnly; empty: that is not for listing.
	Allow string
	// Unknown: nothing says that the command writes; nobody here knows that it
	// does not.
	Unknown bool
}

// Verdict is what is to be said about a command.
type Verdict struct {
	ReadOnly bool
	// Finding is what does not only read, first what is known to write; nil: all
	// of the command reads.
	Finding *Finding
	// Danger is plain destruction, which no mode allows; Persons a command of
	// git brew that no agent gets. Both are found wherever they stand.
	Danger, Persons *Finding
	Brew            [][]string // what follows "git brew" in its commands
	// Repositories are the directories in which the command lets git read, as it
	// names them; "" is where it starts. What their configuration makes git run
	// is for the caller to find out.
	Repositories []string
	Moves        bool // it may change the working directory
}

// What is judged at most: bytes of a text, brackets that nest, simple commands, those
// of a loop more than once, and shells that run shells.
const (
	maxText  = 256 << 10
	maxDepth = 200
	maxCalls = 5_000
	maxRuns  = 8
)

// Judge says whether a command only reads.
func Judge(command string, o Options) Verdict {
	j := &judge{o: o, left: maxCalls, dirs: []string{""}, names: map[string]bool{}}
	j.text(command, syntax.LangBash, 0)
	v := Verdict{
		Finding: j.denied.finding(), Danger: j.danger.finding(), Persons: j.persons.finding(),
		Brew: j.brew, Repositories: j.repositories, Moves: j.moved,
	}
	if v.Finding == nil {
		v.Finding = j.unknown.finding()
	}
	v.ReadOnly = v.Finding == nil
	return v
}

// judge collects what is found in one command.
type judge struct {
	o    Options
	src  string
	lang syntax.LangVariant
	runs int
	// now is what is known at the place of the text that is judged; jumps are
	// what was known where a loop may have been left. Names are all variables that
	// were given a value, dirs the directories that the shell may be in; nil: nobody
	// knows.
	now   scope
	jumps []scope
	names map[string]bool
	dirs  []string
	left  int // simple commands that may still be judged
	// judged are the statements that were: all have to be.
	judged map[*syntax.Stmt]bool
	// atRoot: a cd to the root or the home directory came before; moved: one to
	// anywhere.
	atRoot, moved bool

	// denied is what is known to do more than read, unknown what is not known;
	// latest is the reason of the problem that was found last.
	denied, unknown, danger, persons *problem
	latest                           *Reason
	brew                             [][]string
	repositories                     []string
}

// text judges a program of the shell.
func (j *judge) text(text string, lang syntax.LangVariant, runs int) {
	if len(text) > maxText || tooDeep(text) || runs > maxRuns {
		j.found(problem{reason: TooLong, command: text})
		return
	}
	if strings.ContainsFunc(text, ambiguous) || !utf8.ValidString(text) {
		j.found(problem{reason: Parses, detail: "control characters", command: text})
		return
	}
	file, err := syntax.NewParser(syntax.Variant(lang), syntax.KeepComments(true)).Parse(strings.NewReader(text), "")
	if err != nil {
		e, _ := errors.AsType[syntax.ParseError](err)
		j.found(problem{reason: Parses, detail: cmp.Or(e.Text, err.Error()), command: text})
		return
	}
	outer := *j
	j.src, j.lang, j.runs, j.judged = text, lang, runs, map[*syntax.Stmt]bool{}
	j.now = scope{}
	j.stmts(file.Stmts)
	// Whatever the walk forgot does not pass.
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Stmt:
			if !j.judged[n] {
				j.found(problem{reason: Parses, detail: j.source(n), command: j.source(n)})
			}
		case *syntax.Comment: // to shells it ends with its line, to the parser not behind a backslash
			line, rest, _ := strings.Cut(j.src[min(int(n.Pos().Offset()), len(j.src)):], "\n")
			if strings.HasSuffix(line, `\`) {
				j.otherwise(line, rest)
			}
		}
		return true
	})
	j.src, j.lang, j.runs, j.judged, j.now = outer.src, outer.lang, outer.runs, outer.judged, outer.now
}

// otherwise notes what shells read in another way than the parser. What they read
// behind it is looked at for what no mode allows.
func (j *judge) otherwise(what, rest string) {
	j.found(problem{reason: Parses, detail: what, command: what})
	j.text(rest, j.lang, j.runs+1)
}

// ambiguous reports a character that shells and parsers read in more than one
// way.
func ambiguous(r rune) bool { return r < ' ' && r != '\t' && r != '\n' || r == 0x7f }

// tooDeep bounds how deep a parser may have to go.
func tooDeep(text string) bool {
	depth, signs := 0, 0
	for i, c := range []byte(text) {
		if strings.IndexByte("({[", c) >= 0 {
			depth++
		} else if strings.IndexByte(")}]", c) >= 0 {
			depth = max(0, depth-1)
		} else if strings.IndexByte("!~-+", c) >= 0 && i > 1 && (text[i-1] == c || text[i-2] == c) {
			signs++
		}
		if depth > maxDepth {
			return true
		}
	}
	loops := strings.Count(text, "if ") + strings.Count(text, "while ") + strings.Count(text, "until ")
	return signs > 20_000 || loops > 10_000
}

// found notes a problem.
func (j *judge) found(p problem) {
	j.latest = p.reason
	if p.reason.unknown {
		if j.unknown == nil {
			j.unknown = &p
		}
	} else if j.denied == nil {
		j.denied = &p
	}
}

// dangerous notes what no mode allows.
func (j *judge) dangerous(p problem) {
	j.found(p)
	if j.danger == nil {
		j.danger = &p
	}
}

// source is the text of a node as it was written.
func (j *judge) source(n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from < 0 || to > len(j.src) || from > to {
		return ""
	}
	return j.src[from:to]
}
