package shellgate

import (
	"slices"
	"strings"
)

// scope is what is known of the shell at the place that is judged.
type scope struct {
	now   map[string]arg  // the variables that the text has given a value by then
	sets  []string        // which, in their order
	names map[string]bool // all that were
	risky bool            // bash may drop the rest of a line, with what it assigns

	dirs          []string // where the shell may be; nil: nobody knows
	in            string   // where it is if each cd did what it says; empty: the top, or nobody knows
	atRoot, moved bool     // after a cd to the root or the home directory; to anywhere
	repositories  []string // where git reads

	left int // simple commands that may still be judged
}

// set gives a variable a value; none to one that gets values which no text shows.
func (s *scope) set(name string, value arg) {
	s.names[name] = true
	if has(ownNames, name) || obeys(name) {
		return
	}
	if value.many = false; s.risky { // an assignment is one word
		value.text = Hole
	}
	s.now[name], s.sets = value, append(s.sets, name)
}

// maybe does what may happen or not: what is set there may be anything behind it.
func (s *scope) maybe(do func()) {
	n := len(s.sets)
	do()
	for _, name := range s.sets[n:] {
		s.now[name] = arg{text: Hole}
	}
}

// aside does what happens in a shell of its own.
func (s *scope) aside(do func()) {
	root, dirs, in := s.atRoot, slices.Clip(s.dirs), s.in
	s.maybe(do)
	s.atRoot, s.dirs, s.in = root, dirs, in
}

// loop does what may happen any number of times: once more where what it set, and where
// it went, may be anything.
func (s *scope) loop(body func()) {
	dirs := len(s.dirs)
	s.maybe(body)
	if len(s.dirs) != dirs { // each time it goes elsewhere
		s.dirs = nil
	}
	if s.left > 0 {
		s.maybe(body)
	}
}

// goTo notes a cd. Where it fails, or in another branch, the shell stays.
func (s *scope) goTo(words []arg) {
	s.moved, s.in = true, into(s.in, words)
	s.atRoot = len(words) == 0 || holdsAll(words[len(words)-1].text)
	switch {
	case len(words) == 1 && strings.Trim(words[0].src, "\"$()`") == "git rev-parse --show-toplevel":
	case len(words) != 1, !words[0].literal(), words[0].startsWith("-+"), len(s.dirs) > maxDirs:
		s.dirs = nil
	default:
		for _, dir := range s.dirs {
			if dir = within(dir, words[0].text); !slices.Contains(s.dirs, dir) {
				s.dirs = append(s.dirs, dir)
			}
		}
	}
}

// into is where a cd leads.
func into(in string, words []arg) string {
	if len(words) != 1 || !words[0].literal() || words[0].startsWith("-+") {
		return ""
	}
	return within(in, words[0].text)
}

// within is a path as it is meant in a directory.
func within(dir, name string) string {
	if dir == "" || strings.HasPrefix(name, "/") || strings.HasPrefix(name, string(home)) {
		return name
	}
	return dir + "/" + name // what .. means behind a link, who follows it says
}

// reads notes where git reads that changes to directories first; false: nobody knows.
func (s *scope) reads(into []arg) bool {
	for _, dir := range s.dirs {
		for _, w := range into {
			if !w.literal() {
				return false
			}
			dir = within(dir, w.text)
		}
		if dir = strings.ReplaceAll(dir, string(home), "~"); !slices.Contains(s.repositories, dir) {
			s.repositories = append(s.repositories, dir)
		}
	}
	return s.dirs != nil
}
