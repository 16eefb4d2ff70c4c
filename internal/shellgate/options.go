package shellgate

import (
	"slices"
	"strings"
	"unicode/utf8"
)

type option struct {
	name  string // as in the rows: -o, --output
	value arg
}

// scanned are the words behind a command, told apart.
type scanned struct {
	options  []option
	operands []arg
	rest     []arg // the words from the first operand on
}

// option finds the last one of a list of names.
func (s scanned) option(names string) (option, bool) {
	for i := len(s.options) - 1; i >= 0; i-- {
		if has(names, s.options[i].name) {
			return s.options[i], true
		}
	}
	return option{}, false
}

// scanner reads the words behind a command by its row. It refuses each word that may be
// an option and is none that the row names, whatever stands before it.
type scanner struct {
	r   *row
	out scanned
	bad *problem
}

// scan tells options from operands, and checks both.
func (r *row) scan(words []arg) (scanned, *problem) {
	s := scanner{r: r}
	if r.is("bundled") && len(words) > 0 && words[0].literal() && !words[0].mayBeOption() {
		if strings.Trim(strings.TrimSuffix(words[0].text, "f"), "tvzjJaOxcru") != "" { // values come later, in their order
			s.fail(UnknownFlag, words[0])
		}
		words = append([]arg{{text: "-" + words[0].text, src: words[0].src}}, words[1:]...)
	}
	ended, past := false, false // no options, or no word that counts as one, from here on
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case w.text == "-" && !w.many, past && r.is(looks+" group"), !w.mayBeOption(),
			w.text[0] == number && (r.numbers() || !r.is("dashed") && !r.strict()): // -15,20p is an error to getopt
			s.operand(words[i:])
			past = past || r.is("stops")
		case w.isNumber() && r.numbers() && !ended:
		case ended || past || w.text[0] != '-' || w.many: // $x, -$x, -o where it should be an operand
			if !r.free() && (!ended || s.r.needed() != "") { // needed: unzip goes on with options
				s.hidden(w)
			}
			s.operand(words[i:])
		case w.text == "--" && !r.is("dashed group"), // a group may take it on
			w.text == "--end-of-options" && r.is("git"):
			ended = true
		case len(s.out.operands) > 0 && (r.strict() || r.needed() != "" || r.is("sed")) && !r.is("anywhere"):
			// Programs read this in two ways.
			s.fail(UnknownFlag, w)
		case s.one(w, words[i+1:]):
			i++
		}
	}
	s.check()
	return s.out, s.bad
}

// hidden notes a word that may be an option.
func (s *scanner) hidden(w arg) {
	if strings.HasPrefix(w.text, "-") {
		s.fail(UnknownFlag, w)
		return
	}
	s.fail(HiddenFlag, w)
	if s.r.is("git") {
		s.bad.hint = "After --end-of-options it can't."
	}
}

func (s *scanner) fail(why *Reason, w arg) {
	if s.bad == nil {
		s.bad = &problem{reason: why, detail: w.src}
	}
}

func (s *scanner) operand(words []arg) {
	if len(s.out.operands) == 0 {
		s.out.rest = words
	}
	s.out.operands = append(s.out.operands, words[0])
}

// one reads a word of options. It reports whether that takes the next word, too.
func (s *scanner) one(w arg, next []arg) bool {
	name, text, given := strings.Cut(w.text, "=")
	if s.r.is("dashed") && strings.HasPrefix(name, "--") {
		name = name[1:]
	}
	if s.r.is("dashed") || strings.HasPrefix(w.text, "--") {
		return s.add(name, arg{text: text, src: w.src}, given, next)
	}
	for i, c := range w.text[1:] {
		name, rest := "-"+string(c), arg{text: w.text[1+i+utf8.RuneLen(c):], src: w.src}
		if (c >= '0' && c <= '9' || c == number) && s.r.numbers() {
			continue
		}
		found := s.r.option(name)
		if found.follows == ';' && rest.text != "" {
			s.fail(UnknownFlag, w)
		}
		takes := s.add(name, rest, found.valued() && rest.text != "" || found.follows == '?', next)
		if found.follows != '-' && !(found.follows == 0 && s.r.free()) {
			return takes
		}
	}
	return false
}

// add notes an option, and reports whether it takes the next word for its value. A
// value that looks like an option may be one where another implementation has no
// value there: it passes only to a command that is read in one way, as what reads too.
func (s *scanner) add(name string, value arg, given bool, next []arg) bool {
	found, takes := s.r.option(name), false
	switch {
	case found.follows == '^':
		s.fail(WritesFile, arg{src: name})
	case found.follows == 0 && s.r.free():
	case found.follows == 0, found.follows == '-' && given, found.valued() && !given && len(next) == 0:
		s.fail(UnknownFlag, arg{src: strings.ReplaceAll(name, Hole, "…")})
	case found.valued() && !given:
		value, takes = next[0], true
		first, _, _ := strings.Cut(value.text, "=")
		other := s.r.option(first).follows
		named := s.r.is("anywhere") && found.limit == "" && s.r.needed() == "" && other != 0 && other != '^'
		negative := len(value.text) > 1 && value.text[0] == '-' && isDigits(value.text[1:2])
		looksSo := strings.HasPrefix(value.text, "-") && value.text != "-" && !negative && !named
		if looksSo || (value.many || s.r.is("git") && !value.isNumber() && !strings.HasPrefix(value.text, "-")) &&
			value.mayBeOption() {
			s.hidden(value)
		}
	}
	s.out.options = append(s.out.options, option{name, value})
	if found.limit != "" && !allows(strings.Split(found.limit, ","), value) {
		s.fail(BadValue, arg{src: name + " " + value.src})
	}
	return takes
}

// needed is the first option of which one has to be there; empty: none has to.
func (r *row) needed() string {
	for token := range strings.FieldsSeq(r.opts) {
		if s, name := specOf(token); s.needed {
			return name
		}
	}
	return ""
}

// check asks what the row wants of all words together.
func (s *scanner) check() {
	first := s.r.needed()
	met, words := first == "", slices.Clip(s.out.operands)
	for _, o := range s.out.options {
		met = met || s.r.option(o.name).needed
		words = append(words, o.value)
	}
	if !met && strings.HasSuffix(first, "-version") { // a program of which only that is known
		s.fail(UnknownSub, arg{})
	} else if !met {
		s.fail(NeedsFlag, arg{src: first})
	}
	s.checkOperands()
	for _, w := range words {
		if s.r.is("known") && (w.many || !Known(w.text) || strings.ContainsRune(w.text, home)) {
			s.fail(HiddenPlace, w)
		}
	}
}

func (s *scanner) checkOperands() {
	var patterns []string
	most := -1
	for token := range strings.FieldsSeq(s.r.ops) {
		count, beside, _ := strings.Cut(token, "/")
		first, isFirst := strings.CutPrefix(token, "=")
		_, lists := s.out.option(strings.ReplaceAll(beside, ",", " "))
		switch {
		case isDigits(count) && !lists:
			most = int(count[0] - '0')
		case isFirst && len(s.out.operands) > 0 && !allows(strings.Split(first, ","), s.out.operands[0]):
			s.fail(NotListing, s.out.operands[0])
		case !isFirst && !isDigits(count):
			patterns = append(patterns, token)
		}
	}
	for i, w := range s.out.operands {
		if most >= 0 && (i >= most || w.many) {
			s.fail(TooMany, w)
		}
	}
	for _, w := range s.out.operands {
		if !allows(patterns, w) {
			s.fail(BadValue, w)
		}
	}
}
