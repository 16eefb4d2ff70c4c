package shellgate

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// call judges a simple command: its assignments and its words.
func (j *judge) call(c *syntax.CallExpr) {
	src := j.source(c)
	if j.seen++; j.seen > maxCalls {
		j.found(problem{reason: TooLong, command: src})
		return
	}
	for _, a := range c.Assigns {
		switch {
		case a.Name != nil && a.Name.Value == "IFS" && j.readsFields(c): // while IFS= read -r line
		case a.Name != nil && has(counters, a.Name.Value) && len(c.Args) == 0 && a.Value != nil && a.Index == nil && !a.Append && j.isNumber(a.Value):
		case a.Name == nil:
			j.found(problem{reason: Assigns, detail: j.source(a), command: src})
		case len(c.Args) == 0:
			j.assign(a.Name.Value, c)
		case a.Value == nil:
			j.export(a.Name.Value, arg{}, src)
		default:
			j.export(a.Name.Value, j.arg(a.Value), src)
		}
	}
	if len(c.Args) > 0 {
		j.command(j.args(c.Args), src, true)
	}
}

// readsFields reports a command for which alone it matters how it splits lines.
func (j *judge) readsFields(c *syntax.CallExpr) bool {
	if len(c.Args) == 0 {
		return false
	}
	name := j.arg(c.Args[0]).text
	return has("read mapfile readarray", name) && !j.declared[name]
}

// binaries are directories whose programs are the ones that their names say.
const binaries = "/bin /sbin /usr/bin /usr/sbin /usr/local/bin /usr/local/sbin /opt/homebrew/bin /opt/local/bin"

// command judges the words of a simple command. inShell: a function may be what
// the name means.
func (j *judge) command(w []arg, src string, inShell bool) {
	if len(w) == 0 {
		return
	}
	name := w[0]
	if !name.known() || name.many {
		j.found(problem{reason: Hidden, detail: name.src, command: src})
		return
	}
	program := name.text
	if dir := path.Dir(program); strings.Contains(program, "/") && (has(binaries, dir) || path.Base(program) == "git-brew") {
		program = path.Base(program)
	}
	j.destroys(program, w[1:], src)
	if inShell && j.funcs[name.text] {
		return
	}
	j.latest = ""
	defer func() {
		if j.latest != "" {
			j.keeps(program, w, src)
		}
	}()
	r, known := rowOf(program)
	if !known {
		if !j.listed(w, r) {
			j.found(problem{reason: Unknown, detail: program, command: src, allow: program})
		}
		return
	}
	j.row(r, program, w, 1, src)
	if r.inner == brewCommand && strings.Contains(name.text, "/") && !strings.HasPrefix(name.text, "/") && name.text[0] != byte(home) {
		j.found(problem{reason: Unknown, detail: name.text, command: src}) // somebody's own
	}
}

// row judges the words from w[at] on by the row of the command before them.
func (j *judge) row(r rule, program string, w []arg, at int, src string) {
	var listed bool
	if listed = j.listed(w, r); listed && r.inner == plainWords && r.as != group {
		return
	}
	found := func(p *problem, allow string) {
		if p != nil && !listed {
			p.command, p.allow, p.hint = src, allow, cmp.Or(p.hint, r.instead)
			j.found(*p)
		}
	}
	if r.as == group || r.as == either { // what follows the subcommand is its own
		leading := r
		leading.posix = true
		// What stands before a subcommand may be an option of that, too.
		leading.flags = cmp.Or(r.flags, "*")
		s, bad := j.scan(&leading, w[at:])
		if len(s.operands) > 0 && (r.as == group || hasRow(program+" "+s.operands[0].text)) {
			found(bad, program)
			j.subcommand(r, program, w, at, s, src, listed)
			return
		}
		if len(s.operands) > 0 && j.mayName(program, s.operands[0]) {
			found(&problem{reason: Hidden, detail: s.operands[0].src}, "")
		}
	}
	s, bad := j.scan(&r, w[at:])
	found(bad, program)
	switch {
	case r.as == group && r.bare != "" && (r.unless == "" || !hasOption(s, r.unless)):
		found(&problem{reason: r.bare, detail: program}, program)
	case r.as == refuses && r.unless != "" && len(w) == at+1 && has(r.unless, w[at].text): // what version it is
	case r.as == refuses:
		allow := program
		if len(w) > at && w[at].known() && len(w[at].text) < 20 && !strings.ContainsAny(w[at].text, "/ \t\n") { // make test
			allow += " " + w[at].text
		}
		found(&problem{reason: r.why, detail: program}, allow)
	case r.needs != "" && r.least > 0 && len(s.operands) >= r.least:
	case r.needs != "" && !hasOption(s, r.needs) && r.why == RunsCode && len(s.operands) == 0:
		found(&problem{reason: RunsCode, detail: program}, "") // what it reads is its program
	case r.needs != "" && !hasOption(s, r.needs) && r.why != RunsCode:
		need, _, _ := strings.Cut(r.needs, " ")
		found(&problem{reason: NeedsFlag, detail: need}, program)
	case r.lists != "" && len(s.operands) > 0 && !hasOption(s, r.lists):
		found(&problem{reason: NotListing, detail: program}, program)
	case besideProblem(&r, s) != nil:
		found(besideProblem(&r, s), program)
	default:
		p := j.operandProblem(&r, s, program)
		if p != nil && p.reason == RunsCode { // npm run lint
			program += " " + p.detail
			p.detail = program
		}
		found(p, program)
	}
	j.inside(r, program, s, src, found)
}

