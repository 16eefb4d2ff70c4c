package shellgate

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// stmts judges statements in the order in which they run.
func (j *judge) stmts(list []*syntax.Stmt) {
	for _, s := range list {
		j.stmt(s)
	}
}

func (j *judge) stmt(s *syntax.Stmt) {
	j.judged[s] = true
	if s.Coprocess || s.Disown {
		j.found(problem{reason: Parses, detail: "&|", command: j.source(s)})
	}
	run := func() {
		for _, r := range s.Redirs {
			j.redirect(r, s)
		}
		if s.Cmd != nil {
			j.run(s.Cmd, s)
		}
	}
	switch {
	case s.Background, len(s.Redirs) > 0: // where a file can't be opened, nothing runs; zsh runs a part of a list here
		j.maybe(run)
	default:
		run()
	}
}

// run judges a command. A form that is not here does not pass; what stands in it is
// looked at all the same, for what no mode allows.
func (j *judge) run(cmd syntax.Command, s *syntax.Stmt) {
	switch c := cmd.(type) {
	case *syntax.CallExpr:
		j.call(c)
	case *syntax.DeclClause:
		j.declare(c)
	case *syntax.BinaryCmd:
		j.binary(c)
	case *syntax.Block:
		j.stmts(c.Stmts)
	case *syntax.Subshell:
		j.aside(func() { j.stmts(c.Stmts) })
	case *syntax.IfClause:
		j.condition(c)
	case *syntax.WhileClause:
		j.loop(func() {
			j.stmts(c.Cond)
			j.stmts(c.Do)
		})
	case *syntax.ForClause:
		j.forLoop(c, s)
	case *syntax.CaseClause:
		j.cases(c)
	case *syntax.TestClause:
		j.test(c.X)
	case *syntax.ArithmCmd:
		j.arithmetic(c.X, c)
	case *syntax.TimeClause:
		if c.Stmt != nil {
			j.maybe(func() { j.stmt(c.Stmt) })
		}
	case *syntax.FuncDecl:
		j.function(c)
	case *syntax.CoprocClause:
		j.found(problem{reason: Redefines, detail: "coproc", command: j.source(s)})
		j.aside(func() { j.stmt(c.Stmt) })
	default: // let, @test
		j.found(problem{reason: Parses, detail: j.source(s), command: j.source(s)})
	}
}

// binary judges a list or a pipe. What stands behind && has what all before it did.
func (j *judge) binary(c *syntax.BinaryCmd) {
	switch c.Op {
	case syntax.AndStmt:
		first, chain := c.X, []*syntax.Stmt{c.Y}
		for {
			inner, ok := first.Cmd.(*syntax.BinaryCmd)
			if !ok || inner.Op != syntax.AndStmt || first.Negated || first.Background || len(first.Redirs) > 0 {
				break
			}
			j.judged[first] = true
			first, chain = inner.X, append(chain, inner.Y)
		}
		slices.Reverse(chain)
		j.stmt(first)
		j.maybe(func() { j.stmts(chain) })
	case syntax.OrStmt:
		j.stmt(c.X)
		j.maybe(func() { j.stmt(c.Y) })
	default: // a pipe; some shells run its end themselves
		j.aside(func() { j.stmt(c.X) })
		j.maybe(func() { j.stmt(c.Y) })
	}
}

func (j *judge) condition(c *syntax.IfClause) {
	if len(c.Cond) == 0 { // else
		j.stmts(c.Then)
		return
	}
	j.stmts(c.Cond)
	j.maybe(func() { j.stmts(c.Then) })
	if c.Else != nil {
		j.maybe(func() { j.condition(c.Else) })
	}
}

func (j *judge) cases(c *syntax.CaseClause) {
	j.expand(c.Word)
	for _, item := range c.Items {
		j.args(item.Patterns)
	}
	for _, item := range c.Items {
		if item.Op != syntax.Break { // the next item runs, too
			j.found(problem{reason: Parses, detail: item.Op.String(), command: j.source(c)})
		}
		j.maybe(func() { j.stmts(item.Stmts) })
	}
}

func (j *judge) forLoop(c *syntax.ForClause, s *syntax.Stmt) {
	l, ok := c.Loop.(*syntax.WordIter)
	if !ok { // for ((…))
		j.found(problem{reason: Evaluates, detail: j.source(s), command: j.source(s)})
		j.loop(func() { j.stmts(c.Do) })
		return
	}
	if obeys(l.Name.Value) {
		j.found(problem{reason: Assigns, detail: l.Name.Value, command: j.source(s)})
	}
	items := j.args(l.Items)
	if len(items) == 0 || len(items) > maxItems || c.Select { // the parameters of the shell, or no choice
		items = []arg{{text: Hole}}
	}
	j.loop(func() {
		for _, item := range items {
			j.maybe(func() {
				j.set(l.Name.Value, item)
				j.stmts(c.Do)
			})
		}
	})
}

// function judges the body of a function, whose calls nobody follows: a command that
// defines one does not pass. One that calls itself beside itself is a fork bomb.
func (j *judge) function(f *syntax.FuncDecl) {
	name, again, beside := "", false, false
	if f.Name != nil {
		name = f.Name.Value
	}
	syntax.Walk(f.Body, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Stmt:
			beside = beside || n.Background
		case *syntax.BinaryCmd:
			beside = beside || n.Op == syntax.Pipe || n.Op == syntax.PipeAll
		case *syntax.CallExpr:
			again = again || len(n.Args) > 0 && n.Args[0].Lit() == name
		}
		return true
	})
	j.found(problem{reason: Hidden, detail: name, command: j.source(f)})
	if again && beside {
		j.dangerous(problem{reason: ForksForever, detail: name, command: j.source(f)})
	}
	j.aside(func() { j.stmt(f.Body) })
}

// call judges a simple command: its assignments and its words.
func (j *judge) call(c *syntax.CallExpr) {
	src := j.source(c)
	if j.left--; j.left < 0 {
		j.found(problem{reason: TooLong, command: src})
		return
	}
	words := j.args(c.Args)
	for _, w := range c.Args {
		if has("{ }", w.Lit()) { // zsh: { } always { }
			j.found(problem{reason: Parses, detail: w.Lit(), command: src})
		}
	}
	for _, a := range c.Assigns {
		value := j.assigned(a)
		if len(words) == 0 {
			j.assign(a.Name.Value, value, src)
		} else if a.Name.Value != "IFS" || words[0].text != "read" { // while IFS= read -r line
			j.export(a.Name.Value, value, src)
			j.set(a.Name.Value, arg{text: Hole}) // before some builtins it stays set
		}
	}
	if len(words) > 0 {
		j.command(words, src)
	}
}
