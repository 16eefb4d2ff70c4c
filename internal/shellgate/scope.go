package shellgate

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// scope is what is known at a place of the text.
type scope struct {
	// vars are the variables that the text has given a value by then.
	vars map[string]arg
	// dirs are the directories that the shell may be in; nil: nobody knows.
	dirs []string
}

// maxDirs bounds how many directories are kept apart.
const maxDirs = 8

func (s scope) clone() scope { return scope{maps.Clone(s.vars), s.dirs} }

// set gives a variable a value. One that the shell sets by itself keeps none.
func (j *judge) set(name string, value arg) {
	if special(name) {
		return
	}
	if j.now.vars == nil {
		j.now.vars = map[string]arg{}
	}
	if j.names == nil {
		j.names = map[string]bool{}
	}
	j.names[name] = true
	value.many = false // an assignment is one word
	j.now.vars[name] = value
}

// join is what is known where two ways meet.
func join(a, b scope) scope {
	out := scope{vars: map[string]arg{}}
	for name, value := range a.vars {
		if other, ok := b.vars[name]; ok { // else one way leaves it to the environment
			out.vars[name] = either(value, other)
		}
	}
	if a.dirs != nil && b.dirs != nil {
		out.dirs = slices.Clone(a.dirs)
		for _, dir := range b.dirs {
			out.dirs = withDir(out.dirs, dir)
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

func (s scope) same(other scope) bool {
	return maps.EqualFunc(s.vars, other.vars, func(a, b arg) bool { return a.text == b.text }) &&
		(s.dirs == nil) == (other.dirs == nil) && len(s.dirs) == len(other.dirs)
}

// maybe does what may happen or not.
func (j *judge) maybe(do func()) {
	before := j.now.clone()
	do()
	j.now = join(before, j.now)
}

// aside does what happens in a shell of its own.
func (j *judge) aside(do func()) {
	before, root := j.now.clone(), j.atRoot
	do()
	j.now, j.atRoot = before, root
}

// loop does what may happen any number of times: until what is known before it
// is what is known after it, however it ends.
func (j *judge) loop(body func()) {
	for {
		before, jumps := j.now.clone(), len(j.jumps)
		body()
		after := join(before, j.now)
		for _, s := range j.jumps[jumps:] {
			after = join(after, s)
		}
		j.now = after
		if before.same(after) || j.left <= 0 {
			return
		}
	}
}

// goTo notes a cd. Where it fails, the shell stays.
func (j *judge) goTo(words []arg) {
	j.moved = true
	j.atRoot = len(words) == 0 || holdsAll(words[len(words)-1].text)
	if j.now.dirs == nil {
		return
	}
	if len(words) == 2 && words[0].text == "--" {
		words = words[1:]
	}
	if len(words) != 1 || !words[0].literal() || strings.HasPrefix(words[0].text, "-") {
		j.now.dirs = nil
		return
	}
	dirs := slices.Clone(j.now.dirs)
	for _, dir := range j.now.dirs {
		dirs = withDir(dirs, within(dir, words[0].text))
	}
	if j.now.dirs = dirs; len(dirs) > maxDirs {
		j.now.dirs = nil
	}
}

// within is a path as it is meant in a directory.
func within(dir, name string) string {
	if strings.HasPrefix(name, "/") || strings.HasPrefix(name, string(home)) {
		return name
	}
	return path.Join(dir, name)
}

func withDir(dirs []string, dir string) []string {
	if slices.Contains(dirs, dir) {
		return dirs
	}
	return append(dirs, dir)
}

// reads notes in which directories git reads, those of its -C options last; false:
// nobody knows.
func (j *judge) reads(into []arg) bool {
	if j.now.dirs == nil {
		return false
	}
	for _, dir := range j.now.dirs {
		for _, w := range into {
			if !w.literal() {
				return false
			}
			dir = within(dir, w.text)
		}
		j.repositories = withDir(j.repositories, strings.ReplaceAll(dir, string(home), "~"))
	}
	return true
}
