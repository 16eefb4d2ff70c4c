package shellgate

import (
	"errors"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// Brew is what becomes of a command of git brew.
type Brew int

// The answers. Persons is for commands that no agent gets.
const (
	BrewPasses Brew = iota
	BrewIsChange
	BrewIsPersons
)

// Hole stands, in words that Options.Brew is given, for a part that only the
// running shell knows; a word that begins with it may be anything, an option too.
const Hole = string(hole)

// Options are what a user or a caller adds to the tables.
type Options struct {
	// ReadOnly are commands that the user counts as reading: leading words of a
	// simple command, such as "make -n". Redirections and assignments beside
	// them are judged as ever. What runs other commands, named alone, and sudo
	// don't count.
	ReadOnly []string
	// Brew judges a command of git brew by what follows "git brew"; nil: none
	// of them passes.
	Brew func(args []string) Brew
}

// Finding is the simple command that does not only read, and why.
type Finding struct {
	Reason Reason
	// Command as it is written, shortened.
	Command string
	// Why, in one clause.
	Why string
	// Hint is what could be done, in a sentence; often empty.
	Hint string
	// Allow are the words with which the user could list the command in
	// Options.ReadOnly; empty: that is not for listing.
	Allow string
}

// Verdict is what is to be said about a command.
type Verdict struct {
	ReadOnly bool
	// Finding is the first that does not only read; nil: all of it reads.
	Finding *Finding
	// Danger is plain destruction, which no mode allows; Persons a command of
	// git brew that no agent gets. Both are found wherever they stand.
	Danger, Persons *Finding
	// Brew are the commands of git brew in it: what follows "git brew".
	Brew [][]string
	// Moves: it may change the working directory.
	Moves bool
}

const (
	// maxText bounds what is parsed, in bytes; maxDepth how deep brackets nest.
	maxText  = 256 << 10
	maxDepth = 200
	// maxCalls bounds how many simple commands are judged.
	maxCalls = 5_000
	// maxValues bounds how many values of variables are looked at, for all words
	// that have them together.
	maxValues = 100_000
	// maxRuns bounds how deep shells run shells.
	maxRuns = 8
)

// Judge says whether a command only reads.
func Judge(command string, o Options) Verdict {
	j := newJudge(o)
	j.text(command, syntax.LangBash, 0)
	v := Verdict{ReadOnly: j.first == nil, Brew: j.brew, Moves: j.moved}
	if j.first != nil {
		f := j.first.finding()
		v.Finding = &f
	}
	if j.danger != nil {
		f := j.danger.finding()
		v.Danger = &f
	}
	if j.persons != nil {
		f := j.persons.finding()
		v.Persons = &f
	}
	return v
}

// judge collects what is found in one command.
type judge struct {
	o    Options
	src  string
	lang syntax.LangVariant
	runs int
	// vars are the values that the text gives to variables, anywhere in it.
	vars map[string][]value
	// elements are those of arrays.
	elements map[string][]value
	// funcs are functions that are certain to be defined by now; declared are
	// all that the text defines.
	// forgotten are those that it may take back.
	funcs, declared, forgotten map[string]bool
	// hyphened are variables with a value in which a hyphen may begin a name.
	hyphened map[string]bool
	// keyed: some array has texts for keys; unkeyed are arrays that may have none
	// in spite of their declaration.
	keyed   bool
	unkeyed map[string]bool
	// certain is where in the text that is judged names have its values.
	certain    map[string][]stretch
	inFunction bool
	// inputs are descriptors that are opened for reading; named: by a name, too.
	inputs map[string]bool
	named  bool
	// seen counts simple commands, looked the values of variables.
	seen, looked int
	// atRoot: a cd to the root or the home directory came before; moved: one to
	// anywhere.
	atRoot, moved bool

	first, danger, persons *problem
	// latest is the reason of the problem that was found last.
	latest Reason
	brew   [][]string
}

func newJudge(o Options) *judge {
	return &judge{o: o, vars: map[string][]value{}, elements: map[string][]value{}, hyphened: map[string]bool{}, inputs: map[string]bool{}}
}

// text judges a program of the shell.
func (j *judge) text(text string, lang syntax.LangVariant, runs int) {
	if len(text) > maxText || tooDeep(text) || runs > maxRuns {
		j.found(problem{reason: TooLong, command: text})
		return
	}
	if i := strings.IndexFunc(text, ambiguous); i >= 0 || !utf8.ValidString(text) {
		j.found(problem{reason: Parses, detail: "control characters", command: text})
		return
	}
	file, err := syntax.NewParser(syntax.Variant(lang)).Parse(strings.NewReader(text), "")
	if err != nil {
		what := err.Error()
		if e, ok := errors.AsType[syntax.ParseError](err); ok {
			what = e.Text
		}
		j.found(problem{reason: Parses, detail: what, command: text})
		return
	}
	outer := *j
	j.src, j.lang, j.runs = text, lang, runs
	j.funcs, j.declared, j.forgotten = map[string]bool{}, map[string]bool{}, map[string]bool{}
	j.unkeyed, j.certain = map[string]bool{}, map[string][]stretch{}
	j.collect(file)
	j.settle(file.Stmts, everywhere)
	j.collectKeyed(file)
	for _, s := range file.Stmts {
		j.walk(s)
		if f, ok := s.Cmd.(*syntax.FuncDecl); ok && !s.Background && len(s.Redirs) == 0 && f.Name != nil {
			j.funcs[f.Name.Value] = !j.forgotten[f.Name.Value] && !strings.Contains(f.Name.Value, "/")
		}
	}
	j.src, j.lang, j.runs, j.funcs, j.declared, j.forgotten = outer.src, outer.lang, outer.runs, outer.funcs, outer.declared, outer.forgotten
	j.unkeyed, j.certain = outer.unkeyed, outer.certain
}

// ambiguous are characters that shells and parsers read in more than one way.
func ambiguous(r rune) bool { return r < ' ' && r != '\t' && r != '\n' || r == 0x7f }

// tooDeep bounds how deep a parser may have to go.
func tooDeep(text string) bool {
	depth, ifs := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			depth = max(0, depth-1)
		case '!', '~', '-', '+':
			if i > 0 && (text[i-1] == text[i] || text[i-1] == ' ' && i > 1 && text[i-2] == text[i]) {
				ifs++
			}
		}
		if depth > maxDepth {
			return true
		}
	}
	return ifs > 20_000 || strings.Count(text, "if ")+strings.Count(text, "while ")+strings.Count(text, "until ") > 10_000
}

func (j *judge) found(p problem) {
	j.latest = p.reason
	if j.first == nil {
		j.first = &p
	}
}

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
