package shellgate

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// walk judges every node below n.
func (j *judge) walk(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Stmt:
			for _, r := range n.Redirs {
				j.redirect(r, n)
				j.document(r, n)
			}
			j.descriptors(n)
			j.fed(n)
			if n.Disown || n.Coprocess {
				j.found(problem{reason: Parses, detail: "&|", command: j.source(n)})
			}
		case *syntax.CallExpr:
			j.call(n)
		case *syntax.DeclClause:
			j.declare(n)
		case *syntax.FuncDecl:
			j.function(n)
		case *syntax.WordIter:
			j.assign(n.Name.Value, n)
		case *syntax.CoprocClause:
			if name := coprocName(n); isName(name) {
				j.assign(name, n)
			} else {
				j.found(problem{reason: Hidden, detail: name, command: j.source(n)})
			}
		case *syntax.ParamExp:
			j.expansion(n)
		case *syntax.ExtGlob:
			// To zsh a qualifier, which may hold a command.
			j.found(problem{reason: Hidden, detail: j.source(n), command: j.source(n)})
		case *syntax.ArithmExp:
			j.arithmetic(n.X, n)
		case *syntax.ArithmCmd:
			j.arithmetic(n.X, n)
		case *syntax.CStyleLoop:
			j.arithmetic(n.Init, n)
			j.arithmetic(n.Cond, n)
			j.arithmetic(n.Post, n)
		case *syntax.LetClause:
			for _, x := range n.Exprs {
				j.arithmetic(x, n)
			}
		case *syntax.Assign:
			name := ""
			if n.Name != nil {
				name = n.Name.Value
			}
			j.subscript(name, n.Index, n)
			if n.Array != nil {
				for _, e := range n.Array.Elems {
					j.subscript(name, e.Index, n)
				}
			}
		case *syntax.UnaryTest:
			j.unaryTest(n)
		case *syntax.BinaryTest:
			j.binaryTest(n)
		case *syntax.Word:
			j.subscripts(n.Parts, n)
		case *syntax.DblQuoted:
			j.subscripts(n.Parts, n)
			for _, p := range n.Parts {
				j.quotesInside(p)
			}
		case *syntax.TestDecl:
			j.found(problem{reason: Parses, detail: "@test", command: j.source(n)})
		}
		return true
	})
}

// quietFiles may be written: what goes there is gone, or goes to the caller.
const quietFiles = "/dev/null /dev/stdout /dev/stderr /dev/tty /dev/fd/1 /dev/fd/2"

func (j *judge) redirect(r *syntax.Redirect, s *syntax.Stmt) {
	target := j.arg(r.Word)
	switch r.Op {
	case syntax.RdrIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		if !isOutput(r) {
			return
		}
	case syntax.DplIn, syntax.DplOut:
		if isDescriptor(target.text) && !(j.isInput(target.text) && isOutput(r)) {
			return
		}
	default: // >, >>, >|, <>, &>, &>> and what there may be
		if has(quietFiles, target.text) {
			return
		}
	}
	p := problem{reason: Redirects, detail: target.src, command: j.source(s)}
	if rawDevice(target.text) {
		p.reason = Destroys
		j.dangerous(p)
		return
	}
	p.detail = ">" + target.src
	j.found(p)
	j.keepsTarget(target, s)
}

// coprocName is the variable that a coprocess sets.
func coprocName(c *syntax.CoprocClause) string {
	if c.Name == nil {
		return "COPROC"
	}
	return literal(c.Name)
}

// isOutput: it says where standard output or errors go. What /dev/stdout names is
// opened anew, for writing, whatever it was opened for: with 1<f it is f.
func isOutput(r *syntax.Redirect) bool {
	if r.N == nil {
		return r.Op != syntax.RdrIn && r.Op != syntax.Hdoc && r.Op != syntax.DashHdoc && r.Op != syntax.WordHdoc && r.Op != syntax.DplIn
	}
	return r.Op == syntax.DplOut || r.N.Value == "1" || r.N.Value == "2"
}

// noteInput notes the descriptor that a redirection opens for reading.
func (j *judge) noteInput(r *syntax.Redirect) {
	if r.N == nil || r.Op != syntax.RdrIn && r.Op != syntax.Hdoc && r.Op != syntax.DashHdoc && r.Op != syntax.WordHdoc && r.Op != syntax.DplIn {
		return
	}
	j.inputs[r.N.Value] = true
	j.named = j.named || strings.HasPrefix(r.N.Value, "{")
}

// isInput reports whether a descriptor was opened for reading anywhere in the
// command. One that has a name gets a number from ten on.
func (j *judge) isInput(text string) bool {
	text = strings.TrimSuffix(text, "-")
	return text == "0" || text != "" && (j.inputs[text] || len(text) > 1 && j.named)
}

