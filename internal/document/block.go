package document

import (
	"strings"

	"github.com/git-brew/git-brew/internal/markdown"
)

// Kind is what a block is.
type Kind int

const (
	Paragraph Kind = iota
	Heading
	Code
	Comment
	Table
	Break
)

// Block is a piece of a document.
type Block struct {
	Kind Kind
	Line int // of its first line, from 1
	// Lines are its lines without what encloses them: marks of lists and quotes,
	// indentation, fences.
	Lines []string
	Level int // of a heading, 1 to 6
	// Depth is in how many items of lists it is. A heading in an item begins no section.
	Depth int
	// Item: it is the first paragraph of an item. Box is what stands in the box there, a
	// blank or an x; 0: it has none.
	Item bool
	Box  byte
	// Cells are a table's, its head first. Rows may be shorter than the head.
	Cells [][]string

	quoted bool
}

// maxNested is how deep items may stand in each other. What is deeper is text: no
// document that people write goes there.
const maxNested = 32

const codeIndent = 4

type openItem struct {
	indent int // column in which its contents stand
	line   int
	filled bool
	named  bool // its first paragraph was there
}

// blockParser follows CommonMark's algorithm, as far as documents need it. Of each
// line: to which open items does it belong, which block goes on or begins in it? What
// stands in a quote is text alone, and of HTML only comments are known.
type blockParser struct {
	blocks []Block
	stack  []openItem
	leaf   int // the block that goes on, -1 for none
	line   int

	fence string // of the code that goes on; "": it is indented
	// table is the line of the open paragraph that a table's head stands in, -1 for
	// none: it is no mere paragraph from there on.
	table int
}

// parseBlocks reads lines from a document; the first has the number first.
func parseBlocks(text string, first int) []Block {
	p := &blockParser{leaf: -1, line: first - 1}
	for raw := range strings.Lines(text) {
		p.line++
		column, line := unindented(strings.TrimRight(raw, "\r\n"), 0)
		if line == "" {
			p.blankLine()
		} else {
			p.read(column, line)
		}
	}
	p.closeLeaf()
	return p.blocks
}

// unindented is a line without the blanks in front of it, and the column in which it
// begins then. A tab goes on to the next column that can be divided by four.
func unindented(s string, column int) (int, string) {
	for i := range len(s) {
		switch s[i] {
		case ' ':
			column++
		case '\t':
			column += codeIndent - column%codeIndent
		default:
			return column, s[i:]
		}
	}
	return column, ""
}

func (p *blockParser) blankLine() {
	switch {
	case p.leaf >= 0 && p.blocks[p.leaf].Kind != Paragraph:
		p.add("")
	case len(p.stack) > 0 && !p.stack[len(p.stack)-1].filled:
		p.closeTo(len(p.stack) - 1) // an item that has nothing but its mark
	default:
		p.closeLeaf()
	}
}

// read reads a line that begins in a column.
func (p *blockParser) read(column int, text string) {
	belongs := 0 // to so many of the open items
	for belongs < len(p.stack) && column >= p.stack[belongs].indent {
		belongs++
	}
	if belongs == len(p.stack) && p.goesOn(column-p.indent(belongs), text) {
		return
	}
	for text != "" {
		indent := column - p.indent(belongs)
		inParagraph := p.leaf >= 0 && p.blocks[p.leaf].Kind == Paragraph
		interrupts := inParagraph && belongs == len(p.stack) && p.table < 0 && !p.blocks[p.leaf].quoted
		if indent < codeIndent && belongs < maxNested && !markdown.Break(text) {
			if n := p.itemMark(text, interrupts); n > 0 {
				p.closeTo(belongs)
				column, text = p.openItem(column, text, n)
				belongs++
				continue
			}
		}
		if indent < codeIndent && p.begins(text, belongs, interrupts) {
			return
		}
		switch {
		case inParagraph: // it goes on, even where the line leaves its items
		case indent >= codeIndent:
			p.open(Block{Kind: Code}, belongs)
			p.fence = ""
		default:
			p.open(Block{Kind: Paragraph}, belongs)
		}
		p.add(text)
		return
	}
}

// indent is the column in which the contents of the n outermost items stand.
func (p *blockParser) indent(n int) int {
	if n == 0 {
		return 0
	}
	return p.stack[n-1].indent
}

// goesOn gives the line to the code or the comment that is open, if it goes on with
// that.
func (p *blockParser) goesOn(indent int, text string) bool {
	if p.leaf < 0 {
		return false
	}
	switch kind := p.blocks[p.leaf].Kind; {
	case kind == Code && p.fence == "" && indent < codeIndent:
		p.closeLeaf()
		return false
	case kind == Code && p.fence != "" && indent < codeIndent && markdown.ClosesFence(text, p.fence):
		p.closeLeaf()
	case kind == Code:
		p.add(text)
	case kind == Comment:
		p.add(text)
		p.endComment()
	default:
		return false
	}
	return true
}