// mayName reports whether a word that is not known may be a subcommand with a row
// of its own.
func (j *judge) mayName(program string, w arg) bool {
	all, ok := j.values(w, 0)
	for _, v := range all {
		begin := v[:max(0, strings.IndexAny(v+unknowns, unknowns))]
		ok = ok && !hasRow(program+" "+v) && (begin == v || strings.Trim(begin, "abcdefghijklmnopqrstuvwxyz-") != "")
	}
	return !w.known() && !ok
}

func hasRow(name string) bool {
	_, ok := rowOf(name)
	return ok
}

// besideProblem finds an option that lacks the one that it reads with.
func besideProblem(r *rule, s scanned) *problem {
	for pair := range strings.FieldsSeq(r.beside) {
		name, with, _ := strings.Cut(pair, ":")
		if hasOption(s, name) && !hasOption(s, strings.ReplaceAll(with, ",", " ")) {
			if r.sends == "" {
				return &problem{reason: NeedsFlag, detail: strings.ReplaceAll(with, ",", " or ")}
			}
			return &problem{reason: Sends, detail: name}
		}
	}
	return nil
}

func hasOption(s scanned, list string) bool {
	_, ok := s.option(list)
	return ok
}

// operandProblem checks how many operands there are and what they may be.
func (j *judge) operandProblem(r *rule, s scanned, program string) *problem {
	if r.first != "" && len(s.operands) > 0 && !has(r.first, s.operands[0].text) {
		return &problem{reason: r.why.or(NotListing), detail: program + " " + s.operands[0].src}
	}
	if r.most != 0 && !hasOption(s, r.freely) {
		for i, o := range s.operands {
			if i >= max(0, r.most) || o.many {
				return &problem{reason: r.why.or(TooMany), detail: o.src}
			}
		}
	}
	if r.operands == "" {
		return nil
	}
	for _, o := range s.operands {
		ok, positive := false, false
		for pattern := range strings.FieldsSeq(r.operands) {
			if bad, not := strings.CutPrefix(pattern, "!"); not {
				if j.mayHold(o, bad) {
					return &problem{reason: r.why.or(TooMany), detail: o.src}
				}
				continue
			}
			positive = true
			ok = ok || fits(pattern, o.text)
		}
		if positive && (!ok || o.many) {
			return &problem{reason: r.why.or(TooMany), detail: o.src}
		}
	}
	return nil
}

// subcommand goes on with the row of "program operand".
func (j *judge) subcommand(r rule, program string, w []arg, at int, s scanned, src string, listed bool) {
	sub := s.operands[0]
	if !sub.known() || sub.many {
		j.found(problem{reason: Hidden, detail: sub.src, command: src})
		return
	}
	name := program + " " + sub.text
	next, known := rowOf(name)
	if !known {
		why := r.why.or(UnknownSub)
		if why == RunsProgram { // that is for options
			why = UnknownSub
		}
		if !listed {
			j.found(problem{reason: why, detail: name, command: src, allow: name})
		}
		return
	}
	// The group's options, where they stand before the subcommand, are read; what
	// follows it is the subcommand's.
	j.row(next, name, append(slices.Clone(w[:at]), s.rest...), at+1, src)
}

// listed reports whether the user counts the command as reading. The name alone
// of what runs other commands is no command, and nobody lists sudo.
func (j *judge) listed(w []arg, r rule) bool {
	if r.why == AsRoot || r.inner == brewCommand {
		return false
	}
	for _, entry := range j.o.ReadOnly {
		want := strings.Fields(entry)
		if len(want) == 0 || len(want) > len(w) || len(want) == 1 && (r.inner != plainWords || r.why == Redefines) {
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
