package shellgate

import (
	"math"
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// What the text gives to a variable is its value only where that is certain to
// have happened: before it, after false &&, and behind a subshell it has the value
// that the environment gives it, and that may be anything.

// stretch is a part of a text, by offsets.
type stretch struct{ from, to uint }

// mark says that a variable, or with a bracket in front an array with keys, has
// what the text gives it from an offset on.
type mark struct {
	name string
	from uint
}

// isCertain reports whether a name has the text's value at an offset. A variable
// that the shell sets by itself never has it for certain.
func (j *judge) isCertain(name string, at uint) bool {
	if special(name) {
		return false
	}
	for _, s := range j.certain[name] {
		if j.tired() {
			return false
		}
		if s.from <= at && at < s.to {
			return true
		}
	}
	return false
}

func (j *judge) note(marks []mark, to uint) {
	for _, m := range marks {
		had := j.certain[m.name]
		if n := len(had); n == 0 || had[n-1].from > m.from || had[n-1].to < to { // else it is said
			j.certain[m.name] = append(had, stretch{m.from, to})
		}
	}
}

// settle goes through a list of statements that ends at an offset. It gives what is
// certain behind it.
func (j *judge) settle(stmts []*syntax.Stmt, to uint) []mark {
	var all []mark
	for _, s := range stmts {
		always, _ := j.settled(s)
		j.note(always, to)
		all = append(all, always...)
	}
	return all
}

// settled gives what is certain behind a statement: always, and where it succeeds.
func (j *judge) settled(s *syntax.Stmt) (always, succeeded []mark) {
	fails := s.Background || s.Coprocess
	for _, r := range s.Redirs {
		j.settleWords(r)
		fails = fails || j.mayFail(r)
	}
	always, succeeded = j.settledBy(s.Cmd)
	if fails {
		return nil, nil
	}
	if s.Negated {
		succeeded = always
	}
	return always, succeeded
}

// mayFail: what can't be redirected is not run.
func (j *judge) mayFail(r *syntax.Redirect) bool {
	switch r.Op { //nolint:exhaustive // of the others any may fail
	case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return false
	case syntax.DplOut:
		return !has("1 2", literal(r.Word))
	}
	return !has(quietFiles, literal(r.Word))
}

func (j *judge) settledBy(cmd syntax.Command) (always, succeeded []mark) {
	switch c := cmd.(type) {
	case nil:
	case *syntax.CallExpr:
		if len(c.Args) == 0 {
			always = assigned(c.Assigns, "")
		}
	case *syntax.DeclClause:
		if j.declared[c.Variant.Value] || c.Variant.Value == "local" && !j.inFunction {
			break
		}
		always = assigned(c.Args, "")
		if j.declaresKeyed(c) {
			always = append(always, assigned(c.Args, "[")...)
		}
	case *syntax.Block:
		always = j.settle(c.Stmts, c.End().Offset())
		return always, always
	case *syntax.Subshell:
		j.settle(c.Stmts, c.End().Offset())
		return nil, nil
	case *syntax.BinaryCmd:
		return j.settledBoth(c)
	case *syntax.IfClause:
		always = j.settledIf(c)
		return always, always
	case *syntax.WhileClause: // a break may stand in either
		j.settle(c.Cond, c.DonePos.Offset())
		j.settle(c.Do, c.DonePos.Offset())
		return nil, nil
	case *syntax.ForClause:
		always = j.settledFor(c)
		return always, always
	case *syntax.CaseClause:
		always = j.settledCase(c)
		return always, always
	case *syntax.FuncDecl:
		outer := j.inFunction
		j.inFunction = true
		j.settled(c.Body)
		j.inFunction = outer
		return nil, nil
	case *syntax.CoprocClause:
		j.settled(c.Stmt)
		return nil, nil
	case *syntax.TimeClause:
		if c.Stmt != nil && !c.PosixFormat {
			return j.settled(c.Stmt)
		}
	case *syntax.ArithmCmd:
		always = counted(c.X)
	case *syntax.LetClause:
		for _, x := range c.Exprs {
			if j.declared["let"] {
				break
			}
			always = append(always, counted(x)...)
		}
	}
	if cmd != nil {
		j.settleWords(cmd)
	}
	return always, always
}

// settledBoth: what stands behind && runs only where all before it succeeded.
func (j *judge) settledBoth(c *syntax.BinaryCmd) (always, succeeded []mark) {
	always, succeeded = j.settled(c.X)
	next, nextSucceeded := j.settled(c.Y)
	if c.Op == syntax.AndStmt {
		j.note(succeeded, c.Y.End().Offset())
		return always, append(slices.Clip(succeeded), nextSucceeded...)
	}
	if c.Op == syntax.OrStmt {
		always = append(slices.Clip(always), both(succeeded, next)...)
		return always, always
	}
	return nil, nil
}

func (j *judge) settledIf(c *syntax.IfClause) []mark {
	end := c.FiPos.Offset()
	if c.Else != nil {
		end = c.Else.Pos().Offset()
	}
	cond := j.settle(c.Cond, c.FiPos.Offset())
	then := j.settle(c.Then, end)
	if c.Else == nil {
		return cond
	}
	if len(c.Else.Cond) == 0 {
		return append(cond, both(then, j.settle(c.Else.Then, c.FiPos.Offset()))...)
	}
	return append(cond, both(then, j.settledIf(c.Else))...)
}

func (j *judge) settledFor(c *syntax.ForClause) (always []mark) {
	switch l := c.Loop.(type) {
	case *syntax.WordIter:
		for _, w := range l.Items {
			j.settleWords(w)
		}
		j.note([]mark{{l.Name.Value, c.DoPos.Offset()}}, c.DonePos.Offset())
	case *syntax.CStyleLoop:
		j.settleWords(l)
		always = counted(l.Init)
		j.note(always, c.DonePos.Offset())
	}
	j.settle(c.Do, c.DonePos.Offset())
	return always
}

func (j *judge) settledCase(c *syntax.CaseClause) []mark {
	j.settleWords(c.Word)
	var all []mark
	whole := false
	for i, item := range c.Items {
		end := c.Esac.Offset()
		if i+1 < len(c.Items) {
			end = c.Items[i+1].Pos().Offset()
		}
		marks := j.settle(item.Stmts, end)
		if i > 0 {
			marks = both(all, marks)
		}
		all = marks
		for _, p := range item.Patterns {
			j.settleWords(p)
			whole = whole || p.Lit() == "*"
		}
	}
	if !whole {
		return nil
	}
	return all
}

// settleWords goes through the lists of statements that stand in words.
func (j *judge) settleWords(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			j.settle(n.Stmts, n.End().Offset())
			return false
		case *syntax.ProcSubst:
			j.settle(n.Stmts, n.End().Offset())
			return false
		}
		return true
	})
}

