package shellgate

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// quietFiles may be written: what goes there is gone, or goes to the caller.
const quietFiles = "/dev/null /dev/stdout /dev/stderr /dev/tty /dev/fd/1 /dev/fd/2"

// redirect judges where a command reads and writes. Standard input may come from
// anywhere; output goes to quiet files, or from one of its two descriptors to the
// other. So /dev/stdout is the caller's, whatever came before.
func (j *judge) redirect(r *syntax.Redirect, s *syntax.Stmt) {
	target := j.expand(r.Word)
	from := ""
	if r.N != nil {
		from = r.N.Value
	}
	switch r.Op {
	case syntax.RdrIn:
		if (from == "" || from == "0") && !strings.HasPrefix(target.text, "/dev/tcp") && !strings.HasPrefix(target.text, "/dev/udp") {
			return
		}
	case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		j.document(r, s)
		if from == "" || from == "0" {
			return
		}
	case syntax.DplOut:
		if (from == "" || from == "1" || from == "2") && has("1 2 -", target.text) {
			return
		}
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll:
		if (from == "" || from == "1" || from == "2") && has(quietFiles, target.text) {
			return
		}
	default: // <>, <&, and what there may be
	}
	p := problem{reason: Redirects, detail: target.src, command: j.source(s)}
	if rawDevice(target.text) {
		p.reason = Destroys
		j.dangerous(p)
		return
	}
	p.detail = r.Op.String() + target.src
	j.found(p)
	if keepsGate(target.text) {
		j.personal(KeepsGate, target.src, j.source(s))
	}
}

// descriptors refuses {name}>file and {name[x]}>file, which set a variable; the
// parser takes some of it for a word of the command.
func (j *judge) descriptors(s *syntax.Stmt) {
	for _, r := range s.Redirs {
		at := int(r.OpPos.Offset())
		if r.N != nil && strings.HasPrefix(r.N.Value, "{") || at > 0 && at <= len(j.src) && j.src[at-1] == '}' {
			j.found(problem{reason: Evaluates, detail: j.source(r), command: j.source(s)})
		}
	}
}

// document judges a here-document. Shells join lines that end in a backslash
// before they look for the end, and have ideas of their own about delimiters that
// are more than a word.
func (j *judge) document(r *syntax.Redirect, s *syntax.Stmt) {
	if r.Hdoc == nil {
		return
	}
	delimiter := r.Word.Lit()
	twofold := strings.ContainsAny(j.source(r.Word), "\n`$(){}<>")
	if delimiter != "" && !strings.Contains(delimiter, `\`) { // else nothing in it is expanded
		from, to := int(r.Hdoc.Pos().Offset()), int(r.Hdoc.End().Offset())
		twofold = twofold || from > to || to > len(j.src) || strings.Contains(j.src[from:min(to+2, len(j.src))], "\\\n")
		e := expander{j: j}
		e.parts(r.Hdoc.Parts, true)
	}
	if twofold {
		j.found(problem{reason: Parses, detail: "<<" + j.source(r.Word), command: j.source(s)})
	}
}

// fed looks into the here-document that a shell reads as its program: what no
// mode allows is found there, too.
func (j *judge) fed(s *syntax.Stmt) {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 || !has(shells, path.Base(c.Args[0].Lit())) {
		return
	}
	for _, r := range s.Redirs {
		e := expander{j: j}
		switch {
		case r.Op == syntax.WordHdoc:
			e.parts(r.Word.Parts, false)
		case r.Hdoc != nil:
			e.parts(r.Hdoc.Parts, true)
		default:
			continue
		}
		if text := e.done(""); text.literal() && !strings.ContainsRune(text.text, home) {
			j.text(text.text, j.lang, j.runs+1)
		}
	}
}

// shells are programs that read a program of the shell.
const shells = "sh bash zsh dash ash ksh mksh"
