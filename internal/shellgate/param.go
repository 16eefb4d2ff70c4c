package shellgate

import (
	"reflect"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// param is a variable as part of a word; after are the parts behind it.
func (e *expander) param(p *syntax.ParamExp, quoted bool, after []syntax.WordPart) {
	e.operators(p, quoted)
	name, src := "", e.j.source(p)
	if p.Param != nil {
		name = p.Param.Value
	}
	bare := src == "$"+name || src == "${"+name+"}"
	cuts := p.Exp != nil && (p.Exp.Op == syntax.RemSmallSuffix || p.Exp.Op == syntax.RemLargeSuffix)
	value, given := e.j.now[name]
	switch {
	case e.modifier(p, after):
		e.unknown(false)
	case p.Length, bare && has("? # $", name):
		e.b.WriteRune(number)
	case bare && given && (quoted || isOneWord(value.text)):
		e.b.WriteString(value.text)
	case cuts && p.Index == nil && !p.Excl && given && quoted && !value.mayBeOption():
		e.b.WriteRune(plain)
	case isWholeArray(p.Index), name == "@", p.Names != 0: // several words, quoted or not
		e.unknown(false)
	case bare && name == "HOME" && !e.j.names[name]:
		e.b.WriteRune(home)
	case bare && has("PWD OLDPWD TMPDIR", name) && !e.j.names[name]:
		e.b.WriteRune(plain)
		e.loose = e.loose || !quoted
	default:
		e.unknown(quoted)
	}
}

// isOneWord reports whether a value out of quotes is one word to every shell.
func isOneWord(value string) bool {
	return value != "" && strings.Trim(value, letters+"0123456789_./:@%+,-"+string(number)+string(solid)) == ""
}

// modifier reports whether zsh may obey the text behind a variable: $x:t, "$x[1]".
func (e *expander) modifier(p *syntax.ParamExp, after []syntax.WordPart) bool {
	if !p.Short || len(after) == 0 {
		return false
	}
	lit, ok := after[0].(*syntax.Lit)
	if !ok {
		return false
	}
	text := lit.Value
	if strings.HasPrefix(text, "[") && strings.ContainsAny(text[:strings.LastIndex(text, "]")+1], letters+"_$(`\\") {
		const hint = "In braces, ${x}[…], it is only text."
		e.j.found(problem{reason: Evaluates, detail: text, command: e.j.source(p) + text, hint: hint})
	}
	return len(text) > 1 && (text[0] == ':' && strings.Contains(letters+"&", text[1:2]) || has("[@ [*", text[:2]))
}

// operators judges what is done with a variable beside reading it.
func (e *expander) operators(p *syntax.ParamExp, quoted bool) {
	j, src := e.j, e.j.source(p)
	evaluates := func() { j.found(problem{reason: Evaluates, detail: src, command: src}) }
	if p.Flags != nil || p.NestedParam != nil || len(p.Modifiers) > 0 || p.Excl && p.Names == 0 && !isWholeArray(p.Index) {
		evaluates() // ${!x} is what x says
	}
	if p.Index != nil && !isWholeArray(p.Index) {
		j.arithmetic(p.Index, p)
	}
	if p.Slice != nil {
		j.risky = true
		j.arithmetic(p.Slice.Offset, p)
		j.arithmetic(p.Slice.Length, p)
	}
	if p.Repl != nil {
		e.inside(p.Repl.Orig, quoted)
		e.inside(p.Repl.With, quoted)
	}
	if p.Exp == nil {
		return
	}
	word := e.inside(p.Exp.Word, quoted)
	switch p.Exp.Op { //nolint:exhaustive // the others cut, and give other values
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if p.Param != nil {
			j.assign(p.Param.Value, arg{text: Hole}, src)
		}
	case syntax.OtherParamOps: // @P expands a prompt
		if !has("Q U u L", word.text) {
			evaluates()
		}
	}
}

// inside reads a word within ${…}, where a single quote quotes to some shells only.
func (e *expander) inside(w *syntax.Word, quoted bool) arg {
	if w == nil {
		return arg{}
	}
	syntax.Walk(w, func(n syntax.Node) bool { // <(…), and zsh's =(…) and qualifiers, are text to the parser there
		if lit, ok := n.(*syntax.Lit); ok && strings.Contains(lit.Value, "(") {
			e.j.found(problem{reason: Parses, detail: e.j.source(w), command: e.j.source(w)})
		}
		_, nested := n.(*syntax.CmdSubst)
		return !nested
	})
	if pieces := strings.Split(e.j.source(w), "'"); quoted && len(pieces) > 1 {
		plainPieces := len(pieces)%2 == 1
		for i := 1; i < len(pieces); i += 2 {
			plainPieces = plainPieces && !strings.ContainsAny(pieces[i], "{}\"$`\\")
		}
		if !plainPieces {
			e.j.found(problem{reason: Parses, detail: e.j.source(w), command: e.j.source(w)})
		}
	}
	return e.j.expand(w)
}

func isWholeArray(x syntax.ArithmExpr) bool {
	w, ok := x.(*syntax.Word)
	return ok && w != nil && has("@ *", w.Lit())
}

// arithmetic judges an expression: one of numbers and signs alone passes. Shells read the
// value of a variable there as an expression again, and the subscript of an array in it
// as text to expand: x='a[$(rm f)]' makes $((x)) remove f.
func (j *judge) arithmetic(x syntax.ArithmExpr, at syntax.Node) {
	if x == nil || reflect.ValueOf(x).IsNil() {
		return
	}
	j.risky = true // 1/0, 08
	syntax.Walk(x, func(n syntax.Node) bool {
		w, isWord := n.(*syntax.Word)
		if isWord {
			j.expand(w)
		}
		return !isWord
	})
	if text := j.source(x); text == "" || strings.Trim(text, "0123456789+-*/%()<>=!&| \t\n") != "" {
		j.found(problem{reason: Evaluates, detail: text, command: j.source(at)})
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