// isDescriptor: a number, a number that is moved, or - for closing.
func isDescriptor(text string) bool {
	if text == "-" {
		return true
	}
	if n := len(text); n > 1 && text[n-1] == '-' {
		text = text[:n-1]
	}
	return isDigits(text)
}

// function judges what a function does where it is defined; a call then is no
// more than that. One that calls itself can't be followed; one that does so in
// the background or in a pipe is a fork bomb.
func (j *judge) function(f *syntax.FuncDecl) {
	if f.Name == nil {
		j.found(problem{reason: Parses, detail: "function", command: j.source(f)})
		return
	}
	name := f.Name.Value
	again, forks := false, false
	syntax.Walk(f.Body, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Stmt:
			forks = forks || n.Background && j.calls(n.Cmd, name)
		case *syntax.BinaryCmd:
			if n.Op == syntax.Pipe || n.Op == syntax.PipeAll {
				forks = forks || j.calls(n, name)
			}
		case *syntax.CallExpr:
			again = again || j.calls(n, name)
		}
		return true
	})
	switch {
	case forks:
		j.dangerous(problem{reason: ForksForever, detail: name, command: j.source(f)})
	case again:
		j.found(problem{reason: Recurses, detail: name, command: j.source(f)})
	}
}

// calls reports whether a command named so is called below n.
func (j *judge) calls(n syntax.Node, name string) bool {
	found := false
	if n == nil {
		return false
	}
	syntax.Walk(n, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 0 && j.arg(c.Args[0]).text == name {
			found = true
		}
		return !found
	})
	return found
}

// expansion judges what is done with a variable beside reading it.
func (j *judge) expansion(p *syntax.ParamExp) {
	evaluates := func() { j.found(problem{reason: Evaluates, detail: j.source(p), command: j.source(p)}) }
	switch {
	case p.Excl && p.Names == 0 && !isWholeArray(p.Index): // ${!x} is what x says
		evaluates()
	case p.Exp == nil:
	case p.Exp.Op == syntax.AssignUnset, p.Exp.Op == syntax.AssignUnsetOrNull:
		if p.Param != nil {
			j.assign(p.Param.Value, p)
		}
	case p.Exp.Op == syntax.OtherParamOps && !has("Q U u L E a A", j.arg(p.Exp.Word).text): // @P expands a prompt
		evaluates()
	}
	if !isWholeArray(p.Index) {
		name := ""
		if p.Param != nil {
			name = p.Param.Value
		}
		j.subscript(name, p.Index, p)
	}
	if p.Slice != nil {
		j.arithmetic(p.Slice.Offset, p)
		j.arithmetic(p.Slice.Length, p)
	}
}

// subscripts judges "$x[y]", which is a subscript, and so arithmetic, to zsh.
func (j *judge) subscripts(parts []syntax.WordPart, at syntax.Node) {
	for i, p := range parts {
		v, ok := p.(*syntax.ParamExp)
		if !ok || !v.Short || i+1 == len(parts) {
			continue
		}
		text, ok := parts[i+1].(*syntax.Lit)
		if !ok || !strings.HasPrefix(text.Value, "[") {
			continue
		}
		inside, _, _ := strings.Cut(text.Value[1:], "]")
		for _, name := range strings.FieldsFunc(inside, func(r rune) bool { return !isName("_" + string(r)) }) {
			if _, assigned := j.vars[name]; assigned && !j.numeric(name, p.Pos().Offset()) {
				j.found(problem{reason: Evaluates, detail: name, command: j.source(at)})
			}
		}
	}
}

func isWholeArray(x syntax.ArithmExpr) bool {
	w, ok := x.(*syntax.Word)
	if !ok || w == nil {
		return false
	}
	l := w.Lit()
	return l == "@" || l == "*"
}

func (j *judge) unaryTest(t *syntax.UnaryTest) {
	if w, ok := t.X.(*syntax.Word); t.Op == syntax.TsFdTerm && !(ok && j.isNumber(w)) { // arithmetic, to zsh
		j.found(problem{reason: Evaluates, detail: j.source(t), command: j.source(t)})
	}
	if t.Op != syntax.TsVarSet && t.Op != syntax.TsRefVar {
		return
	}
	if w, ok := t.X.(*syntax.Word); !ok || !isName(j.arg(w).text) {
		j.found(problem{reason: Evaluates, detail: j.source(t), command: j.source(t)})
	}
}

func (j *judge) binaryTest(t *syntax.BinaryTest) {
	switch t.Op {
	case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
	default:
		return
	}
	for _, x := range []syntax.TestExpr{t.X, t.Y} {
		if w, ok := x.(*syntax.Word); !ok || !j.isNumber(w) {
			j.found(problem{reason: Evaluates, detail: j.source(x), command: j.source(t)})
		}
	}
}
