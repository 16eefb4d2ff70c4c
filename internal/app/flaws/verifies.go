package flaws

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/trees"
	"github.com/git-brew/git-brew/internal/runner"
)

// verifies are the files of a tree that commands run, or go by: each word that may name one, those
// in a text that is given to a shell among them, and what a tool goes by without being told. What
// programs like grep are given, they only look at: that is the work.
type verifies struct {
	words []string
	// anywhere: a directory is changed on the way, so a word may name a file in any one.
	anywhere bool
	bases    []string // names of files that count in every directory
	packages bool     // package.json does, but for what it depends on
}

// lookers are programs that only look at the files that they are given.
func lookers() []string {
	return []string{
		"grep", "egrep", "fgrep", "rg", "test", "[", "[[", "cat", "head", "tail", "wc", "ls", "stat", "file", "jq", "yq",
		"cmp", "diff", "sort", "uniq", "cut", "sed", "awk", "echo", "printf", "git", "gofmt", "goimports", "shellcheck",
		"ruff", "black", "mypy", "flake8", "pylint", "eslint", "prettier", "rustfmt", "yamllint", "xmllint", "markdownlint",
	}
}

// leaders are words before a program that run it.
func leaders() []string {
	return []string{
		"env", "exec", "command", "time", "nice", "nohup", "timeout", "if", "then", "else", "elif", "while", "until", "do",
		"!", "{",
	}
}

func verifiesOf(commands []string) (v verifies) {
	for _, text := range commands {
		simple, err := runner.ReadSimple(text)
		if err != nil {
			v.read(text)
			continue
		}
		v.program(simple.Args)
		for _, arg := range simple.Args[1:] {
			if strings.ContainsAny(arg, " \t\n;|&") {
				v.read(arg)
			}
		}
	}
	return v
}

// read takes the programs of a shell's text, and their words.
func (v *verifies) read(text string) {
	ends := func(r rune) bool { return strings.ContainsRune(";|&()\n`", r) }
	between := func(r rune) bool { return strings.ContainsRune(" \t\"'<>,$", r) }
	for _, part := range strings.FieldsFunc(text, ends) {
		v.program(strings.FieldsFunc(part, between))
	}
}

// program takes the words of one program.
func (v *verifies) program(args []string) {
	isNumber := func(s string) bool { return s != "" && strings.Trim(s, "0123456789smhd.") == "" }
	for len(args) > 1 && (slices.Contains(leaders(), path.Base(args[0])) || strings.Contains(args[0], "=") ||
		isNumber(args[0])) {
		args = args[1:]
	}
	if len(args) == 0 {
		return
	}
	v.words = append(v.words, path.Clean(args[0]))
	name := strings.TrimSuffix(path.Base(args[0]), ".exe")
	switch name {
	case "make", "gmake":
		v.bases = append(v.bases, "Makefile", "GNUmakefile", "makefile")
	case "just":
		v.bases = append(v.bases, "justfile", "Justfile", ".justfile")
	case "npm", "yarn", "pnpm", "npx", "bun":
		v.packages = true
	case "cd", "pushd":
		v.anywhere = true
	}
	if slices.Contains(lookers(), name) {
		return
	}
	for _, arg := range args[1:] {
		v.anywhere = v.anywhere || arg == "-C"
		if _, value, is := strings.Cut(arg, "="); is {
			arg = value
		}
		if arg != "" && !strings.HasPrefix(arg, "-") {
			v.words = append(v.words, path.Clean(arg))
		}
	}
}

// goBy reports whether commands run a file, or go by it.
func (v *verifies) goBy(name string) bool {
	return slices.Contains(v.bases, path.Base(name)) || slices.ContainsFunc(v.words, func(word string) bool {
		return word == name || v.anywhere && strings.HasSuffix(name, "/"+strings.TrimPrefix(word, "../"))
	})
}

// ofPackages finds a package.json that says otherwise what its tools do: what it depends on
// may change.
func ofPackages(ctx context.Context, w trees.Tree, done Work, base string, commands []string) (all []string) {
	if v := verifiesOf(commands); !v.packages {
		return nil
	}
	for _, f := range done.files {
		if was := cmp.Or(f.from, f.path); path.Base(was) == "package.json" && f.status != "A" &&
			!reflect.DeepEqual(packageAt(ctx, w, base, was), packageAt(ctx, w, done.Tip.String(), f.path)) {
			all = append(all, was+": it says how the work is verified, and was changed by it")
		}
	}
	return all
}

// packageAt is what a package.json says at a commit, beside its version and what it depends on;
// what can't be read is as unlike another one as can be.
func packageAt(ctx context.Context, w trees.Tree, commit, name string) map[string]any {
	out, err := w.Run(ctx, "cat-file", "blob", commit+":"+name)
	var p map[string]any
	if err == nil {
		err = json.Unmarshal([]byte(out), &p)
	}
	if err != nil {
		return map[string]any{commit: true}
	}
	maps.DeleteFunc(p, func(key string, _ any) bool {
		return key == "version" || strings.HasSuffix(strings.ToLower(key), "dependencies")
	})
	return p
}

// The modes of git's that files may have which are none.
const (
	modeLink       = "120000"
	modeRepository = "160000"
)

// ofKinds finds what work adds that is no file of its own: a repository, whose files nobody
// merges, and a link to what lies beside the tree.
func ofKinds(ctx context.Context, w trees.Tree, files []changed) (all []string, err error) {
	for _, f := range files {
		switch {
		case f.mode == modeRepository && f.wasMode != modeRepository:
			all = append(all, f.path+": it adds a repository inside")
		case f.mode == modeLink:
			to, err := w.Run(ctx, "cat-file", "blob", f.blob)
			if err != nil {
				return nil, err
			}
			if leadsOut(f.path, to) {
				all = append(all, f.path+": it is a link that leads out of the tree")
			}
		}
	}
	return all, nil
}

// leadsOut reports whether a link leads out of the tree that it is in, or may: what goes up after
// a name goes up from wherever that leads.
func leadsOut(name, to string) bool {
	to = strings.ReplaceAll(to, `\`, "/")
	if to == "" || path.IsAbs(to) || len(to) > 1 && to[1] == ':' {
		return true
	}
	named := false
	for part := range strings.SplitSeq(to, "/") {
		if part == ".." && named {
			return true
		}
		named = named || part != ".." && part != "." && part != ""
	}
	first, _, _ := strings.Cut(path.Join(path.Dir(name), to), "/")
	return first == ".." || strings.EqualFold(first, ".git")
}
