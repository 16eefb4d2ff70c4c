package shellgate

import (
	"cmp"
	"strings"
	"unicode/utf8"
)

// option is one that stands in a command.
type option struct {
	name  string // as in the tables: -o, --output
	value arg
	given bool // it has a value
}

// scanned are the words behind a command, told apart.
type scanned struct {
	options  []option
	operands []arg
	// rest are the words from the first operand on, all are all, as they stand.
	rest, all []arg
	// tails are the words behind each of the options of that kind.
	tails [][]arg
}

func (s scanned) option(list string) (option, bool) {
	for _, o := range s.options {
		if has(list, o.name) {
			return o, true
		}
	}
	return option{}, false
}

// scanner reads the words behind a command by its row. It knows what options
// look like, for all commands; a word that could be read in two ways is read in
// the worse one.
type scanner struct {
	j    *judge
	r    *rule
	out  scanned
	bad  *problem
	stop bool // no options from here on
	sure bool // and that is certain
	// either: or there may be none, since a word before may be an operand.
	either bool
}

// scan tells options from operands and checks the options.
func (j *judge) scan(r *rule, words []arg) (scanned, *problem) {
	s := scanner{j: j, r: r, sure: true}
	afterUnknown := false // the word before may take this one as its value
	for i := 0; i < len(words); i++ {
		w := words[i]
		if s.stop {
			if !s.sure && r.mayBeNever(w.text) != "" {
				s.fail(WritesFile, w)
			}
			s.operand(w, words[i:])
			continue
		}
		switch {
		case w.text == "--" && !r.single && !r.endless, w.text == "--end-of-options" && r.revisions:
			s.stop, s.sure = true, s.sure && !afterUnknown
			continue
		case r.bundled && i == 0 && w.text != "" && !strings.HasPrefix(w.text, "-") && !strings.HasPrefix(w.text, string(hole)):
			if strings.Contains(w.text, "-") { // which would end the options, or not
				s.fail(UnknownFlag, w)
			}
			words = r.unbundled(words)
			w = words[0]
		case w.mayBeOption(), r.plus && w.text != "" && strings.ContainsAny(w.text[:1], anyText) && !w.path && j.mayBegin(w, "+"):
			if r.careful() {
				s.fail(HiddenFlag, w)
				s.bad.hint = cmp.Or(s.bad.hint, r.hintFor(w, len(s.out.operands) == 0))
			}
			s.operand(w, words[i:])
			s.sure, s.either = s.sure && !w.vanishes, s.either || r.posix
			continue
		case strings.HasPrefix(w.text, string(number)):
			s.numeral(w, words[i:])
			continue
		case !r.optionLike(w.text):
			s.operand(w, words[i:])
			if r.posix {
				s.stop = true
			}
			continue
		}
		if s.either {
			s.operand(w, words[i:])
		}
		var next *arg
		if i+1 < len(words) {
			next = &words[i+1]
		}
		if n := s.tail(words[i:]); n > 0 {
			i += n - 1
			continue
		}
		took, known := s.one(w, next)
		if took {
			i++
		}
		afterUnknown = !took && !known
	}
	s.out.all = words
	return s.out, s.bad
}

// mayEnd reports whether a word may be the semicolon that ends a tail.
func (j *judge) mayEnd(w arg) bool {
	all, ok := j.values(w, 0)
	for _, v := range all {
		ok = ok && v != ";" && strings.Trim(v, anyText+";") != ""
	}
	return !ok
}

// tail takes an option whose value are all words up to a semicolon. It gives how
// many words that were; none: words does not begin with such an option.
func (s *scanner) tail(words []arg) int {
	name, _, given := strings.Cut(words[0].text, "=")
	if s.r.tails == "" || !has(s.r.tails, name) {
		return 0
	}
	var tail []arg
	if given {
		tail = append(tail, words[0].from(len(name)+1))
	}
	n, ended := 1, false
	for ; n < len(words) && words[n].text != ";"; n++ {
		if ended && s.r.mayBeNever(words[n].text) != "" {
			s.fail(HiddenFlag, words[n])
		}
		ended = ended || s.j.mayEnd(words[n])
		tail = append(tail, words[n])
	}
	s.out.tails = append(s.out.tails, tail)
	return min(n+1, len(words))
}

// unbundled writes letters without a hyphen, tfC x.tar dir, as options of their
// own: their values are the words that follow, in the order of the letters.
func (r *rule) unbundled(words []arg) []arg {
	letters, rest := words[0], words[1:]
	var out []arg
	for _, c := range letters.text {
		name := "-" + string(c)
		out = append(out, arg{text: name, src: letters.src, many: letters.many})
		if has(r.values, name) && len(rest) > 0 {
			out, rest = append(out, rest[0]), rest[1:]
		}
	}
	return append(out, rest...)
}

// hintFor says how a word that may be an option can't be one.
func (r *rule) hintFor(w arg, first bool) string {
	switch text := strings.TrimLeft(w.text, string(hole)); {
	case first && (r.inner == sedProgram || r.inner == awkProgram):
		return HiddenText.words().hint
	case r.inner == fetchedURL:
		return HiddenPlace.words().hint
	case w.many && text != "" && !strings.ContainsAny(text[:1], "-"+unknowns):
		return "In double quotes it can't."
	case r.revisions:
		return "After --end-of-options it can't."
	}
	return ""
}

