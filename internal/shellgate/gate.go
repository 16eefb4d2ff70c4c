// Package shellgate says whether a shell command only reads. It walks the syntax tree of
// the command, never its text, and judges every simple command, every redirection and
// every assignment in it. What it has no rule for does not pass.
//
// The rules are rows (rows.txt): a row names a command, how it reads its
// words, the options that read, and what its operands may be. An option that a row does
// not name does not pass, wherever it stands and whatever stands before it; so a row that
// is wrong about what takes a value still lets no option through.
//
// Words are followed through literal text, simple assignments and the words of a for
// loop. What a branch or a loop sets is unknown behind it.
//
// It answers for bash, and for zsh where the two mean the same. What "sh -c" is given has
// to pass as POSIX shell, too. The package knows no file, no environment and no git; what
// depends on a directory it hands back to be asked (Verdict.Repositories).
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

const (
	BrewPasses Brew = iota
	BrewIsChange
	BrewIsPersons // no agent gets it
)

// Hole stands, in words that Options.Brew is given, for a part that only the running
// shell knows; a word that begins with it may be anything, an option too.
const Hole = string(hole)

// Known reports whether the whole of a word that Options.Brew is given is known.
func Known(word string) bool { return !strings.ContainsAny(word, unknowns) }

// Options are what a user or a caller adds to the rows.
type Options struct {
	// ReadOnly are commands that the user counts as reading, by their leading words, such as
	// "make -n"; what stands beside them is judged. Wrappers alone, and sudo, don't count.
	ReadOnly []string
	// Home is the user's home directory; empty: nobody knows.
	Home string
	// At is the directory in which the shell starts, from the top of the work tree; empty: there.
	At string
	// InEnvironment reports whether the environment of the shell has a variable, so that
	// programs get what it is set to; nil: it has none.
	InEnvironment func(name string) bool
	// Brew judges a command of git brew by what follows "git brew"; nil: none passes.
	Brew func(args []string) Brew
}

// Finding is the simple command that does not only read, and why.
type Finding struct {
	Reason  *Reason
	Command string // as it is written, shortened
	Why     string // in one clause
	Hint    string // what could be done, in a sentence; often empty
	Allow   string // words that could list it in Options.ReadOnly; empty: not for listing
	Unknown bool   // nothing says that it writes, nor that it does not
}

// Verdict is what is to be said about a command.
type Verdict struct {
	ReadOnly bool
	Finding  *Finding // first what is known to write; nil: all of it reads
	// Danger is plain destruction, which no mode allows; Persons a command of git brew
	// that no agent gets. Both are found wherever they stand.
	Danger, Persons *Finding
	Brew            [][]string // what follows "git brew" in its commands
	// Repositories are the directories in which the command lets git read, as it names
	// them; "" is where it starts. What git runs there is for the caller to find out.
	Repositories []string
}

// What is judged at most.
const (
	maxText  = 256 << 10 // bytes
	maxDepth = 200       // brackets that nest
	maxCalls = 5_000     // simple commands, those of a loop more than once
	maxRuns  = 8         // shells that run shells
	maxItems = 20        // words of a loop that are each looked at
	maxParts = 500       // parts of a word
	maxDirs  = 16        // directories that are kept apart

	maxCommand = 48 // runes of a command that a finding repeats
	maxDetail  = 40 // and of the word that it is about
)

// Judge says whether a command only reads.
func Judge(command string, o Options) Verdict {
	j := &judge{o: o, scope: scope{left: maxCalls, dirs: []string{""}, in: o.At, names: map[string]bool{}}}
	j.text(command, syntax.LangBash, 0)
	first := cmp.Or(j.denied, j.unknown)
	return Verdict{
		ReadOnly: first == nil, Finding: first.finding(), Danger: j.danger.finding(), Persons: j.persons.finding(),
		Brew: j.brew, Repositories: j.repositories,
	}
}

// judge collects what is found in one command.
type judge struct {
	o    Options
	src  string
	lang syntax.LangVariant
	runs int

	scope
	judged map[*syntax.Stmt]bool // all statements have to be

	denied, unknown, danger, persons *problem // the first of each
	latest                           *Reason  // of the problem that was found last
	brew                             [][]string
}

// text judges a program of the shell.
func (j *judge) text(text string, lang syntax.LangVariant, runs int) {
	if len(text) > maxText || tooDeep(text) || runs > maxRuns {
		j.found(problem{reason: TooLong, command: text})
		return
	}
	if strings.ContainsFunc(text, ambiguous) || strings.Contains(text, "$\\\n") || !utf8.ValidString(text) {
		j.found(problem{reason: Parses, detail: "control characters", command: text})
		atLeast(j, text, len(text), lang, runs)
		return
	}
	file, err := parse(text, lang)
	if err != nil {
		e, _ := errors.AsType[syntax.ParseError](err)
		j.found(problem{reason: Parses, detail: cmp.Or(e.Text, err.Error()), command: text})
		atLeast(j, text, int(e.Pos.Offset()), lang, runs)
		return
	}
	program(j, file, text, lang, runs)
}

func parse(text string, lang syntax.LangVariant) (*syntax.File, error) {
	return syntax.NewParser(syntax.Variant(lang), syntax.KeepComments(true)).Parse(strings.NewReader(text), "")
}

// atLeast looks for what no mode allows in a text that a shell may run, or a part of it,
// though the parser refuses it: up to where that is, and in the pieces that its marks make.
func atLeast(j *judge, text string, end int, lang syntax.LangVariant, runs int) {
	denied, unknown, brew := j.denied, j.unknown, j.brew
	for _, mark := range []string{"_", ""} { // a letter as any, or dropped
		clean := strings.Map(func(r rune) rune {
			switch {
			case !ambiguous(r):
				return r
			case mark == "":
				return -1
			}
			return '_'
		}, strings.ToValidUTF8(text, mark))
		pieces := []string{clean[:min(max(0, end), len(clean))]}
		for _, t := range []string{clean, strings.ReplaceAll(clean, "\\\n", "")} {
			pieces = append(pieces, strings.FieldsFunc(t, func(r rune) bool { return strings.ContainsRune(";&|\n(){}`", r) })...)
		}
		for _, piece := range pieces[:min(len(pieces), maxCalls)] {
			if file, err := parse(piece, lang); err == nil {
				program(j, file, piece, lang, runs+1)
			}
		}
		if clean == text {
			break
		}
	}
	j.denied, j.unknown, j.brew = denied, unknown, brew
}

// program judges a text that was parsed.
func program(j *judge, file *syntax.File, text string, lang syntax.LangVariant, runs int) {
	outer := *j
	j.src, j.lang, j.runs, j.judged, j.now = text, lang, runs, map[*syntax.Stmt]bool{}, map[string]arg{}
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

// otherwise notes what shells read in another way than the parser, and judges the rest.
func (j *judge) otherwise(what, rest string) {
	j.found(problem{reason: Parses, detail: what, command: what})
	j.text(rest, j.lang, j.runs+1)
}

// ambiguous reports a character that shells and parsers read in more than one way.
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

func (j *judge) found(p problem) {
	j.latest = p.reason
	if p.reason.kind&unsure != 0 {
		j.unknown = cmp.Or(j.unknown, &p)
	} else {
		j.denied = cmp.Or(j.denied, &p)
	}
}

// dangerous notes what no mode allows.
func (j *judge) dangerous(p problem) {
	j.found(p)
	j.danger = cmp.Or(j.danger, &p)
}

func (j *judge) source(n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from < 0 || to > len(j.src) || from > to {
		return ""
	}
	return j.src[from:to]
}
