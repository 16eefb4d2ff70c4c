package shellgate

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// quietFiles may be written: what goes there is gone, or goes to the caller.
const quietFiles = "/dev/null /dev/stdout /dev/stderr /dev/tty /dev/fd/1 /dev/fd/2"

// shells are programs that read a program of the shell.
const shells = "sh bash zsh dash ash ksh mksh"

// redirect judges where a command reads and writes. Standard input may come from anywhere;
// output goes to quiet files, or from one of its two descriptors to the other, so that
// /dev/stdout is the caller's. A bracket in front may be of {name[x]}>file, which sets x.
func (j *judge) redirect(r *syntax.Redirect, s *syntax.Stmt) {
	target, at := j.expand(r.Word), int(r.OpPos.Offset())
	ok, input, output := false, r.N == nil || r.N.Value == "0", r.N == nil || has("1 2", r.N.Value)
	typed := j.source(&syntax.Redirect{OpPos: r.OpPos, N: r.N, Word: r.Word}) // without a here-document
	if at > 0 && at <= len(j.src) && j.src[at-1] == '}' {
		j.found(problem{reason: Evaluates, detail: j.source(r), command: j.source(s)})
	}
	switch r.Op { //nolint:exhaustive // <>, <&, and what there may be
	case syntax.RdrIn:
		ok = input && !mayFit("/dev/tcp*", target.text) && !mayFit("/dev/udp*", target.text)
	case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		text := j.document(r, s, target)
		known := text.literal() && !strings.ContainsRune(text.text, home)
		if c, is := s.Cmd.(*syntax.CallExpr); is && known && len(c.Args) > 0 && has(shells, path.Base(c.Args[0].Lit())) {
			j.text(text.text, j.lang, j.runs+1) // what a shell reads as its program
		}
		ok = input
	case syntax.DplOut:
		ok = output && has("1 2 -", target.text)
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll:
		ok = output && has(quietFiles, target.text)
	}
	p := problem{reason: Redirects, detail: typed, command: j.source(s)}
	switch {
	case ok:
	case r.Op == syntax.RdrIn && !target.literal():
		j.found(problem{reason: HiddenPlace, detail: target.src, command: j.source(s)})
	case rawDevice(target.text):
		p.reason = Destroys
		j.dangerous(p)
	case keepsGate(target.text):
		j.personal(KeepsGate, target.src, j.source(s))
	default:
		j.found(p)
	}
}

// document reads a here-document, or the word of a here-string. Shells join lines
// that end in a backslash before they look for the end, and have ideas of their own
// about delimiters that are more than a word.
func (j *judge) document(r *syntax.Redirect, s *syntax.Stmt, word arg) arg {
	end := int(r.Word.End().Offset())
	if r.Op != syntax.WordHdoc && end < len(j.src) && !strings.ContainsAny(j.src[end:end+1], " \t\n;&|)<>") {
		j.otherwise(j.source(r), j.src[end:]) // <<E#x: the parser takes that for a comment
	}
	if r.Hdoc == nil {
		return word
	}
	e := expander{j: j}
	twofold := strings.ContainsAny(j.source(r.Word), "\n`$(){}<>")
	if delimiter := r.Word.Lit(); delimiter != "" && !strings.Contains(delimiter, `\`) { // else nothing in it is expanded
		from, to := int(r.Hdoc.Pos().Offset()), int(r.Hdoc.End().Offset())
		twofold = twofold || from > to || to > len(j.src) || strings.Contains(j.src[from:min(to+2, len(j.src))], "\\\n")
		e.parts(r.Hdoc.Parts, true)
	} else {
		e.b.WriteString(r.Hdoc.Lit())
	}
	if twofold {
		j.found(problem{reason: Parses, detail: "<<" + j.source(r.Word), command: j.source(s)})
	}
	return e.done("")
}
