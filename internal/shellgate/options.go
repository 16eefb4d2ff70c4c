package shellgate

import (
	"strings"
	"unicode/utf8"
)

// option is one that stands in a command.
type option struct {
	name  string // as in the rows: -o, --output
	value arg
}

// scanned are the words behind a command, told apart.
type scanned struct {
	options  []option
	operands []arg
	// rest are the words from the first operand on.
	rest []arg
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

// scanner reads the words behind a command by its row. It refuses each word that
// may be an option and is none that the row names, whatever stands before it.
type scanner struct {
	r   *row
	out scanned
	bad *problem
	// ended: no options from here on.
	ended bool
}

// scan tells options from operands, and checks both.
func (r *row) scan(words []arg) (scanned, *problem) {
	s := scanner{r: r}
	if r.how.is(bundled) && len(words) > 0 && words[0].literal() && !words[0].mayBeOption() {
		if i := strings.IndexByte(words[0].text, 'f'); i >= 0 && i+1 < len(words[0].text) { // its value comes later
			s.fail(UnknownFlag, words[0])
		}
		words = append([]arg{{text: "-" + words[0].text, src: words[0].src}}, words[1:]...)
	}
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case s.ended || w.text == "-" && !w.many:
			if w.text != "-" && w.mayBeOption() && s.needs() { // unzip goes on with options
				s.hidden(w)
			}
			s.operand(words[i:])
		case w.text == "--" && !r.how.is(dashed|group): // to a group it may be the beginning of an operand
			s.ended = true
		case w.isNumber() && w.mayBeOption() && r.numbers():
			if !strings.HasPrefix(w.text, "-") { // $n
				s.operand(words[i:])
			}
		case !w.mayBeOption(), w.text[0] == number && !r.how.is(dashed) && !r.strict(): // -15,20p is an error to getopt
			s.operand(words[i:])
			if r.how.is(stops) {
				s.behind(words[i+1:])
				return s.done()
			}
		case !strings.HasPrefix(w.text, "-") || strings.ContainsAny(w.text, string(hole)) && w.many: // $x, -$x
			if !r.free() {
				s.hidden(w)
			}
			s.operand(words[i:])
		case len(s.out.operands) > 0 && r.strict() && !r.how.is(anywhere): // read in two ways
			s.fail(UnknownFlag, w)
		default:
			if s.one(w, words[i+1:]) {
				i++
			}
		}
	}
	return s.done()
}

// behind takes the words behind the first operand where options end there: the
// words of a command, or no options.
func (s *scanner) behind(words []arg) {
	for i, w := range words {
		if !s.r.how.is(looks|group) && w.mayBeOption() && !(w.text == "-" && !w.many) && !s.r.free() {
			if w.isNumber() && s.r.numbers() {
				continue
			}
			s.hidden(w)
		}
		s.operand(words[i:])
	}
}

