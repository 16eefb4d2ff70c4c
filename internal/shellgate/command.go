package shellgate

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// binaries are directories whose programs are the ones that their names say.
const binaries = "/bin /sbin /usr/bin /usr/sbin /usr/local/bin /usr/local/sbin /opt/homebrew/bin /opt/local/bin"

// command judges the words of a simple command.
func (j *judge) command(w []arg, src string) {
	if len(w) == 0 {
		return
	}
	if !w[0].literal() || strings.ContainsRune(w[0].text, home) {
		j.found(problem{reason: Hidden, detail: w[0].src, command: src})
		j.brewNamed(w, src)
		return
	}
	name, program := w[0].text, path.Base(w[0].text)
	j.destroys(program, w[1:], src)
	j.latest = ""
	if strings.Contains(name, "/") && !has(binaries, path.Dir(name)) {
		// Somebody's own, whatever it is called.
		if !j.listed(w) {
			j.found(problem{reason: Unknown, detail: name, command: src, allow: name})
		}
		if program == "git-brew" {
			j.brewCommand(w[1:], src)
		}
	} else {
		j.program(append([]arg{{text: program, src: w[0].src}}, w[1:]...), src)
	}
	if j.latest != "" {
		j.keeps(program, w, src)
	}
}

// brewNamed judges a command of git brew behind what only the running shell
// knows.
func (j *judge) brewNamed(w []arg, src string) {
	if i := slices.IndexFunc(w, func(a arg) bool { return a.text == "brew" || a.text == "git-brew" }); i >= 0 {
		j.brewCommand(w[i+1:], src)
	}
}

// program judges a command by the row of its name.
func (j *judge) program(w []arg, src string) {
	names := texts(w)
	if j.listed(w) {
		return
	}
	r, n := longest(names)
	if n == 0 {
		j.refuse(names, w, src)
		return
	}
	j.row(&r, strings.Join(names[:n], " "), w[n:], nil, src)
}

// refuse says what is wrong with a command that has no row.
func (j *judge) refuse(names []string, w []arg, src string) {
	if f, name := refusalFor(names); name != "" {
		j.found(f.problem(name, names, src))
		j.wrapped(f, w[1:], src)
		return
	}
	j.found(problem{reason: Unknown, detail: names[0], command: src, allow: names[0]})
}

// allowWords are the words of a command that a user could list: its name, and a
// short word behind it.
func allowWords(names []string) string {
	if len(names) > 2 && names[0] == "npm" && names[1] == "run" {
		return strings.Join(names[:3], " ")
	}
	if len(names) > 1 && len(names[1]) < 20 && !strings.ContainsAny(names[1], " \t\n") {
		return strings.Join(names[:2], " ")
	}
	return names[0]
}

// texts are the leading words that are known.
func texts(w []arg) []string {
	var out []string
	for _, a := range w[:min(len(w), maxName)] {
		if !a.literal() {
			break
		}
		out = append(out, a.text)
	}
	return out
}

// run2 looks for what no mode allows in a command that another runs: sudo, watch.
func (j *judge) wrapped(f refusal, words []arg, src string) {
	if f.why == Redefines && strings.HasPrefix(f.names, "eval") {
		text := ""
		for _, w := range words {
			if !w.literal() {
				return
			}
			text += " " + w.text
		}
		j.text(text, j.lang, j.runs+1)
		return
	}
	if f.why != AsRoot && f.why != RunsProgram {
		return
	}
	for len(words) > 0 && (words[0].mayBeOption() || strings.Contains(words[0].text, "=")) {
		if has("-u -g -p -C -h -n", words[0].text) && len(words) > 1 {
			words = words[1:]
		}
		words = words[1:]
	}
	j.command(words, src)
}

// row judges the words behind a name by its row. In are the directories that the
// words before it change to.
func (j *judge) row(r *row, name string, words []arg, in []arg, src string) {
	s, bad := r.scan(words)
	if bad != nil {
		names := append(strings.Fields(name), texts(words)...)
		if bad.command, bad.allow = src, name; bad.reason == UnknownSub {
			bad.detail, bad.allow = allowWords(names), allowWords(names)
		}
		if f, known := refusalFor(names); known != "" && bad.reason != WritesFile {
			*bad = f.problem(known, names, src)
		}
		j.found(*bad)
	}
	if r.how.is(inGit) {
		for _, o := range s.options {
			if o.name == "-C" {
				in = append(in, o.value)
			}
		}
	}
	if r.how.is(group) {
		j.subcommand(r, name, s, in, src)
		return
	}
	if r.how.is(inGit) && !j.reads(in) {
		j.found(problem{reason: HiddenPlace, detail: "the directory", command: src, hint: "In a directory that is written out it can be checked."})
	}
	j.look(r, name, s, words, src)
}

// subcommand goes on with the row of a subcommand.
func (j *judge) subcommand(r *row, name string, s scanned, in []arg, src string) {
	if len(s.operands) == 0 {
		if _, asks := s.option("--version -v -V --help -h --exec-path --html-path --man-path --info-path"); !asks && !r.how.is(bare) {
			j.found(problem{reason: UnknownSub, detail: name, command: src, allow: ""})
		}
		return
	}
	names := append(strings.Fields(name), texts(s.rest)...)
	if len(names) == len(strings.Fields(name)) {
		j.found(problem{reason: Hidden, detail: s.rest[0].src, command: src})
		if name == "git" { // it may be brew
			j.brewCommand(s.rest, src)
		}
		return
	}
	next, n := longest(names)
	own := len(strings.Fields(name))
	if n <= own {
		f, sub := refusalFor(names)
		if len(strings.Fields(sub)) <= own {
			sub = name + " " + names[own]
			if f, _ = refusalOf(name + " *"); f.why == "" {
				f.why = UnknownSub
			}
		}
		if name == "git" {
			j.brewNamed(s.rest, src)
		}
		p := f.problem(sub, names, src)
		p.allow = cmp.Or(p.allow, sub)
		j.found(p)
		return
	}
	j.row(&next, strings.Join(names[:n], " "), s.rest[n-own:], in, src)
}

// listed reports whether the user counts the command as reading. A wrapper named
// alone is no command, and nobody lists sudo or git brew.
func (j *judge) listed(w []arg) bool {
	for _, entry := range j.o.ReadOnly {
		want := strings.Fields(entry)
		if len(want) == 0 || len(want) > len(w) {
			continue
		}
		if r, ok := rowOf(want[0]); ok && r.how.is(looks) && len(want) == 1 || want[0] == "git-brew" || len(want) > 1 && want[1] == "brew" {
			continue
		}
		if f, ok := refusalOf(want[0]); ok && (f.why == AsRoot || f.why == Redefines || f.why == RunsProgram && len(want) == 1) {
			continue
		}
		ok := true
		for i, word := range want {
			ok = ok && w[i].text == word && !w[i].many
		}
		if ok {
			return true
		}
	}
	return false
}
