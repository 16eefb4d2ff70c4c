package shellgate

import (
	"slices"
	"strings"
)

// awkProblem looks at the program of an awk command: output to files, commands
// that it runs, files that it loads.
func awkProblem(s scanned) *problem {
	if hasOption(s, "--version --help -h -V") && len(s.operands) == 0 { // some awk go on with the program
		return nil
	}
	var programs []arg
	for _, o := range s.options {
		if has("-e --source", o.name) {
			programs = append(programs, o.value)
		}
	}
	if len(programs) == 0 {
		if len(s.operands) == 0 {
			return nil
		}
		programs = s.operands[:1]
	}
	if len(programs) > 1 {
		programs = append(programs, joined(programs))
	}
	for _, p := range programs {
		text := strings.ReplaceAll(p.text, string(number), "1")
		if strings.ContainsAny(text, unknowns+string(home)) || p.many {
			return &problem{reason: HiddenText, detail: p.src}
		}
		r := awkReader{text: text}
		if r.program(); r.reason != "" {
			return &problem{reason: r.reason, detail: r.what}
		}
	}
	return nil
}

// maxGuesses bounds how often a slash is read in both ways that it can have.
const maxGuesses = 8

// awkReader goes through the tokens of a program. It does not parse: it knows
// where strings, comments and regular expressions are, whether it is in a print
// statement, and what stood before. A slash that may begin a regular expression
// or divide is read both ways.
type awkReader struct {
	text   string
	at     int
	before awkToken
	// depth of parentheses; conditions are the depths at which a condition of if,
	// while or for opened.
	depth      int
	conditions []int
	keyword    string
	// printing: a print statement goes on, since this depth.
	printing bool
	printAt  int
	guesses  int

	reason Reason
	what   string
}

// awkToken says what stood before, as far as a slash behind it matters.
type awkToken int

const (
	awkStart   awkToken = iota // a regular expression may follow, no division
	awkOperand                 // a division follows
	awkEither
)

func (r *awkReader) stop(reason Reason, what string) {
	if r.reason == "" {
		r.reason, r.what = reason, what
	}
	r.at = len(r.text)
}

func (r *awkReader) program() {
	for r.at < len(r.text) {
		c := r.text[r.at]
		switch {
		case c == ' ' || c == '\t':
			r.at++
		case c == '\\': // a continued line
			if strings.HasPrefix(r.text[r.at:], "\\\n") {
				r.at += 2
			} else {
				r.stop(HiddenText, r.text)
			}
		case c == '#':
			for r.at < len(r.text) && r.text[r.at] != '\n' {
				r.at++
			}
		case c == '"':
			r.quoted()
		case c == '/':
			r.slash()
		case isAlpha(c):
			r.word()
		case c >= '0' && c <= '9' || c == '.':
			for r.at < len(r.text) && (isAlpha(r.text[r.at]) || r.text[r.at] >= '0' && r.text[r.at] <= '9' || r.text[r.at] == '.') {
				r.at++
			}
			r.before = awkOperand
		default:
			r.sign(c)
		}
	}
}

