package shellgate

import (
	"errors"
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Simple is a command that needs no shell to run it.
type Simple struct {
	// Env are the variables that are set for it, each "NAME=value".
	Env []string
	// Args are the program and its arguments, without their quotes.
	Args []string
}

// ReadSimple reads a command as a POSIX shell would, as far as that takes no
// shell: variables that are set for one program, and words, quoted and escaped.
// The error says, as a clause, what of it a shell would have to do.
func ReadSimple(text string) (Simple, error) {
	var s Simple
	if len(text) > maxText || tooDeep(text) {
		return s, errors.New("it is too long")
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).Parse(strings.NewReader(text), "")
	if err != nil {
		if parse, ok := errors.AsType[syntax.ParseError](err); ok {
			return s, fmt.Errorf("it is not readable: %s", parse.Text)
		}
		return s, errors.New("it is not readable")
	}
	switch len(file.Stmts) {
	case 0:
		return s, errors.New("it is empty")
	case 1:
	default:
		return s, errors.New("it is several commands")
	}
	stmt := file.Stmts[0]
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	switch {
	case stmt.Negated || stmt.Background || !ok:
		return s, errors.New("it is more than one program and its arguments")
	case len(stmt.Redirs) > 0:
		return s, errors.New("it redirects")
	case len(call.Args) == 0:
		return s, errors.New("it runs nothing")
	}
	for _, a := range call.Assigns {
		if a.Append || a.Naked || a.Index != nil || a.Array != nil {
			return s, errors.New("its assignment is not plain")
		}
		value := ""
		if a.Value != nil {
			if value, err = plainWord(a.Value); err != nil {
				return s, err
			}
		}
		s.Env = append(s.Env, a.Name.Value+"="+value)
	}
	for _, w := range call.Args {
		word, err := plainWord(w)
		if err != nil {
			return s, err
		}
		s.Args = append(s.Args, word)
	}
	return s, nil
}

// plainWord is a word without its quotes, where its text says all of it.
func plainWord(w *syntax.Word) (string, error) {
	for _, p := range w.Parts {
		if q, ok := p.(*syntax.DblQuoted); ok && len(q.Parts) > 0 {
			p = q.Parts[0]
			if len(q.Parts) > 1 {
				p = nil
			}
		}
		switch p.(type) {
		case *syntax.Lit, *syntax.SglQuoted, *syntax.DblQuoted:
		default:
			return "", errors.New("it has a variable, or another command's output, in it")
		}
	}
	e := expander{}
	e.parts(w.Parts, false)
	switch text := e.b.String(); {
	case strings.ContainsAny(text, unknowns+string(home)) && e.many:
		return "", errors.New("it has a pattern, which a shell would make words of")
	case strings.ContainsAny(text, unknowns+string(home)):
		return "", errors.New("it has a ~, or a character that no command holds")
	default:
		return text, nil
	}
}
