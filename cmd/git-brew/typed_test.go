package main

import (
	"go/ast"
	"go/token"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/document"
	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/plugin"
)

// typedIn are the command lines that a skill, an agent or a workflow tells somebody to type:
// between backquotes, or on a line of their own.
func typedIn(text string) []string {
	var found []string
	for _, m := range regexp.MustCompile("`(git brew [^`\n]+)`|(?m)^ +(git brew .+)$").FindAllStringSubmatch(text, -1) {
		found = append(found, m[1]+m[2])
	}
	return found
}

// namedIn are the command lines that any other text names: in backquotes, quotes and
// brackets, behind a prompt, a hint's colon and a cell's border, on a line of its own in code,
// in bold in the manual. What is in backquotes needs no "git brew" before a command's name.
func namedIn(root *cobra.Command, text string) []string {
	forms := regexp.MustCompile("(?m)`git[ -]brew ([a-z][^`]*)`|`([a-z-]+ [^`\n]+)`|'git[ -]brew ([a-z][^'\n]*)'" +
		`|\(git[ -]brew ([a-z][^()\n]*)\)|(?:^ +|^\$ |next: |\|)git[ -]brew ([a-z].*)$|^\.BR? "?git brew ([a-z][^"\n]*)`)
	var found []string
	for _, m := range forms.FindAllStringSubmatch(text, -1) {
		first, _, _ := strings.Cut(m[2], " ")
		if cmd, _, _ := root.Find([]string{first}); m[2] == "" || cmd != root {
			found = append(found, "git brew "+strings.Join(m[1:], ""))
		}
	}
	return found
}

// wordsTyped are the words of a command line behind "git brew", as a shell has them: without
// what it reads, and what comes after it.
func wordsTyped(line string) []string {
	var words []string
	for _, m := range regexp.MustCompile(`"([^"]*)"|'([^']*)'|(\S+)`).FindAllStringSubmatch(line, -1) {
		if slices.Contains([]string{"|", "&&", ";", ">", "<", "#", "2>&1"}, m[3]) || strings.HasPrefix(m[3], "<<") {
			break
		}
		words = append(words, m[1]+m[2]+m[3])
	}
	return words[2:]
}

// problemOf says what is wrong with a command line, "" for nothing: the command, its
// options with their values, how many arguments it takes.
func problemOf(line string) string {
	root := newRootCmd(&cli.Env{Out: io.Discard, Err: io.Discard})
	cmd, rest, err := root.Find(wordsTyped(line))
	if err != nil || !cmd.Runnable() {
		return "no such command"
	}
	if err := cmd.ParseFlags(rest); err != nil {
		return err.Error()
	}
	if cmd.Args == nil {
		return ""
	}
	args := cmd.Flags().Args()
	if err := cmd.Args(cmd, args); err != nil && len(args) > 0 { // alone it is named, not typed
		return err.Error()
	}
	return ""
}

// problemOfNamed is problemOf for a line that names a command and may leave out the rest, that
// is a line of usage, or goes on as a sentence.
func problemOfNamed(line string) string {
	line = strings.NewReplacer(`\-`, "-", "[", "", "]", "", ":*", "").Replace(line)
	line = regexp.MustCompile(` <(command|args|options)>| WORKER$`).ReplaceAllString(line, "")
	line = strings.ReplaceAll(line, "<n>", "1")
	line = regexp.MustCompile(`([\w-])%[a-z]`).ReplaceAllString(line, "$1") // options that are put in
	if !strings.Contains(line, `"`) {
		line = regexp.MustCompile(`, .*| (or|when|in|to|once) .*| first$`).ReplaceAllString(line, "")
	}
	for _, one := range alternatives(line) {
		problem := problemOf(one)
		if strings.HasPrefix(problem, "flag needs an argument") {
			problem = problemOf(one + " X")
		}
		if problem != "" && problem != "missing argument" {
			return problem
		}
	}
	return ""
}

// alternatives are a line with each of the words that stand in one of it: list|add|rm.
func alternatives(line string) (lines []string) {
	either := regexp.MustCompile(`\b[a-z]+(\|[a-z]+)+\b`).FindString(line)
	if either == "" {
		return []string{line}
	}
	for _, word := range strings.Split(either, "|") {
		lines = append(lines, alternatives(strings.Replace(line, either, word, 1))...)
	}
	return lines
}

