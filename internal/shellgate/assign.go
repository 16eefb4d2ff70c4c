package shellgate

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// obeyed are variables that decide what is found as a command, or runs beside it.
const obeyed = "PATH IFS ENV BASH* SHELLOPTS PS0 PS1 PS2 PS3 PS4 PROMPT* HOME SHELL LD_* DYLD_* GIT_* *PAGER " +
	"*EDITOR VISUAL BROWSER PYTHON* NODE_* NPM_* npm_* YARN_* PNPM_* PIP_* UV_* PERL* RUBY* GEM_* BUNDLE_* JAVA_* " +
	"JDK_* *_OPTIONS *_OPTS *FLAGS GO* CGO_* CARGO* RUST* *_WRAPPER AWK* MAKE* LESS* MORE MAN* XDG_* RIPGREP_* BAT_* " +
	"FZF_* GREP_* RG_* KUBE* HELM_* DOCKER_* COMPOSE_* AWS_* GH_* GLAB_* SSH* GPG_* GNUPG* CURL_* WGET* SYSTEMD_* " +
	"TF_* LOCPATH NLSPATH GCONV_PATH TERMINFO* TERMCAP TMPDIR TMP TEMP HIST* FPATH fpath path cdpath CDPATH " +
	"module_path MODULE_PATH EXECSHELL histchars manpath aliases galiases saliases functions commands dis_* builtins " +
	"options nameddirs userdirs " +
	"*NULLCMD TMPPREFIX ZDOTDIR ZSH* FCEDIT MAIL* ARGV0 BREW_* CLAUDE_* EXINIT VIM* NVIM* EMACS* DEBUGINFOD* MALLOC_* " +
	"GLIBC_* HOSTALIASES RESOLV_* LOCALDOMAIN TAR_* GZIP BZIP* XZ_* ZSTD_* UNZIP* ZIP* OPENSSL_* FFREPORT SVN_* HG* " +
	"ASDF_* MISE_* PYENV_* RBENV_* NVM_* POSIXLY_CORRECT CLASSPATH PREFIX DESTDIR CC CXX LD AR DIRSTACK FUNCNAME " +
	"GROUPS TIMEFMT WORDCHARS JQ_* DELTA_* *proxy *PROXY DEVELOPER_DIR SSLKEYLOGFILE APT_* DBUS_* DOTNET_* CORECLR_* " +
	"CLOUDSDK_* PHP* COMPOSER* CONTAINERS_* RPM_* HOMEBREW_* JAVACMD GROFF_* GETCONF_DIR TAPE"

// counters are variables that hold whole numbers: what one is given is arithmetic.
const counters = "RANDOM SRANDOM SECONDS LINENO EPOCHSECONDS EPOCHREALTIME OPTIND OPTERR UID EUID GID EGID PPID " +
	"SHLVL COLUMNS LINES TMOUT SAVEHIST KEYTIMEOUT LISTMAX FUNCNEST LOGCHECK BAUD REPORTTIME REPORTMEMORY ERRNO " +
	"TTYIDLE TRY_BLOCK_ERROR TRY_BLOCK_INTERRUPT ZLE_RPROMPT_INDENT DIRSTACKSIZE PGRP KSHUID KSHGID KSHEGID USER_ID"

// ownNames are variables that a shell sets by itself: they keep no value.
const ownNames = "_ REPLY OPTARG PWD OLDPWD MAPFILE COPROC reply match mbegin mend MATCH MBEGIN MEND status argv " +
	"pipestatus RPS1 RPROMPT RPS2 RPROMPT2 prompt psvar PSVAR fignore FIGNORE watch WATCH mailpath"

// exported are variables that may be set for a command: to a plain word, number, or value.
const exported = "LC_*:* LANG:* TZ:* NO_COLOR:* CLICOLOR:* CLICOLOR_FORCE:* FORCE_COLOR:* TERM:* COLUMNS:# LINES:# " +
	"NODE_ENV:* GOOS:* GOARCH:* CGO_ENABLED:0 CGO_ENABLED:1 GIT_OPTIONAL_LOCKS:0 GIT_TERMINAL_PROMPT:0 PAGER:cat " +
	"GIT_PAGER:cat MANPAGER:cat GH_PAGER:cat SYSTEMD_PAGER:cat BAT_PAGER:cat PAGER: GIT_PAGER: GH_PAGER: MANWIDTH:* " +
	"GH_PROMPT_DISABLED:*"

// obeys reports whether shells or programs obey a variable.
func obeys(name string) bool { return has(counters, name) || fitsAny(obeyed, name) }

// assign judges a variable that is set in the shell itself.
func (j *judge) assign(name string, value arg, src string) {
	if obeys(name) {
		j.found(problem{reason: Assigns, detail: name, command: src})
	} else if j.o.InEnvironment != nil && j.o.InEnvironment(name) { // programs get it
		j.export(name, value, src)
	}
	j.set(name, value)
}

// assigned is the value of an assignment, and judges what stands in it.
func (j *judge) assigned(a *syntax.Assign) arg {
	j.arithmetic(a.Index, a)
	j.risky = j.risky || a.Index != nil
	value := expander{j: j}
	if a.Array != nil {
		for _, e := range a.Array.Elems {
			j.arithmetic(e.Index, a)
			j.expand(e.Value)
		}
	}
	if a.Value != nil {
		value.parts(a.Value.Parts, false)
	}
	if a.Append || a.Index != nil || a.Array != nil {
		return arg{text: Hole}
	}
	return arg{text: value.text()} // an assignment splits nothing
}

