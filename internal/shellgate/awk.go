package shellgate

import "strings"

// awkProblem reads a program of awk that has nothing in it that writes, runs or
// loads: no > outside of conditions, no pipe, no system, no getline, no @.
func awkProblem(text string) *problem {
	a := awkReader{text: text}
	for a.at < len(text) {
		if p := a.token(); p != nil {
			return p
		}
	}
	return nil
}

// awkReader goes through the tokens of a program. It does not parse: it knows
// where strings, comments and regular expressions are, and how deep brackets are.
type awkReader struct {
	text string
	at   int
	// braces and parens that are open; conditions are how many were when one of
	// if, while or for began, and keyword is the word before.
	braces, parens int
	conditions     []int
	keyword        string
	// operand: a value stands before, so that a slash divides.
	operand bool
}

func (a *awkReader) unread() *problem {
	return &problem{reason: HiddenText, detail: strings.TrimSpace(a.text)}
}

func (a *awkReader) token() *problem {
	c := a.text[a.at]
	rest := a.text[a.at+1:]
	a.at++
	was := a.operand
	a.operand = false
	keyword := a.keyword
	if c != ' ' && c != '\t' {
		a.keyword = ""
	}
	switch {
	case c == ' ' || c == '\t':
		a.operand = was
	case c == '\n' || c == ';' || c == ',':
	case c == '\\' && strings.HasPrefix(rest, "\n"):
		a.at++
		a.operand = was
	case c == '#':
		if end := strings.IndexByte(rest, '\n'); end >= 0 {
			a.at += end
		} else {
			a.at = len(a.text)
		}
	case c == '"':
		a.operand = true
		return a.skip('"')
	case c == '/' && !was:
		a.operand = true
		return a.skip('/')
	case c == '{':
		a.braces++
	case c == '}':
		a.braces--
	case c == '(':
		if has("if while for", keyword) {
			a.conditions = append(a.conditions, a.parens)
		}
		a.parens++
	case c == ')' || c == ']':
		a.operand = true
		if c == ')' {
			a.parens--
			if n := len(a.conditions); n > 0 && a.conditions[n-1] == a.parens { // a statement follows
				a.conditions, a.operand = a.conditions[:n-1], false
			}
		}
	case c == '>':
		// In a pattern and in parentheses it compares; elsewhere it may write.
		if strings.HasPrefix(rest, ">") || a.parens <= 0 && a.braces != 0 {
			if strings.HasPrefix(rest, "=") {
				return nil
			}
			return &problem{reason: WritesFile, detail: ">"}
		}
	case c == '|':
		if !strings.HasPrefix(rest, "|") {
			return &problem{reason: RunsProgram, detail: "|"}
		}
		a.at++
	case (c == '+' || c == '-') && strings.HasPrefix(rest, string(c)):
		a.at++
		if after := strings.TrimLeft(rest[1:], " \t"); strings.HasPrefix(after, "/") {
			return a.unread()
		}
		a.operand = was
	case strings.IndexByte("+-*/%^=!<~&?:$[", c) >= 0:
	case c >= '0' && c <= '9' || c == '.':
		a.operand = true
	case isName(string(c)):
		return a.word()
	default: // @, and what nobody knows
		return a.unread()
	}
	return nil
}

// word reads a name.
func (a *awkReader) word() *problem {
	from := a.at - 1
	for a.at < len(a.text) && (isName(a.text[a.at:a.at+1]) || isDigits(a.text[a.at:a.at+1])) {
		a.at++
	}
	switch name := a.text[from:a.at]; {
	case has("system getline close fflush extension load eval", name):
		return &problem{reason: RunsProgram, detail: name}
	case name == "length" && strings.HasPrefix(strings.TrimLeft(a.text[a.at:], " \t"), "/"):
		return a.unread()
	default:
		a.keyword = name
		a.operand = !has("print printf return in if while for do else BEGIN END exit delete next case", name)
	}
	return nil
}

// skip goes behind a text that ends with a character. A regular expression with
// that character between brackets is read in more than one way.
func (a *awkReader) skip(end byte) *problem {
	for ; a.at < len(a.text); a.at++ {
		switch c := a.text[a.at]; {
		case c == '\\':
			a.at++
		case c == '\n':
			return a.unread()
		case c == '[' && end == '/':
			n := bracket(a.text[a.at:])
			if strings.IndexByte(a.text[a.at:a.at+n], end) >= 0 {
				return a.unread()
			}
			a.at += n - 1
		case c == end:
			a.at++
			return nil
		}
	}
	return a.unread()
}

// bracket is how long the bracket expression is that a text begins with; without
// its end, one.
func bracket(text string) int {
	i := 1
	if i < len(text) && text[i] == '^' {
		i++
	}
	if i < len(text) && text[i] == ']' {
		i++
	}
	for ; i < len(text) && text[i] != '\n'; i++ {
		if text[i] == '[' && i+1 < len(text) && strings.IndexByte(":.=", text[i+1]) >= 0 {
			if end := strings.Index(text[i+2:], text[i+1:i+2]+"]"); end >= 0 {
				i += 2 + end + 1
				continue
			}
		}
		if text[i] == ']' {
			return i + 1
		}
	}
	return 1
}
