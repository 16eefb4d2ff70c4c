package runner

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

// maxCommand bounds what is parsed, in bytes; maxDepth how deep a parser may have to
// go.
const (
	maxCommand = 64 << 10
	maxDepth   = 500
)

// ReadSimple reads a command as a POSIX shell would, as far as that takes no
// shell: variables that are set for one program, and words, quoted and escaped.
// The error says, as a clause, what of it a shell would have to do.
func ReadSimple(text string) (Simple, error) {
	var s Simple
	if len(text) > maxCommand || strings.Count(text, "(") > maxDepth || strings.Count(text, "{") > maxDepth ||
		strings.Count(text, "!") > maxDepth {
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
	var b strings.Builder
	for i, p := range w.Parts {
		quoted := false
		if q, ok := p.(*syntax.DblQuoted); ok && len(q.Parts) < 2 && !q.Dollar {
			if len(q.Parts) == 0 {
				continue
			}
			p, quoted = q.Parts[0], true
		}
		switch p := p.(type) {
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.Lit:
			if i == 0 && !quoted && strings.HasPrefix(p.Value, "~") {
				return "", errors.New("it has a ~, which a shell would replace")
			}
			if !unescape(&b, p.Value, quoted) {
				return "", errors.New("it has a pattern, which a shell would make words of")
			}
		default:
			return "", errors.New("it has a variable, or another command's output, in it")
		}
	}
	return b.String(), nil
}

// unescape writes literal text without its backslashes; false: it is a pattern.
func unescape(b *strings.Builder, text string, quoted bool) bool {
	for i := 0; i < len(text); i++ {
		rest := text[i+1:]
		switch c := text[i]; {
		case c == '\\' && rest != "" && (!quoted || strings.IndexByte("$`\"\\\n", rest[0]) >= 0):
			if i++; text[i] != '\n' {
				b.WriteByte(text[i])
			}
			continue
		case quoted:
		case c == '*', c == '?', c == '[' && strings.Contains(rest, "]"),
			c == '{' && strings.Contains(rest, "}") && (strings.Contains(rest, ",") || strings.Contains(rest, "..")):
			return false
		}
		b.WriteByte(text[i])
	}
	return true
}
