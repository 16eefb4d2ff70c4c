package shellgate

import (
	"cmp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// look judges what a command is given to run, to read or to set.
func (j *judge) look(r *row, name string, s scanned, words []arg, src string) {
	var bad *problem
	switch {
	case r.is("runs"):
		rest := s.rest
		if r.is("skips") && len(rest) > 0 {
			if rest[0].many || strings.Trim(rest[0].text, "0123456789.smhd") != "" {
				bad = &problem{reason: HiddenText, detail: rest[0].src}
			}
			rest = rest[1:]
		}
		if _, asks := s.option("-v -V"); !asks || name != "command" {
			j.command(rest, src)
		}
	case r.is("env"):
		rest := s.rest
		for len(rest) > 0 && strings.Contains(rest[0].text, "=") {
			name, value, _ := strings.Cut(rest[0].text, "=")
			j.export(name, arg{text: value, many: rest[0].many}, src)
			rest = rest[1:]
		}
		j.command(rest, src)
	case r.is("xargs"):
		j.xargs(s, src)
	case r.is("shell"):
		bad = j.shell(name, s)
	case r.is("find"):
		bad = j.find(words, src)
	case r.is("sed"):
		bad = programProblem(s, "-e --expression", sedProblem)
	case r.is("awk"):
		bad = programProblem(s, "-e --source", awkProblem)
	case r.is("test"):
		bad = testProblem(words)
	case r.is("sets"):
		bad = j.setNames(s, src)
	case r.is("formats"):
		bad = formatProblem(s)
	case r.is("brew"):
		j.brewCommand(words, src)
	case r.is("counts"):
		for _, o := range s.operands {
			if !o.isNumber() {
				bad = &problem{reason: Evaluates, detail: o.src}
			}
		}
	case r.is("moves"):
		j.goTo(s.operands)
	}
	if bad != nil {
		bad.command, bad.allow = src, cmp.Or(bad.allow, name)
		j.found(*bad)
	}
}

// xargs adds to the words of a command what it reads: any number of words, which may be
// options, or one in place of a mark.
func (j *judge) xargs(s scanned, src string) {
	out, read := slices.Clone(s.rest), arg{text: Hole, src: "what xargs reads", many: true}
	o, marked := s.option("-I")
	switch {
	case len(out) == 0: // it echoes
		return
	case !marked:
		out = append(out, read)
	case o.value.text == "" || !o.value.literal():
		j.found(problem{reason: HiddenText, detail: o.value.src, command: src})
		return
	default:
		for i := range out {
			out[i] = out[i].filled(o.value.text)
		}
		if _, counts := s.option("-n -L --max-args"); counts { // which of them counts, nobody knows
			out = append(out, read)
		}
	}
	j.command(out, src)
}

// filled puts a hole in place of a mark, which may hide in what is not known, too.
func (a arg) filled(mark string) arg {
	a.text = strings.ReplaceAll(a.text, mark, Hole)
	if strings.ContainsAny(mark, "-0123456789") {
		a.text = strings.ReplaceAll(a.text, string(number), Hole)
	}
	a.text = strings.NewReplacer(string(plain), Hole, string(solid), Hole, string(home), Hole).Replace(a.text)
	return a
}

// shell judges "sh -c TEXT". What a shell reads elsewhere nobody knows.
func (j *judge) shell(program string, s scanned) *problem {
	if _, ok := s.option("-c"); !ok {
		if _, asks := s.option("--version --help"); asks {
			return nil
		}
		script := program
		if len(s.operands) > 0 && s.operands[0].literal() {
			script += " " + s.operands[0].text
		}
		return &problem{reason: RunsCode, detail: script, allow: script}
	}
	if len(s.operands) == 0 {
		return nil
	}
	text := s.operands[0]
	if !text.literal() || strings.ContainsRune(text.text, home) {
		return &problem{reason: HiddenText, detail: text.src}
	}
	j.aside(func() {
		if program != "bash" && program != "zsh" { // dash on one machine, bash on the next
			j.text(text.text, syntax.LangPOSIX, j.runs+1)
		}
		j.text(text.text, syntax.LangBash, j.runs+1)
	})
	return nil
}

// testProblem judges the words of [: to some shells numbers that are compared are
// arithmetic, and a name may have a subscript. What may be an operator is taken for one.
func testProblem(w []arg) *problem {
	end := []arg{{text: "]"}}
	around := slices.Concat(end, w, end)
	for i, o := range w {
		before, next := around[i], around[i+2]
		numbers := (next.isNumber() || operator(next.text)) && (before.isNumber() || operator(before.text))
		name := next.isNumber() || isName(next.text) || operator(next.text)
		hidden := o.many || !Known(o.text) && mayFit("-*", o.text) && !o.isNumber()
		switch {
		case has("-eq -ne -lt -le -gt -ge", o.text) && !numbers, has("-v -R", o.text) && !name,
			o.text == "-t" && !next.isNumber() && next.text != "]",
			hidden && !name && (i == 0 || !operator(before.text)),
			hidden && i > 0 && !numbers && !operator(before.text) && !operator(next.text):
			return &problem{reason: Evaluates, detail: o.src}
		}
	}
	return nil
}

// operator reports an operator of [, or what ends it.
func operator(text string) bool {
	return has("= == != < > ! ( ) ] =~", text) || len(text) > 1 && len(text) < 4 && text[0] == '-' && !isDigits(text[1:])
}

// setNames judges the variables that read sets.
func (j *judge) setNames(s scanned, src string) *problem {
	names := slices.Clip(s.operands)
	if o, ok := s.option("-a"); ok {
		names = append(names, o.value)
	}
	for _, o := range names {
		if !isName(o.text) || o.many {
			return &problem{reason: Evaluates, detail: o.src}
		}
		j.assign(o.text, arg{text: Hole}, src)
	}
	return nil
}

// formatProblem judges printf: %n sets a variable, and to zsh a number is arithmetic.
func formatProblem(s scanned) *problem {
	if len(s.operands) < 2 {
		return nil
	}
	format := s.operands[0]
	for i, piece := range strings.Split(strings.ReplaceAll(format.text, "%%", ""), "%") {
		verb := strings.TrimLeft(piece, "-+ #0123456789.")
		if !format.literal() || i > 0 && (verb == "" || strings.IndexByte("sbqc", verb[0]) < 0) {
			return &problem{reason: HiddenText, detail: format.src, hint: "As an operand of '%s' it is only text."}
		}
	}
	return nil
}
