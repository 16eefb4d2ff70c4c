package shellgate

import "strings"

// careful reports whether options matter to a row at all.
func (r *rule) careful() bool {
	return r.flags != "" || r.never != "" || r.runs != "" || r.sends != "" || r.limits != "" || r.needs != "" || r.numbers != ""
}

// switches reports whether a row asks for an option, without a value of it.
func (r *rule) switches(name string) bool {
	if has(r.needs, name) {
		return true
	}
	for pair := range strings.FieldsSeq(r.beside) {
		if _, with, _ := strings.Cut(pair, ":"); has(strings.ReplaceAll(with, ",", " "), name) {
			return true
		}
	}
	return false
}

// mayBeNever: the option that the word is, or might be, among those that never
// pass.
func (r *rule) mayBeNever(text string) string {
	if !strings.HasPrefix(text, "-") || text == "-" {
		return ""
	}
	name, _, _ := strings.Cut(text, "=")
	if has(r.exact, name) || name == "-" {
		return ""
	}
	if has(r.tails, name) {
		return name
	}
	for never := range r.refusing {
		switch {
		case never == name,
			strings.HasPrefix(never, "--") && len(name) > 2 && strings.HasPrefix(never, name),
			!r.single && len(never) == 2 && name[1] != '-' && strings.Contains(name, never[1:]):
			return never
		}
	}
	return ""
}

func (s *scanner) add(o option, known bool) {
	s.out.options = append(s.out.options, o)
	for never, why := range s.r.refusing {
		if never == o.name {
			s.fail(why, arg{src: o.name})
		}
	}
	switch {
	case s.r.flags != "" && !known:
		s.fail(UnknownFlag, arg{src: o.name})
	case has(s.r.numbers, o.name) && strings.Trim(o.value.text, "0123456789."+string(number)) != "":
		s.fail(Evaluates, arg{src: o.name + " " + o.value.text})
	case o.given && !s.j.limited(s.r.limits, o.name, o.value):
		s.fail(s.r.why.or(WritesFile), arg{src: o.name + " " + o.value.text})
	case o.given && !s.j.limited(s.r.requests, o.name, o.value):
		s.fail(Sends, arg{src: o.name + " " + o.value.text})
	}
}

func (r Reason) or(other Reason) Reason {
	if r == "" {
		return other
	}
	return r
}

// limited reports whether an option may have the value.
func (j *judge) limited(limits, name string, value arg) bool {
	for limit := range strings.FieldsSeq(limits) {
		option, allowed, _ := strings.Cut(limit, ":")
		if option != name {
			continue
		}
		positive, ok := false, false
		for pattern := range strings.SplitSeq(allowed, ",") {
			if bad, not := strings.CutPrefix(pattern, "!"); not {
				if j.mayHold(value, bad) {
					return false
				}
				continue
			}
			positive = true
			ok = ok || value.known() && fits(pattern, value.text)
		}
		if positive && !ok {
			return false
		}
	}
	return true
}
