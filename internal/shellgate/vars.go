package shellgate

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// value is one that the text gives to a variable.
type value struct {
	word    *syntax.Word // nil: nothing
	number  bool         // what arithmetic gave
	unknown bool         // what was read, and the like
	split   bool         // one of a loop's words
}

// tired counts the values that are looked at, and reports that it were too many:
// a variable that is set a thousand times may be used a thousand times.
func (j *judge) tired() bool {
	j.looked++
	return j.looked > maxValues
}

// collect notes what the text gives to variables and which functions it
// defines, in whatever order that happens.
func (j *judge) collect(file *syntax.File) {
	set := func(name string, v value) {
		j.vars[name], j.elements[name] = append(j.vars[name], v), append(j.elements[name], v)
		if v.word == nil {
			return
		}
		if text := j.source(v.word); strings.Contains(text, "/-") || strings.Contains(text, ".-") || strings.ContainsAny(text, `\'"`) && strings.Contains(text, "-") {
			j.hyphened[name] = true
		}
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Redirect:
			j.noteInput(n)
		case *syntax.DeclClause:
			for _, a := range n.Args {
				j.keyed = j.keyed || a.Name == nil && strings.Contains(j.arg(a.Value).text, "A")
			}
		case *syntax.CoprocClause:
			set(coprocName(n), value{unknown: true})
		case *syntax.Assign:
			if n.Name != nil && !n.Naked {
				had := j.elements[n.Name.Value]
				set(n.Name.Value, value{word: n.Value, unknown: n.Append || n.Index != nil || n.Array != nil})
				j.elements[n.Name.Value] = append(had, elementsOf(n)...)
			}
		case *syntax.WordIter:
			for _, w := range n.Items {
				set(n.Name.Value, value{word: w, split: true})
			}
			if len(n.Items) == 0 {
				set(n.Name.Value, value{unknown: true})
			}
		case *syntax.ParamExp:
			if n.Param != nil && n.Exp != nil && (n.Exp.Op == syntax.AssignUnset || n.Exp.Op == syntax.AssignUnsetOrNull) {
				set(n.Param.Value, value{word: n.Exp.Word})
			}
		case *syntax.BinaryArithm:
			if name, ok := assignedName(n.X); ok && isAssignment(n.Op) {
				set(name, value{number: true})
			}
		case *syntax.UnaryArithm:
			if name, ok := assignedName(n.X); ok && (n.Op == syntax.Inc || n.Op == syntax.Dec) {
				set(name, value{number: true})
			}
		case *syntax.FuncDecl:
			if n.Name != nil {
				j.declared[n.Name.Value] = true
			}
		case *syntax.CallExpr:
			reading, forgets := false, false
			for _, w := range n.Args {
				l := j.arg(w).text
				if reading {
					for i := range l { // x, -ax
						if isName(l[i:]) && (i == 0 || l[0] == '-') {
							set(l[i:], value{unknown: true})
							j.unkeyed[l[i:]] = true
						}
					}
				}
				if forgets {
					j.forgotten[l] = true
				}
				forgets = forgets || l == "unset"
				reading = reading || has("read readarray mapfile getopts wait vared sysread zparseopts", l)
			}
		}
		return true
	})
}

// elementsOf are what an assignment makes elements of an array.
func elementsOf(a *syntax.Assign) []value {
	if a.Array == nil || a.Index != nil {
		return []value{{word: a.Value, unknown: a.Append || a.Index != nil}}
	}
	var all []value
	for _, e := range a.Array.Elems {
		all = append(all, value{word: e.Value, unknown: e.Index != nil, split: true})
	}
	return all
}

func isAssignment(op syntax.BinAritOperator) bool {
	return slices.Contains([]syntax.BinAritOperator{
		syntax.Assgn, syntax.AddAssgn, syntax.SubAssgn, syntax.MulAssgn, syntax.QuoAssgn, syntax.RemAssgn, syntax.AndAssgn,
		syntax.OrAssgn, syntax.XorAssgn, syntax.ShlAssgn, syntax.ShrAssgn, syntax.AndBoolAssgn, syntax.OrBoolAssgn,
		syntax.XorBoolAssgn, syntax.PowAssgn,
	}, op)
}

func assignedName(x syntax.ArithmExpr) (string, bool) {
	w, ok := x.(*syntax.Word)
	if !ok || len(w.Parts) != 1 {
		return "", false
	}
	switch p := w.Parts[0].(type) {
	case *syntax.Lit:
		return p.Value, isName(p.Value)
	case *syntax.ParamExp: // a[i]
		if p.Param != nil {
			return p.Param.Value, true
		}
	}
	return "", false
}

