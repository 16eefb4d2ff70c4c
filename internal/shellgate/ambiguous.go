package shellgate

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// The parser and the shells read a few things differently, and shells each
// other. What is read in two ways does not pass.

// document refuses a here-document that shells may end elsewhere: they join
// lines that end in a backslash before they look for the delimiter, and have
// ideas of their own about delimiters that are more than a word.
func (j *judge) document(r *syntax.Redirect, s *syntax.Stmt) {
	if r.Op != syntax.Hdoc && r.Op != syntax.DashHdoc {
		return
	}
	twofold := strings.ContainsAny(j.source(r.Word), "\n`$(){}<>")
	if r.Word.Lit() != "" && !strings.Contains(r.Word.Lit(), `\`) && r.Hdoc != nil {
		from, to := int(r.Hdoc.Pos().Offset()), int(r.Hdoc.End().Offset())
		twofold = twofold || from > to || to > len(j.src) || strings.Contains(j.src[from:min(to+2, len(j.src))], "\\\n")
		for _, p := range r.Hdoc.Parts {
			j.quotesInside(p)
		}
	}
	if twofold {
		j.found(problem{reason: Parses, detail: "<<" + j.source(r.Word), command: j.source(s)})
	}
}

// descriptors judges {name}>file, which sets name, and {name[subscript]}>file,
// whose subscript is arithmetic; the parser takes that for a word of the command.
func (j *judge) descriptors(s *syntax.Stmt) {
	plain := map[uint]bool{} // where redirections without a name begin
	for _, r := range s.Redirs {
		if r.N == nil || !strings.HasPrefix(r.N.Value, "{") {
			plain[r.OpPos.Offset()] = true
			continue
		}
		name := strings.Trim(r.N.Value, "{}")
		if !isName(name) {
			j.found(problem{reason: Evaluates, detail: r.N.Value, command: j.source(s)})
		}
		j.assign(name, s)
	}
	if len(plain) == 0 {
		return
	}
	syntax.Walk(s, func(n syntax.Node) bool {
		w, ok := n.(*syntax.Word)
		if !ok || len(w.Parts) == 0 || !plain[w.End().Offset()] {
			return true
		}
		if first, ok := w.Parts[0].(*syntax.Lit); ok && strings.HasPrefix(first.Value, "{") {
			j.found(problem{reason: Evaluates, detail: j.source(w), command: j.source(s)})
		}
		return true
	})
}

// quotesInside refuses a single quote in "${x:-'}": to bash it quotes what
// follows, to zsh it is text. Plain text between two of them is the same to both.
func (j *judge) quotesInside(part syntax.WordPart) {
	p, ok := part.(*syntax.ParamExp)
	if !ok {
		return
	}
	pieces := strings.Split(j.source(p), "'")
	plain := len(pieces)%2 == 1
	for i := 1; i < len(pieces); i += 2 {
		plain = plain && !strings.ContainsAny(pieces[i], "{}\"$`\\")
	}
	if !plain {
		j.found(problem{reason: Parses, detail: j.source(p), command: j.source(p)})
	}
}