// begins opens the block that begins in the line, if one does.
func (p *blockParser) begins(text string, belongs int, interrupts bool) bool {
	level, title := markdown.Heading(text)
	fence := markdown.Fence(text)
	switch {
	case level > 0:
		p.open(Block{Kind: Heading, Level: level, Lines: []string{title}}, belongs)
		p.leaf = -1
	case fence != "":
		p.open(Block{Kind: Code}, belongs)
		p.fence = fence
	case strings.HasPrefix(text, "<!--"):
		p.open(Block{Kind: Comment}, belongs)
		p.add(text)
		p.endComment()
	case text[0] == '>':
		p.quote(strings.TrimLeft(text, "> \t"), belongs)
	case interrupts && markdown.Underline(text) > 0:
		b := &p.blocks[p.leaf]
		b.Kind, b.Level = Heading, markdown.Underline(text)
		p.leaf = -1
	case markdown.Break(text):
		p.open(Block{Kind: Break}, belongs)
		p.leaf = -1
	default:
		return false
	}
	return true
}

// quote reads a line of a quote: a paragraph goes on with it, if it is one of that
// quote.
func (p *blockParser) quote(text string, belongs int) {
	if goesOn := p.leaf >= 0 && p.blocks[p.leaf].quoted && belongs == len(p.stack); !goesOn || text == "" {
		p.closeTo(belongs)
		p.fill()
	}
	if text == "" {
		return
	}
	if p.leaf < 0 {
		p.open(Block{Kind: Paragraph, quoted: true}, belongs)
	}
	p.add(text)
}

// itemMark is the length of the mark of an item that begins with the text, 0 for none.
// A paragraph goes on where the item would be empty, or not the first of its list.
func (p *blockParser) itemMark(text string, interrupts bool) int {
	n, first := markdown.Item(text)
	if interrupts && (!first || strings.Trim(text[n:], " \t") == "") {
		return 0
	}
	return n
}

// openItem opens an item whose mark has a length, and returns what stands behind that.
func (p *blockParser) openItem(column int, text string, mark int) (behind int, rest string) {
	behind, rest = unindented(text[mark:], column+mark)
	indent := behind
	if rest == "" || behind-column-mark > codeIndent {
		indent = column + mark + 1
	}
	p.fill()
	p.stack = append(p.stack, openItem{indent: indent, line: p.line})
	return behind, rest
}

func (p *blockParser) fill() {
	if n := len(p.stack); n > 0 {
		p.stack[n-1].filled = true
	}
}

func (p *blockParser) closeTo(n int) {
	p.closeLeaf()
	p.stack = p.stack[:n]
}

func (p *blockParser) open(b Block, n int) {
	p.closeTo(n)
	p.fill()
	b.Line, b.Depth = p.line, n
	p.blocks = append(p.blocks, b)
	p.leaf, p.table = len(p.blocks)-1, -1
}

func (p *blockParser) add(line string) {
	b := &p.blocks[p.leaf]
	b.Lines = append(b.Lines, line)
	if n := len(b.Lines); b.Kind == Paragraph && p.table < 0 && n > 1 && isHead(b.Lines[n-2], line) {
		p.table = n - 2
	}
}

// endComment ends a comment with the line that says so. With something behind it, it
// is a paragraph.
func (p *blockParser) endComment() {
	b := &p.blocks[p.leaf]
	_, behind, ends := strings.Cut(b.Lines[len(b.Lines)-1], "-->")
	if !ends {
		return
	}
	if strings.TrimSpace(behind) != "" {
		b.Kind = Paragraph
	}
	p.closeLeaf()
}

// closeLeaf ends the open block. A paragraph may turn out to hold a table.
func (p *blockParser) closeLeaf() {
	if p.leaf < 0 {
		return
	}
	i := p.leaf
	p.leaf = -1
	b := &p.blocks[i]
	switch {
	case b.Kind == Code && p.fence == "":
		for b.Lines[len(b.Lines)-1] == "" { // its first line is none
			b.Lines = b.Lines[:len(b.Lines)-1]
		}
	case b.Kind == Paragraph:
		p.splitTable(i)
		p.beginItem(&p.blocks[i])
	}
}

// beginItem makes a paragraph the first one of its item, and looks for a box in it.
func (p *blockParser) beginItem(b *Block) {
	if b.Kind != Paragraph || b.Depth == 0 || b.quoted || p.stack[b.Depth-1].named {
		return
	}
	item := &p.stack[b.Depth-1]
	item.named, b.Item = true, true
	text := inOneLine(b.Lines)
	if said, _, ok := markdown.Box(text); ok && said != "" && b.Line == item.line {
		b.Box = text[1]
	}
}

// said is what a paragraph says, in one line, without a box.
func (b Block) said() string {
	text := inOneLine(b.Lines)
	if b.Box != 0 {
		text, _, _ = markdown.Box(text)
	}
	return text
}
