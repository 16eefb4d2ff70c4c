package shellgate

import (
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
	name, program := w[0].text, path.Base(w[0].text)
	j.latest = nil
	switch {
	case !w[0].literal() || strings.ContainsRune(name, home):
		j.found(problem{reason: Hidden, detail: w[0].src, command: src})
		if j.brewBehind(w, src); program == "git-brew" {
			j.brewCommand(w[1:], src)
		}
		return
	case counted(j.o.ReadOnly, w):
	case strings.Contains(name, "/") && !has(binaries, path.Dir(name)): // somebody's own, whatever it is called
		j.found(problem{reason: Unknown, detail: name, command: src, allow: name})
		if program == "git-brew" {
			j.brewCommand(w[1:], src)
		}
	default:
		w = slices.Clone(w)
		w[0].text = program
		j.named(nil, w, nil, src)
	}
	if j.latest != nil {
		j.keeps(program, w, src)
		j.wrapped(program, w[1:], src)
	}
	j.destroys(program, w[1:], src)
}

// named judges a command by the row of its longest name. Before are the words of that
// which were read by then, in the directories that they change to.
func (j *judge) named(before []string, w, in []arg, src string) {
	names := slices.Clip(before)
	for _, a := range w[:min(len(w), maxName)] {
		if !a.literal() {
			break
		}
		names = append(names, a.text)
	}
	r, n := longest(names)
	switch own := len(before); {
	case len(names) == own:
		j.found(problem{reason: Hidden, detail: w[0].src, command: src})
	case n > own:
		j.row(&r, names[:n], names, w[n-own:], in, src)
		return
	default:
		refused := refusalOf(names, own)
		refused.command = src
		j.found(refused)
	}
	if len(before) == 1 && before[0] == "git" { // it may be brew
		if len(names) == 1 {
			j.brewCommand(w, src)
		}
		j.brewBehind(w, src)
	}
}

// row judges the words behind a name by its row. Names are the leading words of it all.
func (j *judge) row(r *row, name, names []string, words, in []arg, src string) {
	s, bad := r.scan(words)
	if bad != nil {
		if f := refusalOf(names, 0); f.reason != Unknown && bad.reason != WritesFile {
			*bad = f
		} else if bad.reason == UnknownSub {
			bad.detail, bad.allow = allowable(names), allowable(names)
		} else {
			bad.allow = strings.Join(name, " ")
		}
		bad.command = src
		j.found(*bad)
	}
	for i, w := range words {
		if dir, ok := strings.CutPrefix(w.text, "-C"); ok && r.is("brew") {
			if dir == "" && i+1 < len(words) {
				dir = words[i+1].text
			}
			in = append(in, arg{text: strings.TrimPrefix(dir, "="), many: w.many})
		}
	}
	if !r.is("group") {
		if r.is("git") && !j.reads(in) {
			const hint = "A directory that is written out can be checked."
			j.found(problem{reason: HiddenPlace, detail: "the directory", command: src, hint: hint})
		}
		j.look(r, name[len(name)-1], s, words, src)
		return
	}
	for _, o := range s.options {
		if o.name == "-C" {
			in = append(in, o.value)
		}
	}
	if _, asks := s.option("--version -v -V --help -h --exec-path --html-path --man-path"); len(s.operands) > 0 {
		j.named(name, s.rest, in, src)
	} else if !asks && !r.is("bare") {
		j.found(problem{reason: UnknownSub, detail: strings.Join(name, " "), command: src})
	}
}

// Programs that run the command in their words, or in one word, whatever else they do.
const (
	wrappers = "exec nohup setsid ionice chrt taskset flock watch script unbuffer strace ltrace parallel chroot unshare " +
		"nsenter busybox toybox systemd-run tmux screen trap at doppler direnv sudo doas su pkexec runuser gosu env"
	texted = "su script watch trap tmux screen parallel flock eval"
)

// wrapped looks for what no mode allows in a command that another runs, which may begin
// at any of its words.
func (j *judge) wrapped(program string, words []arg, src string) {
	runs := program == "git" && slices.ContainsFunc(words, func(a arg) bool {
		return has("foreach run -x --exec", a.text)
	})
	if program == "eval" {
		all := arg{}
		for _, w := range words {
			all.text, all.many = all.text+" "+w.text, all.many || w.many
		}
		words = []arg{all}
	}
	for i, w := range words {
		switch {
		case (runs || has(texted, program)) && w.literal() && strings.ContainsAny(w.text, " \n;"):
			j.text(w.text, j.lang, j.runs+1)
		case runs || has(wrappers, program):
			base := path.Base(w.text)
			j.destroys(base, words[i+1:], src)
			if has(shells, base) {
				j.command(words[i:], src)
			} else if base == "git" || base == "git-brew" {
				j.brewBehind(words[i:], src)
				j.keepsGit(words[i:], src)
			}
		}
	}
}

// counted reports whether the user counts the command as reading. A wrapper named alone is
// no command, and nobody lists sudo or git brew.
func counted(readOnly []string, w []arg) bool {
	return slices.ContainsFunc(readOnly, func(entry string) bool {
		want := strings.Fields(entry)
		if len(want) == 0 || len(want) > len(w) || want[0] == "git-brew" || len(want) > 1 && want[1] == "brew" {
			return false
		}
		r, _ := longest(want[:1])
		why := refusalOf(want[:1], 0).reason
		if len(want) == 1 && (r.is(looks) || why == RunsProgram) || why == AsRoot || why == Redefines {
			return false
		}
		return slices.EqualFunc(want, w[:len(want)], func(word string, a arg) bool { return a.text == word && !a.many })
	})
}

// brewBehind judges a command of git brew that stands behind what is not known.
func (j *judge) brewBehind(w []arg, src string) {
	if i := slices.IndexFunc(w, func(a arg) bool { return a.text == "brew" || a.text == "git-brew" }); i >= 0 {
		j.brewCommand(w[i+1:], src)
	}
}

// brewCommand asks what becomes of a command of git brew, whose name may not be hidden.
func (j *judge) brewCommand(words []arg, src string) {
	args, name, hidden := make([]string, len(words)), "git brew", false
	for i, w := range words {
		args[i] = strings.ReplaceAll(w.text, string(home), "~")
		if w.many {
			args[i] = Hole + args[i]
		}
		if name != "git brew" || hidden {
			continue
		}
		switch valued := i > 0 && strings.HasPrefix(words[i-1].text, "-"); {
		case !Known(w.text):
			hidden = w.many || !valued
		case strings.Trim(w.text, letters+"-") == "" && !strings.HasPrefix(w.text, "-") && w.text != "":
			name += " " + w.text
		}
	}
	j.brew = append(j.brew, args)
	verdict := BrewIsChange
	if j.o.Brew != nil {
		verdict = j.o.Brew(args)
	}
	switch {
	case hidden, verdict == BrewIsPersons:
		j.personal(BrewPersons, name, src)
	case verdict == BrewIsChange:
		j.found(problem{reason: BrewChanges, detail: name, command: src})
	}
}
