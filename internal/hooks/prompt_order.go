package hooks

import "strings"

// ordered reports whether a phrase stands in its sentence as an order: at the
// start of a clause or behind what leads to one, to be followed now, and not as
// something that is told, asked or thought about. The words that decide are in
// prompt_tables.go. A phrase in capitals is a code word, which nobody says by
// the way.
func ordered(p phrase, before, after sentence) bool {
	if before.defers() || after.later() {
		return false
	}
	return p.capitals || before.leads(p, after) && after.follows(p)
}

// clause is where the last clause of s begins, and the mark before it.
func (s sentence) clause() (start int, mark string) {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i].mark() {
			return i + 1, s[i].raw
		}
	}
	return 0, ""
}

// leads reports whether s leads to an order.
func (s sentence) leads(p phrase, after sentence) bool {
	start, mark := s.clause()
	clause := s[start:]
	if clause.has(askingWords) && !clause.requests() && clause.at(len(clause)-1) != "so" { // "that's what I want so …"
		return false
	}
	for len(clause) > 0 && among(adverbs, clause.at(len(clause)-1)) {
		clause = clause[:len(clause)-1]
	}
	last := clause.at(len(clause) - 1)
	pair := clause.at(len(clause)-2) + "_" + last
	switch {
	case len(clause) == 0, len(clause) == 1 && last == strings.TrimSpace(taken):
		return s[:start].opensOrder(p, mark)
	case among(leading, last):
		return true
	case among(joining, last): // "plan and ship it" is an order, "they plan and ship it" none
		return !s.has(subjects)
	case among(invitations, pair):
		return after.strict(p, "") && clause[:len(clause)-2].introduces()
	case len(p.words) > 1 && (among(assents, last) || among(assentPairs, pair)):
		return true
	}
	return last == "you" && clause.requests() && after.strict(p, "for")
}

// opensOrder reports whether a clause that begins behind s, which ends with a
// mark, or with nothing, may begin with an order.
func (s sentence) opensOrder(p phrase, mark string) bool {
	if len(s) > 0 && (s[0].raw == headingMark || s[0].raw == listMark && p.isStep()) {
		return false
	}
	said := ""
	for i := len(s) - 1; i >= 0 && said == ""; i-- {
		said = s.at(i)
	}
	switch mark {
	case ":", "：":
		return among(leading, said) || among(assents, said) || among(conclusions, said)
	case "=", "<", "[", "{", "|":
		return false
	case "(", ")":
		return !p.isStep()
	}
	return true
}

// introduces reports whether s, at the start of a clause, is nothing, or words of
// assent or opinion: "ok, I think".
func (s sentence) introduces() bool {
	last := s.at(len(s) - 1)
	return len(s) == 0 || among(leading, last) || among(opinions, last)
}

func (s sentence) has(list string) bool {
	for i := range s {
		if among(list, s.at(i)) {
			return true
		}
	}
	return false
}

// isStep: what the phrase says is itself a step of a plan, so that it stands in
// lists of them.
func (p phrase) isStep() bool { return !among(permissions, strings.Join(p.words, "_")) }

// defers reports whether s makes what follows it depend on something, or puts
// something else first.
func (s sentence) defers() bool {
	for i := range s {
		w, next := s.at(i), s.at(i+1)
		switch {
		case w == "once" && (s.at(i-1) == "at" || next == "more" || next == "again"), w == "after" && next == "all":
		case among(conditions, w):
			return true
		case w == "before" && next != "":
			return true
		case w == "as" && next == "soon":
			return true
		case w == "first" && next != "of" && (s.at(i-1) == "" || i+1 == len(s) || next == ""):
			return true
		}
	}
	return false
}

// maxClause is how many words behind a phrase may belong to it.
const maxClause = 40