func (r *rule) optionLike(text string) bool {
	return len(text) > 1 && (text[0] == '-' || r.plus && text[0] == '+')
}

func (s *scanner) fail(why Reason, w arg) {
	if s.bad == nil {
		s.bad = &problem{reason: why, detail: w.src}
	}
}

func (s *scanner) operand(w arg, rest []arg) {
	if len(s.out.operands) == 0 {
		s.out.rest = rest
	}
	s.out.operands = append(s.out.operands, w)
}

// numeral is a word that begins with a number, which may be negative.
func (s *scanner) numeral(w arg, rest []arg) {
	tail := strings.TrimLeft(w.text, string(number)+"0123456789")
	if s.r.careful() && tail != "" && (s.r.mayBeNever("-"+tail) != "" || s.r.mayBeNever(tail) != "") {
		s.fail(HiddenFlag, w)
	}
	s.operand(w, rest)
	if s.r.posix {
		s.stop = true
	}
}

// one reads an option. It reports whether that took the next word for its value,
// and whether the row knows the option.
func (s *scanner) one(w arg, next *arg) (took, known bool) {
	switch {
	case s.r.single, strings.HasPrefix(w.text, "--"), strings.HasPrefix(w.text, "+"), s.r.lone && (has(s.r.values, w.text) || has(s.r.flags, w.text)):
		return s.long(w, next)
	case s.r.lone && len(w.text) > 1 && has(s.r.flags, w.text[:2]):
		s.add(option{name: w.text[:2]}, true)
		return false, true
	}
	return s.cluster(w, next)
}

func (s *scanner) long(w arg, next *arg) (took, known bool) {
	name, _, given := strings.Cut(w.text, "=")
	value := w.from(min(len(name)+1, len(w.text)))
	if strings.ContainsAny(name, unknowns) {
		if s.r.careful() {
			s.fail(HiddenFlag, w)
		}
		return false, false
	}
	if strings.HasPrefix(name, "---") && s.r.careful() { // to ugrep, a file of settings
		s.fail(UnknownFlag, w)
	}
	if s.r.single && strings.HasPrefix(name, "--") {
		name = name[1:]
	}
	o := option{name: name, value: value, given: given}
	switch {
	case given && value.text != "true" && !has(s.r.values, name) && s.r.switches(name): // -check=false
		s.fail(UnknownFlag, w)
		known = true
	case has(s.r.values, name):
		if !given {
			o.value, o.given, took = s.value(next)
		}
		known = true
	case s.knows(name), name[0] == '+' && isDigits(name[1:]):
		known = true
	case name[0] == '+': // +!command, to a pager
		s.fail(UnknownFlag, w)
	case !s.r.single:
		for never := range s.r.refusing { // an abbreviation
			if strings.HasPrefix(never, "--") && len(name) > 2 && strings.HasPrefix(never, name) {
				o.name, known = never, true
			}
		}
	}
	s.add(o, known)
	return took, known
}

// knows reports whether the row names an option, as whatever.
func (s *scanner) knows(name string) bool {
	r := s.r
	return has(r.flags, name) || has(r.exact, name) || has(r.never, name) || has(r.runs, name) || has(r.sends, name) || has(r.needs, name) || has(r.lists, name)
}

// cluster is a word of one-letter options: -nr, -k2, -oFILE.
func (s *scanner) cluster(w arg, next *arg) (took, known bool) {
	known = true
	for i, c := range w.text[1:] {
		rest := w.from(1 + i + utf8.RuneLen(c))
		name := "-" + string(c)
		o := option{name: name}
		switch {
		case c >= '0' && c <= '9', c == number:
			if s.r.numberless {
				s.fail(UnknownFlag, w)
			}
			continue
		case c == hole || c == other || c == home:
			if s.r.careful() {
				s.fail(HiddenFlag, w)
			}
			return false, false
		case has(s.r.values, name):
			if rest.text != "" {
				o.value, o.given = rest, true
			} else {
				o.value, o.given, took = s.value(next)
			}
			s.add(o, true)
			return took, true
		case has(s.r.glued, name):
			s.add(option{name: name, value: rest, given: rest.text != ""}, true)
			return false, true
		}
		knows := s.knows(name)
		if !knows {
			known = false
		}
		s.add(o, knows)
	}
	return false, known
}

// value takes the next word for the value of an option.
func (s *scanner) value(next *arg) (arg, bool, bool) {
	if next == nil {
		return arg{}, false, false
	}
	// A value that may be several words, or none, moves what follows.
	if next.many && strings.HasPrefix(next.text, string(hole)) && s.r.careful() {
		s.fail(HiddenFlag, *next)
	}
	if next.vanishes {
		s.sure = false
	}
	if s.r.mayBeNever(next.text) != "" && !s.r.single {
		s.fail(WritesFile, *next)
	}
	return *next, true, true
}
