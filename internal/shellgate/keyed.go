package shellgate

import (
	"reflect"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// The keys of an associative array are text: what stands between the brackets is
// expanded once, and nothing in it is evaluated. A shell that has no such arrays,
// bash before version 4, fails to declare one, goes on, and takes its keys for
// arithmetic. So a key has to be harmless as that, too.

// collectKeyed notes what may be no array with keys though it is declared as one.
func (j *judge) collectKeyed(file *syntax.File) {
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DeclClause:
			keyed := j.declaresKeyed(n)
			for _, a := range n.Args {
				j.unkey(a.Name, !keyed)
			}
		case *syntax.Assign:
			j.unkey(n.Name, n.Array != nil && !j.plainElements(n.Array))
		}
		return true
	})
}

// unkey notes an array that may not be one with keys, or have keys that nobody
// looked at.
func (j *judge) unkey(name *syntax.Lit, really bool) {
	if name != nil && really {
		j.unkeyed[name.Value] = true
	}
}

func (j *judge) declaresKeyed(d *syntax.DeclClause) bool {
	keyed := false
	for _, a := range d.Args {
		if a.Name == nil {
			flags := j.arg(a.Value).text
			if !strings.HasPrefix(flags, "-") || strings.Trim(flags, "-Agr") != "" {
				return false
			}
			keyed = keyed || strings.Contains(flags, "A")
		}
	}
	return keyed && has("declare typeset local", d.Variant.Value)
}

// plainElements: elements without a key are keys and values by turns.
func (j *judge) plainElements(array *syntax.ArrayExpr) bool {
	for _, e := range array.Elems {
		if e.Index == nil && (e.Value == nil || !j.harmlessWord(e.Value, 0)) {
			return false
		}
	}
	return true
}

// subscript judges what stands between the brackets behind a name.
func (j *judge) subscript(name string, x syntax.ArithmExpr, at syntax.Node) {
	switch {
	case x == nil || reflect.ValueOf(x).IsNil():
	case !j.isKeyed(name, x.Pos().Offset()):
		j.arithmetic(x, at)
	case !j.plainKey(x):
		j.found(problem{reason: Evaluates, detail: j.source(x), command: j.source(at), hint: "Keys that are written out are safe, and awk counts by any."})
	}
}

func (j *judge) isKeyed(name string, at uint) bool {
	return !j.unkeyed[name] && !j.forgotten[name] && j.isCertain("["+name, at)
}

func (j *judge) plainKey(x syntax.ArithmExpr) bool {
	if w, ok := x.(*syntax.Word); ok {
		return j.harmlessWord(w, 0)
	}
	return j.harmless(j.source(x), 0) // a-b
}

// harmlessWord: text that runs nothing as arithmetic either, and variables that
// hold such, or the keys of an array.
func (j *judge) harmlessWord(w *syntax.Word, followed int) bool {
	for _, p := range w.Parts {
		if !j.harmlessPart(p, followed) {
			return false
		}
	}
	return len(w.Parts) > 0
}

func (j *judge) harmlessPart(part syntax.WordPart, followed int) bool {
	switch p := part.(type) {
	case *syntax.Lit:
		return j.harmless(p.Value, followed)
	case *syntax.SglQuoted:
		return !p.Dollar && j.harmless(p.Value, followed)
	case *syntax.DblQuoted:
		for _, q := range p.Parts {
			if !j.harmlessPart(q, followed) {
				return false
			}
		}
		return !p.Dollar
	case *syntax.ParamExp:
		switch {
		case p.Param == nil || p.Exp != nil || p.Repl != nil || p.Slice != nil || p.NestedParam != nil || p.Width:
			return false
		case p.Excl:
			return isWholeArray(p.Index) && j.isKeyed(p.Param.Value, p.Pos().Offset())
		}
		return p.Index == nil && j.isCertain(p.Param.Value, p.Pos().Offset()) && j.holdsHarmless(p.Param.Value, followed)
	}
	return j.numericPart(part)
}

// holdsHarmless looks at the values of a variable that has some.
func (j *judge) holdsHarmless(name string, followed int) bool {
	values := j.vars[name]
	for _, v := range values {
		if j.tired() || followed > maxFollow || !v.number && (v.unknown || v.word == nil || !j.harmlessWord(v.word, followed+1)) {
			return false
		}
	}
	return len(values) > 0 && !special(name)
}

// harmless text holds nothing that arithmetic expands, sets or looks up in an
// array, and no variable with a value that does.
func (j *judge) harmless(text string, followed int) bool {
	if strings.ContainsAny(text, "$`\\'\"()[]{}=*?~"+unknowns+string(home)) || strings.Contains(text, "++") || strings.Contains(text, "--") {
		return false
	}
	for name := range strings.FieldsFuncSeq(text, func(r rune) bool { return !isName("_" + string(r)) }) {
		if len(j.vars[name]) > 0 && !j.holdsHarmless(name, followed+1) {
			return false
		}
	}
	return true
}