// assigned are the variables of assignments that leave nothing of an old value.
func assigned(assigns []*syntax.Assign, before string) []mark {
	var marks []mark
	for _, a := range assigns {
		if a.Name != nil && (before != "" || !a.Naked && !a.Append && a.Index == nil) {
			from := a.End().Offset()
			if before != "" {
				from = a.Pos().Offset()
			}
			marks = append(marks, mark{before + a.Name.Value, from})
		}
	}
	return marks
}

// counted are the variables that arithmetic sets.
func counted(x syntax.ArithmExpr) []mark {
	b, ok := x.(*syntax.BinaryArithm)
	if !ok || b == nil {
		return nil
	}
	if b.Op == syntax.Comma {
		return append(counted(b.X), counted(b.Y)...)
	}
	if name, ok := assignedName(b.X); ok && b.Op == syntax.Assgn {
		return []mark{{name, b.End().Offset()}}
	}
	return nil
}

// maxBoth bounds how many marks are compared.
const maxBoth = 1000

// both are the marks of two lists whose names are in each.
func both(a, b []mark) []mark {
	var marks []mark
	if len(a)*len(b) > maxBoth {
		return nil
	}
	for _, m := range a {
		for _, n := range b {
			if m.name == n.name {
				marks = append(marks, mark{m.name, max(m.from, n.from)})
				break
			}
		}
	}
	return marks
}

// everywhere is the end of a text.
const everywhere = math.MaxUint