// export judges a variable that is set for commands that are run.
func (j *judge) export(name string, v arg, src string) {
	for entry := range strings.FieldsSeq(exported) {
		pattern, want, _ := strings.Cut(entry, ":")
		may := want == v.text || want == "*" && v.literal() && isPlain(v.text) || want == "#" && isDigits(v.text)
		if may && fits(pattern, name) {
			return
		}
	}
	if strings.HasPrefix(name, "GIT_CONFIG_") && strings.Contains(strings.ToLower(v.text), "brew.") {
		j.personal(KeepsGate, name, src)
		return
	}
	j.found(problem{reason: Assigns, detail: name, command: src})
}

// declare judges export, local, declare and the like. Options change what an assignment
// means, what is read-only keeps its value whatever it is given, and local does nothing
// out of a function: these don't pass, or say nothing.
func (j *judge) declare(d *syntax.DeclClause) {
	src, kind := j.source(d), d.Variant.Value
	for _, a := range d.Args {
		if a.Name == nil {
			j.found(problem{reason: UnknownFlag, detail: j.expand(a.Value).src, command: src})
			continue
		}
		name, value := a.Name.Value, j.assigned(a)
		if a.Naked {
			value = arg{text: Hole}
		}
		switch {
		case kind == "export":
			j.export(name, value, src)
			j.set(name, value)
		case has("local declare typeset", kind):
			j.assign(name, arg{text: Hole}, src)
		default:
			j.found(problem{reason: Redefines, detail: kind, command: src})
		}
	}
}

func isName(text string) bool {
	return text != "" && !isDigits(text[:1]) && strings.Trim(text, letters+"0123456789_") == ""
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// isPlain reports a word such as a locale or a time zone: no path, no program.
func isPlain(text string) bool {
	return strings.Trim(text, letters+"0123456789_.@:,+-") == "" ||
		strings.Count(text, "/") == 1 && text[0] != '/' && isPlain(strings.Replace(text, "/", "", 1))
}

// quietFiles may be written: what goes there is gone, or goes to the caller.
const quietFiles = "/dev/null /dev/stdout /dev/stderr /dev/tty /dev/fd/1 /dev/fd/2"

// shells are programs that read a program of the shell.
const shells = "sh bash zsh dash ash ksh mksh"

// redirect judges where a command reads and writes. Standard input may come from anywhere;
// output goes to quiet files, or from one of its two descriptors to the other, so that
// /dev/stdout is the caller's. A bracket in front may be of {name[x]}>file, which sets x.
func (j *judge) redirect(r *syntax.Redirect, s *syntax.Stmt) {
	target, at := j.expand(r.Word), int(r.OpPos.Offset())
	ok, input, output := false, r.N == nil || r.N.Value == "0", r.N == nil || has("1 2", r.N.Value)
	typed := j.source(&syntax.Redirect{OpPos: r.OpPos, N: r.N, Word: r.Word}) // without a here-document
	if at > 0 && at <= len(j.src) && j.src[at-1] == '}' {
		j.found(problem{reason: Evaluates, detail: j.source(r), command: j.source(s)})
	}
	switch r.Op { //nolint:exhaustive // <>, <&, and what there may be
	case syntax.RdrIn:
		ok = input && !mayFit("/dev/tcp*", target.text) && !mayFit("/dev/udp*", target.text)
	case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		text := j.document(r, s, target)
		known := text.literal() && !strings.ContainsRune(text.text, home)
		if c, is := s.Cmd.(*syntax.CallExpr); is && known && len(c.Args) > 0 && has(shells, path.Base(c.Args[0].Lit())) {
			j.text(text.text, j.lang, j.runs+1) // what a shell reads as its program
		}
		ok = input
	case syntax.DplOut:
		ok = output && has("1 2 -", target.text)
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll:
		ok = output && has(quietFiles, target.text)
	}
	p := problem{reason: Redirects, detail: typed, command: j.source(s)}
	switch {
	case ok:
	case r.Op == syntax.RdrIn && !target.literal():
		j.found(problem{reason: HiddenPlace, detail: target.src, command: j.source(s)})
	case rawDevice(target.text):
		p.reason = Destroys
		j.dangerous(p)
	case keepsHere(j, target.text):
		j.personal(KeepsGate, target.src, j.source(s))
	default:
		j.found(p)
	}
}

// document reads a here-document, or the word of a here-string. Shells join lines
// that end in a backslash before they look for the end, and have ideas of their own
// about delimiters that are more than a word.
func (j *judge) document(r *syntax.Redirect, s *syntax.Stmt, word arg) arg {
	end := int(r.Word.End().Offset())
	if r.Op != syntax.WordHdoc && end < len(j.src) && !strings.ContainsAny(j.src[end:end+1], " \t\n;&|)<>") {
		j.otherwise(j.source(r), j.src[end:]) // <<E#x: the parser takes that for a comment
	}
	if r.Hdoc == nil {
		return word
	}
	e := expander{j: j}
	twofold := strings.ContainsAny(j.source(r.Word), "\n`$(){}<>")
	if delimiter := r.Word.Lit(); delimiter != "" && !strings.Contains(delimiter, `\`) { // else nothing in it is expanded
		from, to := int(r.Hdoc.Pos().Offset()), int(r.Hdoc.End().Offset())
		twofold = twofold || from > to || to > len(j.src) || strings.Contains(j.src[from:min(to+2, len(j.src))], "\\\n")
		e.parts(r.Hdoc.Parts, true)
	} else {
		e.b.WriteString(r.Hdoc.Lit())
	}
	if twofold {
		j.found(problem{reason: Parses, detail: "<<" + j.source(r.Word), command: j.source(s)})
	}
	return e.done("")
}
