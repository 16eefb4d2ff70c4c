package shellgate

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// What keeps the gate is for people in every mode: an agent that may write could
// otherwise open it for the next discussion. Found is what says by name that it
// does so; a script that an agent writes and runs is beyond any gate.

// keepers are files that hold or configure the gate, in small letters: git's, git brew's and
// those of the agents' clients.
const keepers = "*.git/config* *.git/brew* *.git/refs/brew* *.git/packed-refs* *.config/git/config* */etc/gitconfig* " +
	"*git-brew/sessions/* *.claude/settings* *.codex/hooks.json* *.codex/config.toml* *.cursor/hooks.json* " +
	"*.gemini/settings* *.qwen/settings* *.github/hooks/git-brew* *.github/copilot/settings* *.copilot/settings* " +
	"*.opencode/plugins/git-brew*"

// keptIn are directories that go with such files.
const keptIn = ".git .git/refs .git/* .claude .claude/* .codex .codex/* .cursor .cursor/* .gemini .gemini/* " +
	".qwen .qwen/* .github .github/hooks .github/hooks/* .github/copilot .opencode .opencode/plugins .opencode/plugins/*"

// keepsGate reports whether a word names such a file, or has one as its value.
func keepsGate(word string) bool {
	if i := strings.IndexByte(word, '='); i >= 0 {
		word = word[i+1:]
	}
	name := strings.ToLower(path.Clean(word))
	dir, file := path.Split(name)
	return file == ".gitconfig" && (dir == string(home)+"/" || strings.HasPrefix(dir, "/")) || fitsAny(keepers, name)
}

// keepsHere reports it of a word as it is written, and from where the shell went.
func keepsHere(j *judge, word string) bool {
	_, value, valued := strings.Cut(word, "=")
	if !valued {
		value = word
	}
	return keepsGate(word) || j.in != "" && keepsGate(within(j.in, value))
}

// holdsKeepers reports whether a word names a directory that goes with such files, here.
func holdsKeepers(j *judge, word string) bool {
	here := func(name string) bool { return has(keptIn, strings.ToLower(path.Clean(name))) }
	return here(word) && !j.moved || j.in != "" && here(within(j.in, word))
}

// fills reports whether a command copies or unpacks such files into one of their directories.
func fills(j *judge, program string, words []arg) bool {
	switch {
	case has("cp mv ln install rsync", program):
		operands := looseOperands(words)
		for _, o := range operands[:max(0, len(operands)-1)] {
			if name := operands[len(operands)-1] + "/" + path.Base(o); keepsHere(j, name) || holdsKeepers(j, name) {
				return true
			}
		}
	case has("tar bsdtar unzip", program):
		for i, w := range words {
			into, long := strings.CutPrefix(w.text, "--directory=")
			if i > 0 && has("-C -d --directory", words[i-1].text) {
				into, long = w.text, true
			}
			if long && holdsKeepers(j, into) {
				return true
			}
		}
	}
	return false
}

// personal notes what is for people alone.
func (j *judge) personal(why *Reason, what, src string) {
	p := problem{reason: why, detail: what, command: src}
	j.found(p)
	j.persons = cmp.Or(j.persons, &p)
}

// keeps looks at a command that was found to be no reader.
func (j *judge) keeps(program string, w []arg, src string) {
	if program == "git" {
		j.keepsGit(w, src)
		return
	}
	if !has("changes-files changes-host writes-file operands", j.latest.key) &&
		!has("sed gsed sort uniq yq xxd tree curl wget tee tar bsdtar unzip", program) && !inPlace(program, w) {
		return
	}
	gone := has("rm mv rmdir trash srm find unlink", program)
	if fills(j, program, w[1:]) {
		j.personal(KeepsGate, src, src)
		return
	}
	for _, o := range w[1:] { // those elsewhere are of other repositories
		if keepsHere(j, o.text) || gone && holdsKeepers(j, patternText(o)) {
			j.personal(KeepsGate, o.src, src)
			return
		}
	}
}

// inPlace reports whether perl or ruby changes files.
func inPlace(program string, w []arg) bool {
	return has("perl ruby", program) && slices.ContainsFunc(w[1:], func(o arg) bool {
		return strings.HasPrefix(o.text, "-") && strings.Contains(o.text, "i")
	})
}

// keepsGit looks for git config of what git brew reads, its refs, other names for
// it, and commands that replace or remove the files.
func (j *judge) keepsGit(w []arg, src string) {
	git, _ := longest([]string{"git"})
	s, _ := git.scan(w[1:])
	if len(s.rest) == 0 {
		s.rest = []arg{{}}
	}
	command := s.rest[0].text
	for _, o := range w[1:] {
		key := strings.ToLower(o.text)
		switch {
		case command == "config" && (key == "brew" || strings.HasPrefix(key, "brew.") || strings.HasPrefix(key, "include")),
			strings.HasPrefix(key, "alias.") && strings.Contains(src, "brew"),
			slices.ContainsFunc(strings.Split(key, ":"), namesBrewRef),
			command == "config" && (has("-e --edit", key) || key == "edit" && len(s.rest) > 1 && s.rest[1].text == o.text),
			has("rm mv checkout restore clean", command) && keepsHere(j, o.text),
			has("rm mv", command) && holdsKeepers(j, o.text):
			j.personal(KeepsGate, o.src, src)
			return
		}
	}
	if command == "stash" && slices.ContainsFunc(s.rest[1:], func(o arg) bool {
		short, is := strings.CutPrefix(o.text, "-")
		return strings.HasPrefix(short, "-al") || is && strings.Contains(short, "a") && strings.Trim(short, "kuaqpS") == ""
	}) {
		j.personal(StashesGate, "git stash --all", src)
	}
	if command == "clean" && cleansIgnored(s.rest[1:]) {
		j.personal(RemovesGate, "git clean -x", src)
	}
}

// namesBrewRef reports a ref of git brew, or one side of a refspec of it.
func namesBrewRef(name string) bool {
	return fitsAny("refs/brew refs/brew/*", strings.TrimLeft(name, "+^"))
}

// cleansIgnored reports whether git clean removes files that are kept out of git, as the
// settings with the hooks are, and nothing says that it spares these.
func cleansIgnored(words []arg) bool {
	ignored := false
	for _, w := range words {
		if strings.Contains(w.text, ".claude") {
			return false
		}
		ignored = ignored || strings.HasPrefix(w.text, "-") && !strings.HasPrefix(w.text, "--") &&
			strings.ContainsAny(w.text, "xX")
	}
	return ignored
}