// obeyed are variables that shells and programs obey: where a command is
// found, what runs beside it, what it reads before anything else.
const obeyed = "PATH IFS ENV BASH_* BASHOPTS SHELLOPTS PS0 PS1 PS2 PS3 PS4 PROMPT* HOME SHELL LD_* DYLD_* GIT_* *PAGER *EDITOR " +
	"VISUAL BROWSER PYTHON* NODE_* NPM_* npm_* YARN_* PNPM_* PIP_* UV_* PERL* RUBY* GEM_* BUNDLE_* JAVA_* JDK_* *_OPTIONS *_OPTS " +
	"*FLAGS GO* CGO_* CARGO* RUST* *_WRAPPER AWK* MAKE* LESS* MORE MAN* XDG_* RIPGREP_* BAT_* FZF_* GREP_* RG_* KUBE* HELM_* " +
	"DOCKER_* COMPOSE_* AWS_* GH_* GLAB_* SSH* GPG_* GNUPG* CURL_* WGET* SYSTEMD_* TF_* LOCPATH NLSPATH GCONV_PATH TERMINFO* " +
	"TERMCAP TMPDIR TMP TEMP HISTFILE FPATH fpath path cdpath CDPATH module_path manpath aliases galiases saliases functions commands " +
	"dis_* builtins options nameddirs userdirs *NULLCMD TMPPREFIX ZDOTDIR ZSH* FCEDIT MAIL* ARGV0 BREW_* CLAUDE_* COLUMNS_CMD " +
	"EXINIT VIM* NVIM* EMACS* DEBUGINFOD* MALLOC_* GLIBC_* HOSTALIASES RESOLV_* LOCALDOMAIN TAR_* GZIP BZIP* XZ_* ZSTD_* UNZIP* ZIP* " +
	"OPENSSL_* FFREPORT SVN_* HG* ASDF_* MISE_* PYENV_* RBENV_* NVM_* POSIXLY_CORRECT CLASSPATH PREFIX DESTDIR CC CXX LD AR BASHPID DIRSTACK FUNCNAME GROUPS TIMEFMT WORDCHARS"

// harmless are variables of such names that no program runs anything for.
const harmless = "NODE_ENV GOOS GOARCH"

// counters are variables that hold whole numbers: what is given to one is read as
// arithmetic.
const counters = "RANDOM SRANDOM SECONDS LINENO HISTCMD EPOCHSECONDS EPOCHREALTIME OPTIND OPTERR UID EUID GID EGID PPID SHLVL COLUMNS LINES " +
	"TMOUT HISTSIZE SAVEHIST KEYTIMEOUT LISTMAX FUNCNEST DIRSTACKSIZE LOGCHECK BAUD REPORTTIME REPORTMEMORY ERRNO TTYIDLE TRY_BLOCK_ERROR"

// exported are variables that may be set for a command, with the values they may
// have: names and locales, colours, no pager. A final * is any plain word.
const exported = "LC_*:* LANG:* TZ:* NO_COLOR:* CLICOLOR:* CLICOLOR_FORCE:* FORCE_COLOR:* TERM:* COLUMNS:* LINES:* NODE_ENV:* GOOS:* GOARCH:* " +
	"CGO_ENABLED:0 CGO_ENABLED:1 GIT_OPTIONAL_LOCKS:0 GIT_TERMINAL_PROMPT:0 PAGER:cat GIT_PAGER:cat MANPAGER:cat GH_PAGER:cat " +
	"SYSTEMD_PAGER:cat BAT_PAGER:cat DELTA_PAGER:cat PAGER: GIT_PAGER: GH_PAGER: MANWIDTH:* GIT_CONFIG_NOSYSTEM:1"

// assign judges a variable that is set in the shell itself.
func (j *judge) assign(name string, at syntax.Node) {
	if obeys(name) {
		j.found(problem{reason: Assigns, detail: name, command: j.source(at)})
	}
}

func obeys(name string) bool {
	switch {
	case has(harmless, name):
		return false
	case has(counters, name):
		return true
	}
	for pattern := range strings.FieldsSeq(obeyed) {
		if fits(pattern, name) || strings.HasPrefix(pattern, "*") && strings.HasSuffix(name, pattern[1:]) {
			return true
		}
	}
	return false
}

// export judges a variable that is set for commands that are run.
func (j *judge) export(name string, v arg, command string) {
	for entry := range strings.FieldsSeq(exported) {
		pattern, want, _ := strings.Cut(entry, ":")
		if fits(pattern, name) && (want == "*" && v.known() && isPlain(v.text) || want == v.text) {
			return
		}
	}
	j.found(problem{reason: Assigns, detail: name, command: command})
}

// declare judges export, local, declare and the like.
func (j *judge) declare(d *syntax.DeclClause) {
	exports := d.Variant.Value == "export"
	command := j.source(d)
	float := false
	for _, a := range d.Args {
		if a.Name == nil { // an option, or what only the running shell knows
			flag := j.arg(a.Value)
			if exports && flag.text == "-f" || !strings.HasPrefix(flag.text, "-") || strings.Trim(flag.text[1:], "aAgrxpluFf") != "" {
				j.found(problem{reason: HiddenFlag, detail: flag.src, command: command})
			}
			exports = exports || strings.Contains(flag.text, "x")
			float = float || strings.Contains(flag.text, "F") // to zsh, and what it is given arithmetic
			continue
		}
		if float && !a.Naked && (a.Value == nil || !j.isNumber(a.Value)) {
			j.found(problem{reason: Evaluates, detail: a.Name.Value, command: command})
		}
		switch {
		case !exports:
			j.assign(a.Name.Value, d)
		case a.Naked && !obeys(a.Name.Value) && len(j.vars[a.Name.Value]) == 0:
		case a.Value != nil:
			j.export(a.Name.Value, j.arg(a.Value), command)
		default:
			j.export(a.Name.Value, arg{text: Hole}, command)
		}
	}
}

func isName(text string) bool {
	return text != "" && !isDigits(text[:1]) && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// isPlain: a word such as a locale or a time zone, no path and no program.
func isPlain(text string) bool {
	return strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.@:,+-") == "" ||
		strings.Count(text, "/") == 1 && text[0] != '/' && isPlain(strings.Replace(text, "/", "", 1))
}
