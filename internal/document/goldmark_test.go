package document

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	table "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"pgregory.net/rapid"
)

// facts are what a reader found, a line each, in the order of the lines.
type facts []string

func (f *facts) add(line int, what string, text string) {
	*f = append(*f, fmt.Sprintf("%04d %s %s", line, what, text))
}

func (f facts) sorted() []string {
	slices.Sort(f)
	return f
}

// ours is what this package's reader finds.
func ours(src string) []string {
	blocks := parseBlocks(src, 1)
	var f facts
	for _, b := range blocks {
		switch b.Kind {
		case Heading:
			if title := joined(b.Lines); title != "" {
				f.add(b.Line, fmt.Sprintf("heading %d", b.Level), title)
			}
		case Paragraph:
			f.add(b.Line, "text", joined(b.Lines))
		case Code:
			if len(b.Lines) > 0 {
				f.add(0, "code", joined(b.Lines))
			}
		case Comment:
			f.add(b.Line, "comment", joined(b.Lines))
		case Table:
			for _, row := range b.Cells {
				f.add(b.Line, "row", strings.TrimRight(strings.Join(row, "|"), "|"))
			}
		case Break:
		}
	}
	for _, b := range blocks {
		if b.Item {
			f.add(b.Line, fmt.Sprintf("item %d %v", b.Depth-1, b.Box != 0), "")
		}
	}
	return f.sorted()
}

func joined(lines []string) string {
	return strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
}

// theirs is what goldmark finds.
func theirs(src string) []string {
	source := []byte(src)
	doc := goldmark.New(goldmark.WithExtensions(extension.Table,
		extension.TaskList)).Parser().Parse(text.NewReader(source))
	lineOf := func(offset int) int { return 1 + bytes.Count(source[:offset], []byte("\n")) }
	content := func(n ast.Node, sep string) string {
		var parts []string
		for i := range n.Lines().Len() {
			segment := n.Lines().At(i)
			parts = append(parts, strings.TrimRight(string(segment.Value(source)), "\r\n"))
		}
		return strings.Join(parts, sep)
	}
	var f facts
	named := map[ast.Node]bool{} // items whose first paragraph was there
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		var line int
		if n.Type() == ast.TypeBlock && n.Lines().Len() > 0 {
			line = lineOf(n.Lines().At(0).Start)
		}
		switch n := n.(type) {
		case *ast.Heading:
			if title := joined([]string{content(n, " ")}); title != "" {
				f.add(line, fmt.Sprintf("heading %d", n.Level), title)
			}
		case *ast.Paragraph, *ast.TextBlock:
			if _, row := n.Parent().(*table.TableCell); !row {
				f.add(line, "text", joined([]string{content(n, " ")}))
			}
			f.addItem(line, n, named)
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			if n.Lines().Len() > 0 {
				f.add(0, "code", joined([]string{content(n, "\n")}))
			}
		case *ast.HTMLBlock:
			all := content(n, " ")
			if n.HasClosure() {
				all += " " + string(n.ClosureLine.Value(source))
			}
			if _, behind, _ := strings.Cut(all, "-->"); strings.TrimSpace(behind) != "" {
				f.add(line, "text", joined([]string{all}))
				f.addItem(line, n, named)
			} else {
				f.add(line, "comment", joined([]string{all}))
			}
		case *table.Table:
			at := 0
			for row := n.FirstChild(); row != nil; row = row.NextSibling() {
				var cells []string
				for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
					if at == 0 && cell.Lines().Len() > 0 {
						at = lineOf(cell.Lines().At(0).Start)
					}
					cells = append(cells, strings.ReplaceAll(content(cell, " "), `\|`, "|"))
				}
				f.add(at, "row", strings.TrimRight(strings.Join(cells, "|"), "|"))
			}
		}
		return ast.WalkContinue, nil
	})
	return f.sorted()
}

// addItem notes the item whose first paragraph n is.
func (f *facts) addItem(line int, n ast.Node, named map[ast.Node]bool) {
	if n.Parent().Kind() != ast.KindListItem || named[n.Parent()] {
		return
	}
	named[n.Parent()] = true
	depth := -1
	for up := n; up != nil; up = up.Parent() {
		if up.Kind() == ast.KindListItem {
			depth++
		}
	}
	box := false
	if n.FirstChild() != nil {
		_, box = n.FirstChild().(*table.TaskCheckBox)
	}
	f.add(line, fmt.Sprintf("item %d %v", depth, box), "")
}

func compare(t interface {
	Helper()
	Fatalf(string, ...any)
}, src string,
) {
	t.Helper()
	if a, b := ours(src), theirs(src); !slices.Equal(a, b) {
		t.Fatalf("of %q we read\n%s\ngoldmark\n%s", src, strings.Join(a, "\n"), strings.Join(b, "\n"))
	}
}

var corpus = []string{
	"# One\n\nText\nmore\n\n## Two ##\n- a\n- b\n",
	"Title\n=====\n\nOther\n---\ntext\n",
	"- [ ] open\n- [x] done\n- plain\n  - [ ] inner\n    text of it\n",
	"```go\n# no heading\n- [ ] no box\n```\nafter\n",
	"~~~\n```\n~~~\n",
	"- item\n\n  ```\n  code\n  ```\n\n  text\n- next\n",
	"    indented\n\n    more\n\ntext\n    lazy\n",
	"> quote\n> more\nlazy\n\n- > in an item\n  > more\n\n  text\n",
	"| a | b |\n|---|---|\n| 1 | 2 |\n| `x` | 3 |\n\nafter\n",
	"text\na | b\n--|:-:\n1 | 2\n",
	"| a |\n|---|\n| 1 | 2 | 3 |\n|\n",
	"<!-- a\n# no heading\n-->\n# heading\n",
	"<!-- a --> text\n\n- <!-- b -->\n  text\n",
	"1. one\n2. two\n   1. inner\n\n10) ten\n",
	"text\n2. no list\n1. list\n",
	"text\n-\n\n-\n  a\n-\n\n  b\n",
	"***\n* * *\n- - -\n_ _ _\n- a\n***\n",
	"- a\n\n\n- b\n      code\n",
	"-\tone\n\n\ttwo\n",
	" -    code\n",
	"- # heading\n- > quote\n- - nested\n- a\nlazy\n",
	"#no\n####### no\n# \n#\n## yes #hash#\n",
	"a\\|b | c\n- | -\n",
	"\r\n# crlf\r\n\r\n- a\r\n- b\r\n",
}

// TestRead_asGoldmark: where what stands is what goldmark says. Definitions of links,
// HTML but comments, and what stands in quotes are text here.
func TestRead_asGoldmark(t *testing.T) {
	for _, src := range corpus {
		compare(t, src)
	}
}

// pieces are what drawn documents are made of.
var pieces = []string{
	"text", "# head", "## two ##", "- item", "* item", "+ item", "1. item", "2) item", "- - item", "> quote", "```", "~~~",
	"    ", "  ", "   ", " ", "---", "===", "***",
	"[ ] a", "[x] b", "\n\n| a | b |\n|---|---|\n| 1 | `2` |\n\n", "<!-- c", "-->", "more words", "`code`", "{NAME}", "\n",
	"\n", "\n", "\n\n",
}

// TestRead_asGoldmark_drawn is the same of documents that nobody wrote.
func TestRead_asGoldmark_drawn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 25).Draw(t, "pieces"), "") + "\n"
		compare(t, src)
	})
}
