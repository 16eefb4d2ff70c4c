package shellgate

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// Parts of words that only the running shell knows stand in a word's text as
// characters that no command holds.
const (
	hole   = '\x00' // anything, nothing too
	other  = '\x01' // anything that does not begin with -, or nothing
	home   = '\x02' // the user's home directory
	number = '\x03' // a whole number, maybe a negative one
	solid  = '\x04' // one word that does not begin with -, or nothing
)

const unknowns = string(hole) + string(other) + string(number) + string(solid)

// arg is a word as far as it is known.
type arg struct {
	text string
	src  string
	// many: it may become several words. vanishes: or none.
	many, vanishes bool
	// path: it is one that find gives to a command.
	path bool
	// spots are where variables stand in text whose values are known.
	spots []spot
}

// spot is a variable in a word, with where its one character stands. elements: it
// may be each of an array.
type spot struct {
	at       int
	name     string
	elements bool
}

// from is the word from an offset on.
func (a arg) from(at int) arg {
	rest := arg{text: a.text[at:], src: a.src, many: a.many}
	for _, s := range a.spots {
		if s.at >= at {
			rest.spots = append(rest.spots, spot{s.at - at, s.name, s.elements})
		}
	}
	return rest
}

// known reports whether the whole text is.
func (a arg) known() bool { return !strings.ContainsAny(a.text, unknowns) }

// option reports whether the word may be an option as long as nobody looks
// closer: its first character is a hyphen or not known.
func (a arg) mayBeOption() bool {
	return strings.HasPrefix(a.text, string(hole))
}

func (j *judge) args(words []*syntax.Word) []arg {
	out := make([]arg, len(words))
	for i, w := range words {
		out[i] = j.arg(w)
	}
	return out
}

func (j *judge) arg(w *syntax.Word) arg {
	if w == nil {
		return arg{}
	}
	e := expander{j: j}
	e.parts(w.Parts, false)
	return e.done(j.source(w))
}

// maxFollow bounds how far variables are followed that are set to variables.
const maxFollow = 6

// expander builds the text of a word.
type expander struct {
	j       *judge
	b       strings.Builder
	many    bool
	unknown bool // an expansion out of quotes: may be split anywhere
	fixed   bool // something in it is always there
	follow  int
	spots   []spot
}

func (e *expander) done(src string) arg {
	text := e.b.String()
	if e.unknown {
		text = string(hole) + text
	}
	// What may be nothing in front gives way to what follows.
	if rest := strings.TrimLeft(text, string(other)+string(solid)); rest != text && (strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, string(hole)) || strings.HasPrefix(rest, string(number))) {
		text = string(hole) + text
	}
	for i := range e.spots {
		e.spots[i].at += len(text) - e.b.Len()
	}
	return arg{text: text, src: src, many: e.many || e.unknown, vanishes: !e.fixed, spots: e.spots}
}

// maxParts bounds of how many parts a word is read, and how many braces.
const maxParts = 500

func (e *expander) parts(parts []syntax.WordPart, quoted bool) {
	if len(parts) > maxParts {
		e.anything(quoted)
		return
	}
	for i, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			e.fixed = true
			if splits(p, parts[i+1:]) {
				e.anything(false)
			}
			if quoted {
				e.quotedText(p.Value)
			} else {
				e.plainText(p.Value, i == 0, outline(parts[i+1:]))
			}
		case *syntax.SglQuoted:
			e.fixed = true
			if p.Dollar {
				e.ansi(p.Value)
			} else {
				e.b.WriteString(p.Value)
			}
		case *syntax.DblQuoted:
			e.fixed = true
			if p.Dollar {
				e.b.WriteRune(hole)
			}
			e.parts(p.Parts, true)
		case *syntax.ParamExp:
			if e.modified(p, parts[i+1:]) {
				e.anything(quoted)
			} else {
				e.param(p, quoted)
			}
		case *syntax.ArithmExp:
			e.fixed = true
			e.b.WriteRune(number)
		case *syntax.CmdSubst:
			if e.j.countsOnly(p) {
				e.fixed = true
				e.b.WriteRune(number)
			} else if e.j.namesCommit(p) {
				e.b.WriteRune(solid)
			} else if e.j.listsCommits(p) {
				e.b.WriteRune(solid)
				e.many = true
			} else {
				e.anything(quoted)
			}
		case *syntax.ProcSubst:
			e.fixed = true
			e.b.WriteString("/dev/fd/")
			e.b.WriteRune(number)
		default:
			e.anything(false)
		}
	}
}

