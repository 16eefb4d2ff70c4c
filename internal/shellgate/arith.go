package shellgate

import (
	"reflect"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Shells read the value of a variable in arithmetic as an expression again, and
// the subscript of an array in it as text to expand: x='a[$(rm f)]' makes
// $((x)) remove f. So every operand there has to be a number for certain.

// arithmetic judges an expression.
func (j *judge) arithmetic(x syntax.ArithmExpr, at syntax.Node) {
	if x == nil || reflect.ValueOf(x).IsNil() {
		return
	}
	evaluates := func() { j.found(problem{reason: Evaluates, detail: j.source(x), command: j.source(at)}) }
	switch x := x.(type) {
	case *syntax.Word:
		if !j.isOperand(x) {
			evaluates()
		}
	case *syntax.BinaryArithm:
		if !isAssignment(x.Op) {
			j.arithmetic(x.X, at)
			j.arithmetic(x.Y, at)
			return
		}
		j.arithmetic(x.Y, at)
		if x.Op != syntax.Assgn {
			j.arithmetic(x.X, at)
		}
		j.counts(x.X, at)
	case *syntax.UnaryArithm:
		j.arithmetic(x.X, at)
		if x.Op == syntax.Inc || x.Op == syntax.Dec {
			j.counts(x.X, at)
		}
	case *syntax.ParenArithm:
		j.arithmetic(x.X, at)
	default:
		evaluates()
	}
}

// counts judges that a variable gets a number.
func (j *judge) counts(x syntax.ArithmExpr, at syntax.Node) {
	w, ok := x.(*syntax.Word)
	if !ok || !isName(w.Lit()) || special(w.Lit()) {
		j.found(problem{reason: Evaluates, detail: j.source(x), command: j.source(at)})
		return
	}
	j.assign(w.Lit(), arg{text: string(number), src: j.source(x)}, j.source(at))
}

// isOperand reports a number, or a variable that is one, by its bare name too.
func (j *judge) isOperand(w *syntax.Word) bool {
	if l := w.Lit(); isName(l) {
		value, given := j.now.vars[l]
		return given && value.isNumber() || !given && has("RANDOM SECONDS LINENO UID EUID PPID COLUMNS LINES SHLVL", l)
	}
	a := j.expand(w)
	return a.isNumber() || isNumeral(a.text)
}

// isNumeral reports a number such as 0x1f or 16#ff.
func isNumeral(text string) bool {
	return text != "" && isDigits(text[:1]) && strings.Trim(text, "0123456789abcdefABCDEFx#") == ""
}

func isAssignment(op syntax.BinAritOperator) bool {
	return op == syntax.Assgn || len(op.String()) > 1 && strings.HasSuffix(op.String(), "=") && !has("== != <= >=", op.String())
}

// subscript judges what stands between the brackets behind a name: a number.
// That of an array with keys is text, where a shell has such; bash before
// version 4, on every Mac, evaluates it.
func (j *judge) subscript(x syntax.ArithmExpr, at syntax.Node) {
	if x == nil || reflect.ValueOf(x).IsNil() {
		return
	}
	j.arithmetic(x, at)
}

// test judges a condition between [[ and ]].
func (j *judge) test(x syntax.TestExpr) {
	switch x := x.(type) {
	case *syntax.Word:
		j.expand(x)
	case *syntax.ParenTest:
		j.test(x.X)
	case *syntax.UnaryTest:
		w, isWord := x.X.(*syntax.Word)
		if !isWord {
			j.test(x.X)
			return
		}
		value := j.expand(w)
		if has("-v -R", x.Op.String()) && !isName(value.text) || x.Op == syntax.TsFdTerm && !value.isNumber() {
			j.found(problem{reason: Evaluates, detail: value.src, command: j.source(x)})
		}
	case *syntax.BinaryTest:
		numbers := has("-eq -ne -le -ge -lt -gt", x.Op.String())
		for _, side := range []syntax.TestExpr{x.X, x.Y} {
			w, isWord := side.(*syntax.Word)
			if !isWord {
				j.test(side)
				continue
			}
			if value := j.expand(w); numbers && !value.isNumber() {
				j.found(problem{reason: Evaluates, detail: value.src, command: j.source(x)})
			}
		}
	default:
		j.found(problem{reason: Parses, detail: j.source(x), command: j.source(x)})
	}
}
