package shellgate

import (
	"regexp"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// Parts of words that only the running shell knows stand in a word's text as characters
// that no command holds.
const (
	hole   = '\x00' // anything, nothing too
	plain  = '\x01' // anything that does not begin with -, or nothing
	home   = '\x02' // the user's home directory
	number = '\x03' // a whole number, maybe a negative one
	solid  = '\x04' // the name of a commit: one word that does not begin with -
)

const unknowns = string(hole) + string(plain) + string(number) + string(solid)

// arg is a word as far as it is known.
type arg struct {
	text string
	src  string
	many bool // it may become several words, or none
}

// literal reports one word, of which all is known but where the home directory is.
func (a arg) literal() bool { return !a.many && !strings.ContainsAny(a.text, unknowns) }

// mayBeOption reports whether the word's first character is a hyphen, or not known.
func (a arg) mayBeOption() bool {
	return a.startsWith("-" + string(hole) + string(number))
}

// startsWith reports whether the word's first character is one of these.
func (a arg) startsWith(chars string) bool {
	return a.text != "" && strings.IndexByte(chars, a.text[0]) >= 0
}

// isNumber reports whether the word is a whole number, whatever happens.
func (a arg) isNumber() bool {
	text := strings.TrimPrefix(a.text, "-")
	return text != "" && strings.Trim(text, "0123456789"+string(number)) == "" && !a.many
}

func (j *judge) args(words []*syntax.Word) []arg {
	out := make([]arg, len(words))
	for i, w := range words {
		out[i] = j.expand(w)
	}
	return out
}

// expand reads a word, and judges what the shell does to expand it.
func (j *judge) expand(w *syntax.Word) arg {
	if w == nil {
		return arg{}
	}
	e := expander{j: j}
	e.parts(w.Parts, false)
	return e.done(j.source(w))
}

type expander struct {
	j     *judge
	b     strings.Builder
	many  bool
	loose bool // an expansion out of quotes, which may be split anywhere
}

// text is the text so far. What may be nothing gives way to what follows it.
func (e *expander) text() string {
	text := e.b.String()
	if rest := strings.TrimLeft(text, string(plain)+string(solid)); rest != text && (arg{text: rest}).mayBeOption() {
		return Hole + text
	}
	return text
}

func (e *expander) done(src string) arg {
	text := e.text()
	if e.loose {
		text = Hole + text
	}
	return arg{text: text, src: src, many: e.many || e.loose}
}

func (e *expander) unknown(quoted bool) {
	e.b.WriteRune(hole)
	e.loose = e.loose || !quoted
}

func (e *expander) parts(parts []syntax.WordPart, quoted bool) {
	if len(parts) > maxParts { // commands in it are not judged, and so don't pass
		e.unknown(false)
		return
	}
	for i, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			if dollar(p.Value, i+1 < len(parts)) {
				e.unknown(false) // zsh may expand it
			}
			if quoted {
				e.quotedText(p.Value)
			} else {
				e.plainText(p.Value, i == 0, parts[i+1:])
			}
		case *syntax.SglQuoted:
			if p.Dollar {
				e.ansi(p.Value)
			} else {
				e.b.WriteString(p.Value)
			}
		case *syntax.DblQuoted:
			if p.Dollar {
				e.unknown(true)
			}
			e.parts(p.Parts, true)
		case *syntax.ParamExp:
			e.param(p, quoted, parts[i+1:])
		case *syntax.ArithmExp:
			e.j.arithmetic(p.X, p)
			e.b.WriteRune(number)
		case *syntax.CmdSubst:
			e.substitution(p, quoted)
		case *syntax.ProcSubst:
			if p.Op != syntax.CmdIn {
				e.j.found(problem{reason: Redirects, detail: e.j.source(p), command: e.j.source(p)})
			}
			e.j.aside(func() { e.j.stmts(p.Stmts) })
			e.b.WriteString("/dev/fd/")
			e.b.WriteRune(number)
		default: // to zsh an extended pattern is a qualifier, which may hold a command
			e.j.found(problem{reason: Hidden, detail: e.j.source(p), command: e.j.source(p)})
		}
	}
}

// substitution is what a command printed.
func (e *expander) substitution(c *syntax.CmdSubst, quoted bool) {
	if c.TempFile || c.ReplyVar {
		e.j.found(problem{reason: Parses, detail: e.j.source(c), command: e.j.source(c)})
	}
	e.j.aside(func() { e.j.stmts(c.Stmts) })
	if src := e.j.source(c); strings.HasPrefix(strings.TrimLeft(src, "$(`"), "git ") && commitName().MatchString(src) {
		e.b.WriteRune(solid)
		return
	}
	e.unknown(quoted)
}

// commitName is a substitution that gives the id of a commit, or the work tree: one word
// that begins with no hyphen. Names of branches and tags may.
var commitName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^(?:[$][(]|`)git (?:merge-base|rev-parse)" +
		`(?: --short| --verify| --quiet| -q| --show-toplevel| --fork-point| \w[\w./@^~-]*)*[)` + "`]$")
})

// dollar reports a dollar sign that zsh alone expands, as in $=x.
func dollar(text string, more bool) bool {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case text[i] == '$' && (i+1 < len(text) && strings.IndexByte("=~^+#(", text[i+1]) >= 0 || i+1 == len(text) && more):
			return true
		}
	}
	return false
}

// plainText is text out of quotes, with the parts of the word that follow it.
func (e *expander) plainText(text string, first bool, after []syntax.WordPart) {
	if first && strings.HasPrefix(text, "~") {
		user, _, _ := strings.Cut(text, "/")
		if user == "~" {
			e.b.WriteRune(home)
		} else {
			e.b.WriteRune(plain)
		}
		text = text[len(user):]
	}
	if first && len(text) > 1 && text[0] == '=' && text[1] != '=' { // zsh: where that command is
		e.b.WriteRune(plain)
	}
	for _, other := range []string{"<(", ">(", "=("} { // a pattern of [[ holds it as text
		if strings.Contains(text, other) {
			e.j.found(problem{reason: Parses, detail: text, command: text})
		}
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			i++
			if text[i] != '\n' {
				e.b.WriteByte(text[i])
			}
		case c == '*', c == '?', c == '[' && (len(after) > 0 || strings.Contains(text[i:], "]")),
			c == '{' && isBrace(text[i:], after):
			e.b.WriteRune(hole)
			e.many = true
		default:
			e.b.WriteByte(c)
		}
	}
}

// isBrace reports whether {a,b} or {1..3} may begin with a text, and reach over quotes.
func isBrace(text string, after []syntax.WordPart) bool {
	for _, p := range after {
		if l, ok := p.(*syntax.Lit); ok {
			text += l.Value
		}
	}
	end := strings.LastIndexByte(text, '}')
	return end >= 0 && (strings.Contains(text[:end], ",") || strings.Contains(text[:end], ".."))
}

// quotedText is text within double quotes.
func (e *expander) quotedText(text string) {
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && strings.IndexByte("$`\"\\\n", text[i+1]) >= 0 {
			i++
			if text[i] == '\n' {
				continue
			}
		}
		e.b.WriteByte(text[i])
	}
}

// ansi is text within $'…': lines and tabs are read, and no other escapes.
func (e *expander) ansi(text string) {
	text = strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(text)
	if strings.Contains(text, `\`) {
		e.unknown(true)
		return
	}
	e.b.WriteString(text)
}