func (e *expander) anything(quoted bool) {
	e.b.WriteRune(hole)
	e.unknown = e.unknown || !quoted
}

// outline is what stands out of quotes in the parts of a word: braces reach over
// what is quoted or expanded between them.
func outline(parts []syntax.WordPart) string {
	var b strings.Builder
	for _, p := range parts {
		if l, ok := p.(*syntax.Lit); ok {
			b.WriteString(l.Value)
		} else {
			b.WriteByte('x')
		}
	}
	return b.String()
}

// plainText is text out of quotes: escapes, patterns, braces, the tilde. What
// follows it in the word is after.
func (e *expander) plainText(text string, first bool, after string) {
	if first && strings.HasPrefix(text, "~") {
		user, rest, _ := strings.Cut(text, "/")
		if user == "~" {
			e.b.WriteRune(home)
		} else {
			e.b.WriteRune(other)
		}
		if len(user) == len(text) {
			return
		}
		text = "/" + rest
	}
	if first && len(text) > 1 && text[0] == '=' && text[1] != '=' { // zsh: where that command is
		e.b.WriteRune(other)
	}
	if strings.Count(text, "{") > maxParts {
		e.anything(false)
		return
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			i++
			if text[i] != '\n' {
				e.b.WriteByte(text[i])
			}
		case c == '*', c == '?', c == '[' && strings.Contains(text[i:], "]"), c == '{' && isBrace(text[i:]+after):
			e.b.WriteRune(hole)
			e.many = true
		default:
			e.b.WriteByte(c)
		}
	}
}

// splits: $=x, $~x and $^x are text to bash; zsh makes words of what x holds, in
// quotes, too.
func splits(dollar *syntax.Lit, after []syntax.WordPart) bool {
	if !strings.HasSuffix(dollar.Value, "$") || strings.HasSuffix(dollar.Value, `\$`) || len(after) == 0 {
		return false
	}
	next, ok := after[0].(*syntax.Lit)
	if !ok {
		return false
	}
	name := strings.TrimLeft(next.Value, "=~^")
	return name != "" && len(name) < len(next.Value) && isAlpha(name[0])
}

// isBrace: {a,b} or {1..3} may begin here. The last bracket counts: one before it
// may be escaped, or a part of what is in them.
func isBrace(text string) bool {
	end := strings.LastIndexByte(text, '}')
	return end >= 0 && (strings.Contains(text[:end], ",") || strings.Contains(text[:end], "..")) || strings.Count(text, "{") > 1
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

// ansi is text within $'…'.
func (e *expander) ansi(text string) {
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			e.b.WriteByte(text[i])
			continue
		}
		i++
		switch c := text[i]; c {
		case '\\', '\'', '"', '?':
			e.b.WriteByte(c)
		case 'n':
			e.b.WriteByte('\n')
		case 't':
			e.b.WriteByte('\t')
		case 'x', 'u', 'U', '0', '1', '2', '3', '4', '5', '6', '7':
			digits, base := text[i:], 8
			if c > '7' {
				digits, base = text[i+1:], 16
				i++
			}
			most := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
			if most == 0 {
				most = 3
			}
			n := 0
			for n < len(digits) && n < most && strings.IndexByte("0123456789abcdefABCDEF"[:map[int]int{8: 8, 16: 22}[base]], digits[n]) >= 0 {
				n++
			}
			code, err := strconv.ParseUint(digits[:n], base, 32)
			if err != nil || code < ' ' && code != '\t' && code != '\n' || code > utf8.MaxRune || c == 'x' && code > 0x7f || base == 8 && code > 0x7f {
				e.b.WriteRune(hole)
			} else {
				e.b.WriteRune(rune(code))
			}
			i += n - 1
		default: // \a, \b, \e, \cX and what is none
			e.b.WriteRune(hole)
		}
	}
}

