package shellgate

import "strings"

// maxTexts bounds what one word may stand for.
const maxTexts = 64

// values are what a word may be, with each value of its variables in their place;
// what else is not known stays. It reports false where that is not to be said.
func (j *judge) values(w arg, followed int) ([]string, bool) {
	all, from := []string{""}, 0
	for _, s := range w.spots {
		given := j.vars[s.name]
		if s.elements {
			given = j.elements[s.name]
		}
		texts, ok := j.textsOf(given, followed)
		if !ok || len(all)*len(texts) > maxTexts {
			return nil, false
		}
		var next []string
		for _, a := range all {
			for _, t := range texts {
				next = append(next, a+w.text[from:s.at]+t)
			}
		}
		all, from = next, s.at+1
	}
	for i := range all {
		all[i] += w.text[from:]
	}
	return all, true
}

// textsOf are the texts of values.
func (j *judge) textsOf(given []value, followed int) ([]string, bool) {
	var all []string
	for _, v := range given {
		texts, ok := []string{""}, true
		switch {
		case v.unknown || j.tired() || followed > maxFollow || len(all) > maxTexts:
			return nil, false
		case v.number:
			texts[0] = string(number)
		case v.word != nil:
			texts, ok = j.values(j.arg(v.word), followed+1)
		}
		if !ok {
			return nil, false
		}
		all = append(all, texts...)
	}
	if len(all) == 0 { // an array without elements
		all = []string{""}
	}
	return all, true
}

// anyText are the parts of a word that may hold whatever character.
const anyText = string(hole) + string(other) + string(solid)

// mayHold reports whether a text may stand in a word.
func (j *judge) mayHold(w arg, text string) bool {
	all, ok := j.values(w, 0)
	for _, v := range all {
		ok = ok && !strings.Contains(v, text) && !strings.ContainsAny(v, anyText)
	}
	return !ok
}

// mayBegin reports whether a word may begin with a text.
func (j *judge) mayBegin(w arg, text string) bool {
	all, ok := j.values(w, 0)
	for _, v := range all {
		ok = ok && !strings.HasPrefix(v, text) && (v == "" || !strings.ContainsAny(v[:1], anyText))
	}
	return !ok
}

// filled puts what is found, which the rune as stands for, in place of a mark into
// a word of a command that another runs for it: the word is looked at again, since
// the mark may hide in a variable, or stand behind one that is nothing.
func (j *judge) filled(w arg, mark string, as rune) arg {
	if !strings.Contains(w.text, mark) && !strings.ContainsAny(w.text, anyText) {
		return w
	}
	all, ok := j.values(w, 0)
	touched, first := !ok, !ok
	for _, v := range all {
		touched = touched || strings.Contains(v, mark) || strings.ContainsAny(v, anyText)
		first = first || v != "" && strings.ContainsAny(v[:1], anyText) || as == hole && strings.HasPrefix(v, mark)
	}
	if !touched {
		return w
	}
	w.text, w.spots = strings.ReplaceAll(w.text, mark, string(as)), nil
	if first {
		w.text = Hole + w.text
	}
	return w
}