// Each command line in a skill, an agent, a workflow or a template of a document is a
// command of git brew's, with options that it has and as many arguments as it takes. Each
// that a page, a help text, the manual or a text in Go names is one, with such options.
func TestDocs_commandLinesCanBeTyped(t *testing.T) {
	texts := map[string]string{}
	for _, f := range append(plugin.InProject(""), plugin.InPlugin("")...) {
		texts[f.Path] = string(f.Data)
	}
	for _, name := range pipeline.Workflows() {
		texts[name], _ = pipeline.WorkflowText(name)
	}
	for _, name := range document.Templates() {
		texts["template "+name] = document.TemplateText(name)
	}
	for name, text := range texts {
		lines := typedIn(text)
		if len(lines) < 3 && !strings.HasPrefix(name, "template ") {
			t.Errorf("%s names %d commands", name, len(lines))
		}
		for _, line := range lines {
			if problem := problemOf(line); problem != "" || strings.Contains(line, "|") {
				t.Errorf("%s: %s: %s", name, line, problem)
			}
		}
	}
	root, seen := newRootCmd(&cli.Env{}), 0
	maps.Copy(texts, pagesThatName(t))
	maps.Copy(texts, textsInGo(t))
	for name, text := range texts {
		for _, line := range namedIn(root, text) {
			seen++
			if problem := problemOfNamed(line); problem != "" {
				t.Errorf("%s: %s: %s", name, line, problem)
			}
		}
	}
	if seen < 1500 {
		t.Errorf("only %d commands found: the search finds too little", seen)
	}
}

// What the test above would find.
func TestDocs_commandLinesThatCannot(t *testing.T) {
	root := newRootCmd(&cli.Env{})
	for text, want := range map[string]string{
		"`git brew plan`": "is not a command", "see 'git brew next --soon'": "unknown flag: --soon",
		"next: git brew phase begin": "is not a command", "`phase add --soon`": "unknown flag: --soon",
		"  git brew list --all now": "unexpected argument", "$ git brew doc list|fetch": "is not a command",
		"(git brew pause -x)": "unknown shorthand", "`ls --soon`": "", "`create --prd`": "",
		"`git brew next --skip <step> -m <why>`": "", "  git brew doc set spec - <<'EOF'": "",
		"next: git brew report 1 --agent dev - first": "",
	} {
		got := ""
		for _, line := range namedIn(root, text) {
			got += problemOfNamed(line)
		}
		if !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, want %q: the test sees nothing", text, got, want)
		}
	}
}

// pagesThatName are what people read. Code in a page is indented, as in the help texts.
func pagesThatName(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	help, err := filepath.Glob("help/*.txt")
	if err != nil || len(help) == 0 {
		t.Fatalf("%d pages of help, %v", len(help), err)
	}
	for _, p := range help {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		texts[p] = string(text)
	}
	for _, p := range append(docPages(t), "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/man/git-brew.1.in") {
		parts := strings.Split("\n"+readDoc(t, p), "\n```")
		for i, part := range parts {
			if i%2 == 1 {
				parts[i] = strings.ReplaceAll(part, "\n", "\n  ")
			}
		}
		texts[p] = strings.Join(parts, "\n")
	}
	return texts
}

// textsInGo are the texts in Go that say "git brew", by their places, each with a verb of
// fmt's for what is put in.
func textsInGo(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	begins := regexp.MustCompile(`^git brew (can't|does|has|keeps) `) // a sentence
	for _, src := range readSources(t) {
		ast.Inspect(src.ast, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			text, ok := constant(e)
			if ok && strings.Contains(text, "git brew ") && !begins.MatchString(text) {
				if strings.HasPrefix(text, "git brew ") {
					text = "  " + text
				}
				texts[src.at(e)] += text + "\n"
			}
			return !ok
		})
	}
	return texts
}

// constant is the text of an expression that is one, at least in part.
func constant(e ast.Expr) (text string, is bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); e.Kind == token.STRING && err == nil {
			return text, true
		}
	case *ast.ParenExpr:
		return constant(e.X)
	case *ast.BinaryExpr:
		left, is := constant(e.X)
		right, also := constant(e.Y)
		if e.Op == token.ADD {
			return left + right, is || also
		}
	}
	return "%s", false
}