// modified reports whether zsh may make an option of a variable by what follows it:
// $x:t is the end of a path, $x:s/a/b/ replaces. To bash that is text.
func (e *expander) modified(p *syntax.ParamExp, after []syntax.WordPart) bool {
	if !p.Short || p.Param == nil || len(after) == 0 {
		return false
	}
	lit, ok := after[0].(*syntax.Lit)
	if !ok || len(lit.Value) < 2 || lit.Value[0] != ':' || !isAlpha(lit.Value[1]) && lit.Value[1] != '&' {
		return false
	}
	for chain := lit.Value; len(chain) > 1 && chain[0] == ':'; {
		if strings.IndexByte("sgfFwW&", chain[1]) >= 0 {
			if strings.Contains(chain, "-") {
				return true
			}
			break
		}
		chain = strings.TrimLeft(chain[2:], "0123456789")
	}
	_, assigned := e.j.vars[p.Param.Value]
	return !assigned || !e.j.isCertain(p.Param.Value, p.Pos().Offset()) || e.j.hyphened[p.Param.Value]
}

// param is a variable as part of a word.
func (e *expander) param(p *syntax.ParamExp, quoted bool) {
	name := ""
	if p.Param != nil {
		name = p.Param.Value
	}
	plain := !p.Excl && !p.Width && p.Index == nil && p.Slice == nil && p.Repl == nil && p.Exp == nil && p.NestedParam == nil
	cut := plain || p.Exp != nil && (p.Exp.Op == syntax.RemSmallSuffix || p.Exp.Op == syntax.RemLargeSuffix) &&
		!p.Excl && !p.Width && p.Index == nil && p.Slice == nil && p.Repl == nil
	values, assigned := e.j.vars[name]
	switch {
	case p.Length, plain && has("? # $", name):
		e.fixed = true
		e.b.WriteRune(number)
	case !assigned && plain && name == "HOME":
		e.fixed = true
		e.b.WriteRune(home)
	case !assigned && plain && has("PWD OLDPWD TMPDIR USER LOGNAME HOSTNAME SHELL", name):
		e.b.WriteRune(other)
		e.unknown = e.unknown || !quoted
	case assigned && plain && e.j.numeric(name, p.Pos().Offset()):
		e.b.WriteRune(number)
	case quoted && isWholeArray(p.Index) && !p.Excl && !p.Width && p.Slice == nil && p.Repl == nil && p.Exp == nil && p.NestedParam == nil &&
		e.follow < maxFollow && e.j.isCertain(name, p.Pos().Offset()) && e.safe(e.j.elements[name], true):
		e.spots = append(e.spots, spot{e.b.Len(), name, true})
		e.b.WriteRune(other)
		e.many = true
	case assigned && cut && e.follow < maxFollow && e.j.isCertain(name, p.Pos().Offset()) && e.safe(values, quoted):
		if plain {
			e.spots = append(e.spots, spot{e.b.Len(), name, false})
		}
		if quoted {
			e.b.WriteRune(other)
		} else {
			e.b.WriteRune(solid)
		}
	default:
		e.anything(quoted)
	}
}

// safe reports whether no value of a variable can become an option.
func (e *expander) safe(values []value, quoted bool) bool {
	for _, v := range values {
		if v.unknown || e.j.tired() {
			return false
		}
		if v.number || v.word == nil {
			continue
		}
		inner := expander{j: e.j, follow: e.follow + 1}
		inner.parts(v.word.Parts, false)
		a := inner.done("")
		// An assignment does not split, a loop's words do; quotes keep either whole.
		text := a.text
		if v.split {
			if inner.unknown {
				return false
			}
		} else {
			text = inner.b.String()
		}
		if rest := strings.TrimLeft(text, string(other)+string(solid)); strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, string(hole)) || strings.HasPrefix(rest, string(number)) {
			return false
		}
		if !quoted && (strings.ContainsAny(text, " \t\n*?["+string(hole)+string(other)) || text == "") {
			return false
		}
	}
	return true
}