// later reports whether s, which follows a phrase, says that it is for another
// time or under a condition, or that it was only mentioned.
func (s sentence) later() bool {
	for i := range s {
		w := s.at(i)
		if w == "" || i == maxClause {
			break // the next clause
		}
		next := s.at(i + 1)
		switch {
		case among(otherTimes, w), (w == "next" || w == "another") && among(spans, next):
			return true
		case i == 0 && among(conditions, w) && !(w == "once" && (next == "" || next == "more")):
			return true
		case w == "only" && among(conditions, next), w == "as" && next == "soon":
			return true
		case i == 0 && among(mentions, w):
			return true
		}
	}
	return false
}

// follows reports whether what follows the phrase goes with an order.
func (s sentence) follows(p phrase) bool {
	text := strings.Join(p.words, "_")
	switch {
	case len(p.words) == 1, strings.HasSuffix(text, "_so"): // "make it so that …"
		return s.strict(p, ways)
	case !among(granting, text):
		return true
	}
	// "go ahead and explain", "go ahead with the analysis"
	rest := s
	for len(rest) > 0 && (rest[0].mark() || among("and then to please just but only", rest.at(0))) {
		rest = rest[1:]
	}
	if among(talking, rest.at(0)) || among(composing, rest.at(0)) && rest[1:].isAboutText() {
		return false
	}
	if rest.at(0) == "with" {
		for rest = rest[1:]; among(determiners, rest.at(0)); rest = rest[1:] {
		}
		return !among(talks, rest.at(0))
	}
	return true
}

// isAboutText reports whether the first thing that s names is a text for the
// discussion and no more: "the plan", not "the plan parser".
func (s sentence) isAboutText() bool {
	for len(s) > 0 && among(determiners, s.at(0)) {
		s = s[1:]
	}
	return (among(talks, s.at(0)) || among("plan spec specification", s.at(0))) && (s.at(1) == "" || among("first and with for so", s.at(1)))
}

// isOnly reports whether s is one word and marks.
func (s sentence) isOnly(word string) bool {
	found := false
	for i := range s {
		switch s.at(i) {
		case "":
		case word:
			found = true
		default:
			return false
		}
	}
	return found
}

// strict reports whether the order ends here, or goes on with what it is about,
// or with one of more.
func (s sentence) strict(p phrase, more string) bool {
	if len(s) == 0 {
		return true
	}
	w := s.at(0)
	switch {
	case w == "":
		return !among("= : ( [ { < |", s[0].raw)
	case among(goingOn, w), among(more, w):
		return true
	}
	return len(p.words) == 1 && (among(objects, w) || strings.Trim(w, "0123456789.") == "")
}

// holdsBack reports whether the prompt says anywhere that nothing is to be
// changed now: whatever else it says then is no order.
func (h heard) holdsBack() bool {
	for _, s := range h.sentences {
		if s.isOnly("not") {
			return true
		}
		negation := s.negation()
		for i := range s {
			if s.waits(i) || s.keepsAll(i, negation < i) {
				return true
			}
		}
	}
	return false
}

// waits: "wait", "hold on" and "not yet" at the start of a clause.
func (s sentence) waits(i int) bool {
	if s.at(i-1) != "" && !among(leading, s.at(i-1)) {
		return false
	}
	return s.at(i) == "wait" || among("hold_on hold_off not_yet not_now", s.at(i)+"_"+s.at(i+1))
}

// keepsAll: "change nothing", "don't edit anything", "without changing anything",
// "no code changes"; but not "change nothing else", "don't change any test".
func (s sentence) keepsAll(i int, negated bool) bool {
	w := s.at(i)
	end := 0
	switch {
	case among(changing, w) && among("nothing none", s.at(i+1)):
		end = i + 2
	case among(changing, w) && s.at(i+1) == "anything" && negated:
		end = i + 2
	case among(changing, w) && among("any the", s.at(i+1)) && among("file files code thing", s.at(i+2)) && negated:
		end = i + 3
	case w == "no" && among("changes edits writes modifications", s.at(i+1)):
		end = i + 2
	case w == "no" && among("code file", s.at(i+1)) && s.at(i+2) == "changes":
		end = i + 3
	default:
		return false
	}
	return s.at(end) == "" || among("yet now for please so at", s.at(end))
}
