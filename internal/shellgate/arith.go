package shellgate

import (
	"reflect"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Shells read the value of a variable in arithmetic as an expression again, and the
// subscript of an array in it as text to expand: x='a[$(rm f)]' makes $((x)) remove f. So
// every operand there has to be a number for certain.

// arithmetic judges an expression. One that sets a variable does not pass.
func (j *judge) arithmetic(x syntax.ArithmExpr, at syntax.Node) {
	if x == nil || reflect.ValueOf(x).IsNil() {
		return
	}
	ok := false
	switch x := x.(type) {
	case *syntax.Word: // a number, or a variable that is one, by its bare name too
		if l := x.Lit(); isName(l) {
			ok = j.now[l].isNumber()
		} else {
			a := j.expand(x) // 0x1f and 16#ff, too
			j.risky = j.risky || len(a.text) > 1 && a.text[0] == '0'
			ok = a.isNumber() || a.text != "" && isDigits(a.text[:1]) && strings.Trim(a.text, "0123456789abcdefABCDEFx#") == ""
		}
	case *syntax.BinaryArithm:
		op := x.Op.String()
		j.risky = j.risky || has("/ %", op)
		ok = !strings.HasSuffix(op, "=") || has("== != <= >=", op)
		j.arithmetic(x.X, at)
		j.arithmetic(x.Y, at)
	case *syntax.UnaryArithm:
		ok = x.Op != syntax.Inc && x.Op != syntax.Dec
		j.arithmetic(x.X, at)
	case *syntax.ParenArithm:
		ok = true
		j.arithmetic(x.X, at)
	}
	if !ok {
		j.found(problem{reason: Evaluates, detail: j.source(x), command: j.source(at)})
	}
}

// test judges a condition between [[ and ]], and gives the word that it is.
func (j *judge) test(x syntax.TestExpr) arg {
	switch x := x.(type) {
	case *syntax.Word:
		return j.expand(x)
	case *syntax.ParenTest:
		j.test(x.X)
	case *syntax.UnaryTest:
		value := j.test(x.X)
		if has("-v -R", x.Op.String()) && !isName(value.text) || x.Op == syntax.TsFdTerm && !value.isNumber() {
			j.found(problem{reason: Evaluates, detail: value.src, command: j.source(x)})
		}
	case *syntax.BinaryTest:
		numbers := has("-eq -ne -le -ge -lt -gt", x.Op.String())
		for _, side := range []syntax.TestExpr{x.X, x.Y} {
			if value := j.test(side); numbers && !value.isNumber() {
				j.found(problem{reason: Evaluates, detail: value.src, command: j.source(x)})
			}
		}
	default:
		j.found(problem{reason: Parses, detail: j.source(x), command: j.source(x)})
	}
	return arg{}
}
