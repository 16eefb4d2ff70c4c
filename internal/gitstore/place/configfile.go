package place

import (
	"fmt"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// Setting is one line of a configuration: its key as git prints it (section
// and name in lower case, subsection as is).
type Setting struct {
	Key   string
	Value string
}

// parseConfigFile reads one configuration file in git's syntax, without
// following includes: what git itself does to learn a repository's format
// before anything else. A name without "=" has the value "true".
func parseConfigFile(data []byte) ([]Setting, error) {
	p := configParser{text: strings.TrimPrefix(string(data), "\ufeff"), line: 1}
	return p.parse()
}

type configParser struct {
	text    string
	pos     int
	line    int
	section string
	found   []Setting
}

func (p *configParser) parse() ([]Setting, error) {
	for {
		c, ok := p.next()
		switch {
		case !ok:
			return p.found, nil
		case c == '\n' || c == ' ' || c == '\t':
		case c == '#' || c == ';':
			p.skipLine()
		case c == '[':
			if !p.header() {
				return nil, fmt.Errorf("%w %d", plumbing.ErrBadConfig, p.line)
			}
		case IsAlpha(c):
			if !p.assignment(c) {
				return nil, fmt.Errorf("%w %d", plumbing.ErrBadConfig, p.line)
			}
		default:
			return nil, fmt.Errorf("%w %d", plumbing.ErrBadConfig, p.line)
		}
	}
}

func (p *configParser) next() (byte, bool) {
	if p.pos >= len(p.text) {
		return 0, false
	}
	c := p.text[p.pos]
	p.pos++
	if c == '\r' && p.pos < len(p.text) && p.text[p.pos] == '\n' {
		c = '\n'
		p.pos++
	}
	if c == '\n' {
		p.line++
	}
	return c, true
}

func (p *configParser) skipLine() {
	for {
		if c, ok := p.next(); !ok || c == '\n' {
			return
		}
	}
}

// header reads a section's name after "[": name, name.sub or name "sub".
func (p *configParser) header() bool {
	var name strings.Builder
	for {
		c, ok := p.next()
		switch {
		case !ok:
			return false
		case c == ']':
			p.section = name.String()
			return p.section != ""
		case c == ' ' || c == '\t':
			return p.subsection(name.String())
		case IsAlpha(c) || isDigit(c) || c == '-' || c == '.':
			name.WriteByte(lower(c))
		default:
			return false
		}
	}
}

func (p *configParser) subsection(name string) bool {
	c, ok := p.next()
	for ok && (c == ' ' || c == '\t') {
		c, ok = p.next()
	}
	if !ok || c != '"' {
		return false
	}
	var sub strings.Builder
	for {
		c, ok := p.next()
		if !ok || c == '\n' {
			return false
		}
		if c == '"' {
			break
		}
		if c == '\\' {
			if c, ok = p.next(); !ok || c == '\n' {
				return false
			}
		}
		sub.WriteByte(c)
	}
	p.section = name + "." + sub.String()
	end, ok := p.next()
	return ok && end == ']'
}

func (p *configParser) assignment(first byte) bool {
	key := []byte{lower(first)}
	c, ok := p.next()
	for ok && (IsAlpha(c) || isDigit(c) || c == '-') {
		key = append(key, lower(c))
		c, ok = p.next()
	}
	for ok && (c == ' ' || c == '\t') {
		c, ok = p.next()
	}
	value := "true"
	switch {
	case !ok || c == '\n':
	case c == '=':
		if value, ok = p.value(); !ok {
			return false
		}
	default:
		return false
	}
	name := string(key)
	if p.section != "" { // git takes what stands before the first section
		name = p.section + "." + name
	}
	p.found = append(p.found, Setting{Key: name, Value: value})
	return true
}

// value reads to the end of the line, with quotes, escapes, comments, and
// lines that go on after a backslash.
func (p *configParser) value() (string, bool) {
	var out strings.Builder
	quoted := false
	blanks := 0 // held back: dropped at the end of the line
	for {
		c, ok := p.next()
		switch {
		case !ok || c == '\n':
			return out.String(), !quoted
		case !quoted && (c == ' ' || c == '\t'):
			if out.Len() > 0 {
				blanks++
			}
			continue
		case !quoted && (c == '#' || c == ';'):
			p.skipLine()
			return out.String(), true
		}
		for ; blanks > 0; blanks-- {
			out.WriteByte(' ')
		}
		switch c {
		case '"':
			quoted = !quoted
		case '\\':
			if !p.escape(&out) {
				return "", false
			}
		default:
			out.WriteByte(c)
		}
	}
}

func (p *configParser) escape(out *strings.Builder) bool {
	c, ok := p.next()
	if !ok {
		return false
	}
	switch c {
	case '\n':
	case 't':
		out.WriteByte('\t')
	case 'n':
		out.WriteByte('\n')
	case 'b':
		out.WriteByte('\b')
	case '\\', '"':
		out.WriteByte(c)
	default:
		return false
	}
	return true
}

func IsAlpha(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// ParseBool reads a boolean as git does; ok is false when it is none.
func ParseBool(s string) (value, ok bool) {
	switch strings.ToLower(s) {
	case "true", "yes", "on", "1":
		return true, true
	case "false", "no", "off", "0", "":
		return false, true
	}
	return false, false
}