func isAlpha(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// quoted skips a string. A line break in one is read in several ways.
func (r *awkReader) quoted() string {
	start := r.at + 1
	for i := start; i < len(r.text); i++ {
		switch r.text[i] {
		case '\\':
			i++
			if i < len(r.text) && r.text[i] == '\n' {
				r.stop(HiddenText, r.text)
				return ""
			}
		case '\n':
			r.stop(HiddenText, r.text)
			return ""
		case '"':
			r.at, r.before = i+1, awkOperand
			return r.text[start:i]
		}
	}
	r.stop(HiddenText, r.text)
	return ""
}

// slash is a division or begins a regular expression.
func (r *awkReader) slash() {
	ends := r.patternEnds()
	switch r.before {
	case awkOperand:
		r.at++
		r.before = awkStart
	case awkStart:
		r.branch(ends)
	case awkEither:
		if r.holds(r.at+1, awkStart) {
			r.branch(ends)
		}
	}
}

// branch goes on behind the regular expression that begins here, wherever it may
// end: to some awk a slash within brackets ends it.
func (r *awkReader) branch(ends []int) {
	if len(ends) == 0 {
		r.stop(HiddenText, r.text)
		return
	}
	for _, end := range ends[1:] {
		if !r.holds(end, awkOperand) {
			return
		}
	}
	r.at, r.before = ends[0], awkOperand
}

// holds reads the rest of the program as if it went on at another place, and
// stops where that is found to write.
func (r *awkReader) holds(at int, before awkToken) bool {
	other := *r
	other.at, other.before = at, before
	other.guesses++
	if other.guesses > maxGuesses {
		r.stop(HiddenText, r.text)
		return false
	}
	if other.program(); other.reason != "" && other.reason != HiddenText {
		r.stop(other.reason, other.what)
		return false
	}
	r.guesses = other.guesses
	return true
}

// patternEnds finds where the regular expression that begins here may be over:
// with slashes within brackets as part of it, with classes ([:alpha:]) within
// these or without, and with brackets as plain text.
func (r *awkReader) patternEnds() []int {
	var ends []int
	for _, skip := range []func(string, int) int{pastBrackets, pastClasses, func(_ string, i int) int { return i }} {
		for i := r.at + 1; i < len(r.text) && r.text[i] != '\n'; i++ {
			switch r.text[i] {
			case '\\':
				i++
				continue
			case '[':
				i = skip(r.text, i)
				continue
			case '/':
			default:
				continue
			}
			if !slices.Contains(ends, i+1) {
				ends = append(ends, i+1)
			}
			break
		}
	}
	return ends
}

// pastBrackets is where the bracket at text[at] is closed; at, if nowhere.
func pastBrackets(text string, at int) int { return closing(text, at, false) }

func pastClasses(text string, at int) int { return closing(text, at, true) }

func closing(text string, at int, classes bool) int {
	i := at + 1
	if i < len(text) && text[i] == '^' {
		i++
	}
	if i < len(text) && text[i] == ']' {
		i++
	}
	for ; i < len(text) && text[i] != '\n'; i++ {
		switch {
		case text[i] == '\\':
			i++
		case classes && text[i] == '[' && i+1 < len(text) && strings.IndexByte(":.=", text[i+1]) >= 0:
			if end := strings.Index(text[i+2:], text[i+1:i+2]+"]"); end >= 0 {
				i += 2 + end + 1
			}
		case text[i] == ']':
			return i
		}
	}
	return at
}

// word is a keyword, a function or a variable.
func (r *awkReader) word() {
	start := r.at
	for r.at < len(r.text) && (isAlpha(r.text[r.at]) || r.text[r.at] >= '0' && r.text[r.at] <= '9') {
		r.at++
	}
	w := r.text[start:r.at]
	r.keyword = ""
	switch w {
	case "system":
		r.stop(RunsProgram, "system()")
	case "print", "printf":
		r.printing, r.printAt, r.before = true, r.depth, awkStart
	case "if", "while", "for", "switch":
		r.keyword, r.before = w, awkStart
	case "else", "do", "return", "in", "case", "exit", "delete", "func", "function", "BEGIN", "END", "BEGINFILE", "ENDFILE":
		r.before = awkStart
		if w == "in" || w == "exit" || w == "return" {
			r.before = awkEither
		}
	case "getline", "length", "next", "nextfile", "break", "continue":
		r.before = awkEither
	default:
		r.before = awkOperand
	}
}

// sign is an operator or a bracket.
func (r *awkReader) sign(c byte) {
	rest := r.text[r.at:]
	r.at++
	switch c {
	case '(':
		r.depth++
		if r.keyword != "" {
			r.conditions = append(r.conditions[:len(r.conditions):len(r.conditions)], r.depth)
		}
		r.before = awkStart
	case ')':
		r.before = awkOperand
		if n := len(r.conditions); n > 0 && r.conditions[n-1] == r.depth {
			r.conditions, r.before = r.conditions[:n-1], awkEither
		}
		r.depth--
	case ']', '$':
		r.before = awkOperand
		if c == '$' {
			r.before = awkEither
		}
	case '}', ';', '{', '\n':
		if c != '\n' || r.before != awkStart && r.depth <= r.printAt { // a, then a new line goes on
			r.printing = false
		}
		r.before = awkStart
	case '@':
		r.stop(RunsProgram, "@")
	case '|':
		if !strings.HasPrefix(rest, "||") {
			r.stop(RunsProgram, "|")
			return
		}
		r.at++
		r.before = awkStart
	case '>':
		r.output(rest)
	case '+', '-':
		r.before = awkStart
		if strings.HasPrefix(rest, "++") || strings.HasPrefix(rest, "--") {
			r.at++
			r.before = awkEither
		}
	default:
		r.before = awkStart
		if c >= 0x80 || c < ' ' || c == '`' || c == '\'' {
			r.stop(HiddenText, r.text)
		}
	}
	if c != '(' {
		r.keyword = ""
	}
}

// output is > or >>: a comparison, or in a print statement where it goes.
func (r *awkReader) output(rest string) {
	r.before = awkStart
	if !r.printing || r.depth > r.printAt {
		if strings.HasPrefix(rest, ">>") {
			r.at++
			r.stop(HiddenText, r.text)
		}
		return
	}
	if strings.HasPrefix(rest, ">>") {
		r.at++
	}
	for r.at < len(r.text) && (r.text[r.at] == ' ' || r.text[r.at] == '\t') {
		r.at++
	}
	if r.at >= len(r.text) || r.text[r.at] != '"' {
		r.stop(WritesFile, "print >")
		return
	}
	name := r.quoted()
	after := strings.TrimLeft(r.text[min(r.at, len(r.text)):], " \t")
	if (name != "/dev/stderr" && name != "/dev/stdout") || after != "" && strings.IndexByte(";}\n#", after[0]) < 0 {
		r.stop(WritesFile, "print > "+name)
	}
}
