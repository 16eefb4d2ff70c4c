package shellgate

import (
	"reflect"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Shells read the value of a variable in arithmetic as an expression again, and
// the subscript of an array in it as text to expand: x='a[$(rm f)]' makes
// $((x)) remove f. So every variable there has to be a number for certain.

// arithmetic judges an expression; what is nested in words is judged by walk.
func (j *judge) arithmetic(x syntax.ArithmExpr, at syntax.Node) {
	if x == nil || reflect.ValueOf(x).IsNil() {
		return
	}
	switch x := x.(type) {
	case *syntax.Word:
		if !j.isOperand(x) {
			j.found(problem{reason: Evaluates, detail: j.source(x), command: j.source(at)})
		}
	case *syntax.BinaryArithm:
		if name, ok := assignedName(x.X); ok && isAssignment(x.Op) {
			j.assign(name, at)
			if w, ok := x.X.(*syntax.Word); !ok || w.Lit() == "" || special(name) {
				j.found(problem{reason: Evaluates, detail: j.source(x), command: j.source(at)})
			}
			if x.Op != syntax.Assgn {
				j.arithmetic(x.X, at)
			}
		} else {
			j.arithmetic(x.X, at)
		}
		j.arithmetic(x.Y, at)
	case *syntax.UnaryArithm:
		if name, ok := assignedName(x.X); ok && (x.Op == syntax.Inc || x.Op == syntax.Dec) {
			j.assign(name, at)
		}
		j.arithmetic(x.X, at)
	case *syntax.ParenArithm:
		j.arithmetic(x.X, at)
	default:
		j.found(problem{reason: Evaluates, detail: j.source(x), command: j.source(at)})
	}
}

// isOperand: a number, or a variable by its bare name.
func (j *judge) isOperand(w *syntax.Word) bool {
	if l := w.Lit(); l != "" {
		return isName(l) && j.numeric(l, w.Pos().Offset()) || isNumeral(l)
	}
	return j.isNumber(w)
}

// isNumeral: 10, 0x1f, 16#ff.
func isNumeral(text string) bool {
	return text != "" && isDigits(text[:1]) && strings.Trim(text, "0123456789abcdefABCDEFx#") == ""
}

// isNumber reports whether a word is a number whatever happens.
func (j *judge) isNumber(w *syntax.Word) bool {
	a := j.arg(w)
	return len(a.text) > 0 && strings.Trim(a.text, "0123456789"+string(number)) == "" || a.text == "" && !a.many ||
		len(a.text) > 1 && a.text[0] == '-' && isDigits(a.text[1:]) || isNumeral(a.text)
}

// numeric reports whether a variable has a value at an offset that the text gives
// it, and each of those is a number. What the shell itself sets is known by name.
func (j *judge) numeric(name string, at uint) bool {
	values, assigned := j.vars[name]
	if !assigned {
		return has("RANDOM SECONDS LINENO EPOCHSECONDS UID EUID PPID COLUMNS LINES SHLVL BASHPID", name)
	}
	if !j.isCertain(name, at) {
		return false
	}
	for _, v := range values {
		if v.unknown || j.tired() || !v.number && (v.word == nil || !j.numericValue(v.word)) {
			return false
		}
	}
	return true
}

// special variables get values that the text does not show.
func special(name string) bool {
	return has("_ REPLY OPTARG OPTIND PWD OLDPWD MAPFILE COPROC reply match mbegin mend MATCH status argv pipestatus", name) || obeys(name)
}

// numericValue looks at a value without following variables in circles: one
// that is made of variables counts only where these are numbers by other values.
func (j *judge) numericValue(w *syntax.Word) bool {
	for _, p := range w.Parts {
		if !j.numericPart(p) {
			return false
		}
	}
	return true
}

func (j *judge) numericPart(p syntax.WordPart) bool {
	switch p := p.(type) {
	case *syntax.Lit:
		return isDigits(p.Value) || isRange(p.Value)
	case *syntax.SglQuoted:
		return !p.Dollar && isDigits(p.Value)
	case *syntax.DblQuoted:
		for _, q := range p.Parts {
			if !j.numericPart(q) {
				return false
			}
		}
		return !p.Dollar && len(p.Parts) > 0
	case *syntax.ArithmExp:
		return true
	case *syntax.ParamExp:
		if p.Excl && isWholeArray(p.Index) { // ${!a[@]}
			return p.Param != nil && !j.keyed && len(j.vars[p.Param.Value]) > 0
		}
		return p.Length || p.Short && p.Param != nil && has("# ? $", p.Param.Value)
	case *syntax.CmdSubst:
		return j.countsOnly(p)
	}
	return false
}

// isRange: {1..10}.
func isRange(text string) bool {
	inner, ok := strings.CutPrefix(text, "{")
	inner, ok2 := strings.CutSuffix(inner, "}")
	if !ok || !ok2 {
		return false
	}
	for n := range strings.SplitSeq(inner, "..") {
		if !isDigits(n) {
			return false
		}
	}
	return true
}

// countsOnly reports whether a substitution gives numbers only: it ends in a
// command that counts what it reads.
func (j *judge) countsOnly(c *syntax.CmdSubst) bool {
	if len(c.Stmts) != 1 {
		return false
	}
	cmd := c.Stmts[0].Cmd
	for {
		pipe, ok := cmd.(*syntax.BinaryCmd)
		if !ok || pipe.Op != syntax.Pipe {
			break
		}
		cmd = pipe.Y.Cmd
	}
	call, ok := cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 || len(call.Assigns) > 0 {
		return false
	}
	name := call.Args[0].Lit()
	if j.declared[name] {
		return false
	}
	var rest []string
	for _, w := range call.Args[1:] {
		rest = append(rest, literal(w))
	}
	all := func(fit func(string) bool) bool {
		for _, r := range rest {
			if !fit(r) {
				return false
			}
		}
		return true
	}
	switch name {
	case "wc": // of standard input; with a file's name it prints that, too
		return len(rest) > 0 && all(func(r string) bool { return has("-l -c -w -m --lines --bytes --words --chars", r) })
	case "grep":
		return (len(rest) == 2 || len(rest) == 3 && rest[2] != "" && rest[2][0] != '-') && (rest[0] == "-c" || rest[0] == "-ci" || rest[0] == "-cv" || rest[0] == "-cE") && rest[1] != "" && rest[1][0] != '-'
	case "date":
		return len(rest) == 1 && has("+%s +%Y +%m +%d +%H +%M +%S +%N +%s%N +%Y%m%d", rest[0])
	case "seq":
		return len(rest) > 0 && all(isDigits)
	case "nproc":
		return len(rest) == 0
	}
	return false
}

// namesCommit reports whether a substitution gives the name of a commit or a
// branch: one word, that git does not let begin with a hyphen.
func (j *judge) namesCommit(c *syntax.CmdSubst) bool {
	if len(c.Stmts) != 1 || j.declared["git"] {
		return false
	}
	call, ok := c.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) < 3 || len(call.Assigns) > 0 {
		return false
	}
	var words []string
	for _, w := range call.Args {
		words = append(words, literal(w))
	}
	if words[0] != "git" || !has("merge-base rev-parse branch symbolic-ref describe", words[1]) {
		return false
	}
	for _, w := range words[2:] {
		if w == "" || strings.ContainsAny(w, " \t\n") || strings.HasPrefix(w, "-") && !has("--short --abbrev-ref --verify --quiet -q --show-current --tags --abbrev=0 --always --fork-point", w) {
			return false
		}
	}
	return words[1] != "branch" || words[2] == "--show-current"
}

