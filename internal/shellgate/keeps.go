package shellgate

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// What keeps the gate is for people in every mode: an agent that may write could
// otherwise open it for the next discussion. Found is what says by name that it
// does so; a script that an agent writes and runs is beyond any gate.

// keepers are files that hold or configure the gate, in small letters.
const keepers = ".git/config .git/brew .git/refs/brew .git/packed-refs .claude/settings .config/git/config /etc/gitconfig"

// keepsGate reports whether a word names such a file, or has one as its value.
func keepsGate(word string) bool {
	if i := strings.IndexByte(word, '='); i >= 0 {
		word = word[i+1:]
	}
	name := strings.ToLower(path.Clean(word))
	for keeper := range strings.FieldsSeq(keepers) {
		if strings.Contains(name, keeper) {
			return true
		}
	}
	dir, file := path.Split(name)
	return file == ".gitconfig" && (dir == string(home)+"/" || strings.HasPrefix(dir, "/"))
}

// personal notes what is for people alone.
func (j *judge) personal(what, src string) {
	p := problem{reason: BrewPersons, detail: what, command: src}
	j.found(p)
	if j.persons == nil {
		j.persons = &p
	}
}

// keeps looks at a command that was found to be no reader.
func (j *judge) keeps(program string, w []arg, src string) {
	switch {
	case program == "git":
		j.keepsGit(w, src)
	case has("changes-files changes-host writes-file", string(j.latest)):
		for _, o := range w {
			if keepsGate(o.text) {
				j.personal(o.text, src)
				return
			}
		}
	}
}

// keepsGit: git config of what git brew reads, its refs, and other names for it.
func (j *judge) keepsGit(w []arg, src string) {
	config := subcommand(w) == "config"
	for _, o := range w {
		key := strings.ToLower(o.text)
		switch {
		case config && (key == "brew" || strings.HasPrefix(key, "brew.") || strings.HasPrefix(key, "include")),
			strings.HasPrefix(key, "alias.") && strings.Contains(key, "brew"),
			namesBrewRef(key):
			j.personal(o.text, src)
			return
		}
	}
}

// subcommand is the first operand behind git.
func subcommand(w []arg) string {
	git, _ := rowOf("git")
	s, _ := scan(&git, w[1:])
	if len(s.operands) == 0 {
		return ""
	}
	return s.operands[0].text
}

// namesBrewRef reports a ref of git brew, or a refspec of one.
func namesBrewRef(word string) bool {
	for name := range strings.SplitSeq(word, ":") {
		if name = strings.TrimLeft(name, "+^"); name == "refs/brew" || strings.HasPrefix(name, "refs/brew/") {
			return true
		}
	}
	return false
}

// keepsTarget looks at a file that a redirection writes.
func (j *judge) keepsTarget(target arg, s *syntax.Stmt) {
	if keepsGate(target.text) {
		j.personal(target.text, j.source(s))
	}
}