// hidden notes a word that may be an option.
func (s *scanner) hidden(w arg) {
	if strings.HasPrefix(w.text, "-") {
		s.fail(UnknownFlag, w)
		return
	}
	s.fail(HiddenFlag, w)
	if s.r.how.is(inGit) {
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
	switch {
	case w.text == "--end-of-options" && s.r.how.is(inGit):
		s.ended = true
		return false
	case s.r.how.is(dashed), strings.HasPrefix(w.text, "--"):
		return s.long(w, next)
	}
	for i, c := range w.text[1:] {
		rest := w
		rest.text = w.text[1+i+utf8.RuneLen(c):]
		name := "-" + string(c)
		switch found := s.r.option(name); {
		case (c >= '0' && c <= '9' || c == number) && s.r.numbers():
			continue
		case found.arity == valued && rest.text != "", found.arity == glued:
			s.add(name, found, rest)
			return false
		case found.arity == valued:
			return s.value(name, found, next)
		case found.arity == writes:
			s.fail(WritesFile, arg{src: name})
			return false
		case found.arity == unnamed && !s.r.free():
			s.fail(UnknownFlag, arg{src: name})
			return false
		default:
			s.add(name, found, arg{})
		}
	}
	return false
}

func (s *scanner) long(w arg, next []arg) bool {
	name, text, given := strings.Cut(w.text, "=")
	value := arg{text: text, src: w.src, many: w.many}
	if s.r.how.is(dashed) && strings.HasPrefix(name, "--") {
		name = name[1:]
	}
	found := s.r.option(name)
	switch {
	case found.arity == writes:
		s.fail(WritesFile, arg{src: name})
	case found.arity == unnamed && s.r.free():
		s.add(name, found, value)
	case found.arity == unnamed, given && found.arity == alone, strings.ContainsAny(name, unknowns):
		s.fail(UnknownFlag, arg{src: strings.ReplaceAll(name, Hole, "…")})
	case given || found.arity != valued:
		s.add(name, found, value)
	default:
		return s.value(name, found, next)
	}
	return false
}

// value takes the next word for the value of an option. One that looks like an
// option may be one where another implementation has no value there.
func (s *scanner) value(name string, found spec, next []arg) bool {
	if len(next) == 0 {
		s.fail(UnknownFlag, arg{src: name})
		return false
	}
	w := next[0]
	negative := strings.HasPrefix(w.text, "-") && len(w.text) > 1 && w.text[1] >= '0' && w.text[1] <= '9'
	switch {
	case s.r.free():
	case w.many && w.mayBeOption():
		s.hidden(w)
	case strings.HasPrefix(w.text, "-") && w.text != "-" && !negative && !(s.r.how.is(anywhere) && found.limit == "" && s.named(w)):
		s.fail(UnknownFlag, w)
	}
	s.add(name, found, w)
	return true
}

// named reports whether a word is an option that the row names, so that it reads
// as one, too.
func (s *scanner) named(w arg) bool {
	name, _, _ := strings.Cut(w.text, "=")
	return s.r.option(name).arity != unnamed && !s.needs()
}

func (s *scanner) add(name string, found spec, value arg) {
	s.out.options = append(s.out.options, option{name, value})
	if found.limit != "" && !allows(found.limit, ",", value) {
		s.fail(BadValue, arg{src: name + " " + value.src})
	}
}

// needs reports whether the command reads only beside some option.
func (s *scanner) needs() bool {
	return strings.HasPrefix(s.r.opts, "!") || strings.Contains(s.r.opts, " !")
}

// done checks what the row asks of all words together.
func (s *scanner) done() (scanned, *problem) {
	if s.bad == nil && s.needs() {
		ok, first := false, ""
		for _, o := range s.out.options {
			ok = ok || s.r.option(o.name).needed
		}
		for token := range strings.FieldsSeq(s.r.opts) {
			if need, needed := strings.CutPrefix(token, "!"); needed && first == "" {
				first, _, _ = strings.Cut(strings.TrimRight(need, ":?"), "=")
			}
		}
		if !ok && strings.HasSuffix(first, "-version") { // a program of which only that is known
			s.fail(UnknownSub, arg{})
		} else if !ok {
			s.fail(NeedsFlag, arg{src: first})
		}
	}
	for token := range strings.FieldsSeq(s.r.ops) {
		s.checkOperands(token)
	}
	if s.r.how.is(known) {
		for _, o := range s.out.options {
			s.checkKnown(o.value)
		}
		for _, w := range s.out.operands {
			s.checkKnown(w)
		}
	}
	return s.out, s.bad
}

func (s *scanner) checkKnown(w arg) {
	if w.many || strings.ContainsAny(w.text, string(hole)+string(plain)+string(solid)) {
		s.fail(HiddenPlace, w)
	}
}

// checkOperands checks one word of what a row says of operands.
func (s *scanner) checkOperands(token string) {
	count, beside, _ := strings.Cut(token, "/")
	first, isFirst := strings.CutPrefix(token, "=")
	switch {
	case isDigits(count):
		if _, ok := s.out.option(strings.ReplaceAll(beside, ",", " ")); ok && beside != "" {
			return
		}
		for i, w := range s.out.operands {
			if i >= int(count[0]-'0') || w.many {
				s.fail(TooMany, w)
			}
		}
	case isFirst:
		if len(s.out.operands) > 0 && !allows(first, ",", s.out.operands[0]) {
			s.fail(NotListing, s.out.operands[0])
		}
	case strings.HasPrefix(token, "!"):
		for _, w := range s.out.operands {
			if !allows(token, " ", w) {
				s.fail(BadValue, w)
			}
		}
	default:
		for _, w := range s.out.operands {
			positive := ""
			for t := range strings.FieldsSeq(s.r.ops) {
				if n, _, _ := strings.Cut(t, "/"); !isDigits(n) && !strings.HasPrefix(t, "=") && !strings.HasPrefix(t, "!") {
					positive += t + " "
				}
			}
			if !allows(strings.TrimSpace(positive), " ", w) {
				s.fail(BadValue, w)
			}
		}
	}
}
