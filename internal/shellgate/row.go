package shellgate

import (
	"slices"
	"strings"
)

// row says what is known of a command, or of one form of it; rows.txt has them all, and
// says how opts and ops are written.
type row struct {
	how       how
	opts, ops string
}

// how says how a command reads its words, and what stands in them.
type how uint32

const (
	anywhere how = 1 << iota // options count behind operands on every system; else where getopt has it so
	stops                    // options end at the first operand
	dashed                   // an option is a word with one hyphen
	group                    // the first operand is a subcommand with a row of its own
	bare                     // it reads alone, too
	known                    // every word has to be known, since it is sent, or says what is run
	bundled                  // the first word may hold the letters of options without a hyphen

	// What looks into the words.
	runsRest  // the operands are a command
	skipsOne  // behind the first of them
	runsEnv   // behind assignments
	runsXargs // and what is read is put into it
	runsShell // -c has a program of the shell
	runsFind  // find, with its own syntax
	sedWords  // a program of sed
	awkWords  // of awk
	testWords // [
	setsNames // read: the operands are variables
	formats   // printf
	brewWords // git brew
	inGit     // git reads in a directory
	moves     // cd
	counts    // the operands are numbers
)

// hows are the names of these in rows.txt, in their order.
const hows = "anywhere stops dashed group bare known bundled runs skips env xargs shell find sed awk test sets " +
	"formats brew git moves counts"

// howNamed is the one of that name, 0 for none.
func howNamed(name string) how {
	bit := how(1)
	for one := range strings.FieldsSeq(hows) {
		if one == name {
			return bit
		}
		bit <<= 1
	}
	return 0
}

func (h how) is(of how) bool { return h&of != 0 }

// looks are the bits of what looks into words.
const looks = runsRest | runsEnv | runsXargs | runsShell | runsFind | sedWords | awkWords | testWords | setsNames |
	formats | brewWords

// arity says what a row lets follow an option.
type arity int

const (
	unnamed arity = iota
	alone
	valued
	glued
	writes
)

// spec is what a row says of one option.
type spec struct {
	arity  arity
	apart  bool   // its value is never glued to it
	limit  string // patterns of its value
	needed bool   // or one of the others that are
}

// option finds what a row says of an option. One that it places twice is not named.
func (r *row) option(name string) spec {
	var found spec
	for token := range strings.FieldsSeq(r.opts) {
		s, names := specOf(token)
		letters := len(name) == 2 && !r.how.is(dashed) && len(names) > 1 && names[1] != '-'
		if names != name && !(letters && strings.Contains(names[1:], name[1:])) {
			continue
		}
		if found.arity != unnamed && found != s {
			return spec{}
		}
		found = s
	}
	return found
}

// specOf reads one word of a row's options.
func specOf(token string) (spec, string) {
	if names, ok := strings.CutPrefix(token, "^"); ok {
		return spec{arity: writes}, names
	}
	token, needed := strings.CutPrefix(token, "!")
	if names, limit, ok := strings.Cut(token, "="); ok {
		return spec{arity: valued, limit: limit, needed: needed}, names
	}
	names := strings.TrimRight(token, ":;?")
	switch token[len(names):] {
	case ":":
		return spec{arity: valued, needed: needed}, names
	case ";":
		return spec{arity: valued, apart: true, needed: needed}, names
	case "?":
		return spec{arity: glued, needed: needed}, names
	}
	return spec{arity: alone, needed: needed}, names
}

// free reports that no option of the command does more than read, numbers that a number
// may be one, and strict that it matters which words are operands.
func (r *row) free() bool    { return has(r.opts, "*") }
func (r *row) numbers() bool { return r.free() || has(r.opts, "-#") }
func (r *row) strict() bool  { return r.ops != "" }

// listed reports whether a list of names, with commas between, holds name.
func listed(names, name string) bool { return strings.Contains(", "+names+", ", ", "+name+", ") }

// has reports whether a list of words holds word.
func has(list, word string) bool {
	for one := range strings.FieldsSeq(list) {
		if one == word {
			return true
		}
	}
	return false
}

// fitsAny reports whether text fits one of a list of patterns.
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
