package shellgate

import "strings"

// sedProblem looks at the programs of a sed command: w, W and s///w write
// files, e and s///e run commands. What can't be read with certainty does not
// pass.
func sedProblem(s scanned) *problem {
	var programs []arg
	for _, o := range s.options {
		switch o.name {
		case "-e", "--expression":
			programs = append(programs, o.value)
		case "-f", "--file":
			return &problem{reason: HiddenText, detail: o.value.src}
		case "--version", "--help":
			return nil
		}
	}
	if len(programs) == 0 {
		if len(s.operands) == 0 {
			return nil
		}
		programs = s.operands[:1]
	}
	if len(programs) > 1 { // what one begins the next may end
		programs = append(programs, joined(programs))
	}
	for _, p := range programs {
		text := strings.ReplaceAll(p.text, string(number), "1")
		if strings.ContainsAny(text, unknowns+string(home)) || p.many {
			return &problem{reason: HiddenText, detail: p.src}
		}
		// Some sed take a delimiter within brackets for the delimiter, others not.
		for _, brackets := range []bool{true, false} {
			r := sedReader{text: text, brackets: brackets}
			r.program()
			if r.reason != "" {
				if !brackets && r.reason == HiddenText {
					continue // an error to those: they do nothing
				}
				return &problem{reason: r.reason, detail: r.what}
			}
		}
	}
	return nil
}

// joined is what a command makes of several programs: one line behind the other.
func joined(programs []arg) arg {
	all := arg{}
	for i, p := range programs {
		if i > 0 {
			all.text += "\n"
			all.src += " "
		}
		all.text += p.text
		all.src += p.src
		all.many = all.many || p.many
	}
	return all
}

// sedReader reads a program of sed, command by command, up to the first that is
// not reading.
type sedReader struct {
	text     string
	at       int
	brackets bool
	reason   Reason
	what     string
}

func (r *sedReader) stop(reason Reason, what string) {
	if r.reason == "" {
		r.reason, r.what = reason, what
	}
}

func (r *sedReader) peek() byte {
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

func (r *sedReader) skip(set string) {
	for r.at < len(r.text) && strings.IndexByte(set, r.text[r.at]) >= 0 {
		r.at++
	}
}

func (r *sedReader) program() {
	for r.reason == "" {
		r.skip(" \t\n;")
		if r.at >= len(r.text) {
			return
		}
		r.address()
		r.skip(" \t")
		if r.peek() == ',' {
			r.at++
			r.skip(" \t")
			r.address()
		}
		r.skip(" \t!")
		r.command()
	}
}

func (r *sedReader) address() {
	switch c := r.peek(); c {
	case '/':
		r.at++
		r.delimited('/')
		r.skip("IM")
	case '\\':
		r.at += 2
		if r.at > len(r.text) {
			r.stop(HiddenText, r.text)
			return
		}
		r.delimited(r.text[r.at-1])
		r.skip("IM")
	default:
		r.skip("0123456789$~+")
	}
}

// delimited skips what stands before the next delimiter.
func (r *sedReader) delimited(end byte) {
	if end == '\n' || end == '\\' || end == 0 || end >= 0x80 {
		r.stop(HiddenText, r.text)
		return
	}
	for ; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; {
		case c == '\\':
			r.at++
		case c == end:
			r.at++
			return
		case c == '[' && r.brackets:
			r.bracket()
		case c == '\n': // an error to some, text to others
			r.stop(HiddenText, r.text)
			return
		}
	}
	r.stop(HiddenText, r.text)
}

// bracket skips to the bracket that ends an expression; where there is none it
// stays.
func (r *sedReader) bracket() {
	i := r.at + 1
	if i < len(r.text) && r.text[i] == '^' {
		i++
	}
	if i < len(r.text) && r.text[i] == ']' {
		i++
	}
	for ; i < len(r.text) && r.text[i] != '\n'; i++ {
		if r.text[i] == '[' && i+1 < len(r.text) && strings.IndexByte(":.=", r.text[i+1]) >= 0 {
			if end := strings.Index(r.text[i+2:], r.text[i+1:i+2]+"]"); end >= 0 {
				i += 2 + end + 1
				continue
			}
		}
		if r.text[i] == ']' {
			r.at = i
			return
		}
	}
}

func (r *sedReader) command() {
	c := r.peek()
	r.at++
	switch c {
	case '{', '}', '=', 'd', 'D', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'z', 'F':
		r.end(c)
	case 'q', 'Q', 'l', 'L':
		r.skip(" \t0123456789")
		r.end(c)
	case '#', ':', 'b', 't', 'T', 'v', 'r', 'R':
		r.line(c)
	case 'a', 'i', 'c':
		r.inserted()
	case 's':
		r.substitution()
	case 'y':
		end := r.peek()
		r.at++
		r.delimited(end)
		r.delimited(end)
		r.end(c)
	case 'w', 'W':
		r.skip(" \t")
		name, _, _ := strings.Cut(r.text[min(r.at, len(r.text)):], "\n")
		if name != "/dev/stdout" && name != "/dev/stderr" {
			r.stop(WritesFile, string(c)+" "+name)
		}
		r.at += len(name)
	case 'e':
		r.stop(RunsProgram, "e")
	default:
		r.stop(HiddenText, r.text)
	}
}

// end checks that a command is over. What follows one directly is an error to
// every sed, except for brackets.
func (r *sedReader) end(c byte) {
	r.skip(" \t")
	switch r.peek() {
	case 0, '\n', ';', '}', '#':
	default:
		if c != '{' && c != '}' {
			r.stop(HiddenText, r.text)
		}
	}
}

// line skips a name, which some sed end at a semicolon and others at the end of
// the line: both readings have to be harmless, so the rest is read as commands
// where there is a semicolon.
func (r *sedReader) line(c byte) {
	rest, _, _ := strings.Cut(r.text[r.at:], "\n")
	if c != '#' && c != 'r' && c != 'R' { // GNU sed ends a label at a blank, too
		label := strings.TrimLeft(rest, " \t")
		if blank := strings.IndexAny(label, " \t;}"); blank >= 0 && strings.TrimLeft(label[blank:], " \t") != "" && label[blank] != ';' && label[blank] != '}' {
			r.stop(HiddenText, r.text)
			return
		}
	}
	if semi := strings.IndexAny(rest, ";}"); semi >= 0 && c != '#' && c != 'r' && c != 'R' {
		r.at += semi
		return
	}
	r.at += len(rest)
}

// inserted skips the text of a, i and c: to the end of the line that does not
// end in a backslash.
func (r *sedReader) inserted() {
	for r.at < len(r.text) {
		switch r.text[r.at] {
		case '\\':
			r.at++
		case '\n':
			return
		}
		r.at++
	}
	r.at = min(r.at, len(r.text))
}

func (r *sedReader) substitution() {
	end := r.peek()
	r.at++
	r.delimited(end)
	was := r.brackets
	r.brackets = false // the replacement has none
	r.delimited(end)
	r.brackets = was
	for r.reason == "" {
		switch c := r.peek(); {
		case c == 'e':
			r.stop(RunsProgram, "s///e")
		case c == 'm' || c == 'M' || c == 'g' || c == 'p' || c == 'i' || c == 'I' || c >= '0' && c <= '9':
			r.at++
		case c == 'w':
			r.command()
			return
		default:
			r.end('s')
			return
		}
	}
}
