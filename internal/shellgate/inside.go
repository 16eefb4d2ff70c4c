package shellgate

import (
	"cmp"
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// inside judges what a command is given to run or to set.
func (j *judge) inside(r rule, program string, s scanned, src string, found func(*problem, string)) {
	if r.unless != "" && hasOption(s, r.unless) {
		return
	}
	switch r.inner {
	case plainWords:
	case runsRest:
		if rest := s.rest; len(rest) > r.skip {
			j.command(rest[r.skip:], src, false)
		}
	case runsMore:
		if rest := s.rest; len(rest) > 0 {
			j.command(j.xargs(s, found), src, false)
		}
	case runsEnv:
		rest := s.rest
		for len(rest) > 0 && strings.Contains(rest[0].text, "=") {
			name, value, _ := strings.Cut(rest[0].text, "=")
			j.export(name, arg{text: value}, src)
			rest = rest[1:]
		}
		j.command(rest, src, false)
	case runsText:
		j.shell(program, s, found)
	case runsJoined:
		if len(s.rest) > 1 { // several words are a program's, and one is a shell's
			j.command(s.rest, src, false)
			return
		}
		var text []string
		for _, o := range s.rest {
			if !o.known() || strings.ContainsRune(o.text, home) {
				found(&problem{reason: HiddenText, detail: o.src}, program)
				return
			}
			text = append(text, o.text)
		}
		j.text(strings.Join(text, " "), j.lang, j.runs+1)
	case runsTails:
		for _, t := range s.tails {
			j.command(j.withFound(t), src, false)
		}
	case countWords:
		for _, o := range s.operands {
			if !numericText(o.text) {
				found(&problem{reason: Evaluates, detail: o.src}, program)
			}
		}
	case awsOperation:
		if p := awsProblem(s); p != nil {
			found(p, p.detail)
		}
	case runsFound:
		j.findsCommands(s, src, found)
	case sedProgram:
		found(sedProblem(s), program)
	case awkProgram:
		found(awkProblem(s), program)
	case testWords:
		j.test(s.all, src)
	case namesOnly:
		names := s.operands
		if o, ok := s.option("-a"); ok {
			names = append(names[:len(names):len(names)], o.value)
		}
		for _, o := range names {
			if !isName(o.text) {
				found(&problem{reason: Evaluates, detail: o.src}, program)
			} else if obeys(o.text) {
				found(&problem{reason: Assigns, detail: o.src}, program)
			}
		}
	case exportsNames:
		for _, o := range s.operands {
			name, value, _ := strings.Cut(o.text, "=")
			j.export(name, arg{text: value}, src)
		}
	case formatText:
		found(j.formatProblem(s), program)
	case fetchedURL:
		found(j.urlProblem(s), program)
	case brewCommand:
		j.brewCommand(s, src)
	case sqlProgram:
		found(sqlProblem(s), program)
	case pythonModule:
		found(moduleProblem(s), program)
	case ghRequest:
		found(j.requestProblem(s), program)
	}
}

// xargs adds to the words what it reads: any number of words, which may be
// options, or one in place of a mark.
func (j *judge) xargs(s scanned, found func(*problem, string)) []arg {
	mark := ""
	if o, ok := s.option("-I --replace -i -J"); ok {
		mark = cmp.Or(o.value.text, "{}")
		if strings.ContainsAny(mark, unknowns+string(home)+"/-0123456789") { // what may stand in words unseen
			found(&problem{reason: HiddenText, detail: o.value.src}, "xargs")
		}
	}
	var out []arg
	for _, w := range s.rest {
		if mark != "" {
			w = j.filled(w, mark, hole)
		}
		out = append(out, w)
	}
	if mark == "" {
		out = append(out, arg{text: Hole, src: "what xargs reads", many: true})
	}
	return out
}

// shell judges "sh -c TEXT". What a shell reads elsewhere nobody knows.
func (j *judge) shell(program string, s scanned, found func(*problem, string)) {
	var text arg
	if o, ok := s.option("-c"); !ok {
		if !hasOption(s, "--version --help -n") {
			script, allow := program, ""
			if len(s.operands) > 0 && s.operands[0].known() {
				script += " " + s.operands[0].text
				allow = script
			}
			found(&problem{reason: RunsCode, detail: script}, allow)
		}
		return
	} else if text = o.value; !o.given {
		if len(s.operands) == 0 {
			return
		}
		text = s.operands[0]
	}
	if !text.known() || text.many || strings.ContainsRune(text.text, home) {
		found(&problem{reason: HiddenText, detail: text.src}, program)
		return
	}
	switch program {
	case "bash":
		j.text(text.text, syntax.LangBash, j.runs+1)
	case "zsh":
		j.text(text.text, syntax.LangBash, j.runs+1)
	default: // dash on one machine, bash on the next
		j.text(text.text, syntax.LangPOSIX, j.runs+1)
		j.text(text.text, syntax.LangBash, j.runs+1)
	}
}

// fed looks into the here-document that a shell reads as its program: what no
// mode allows is found there, too.
func (j *judge) fed(s *syntax.Stmt) {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 {
		return
	}
	if r, known := rowOf(path.Base(j.arg(c.Args[0]).text)); !known || r.inner != runsText {
		return
	}
	for _, r := range s.Redirs {
		e := expander{j: j}
		switch {
		case r.Op == syntax.WordHdoc:
			e.parts(r.Word.Parts, false)
		case r.Hdoc != nil:
			e.parts(r.Hdoc.Parts, true)
		default:
			continue
		}
		if text := e.done(""); text.known() && !strings.ContainsRune(text.text, home) {
			j.text(text.text, j.lang, j.runs+1)
		}
	}
}

// findsCommands judges the commands that find runs.
func (j *judge) findsCommands(s scanned, src string, found func(*problem, string)) {
	plain := true // no path begins with a plus
	for _, w := range s.all {
		if strings.HasPrefix(w.text, "-") || has("( !", w.text) {
			break
		}
		plain = plain && !j.mayBegin(w, "+")
	}
	for i, start := range s.all {
		if !has("-exec -execdir -ok -okdir", start.text) {
			continue
		}
		words := s.all[i+1:]
		dir := strings.HasSuffix(start.text, "dir")
		var inner []arg
		for k, w := range words {
			if w.text == ";" || w.text == "+" && k > 0 && words[k-1].text == "{}" {
				break
			}
			// A path that begins as find was told to, which is no option; in a
			// directory of its own it may be a bare name.
			as := other
			if dir || strings.HasPrefix(w.text, "-") {
				as = hole
			}
			w = j.filled(w, "{}", as)
			w.path = plain && as == other
			inner = append(inner, w)
		}
		if len(inner) == 0 {
			found(&problem{reason: Parses, detail: "-exec"}, "find")
			continue
		}
		j.command(inner, src, false)
	}
}

// withFound puts what fd finds into a command, for each of its marks, or at the
// end: any words, which may begin with a hyphen.
func (j *judge) withFound(words []arg) []arg {
	out := make([]arg, 0, len(words)+1)
	marked := false
	for _, w := range words {
		for mark := range strings.FieldsSeq("{} {/} {//} {.} {/.}") {
			marked = marked || strings.Contains(w.text, mark)
			w = j.filled(w, mark, hole)
		}
		out = append(out, w)
	}
	if !marked {
		out = append(out, arg{text: Hole, src: "what fd finds", many: true})
	}
	return out
}

// test judges a condition: the operands of a comparison of numbers are
// arithmetic to some shells, the name after -v may have a subscript.
func (j *judge) test(w []arg, src string) {
	for i, o := range w {
		if j.mayCompare(w, i) {
			j.found(problem{reason: Evaluates, detail: w[i+1].src, command: src})
		}
		switch o.text {
		case "-eq", "-ne", "-lt", "-le", "-gt", "-ge":
			for _, at := range []int{i - 1, i + 1} {
				if at >= 0 && at < len(w) && !numericText(w[at].text) {
					j.found(problem{reason: Evaluates, detail: w[at].src, command: src})
				}
			}
		case "-t":
			if i+1 < len(w) && w[i+1].text != "]" && !numericText(w[i+1].text) {
				j.found(problem{reason: Evaluates, detail: w[i+1].src, command: src})
			}
		case "-v", "-R":
			if i+1 < len(w) && !isName(w[i+1].text) && w[i+1].text != "]" {
				j.found(problem{reason: Evaluates, detail: w[i+1].src, command: src})
			}
		}
	}
}

// mayCompare reports whether a word that is not known may be an operator of a
// condition to which a word beside it is arithmetic.
func (j *judge) mayCompare(w []arg, i int) bool {
	if w[i].known() || i+1 == len(w) || operates(w[i+1].text) || !j.mayOperate(w[i]) {
		return false
	}
	return !numericText(w[i+1].text) || i > 0 && !operates(w[i-1].text) && !numericText(w[i-1].text)
}

// mayOperate reports whether a word may be an operator.
func (j *judge) mayOperate(w arg) bool {
	all, ok := j.values(w, 0)
	for _, v := range all {
		ok = ok && !operates(v) && (v == "" || !strings.ContainsAny(v[:1], anyText+"-"))
	}
	return !ok
}

// operates: the word is an operator of a condition, or ends it.
func operates(text string) bool {
	return has("= == != < > ! ( ) ] =~", text) || len(text) > 1 && len(text) < 4 && text[0] == '-' && !isDigits(text[1:])
}

func numericText(text string) bool {
	return strings.Trim(strings.TrimPrefix(text, "-"), "0123456789"+string(number)) == ""
}

// brewCommand asks what becomes of a command of git brew.
func (j *judge) brewCommand(s scanned, src string) {
	args := make([]string, len(s.all))
	for i, w := range s.all {
		args[i] = strings.ReplaceAll(w.text, string(home), "~")
		if w.many {
			args[i] = Hole + args[i]
		}
	}
	j.brew = append(j.brew, args)
	verdict := BrewIsChange
	if j.o.Brew != nil {
		verdict = j.o.Brew(args)
	}
	p := problem{detail: brewName(args), command: src}
	if hiddenCommand(s.all) {
		verdict = BrewIsPersons
	}
	switch verdict {
	case BrewPasses:
	case BrewIsPersons:
		j.personal(BrewPersons, p.detail, src)
	case BrewIsChange:
		p.reason = BrewChanges
		j.found(p)
	}
}

// brewName is the command with its name, where that does not hide behind options.
func brewName(args []string) string {
	for _, a := range args {
		if a != "" && strings.Trim(a, "abcdefghijklmnopqrstuvwxyz-") == "" && a[0] != '-' {
			return "git brew " + a
		}
	}
	return "git brew"
}

// hiddenCommand reports whether only the running shell knows which command of
// git brew it is. A value of an option before it may be quoted.
func hiddenCommand(words []arg) bool {
	for i, w := range words {
		if strings.HasPrefix(w.text, Hole) {
			return i == 0 || w.many
		}
		if !strings.HasPrefix(w.text, "-") {
			return false
		}
	}
	return false
}
