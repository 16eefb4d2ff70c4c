package shellgate

import (
	"slices"
	"strings"
)

// row says what is known of a command, or of one form of it; rows.txt has them all, and
// says how each field is written.
type row struct{ how, opts, ops string }

// is reports whether a command reads its words in one of these ways.
func (r *row) is(ways string) bool {
	for way := range strings.FieldsSeq(r.how) {
		if has(ways, way) {
			return true
		}
	}
	return false
}

// looks are the ways in which something is looked for in the words.
const looks = "runs env xargs shell find sed awk test sets formats brew"

type spec struct {
	// follows is what may follow it: '-' nothing, ':' a value, ';' one that is never glued
	// to it, '?' one that is, or none; '^' says that it writes, and 0 that no row names it.
	follows byte
	limit   string // patterns of its value
	needed  bool   // or one of the others that are
}

func (s spec) valued() bool { return s.follows == ':' || s.follows == ';' }

// option finds what a row says of an option. One that it places twice is not named.
func (r *row) option(name string) spec {
	var found spec
	for token := range strings.FieldsSeq(r.opts) {
		s, names := specOf(token)
		letters := len(name) == 2 && !r.is("dashed") && len(names) > 1 && names[1] != '-'
		if names != name && !(letters && strings.Contains(names[1:], name[1:])) {
			continue
		}
		if found.follows != 0 && found != s {
			return spec{}
		}
		found = s
	}
	return found
}

// specOf reads one word of a row's options.
func specOf(token string) (s spec, names string) {
	if names, writes := strings.CutPrefix(token, "^"); writes {
		return spec{follows: '^'}, names
	}
	token, s.needed = strings.CutPrefix(token, "!")
	if names, limit, limited := strings.Cut(token, "="); limited {
		s.follows, s.limit = ':', limit
		return s, names
	}
	names, s.follows = strings.TrimRight(token, ":;?"), '-'
	if names != token {
		s.follows = token[len(names)]
	}
	return s, names
}

// free reports that no option of the command does more than read, numbers that a number
// may be one, and strict that it matters which words are operands.
func (r *row) free() bool    { return has(r.opts, "*") }
func (r *row) numbers() bool { return r.free() || has(r.opts, "-#") }
func (r *row) strict() bool  { return r.ops != "" }

func has(list, word string) bool {
	for one := range strings.FieldsSeq(list) {
		if one == word {
			return true
		}
	}
	return false
}

func fitsAny(patterns, text string) bool {
	return slices.ContainsFunc(strings.Fields(patterns), func(pattern string) bool { return fits(pattern, text) })
}

// fits reports whether text fits a pattern, in which a star is any text.
func fits(pattern, text string) bool {
	start, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == text
	}
	if !strings.HasPrefix(text, start) {
		return false
	}
	for i := len(start); i <= len(text); i++ {
		if rest == "" || fits(rest, text[i:]) {
			return true
		}
	}
	return false
}

// mayFit reports whether a word, whatever its unknown parts are, may fit a pattern.
func mayFit(pattern, word string) bool {
	at := strings.IndexAny(word, unknowns)
	if at < 0 {
		return fits(pattern, word)
	}
	start, _, star := strings.Cut(pattern, "*")
	if !star {
		return strings.HasPrefix(pattern, word[:at])
	}
	if len(start) <= at {
		return strings.HasPrefix(word, start)
	}
	return strings.HasPrefix(start, word[:at])
}

// allows reports whether a value fits a pattern of a list, and none with ! in front.
func allows(limits []string, value arg) bool {
	positive, ok := false, false
	for _, pattern := range limits {
		if bad, not := strings.CutPrefix(pattern, "!"); not {
			if value.many || mayFit(bad, value.text) {
				return false
			}
			continue
		}
		positive = true
		ok = ok || !value.many && fits(pattern, value.text)
	}
	return ok || !positive
}
