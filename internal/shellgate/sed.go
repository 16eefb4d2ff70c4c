package shellgate

import "strings"

// sedProblem reads a program of sed that has addresses, p, d, q, n, h, g, x, s, y,
// labels and their like in it, and nothing else: w, e, and the flags of s by that
// name write and run. A delimiter between brackets is text to GNU's, BSD's and
// busybox's sed; to one for which it ends the text, the program must not write
// either.
func sedProblem(text string) *problem {
	if p := (&sedReader{rest: text, brackets: true}).program(); p != nil {
		return p
	}
	if p := (&sedReader{rest: text}).program(); p != nil && p.reason != HiddenText {
		return p
	}
	return nil
}

// sedReader goes through a program, command by command.
type sedReader struct {
	rest     string
	brackets bool
}

func (r *sedReader) program() *problem {
	unread := &problem{reason: HiddenText, detail: strings.TrimSpace(r.rest)}
	for {
		if r.skip(" \t\n;}"); r.rest == "" {
			return nil
		}
		if !r.address() {
			return unread
		}
		if r.skip(" \t!"); r.rest == "" {
			return unread
		}
		command := r.rest[0]
		r.rest = r.rest[1:]
		switch {
		case command == '{':
			continue
		case strings.IndexByte("pPdDnNgGhHxz=l", command) >= 0:
		case command == 'q' || command == 'Q':
			r.skip(" 0123456789")
		case strings.IndexByte(":btT", command) >= 0: // a label, which some end at the end of the line only
			r.skip(" \t")
			r.skip(letters + "0123456789_")
		case command == 's':
			if !r.texts(true) || !r.again() {
				return unread
			}
			r.skip("gpiImM0123456789")
		case command == 'y':
			if !r.texts(false) || !r.again() {
				return unread
			}
		case command == 'w' || command == 'W':
			return &problem{reason: WritesFile, detail: string(command) + strings.TrimSpace(r.rest)}
		case command == 'e':
			return &problem{reason: RunsCode, detail: "e"}
		default:
			return unread
		}
		after := strings.TrimLeft(r.rest, " \t")
		switch {
		case after == "" || strings.IndexByte(";}\n", after[0]) >= 0:
		case command == 's' && strings.IndexByte("we", after[0]) >= 0:
			return &problem{reason: WritesFile, detail: "s///" + strings.TrimSpace(after)}
		default:
			return unread
		}
	}
}

func (r *sedReader) skip(set string) { r.rest = strings.TrimLeft(r.rest, set) }

// address skips the addresses of a command.
func (r *sedReader) address() bool {
	for {
		switch {
		case strings.HasPrefix(r.rest, "/"):
			if !r.texts(true) {
				return false
			}
			r.rest = r.rest[1:]
		case strings.HasPrefix(r.rest, `\`):
			if r.rest = r.rest[1:]; !r.texts(true) {
				return false
			}
			r.rest = r.rest[1:]
		default:
			r.skip("0123456789$~+")
		}
		r.skip("I")
		after := strings.TrimLeft(r.rest, " \t")
		if !strings.HasPrefix(after, ",") {
			return true
		}
		r.rest = strings.TrimLeft(after[1:], " \t")
	}
}

// texts skips the text behind the delimiter that the rest begins with; the rest
// begins with the next one then.
func (r *sedReader) texts(pattern bool) bool {
	if r.rest == "" || strings.IndexByte("\n\\;} \t", r.rest[0]) >= 0 || r.rest[0] >= 0x80 {
		return false
	}
	for i := 1; i < len(r.rest); i++ {
		switch c := r.rest[i]; {
		case c == '\\':
			i++
		case c == '\n':
			return false
		case c == r.rest[0]:
			r.rest = r.rest[i:]
			return true
		case c == '[' && pattern && r.brackets:
			i += bracket(r.rest[i:]) - 1
		}
	}
	return false
}

// again skips the second text, and the delimiter behind it.
func (r *sedReader) again() bool {
	if !r.texts(false) {
		return false
	}
	r.rest = r.rest[1:]
	return true
}