// listsCommits reports whether a substitution gives names of commits and nothing
// else.
func (j *judge) listsCommits(c *syntax.CmdSubst) bool {
	if len(c.Stmts) != 1 || j.declared["git"] {
		return false
	}
	call, ok := c.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) < 3 || len(call.Assigns) > 0 || literal(call.Args[0]) != "git" || literal(call.Args[1]) != "rev-list" {
		return false
	}
	for _, w := range call.Args[2:] {
		text := literal(w)
		if text == "" || strings.HasPrefix(text, "-") && !isDigits(text[1:]) && !has("--reverse --all --no-merges --merges --first-parent --branches --topo-order --date-order", text) {
			return false
		}
	}
	return true
}

// literal is the text of a word that is the same for everybody; else empty.
func literal(w *syntax.Word) string {
	if l := w.Lit(); l != "" && !strings.ContainsAny(l, `\*?[]{}`) && l[0] != '~' {
		return l
	}
	if len(w.Parts) == 1 {
		switch p := w.Parts[0].(type) {
		case *syntax.SglQuoted:
			if !p.Dollar {
				return p.Value
			}
		case *syntax.DblQuoted:
			if len(p.Parts) == 1 && !p.Dollar {
				if l, ok := p.Parts[0].(*syntax.Lit); ok && !strings.Contains(l.Value, `\`) {
					return l.Value
				}
			}
		}
	}
	return ""
}
