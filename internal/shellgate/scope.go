package shellgate

import (
	"maps"
	"slices"
	"strings"
)

// scope is what the variables are that the text has given a value by then.
type scope map[string]arg

// set gives a variable a value; none to one that gets values which no text shows.
func (j *judge) set(name string, value arg) {
	j.names[name] = true
	if has(ownNames, name) || obeys(name) {
		return
	}
	if value.many = false; j.risky { // an assignment is one word
		value.text = Hole
	}
	j.now[name] = value
}

// join is what is known where two ways meet: what one way alone gives a value may have
// another one from the environment.
func join(a, b scope) scope {
	out := scope{}
	for name, value := range a {
		if other, ok := b[name]; ok {
			out[name] = either(value, other)
		}
	}
	return out
}

// either is a word that is one or the other.
func either(a, b arg) arg {
	switch {
	case a.text == b.text:
		return a
	case a.isNumber() && b.isNumber():
		return arg{text: string(number), src: a.src}
	case a.mayBeOption() || b.mayBeOption():
		return arg{text: Hole, src: a.src}
	}
	return arg{text: string(plain), src: a.src}
}

// maybe does what may happen or not.
func (j *judge) maybe(do func()) {
	before := maps.Clone(j.now)
	do()
	j.now = join(before, j.now)
}

// aside does what happens in a shell of its own.
func (j *judge) aside(do func()) {
	before, root, dirs := maps.Clone(j.now), j.atRoot, slices.Clip(j.dirs)
	do()
	j.now, j.atRoot, j.dirs = before, root, dirs
}

// loop does what may happen any number of times: until that changes nothing that is known.
func (j *judge) loop(body func()) {
	for {
		before, jumps, dirs := maps.Clone(j.now), len(j.jumps), len(j.dirs)
		body()
		after := join(before, j.now)
		for _, s := range j.jumps[jumps:] {
			after = join(after, s)
		}
		j.now = after
		same := maps.EqualFunc(before, after, func(a, b arg) bool { return a.text == b.text })
		if same && len(j.dirs) == dirs || j.left <= 0 {
			return
		}
		if len(j.dirs) != dirs { // each time it goes elsewhere
			j.dirs = nil
		}
	}
}

// goTo notes a cd. Where it fails, or in another branch, the shell stays.
func (j *judge) goTo(words []arg) {
	j.moved = true
	j.atRoot = len(words) == 0 || holdsAll(words[len(words)-1].text)
	switch {
	case len(words) == 1 && strings.Trim(words[0].src, "\"$()`") == "git rev-parse --show-toplevel":
	case len(words) != 1, !words[0].literal(), words[0].startsWith("-+"), len(j.dirs) > maxDirs:
		j.dirs = nil
	default:
		for _, dir := range j.dirs {
			if dir = within(dir, words[0].text); !slices.Contains(j.dirs, dir) {
				j.dirs = append(j.dirs, dir)
			}
		}
	}
}

// within is a path as it is meant in a directory.
func within(dir, name string) string {
	if dir == "" || strings.HasPrefix(name, "/") || strings.HasPrefix(name, string(home)) {
		return name
	}
	return dir + "/" + name // what .. means behind a link, who follows it says
}

// reads notes where git reads that changes to directories first; false: nobody knows.
func (j *judge) reads(into []arg) bool {
	for _, dir := range j.dirs {
		for _, w := range into {
			if !w.literal() {
				return false
			}
			dir = within(dir, w.text)
		}
		if dir = strings.ReplaceAll(dir, string(home), "~"); !slices.Contains(j.repositories, dir) {
			j.repositories = append(j.repositories, dir)
		}
	}
	return j.dirs != nil
}
