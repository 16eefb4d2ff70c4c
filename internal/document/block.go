package document

import "strings"

// Kind is what a block is.
type Kind int

// The kinds of blocks.
const (
	Paragraph Kind = iota
	Heading
	Code
	HTML
	Comment // HTML that says nothing
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
	Item  int // the innermost item that it is in, an index of Text.Items; -1: none
	// Nested: it is in a list or a quote. A heading there begins no section.
	Nested bool
	// Cells are a table's, its head first. Rows may be shorter than the head.
	Cells [][]string

	quoted bool // what is right around it is a quote
}

// Item is an item of a list.
type Item struct {
	Line    int
	Depth   int // 0 for an outermost one
	Ordered bool
	// Box is ' ' or 'x' where the item has one, else 0.
	Box rune
	// Text is its first paragraph, without the box, in one line.
	Text string
	// Block is the index of that paragraph; -1: it has none.
	Block int
}

// container is a quote or an item of a list that is open.
type container struct {
	quote  bool
	indent int // columns in which an item's contents stand
	item   int // index of the item
	filled bool
}

// blockParser follows the algorithm that CommonMark describes: of each line,
// first which open containers go on, then which blocks begin, then where the
// text goes.
type blockParser struct {
	blocks []Block
	items  []Item
	stack  []container
	leaf   int // the block that is open, -1 for none

	fence       byte // of the open code block; 0: it is an indented one
	fenceLen    int
	fenceIndent int
	htmlEnd     string // what ends the open HTML block; "": a blank line
	// table is the line of the open paragraph that a table's head stands in, -1
	// for none: it is no mere paragraph from there on.
	table int

	cursor
	line int
}

// parseBlocks reads lines from a document; the first has the number first.
func parseBlocks(text string, first int) ([]Block, []Item) {
	p := &blockParser{leaf: -1, line: first - 1}
	for raw := range strings.Lines(text) {
		p.line++
		p.read(strings.TrimSuffix(strings.TrimSuffix(raw, "\n"), "\r"))
	}
	p.closeLeaf()
	return p.blocks, p.items
}

func (p *blockParser) read(line string) {
	p.cursor = cursor{s: line}
	matched := p.goesOn()
	all := matched == len(p.stack)
	if p.leaf >= 0 && all && p.leafTakes() {
		return
	}
	inParagraph := p.leaf >= 0 && p.blocks[p.leaf].Kind == Paragraph
	lazy := inParagraph // the line may belong to a paragraph whose containers it leaves
	if done := p.begins(&matched, &all, &lazy); done {
		return
	}
	_, next := p.indent()
	switch blank := next == len(p.s); {
	case lazy && !blank && inParagraph:
		p.add(p.s[next:])
	case blank:
		p.closeTo(matched)
	default:
		p.closeTo(matched)
		p.open(Block{Kind: Paragraph})
		p.add(p.s[next:])
	}
}

// goesOn counts the containers that the line belongs to.
func (p *blockParser) goesOn() int {
	for n := range p.stack {
		c := &p.stack[n]
		columns, next := p.indent()
		blank := next == len(p.s)
		switch {
		case c.quote && columns < codeIndent && !blank && p.s[next] == '>':
			p.quoteMark(columns)
		case !c.quote && columns >= c.indent && !blank:
			p.columns(c.indent)
		case !c.quote && blank && c.filled:
			p.columns(columns)
		default:
			return n
		}
	}
	return len(p.stack)
}

func (p *blockParser) quoteMark(columns int) {
	p.columns(columns)
	p.bytes(1)
	p.columns(1)
}

// leafTakes gives the line to the open block, if it goes on with that.
func (p *blockParser) leafTakes() bool {
	b := &p.blocks[p.leaf]
	columns, next := p.indent()
	blank := next == len(p.s)
	switch b.Kind {
	case Code:
		switch {
		case p.fence != 0 && columns < codeIndent && p.closesFence(p.s[next:]):
			p.closeLeaf()
		case p.fence != 0:
			p.columns(min(columns, p.fenceIndent))
			p.add(p.rest())
		case columns >= codeIndent:
			p.columns(codeIndent)
			p.add(p.rest())
		case blank:
			p.add("")
		default:
			p.closeLeaf()
			return false
		}
		return true
	case HTML, Comment:
		if p.htmlEnd == "" && blank {
			p.closeLeaf()
			return false
		}
		p.add(p.rest())
		p.endHTML()
		return true
	case Paragraph:
		if blank {
			p.closeLeaf()
		}
	case Heading, Table, Break: // are never open
	}
	return false
}

// begins opens what begins in the line; done, where nothing is left of it then.
func (p *blockParser) begins(matched *int, all, lazy *bool) (done bool) {
	for {
		columns, next := p.indent()
		text := p.s[next:]
		if text == "" {
			return false
		}
		interrupts := p.leaf >= 0 && *all && p.blocks[p.leaf].Kind == Paragraph && p.table < 0
		if columns >= codeIndent {
			if *lazy {
				return false
			}
			p.closeTo(*matched)
			p.columns(codeIndent)
			p.open(Block{Kind: Code})
			p.fence = 0
			p.add(p.rest())
			return true
		}
		if len(p.stack) < maxNested || *matched < len(p.stack) && *matched < maxNested {
			if text[0] == '>' {
				p.closeTo(*matched)
				p.quoteMark(columns)
				p.push(container{quote: true})
				*matched, *all, *lazy = len(p.stack), true, false
				continue
			}
			if !isBreak(text) || interrupts && isSetext(text) {
				if ok := p.beginsItem(columns, text, interrupts, *matched); ok {
					*matched, *all, *lazy = len(p.stack), true, false
					continue
				}
			}
		}
		return p.beginsLeaf(text, columns, interrupts, *matched)
	}
}

// beginsLeaf opens a block that holds no others.
func (p *blockParser) beginsLeaf(text string, columns int, interrupts bool, matched int) bool {
	if level, title := atx(text); level > 0 {
		p.closeTo(matched)
		p.open(Block{Kind: Heading, Level: level, Lines: []string{title}})
		p.leaf = -1
		return true
	}
	if fence, n := fenceOf(text); n > 0 {
		p.closeTo(matched)
		p.open(Block{Kind: Code})
		p.fence, p.fenceLen, p.fenceIndent = fence, n, columns
		return true
	}
	if kind, end, ok := htmlStart(text, interrupts); ok {
		p.closeTo(matched)
		p.open(Block{Kind: kind})
		p.htmlEnd = end
		p.add(p.rest())
		p.endHTML()
		return true
	}
	if interrupts && isSetext(text) {
		b := &p.blocks[p.leaf]
		b.Kind, b.Level = Heading, 2
		if text[0] == '=' {
			b.Level = 1
		}
		p.leaf = -1
		return true
	}
	if isBreak(text) {
		p.closeTo(matched)
		p.open(Block{Kind: Break})
		p.leaf = -1
		return true
	}
	return false
}

// beginsItem opens an item of a list where its mark stands.
func (p *blockParser) beginsItem(columns int, text string, interrupts bool, matched int) bool {
	n, ordered, one := listMark(text)
	if n == 0 {
		return false
	}
	empty := strings.TrimLeft(text[n:], " \t") == ""
	if interrupts && (empty || ordered && !one) {
		return false
	}
	p.closeTo(matched)
	p.columns(columns)
	p.bytes(n)
	ahead, _ := p.indent()
	width := n + ahead
	if empty || ahead > codeIndent {
		width = n + 1
	}
	p.columns(width - n)
	depth := 0
	for _, c := range p.stack {
		if !c.quote {
			depth++
		}
	}
	p.items = append(p.items, Item{Line: p.line, Depth: depth, Ordered: ordered, Block: -1})
	p.push(container{indent: columns + width, item: len(p.items) - 1})
	return true
}

func (p *blockParser) push(c container) {
	p.fill()
	p.stack = append(p.stack, c)
}

// fill notes that the innermost container has something in it.
func (p *blockParser) fill() {
	if n := len(p.stack); n > 0 {
		p.stack[n-1].filled = true
	}
}

// closeTo closes the open block, and all containers but the first n.
func (p *blockParser) closeTo(n int) {
	p.closeLeaf()
	p.stack = p.stack[:n]
}

// open makes a block, which is open then.
func (p *blockParser) open(b Block) {
	p.fill()
	b.Line, b.Item, b.Nested = p.line, -1, len(p.stack) > 0
	for _, c := range p.stack {
		if b.quoted = c.quote; !c.quote {
			b.Item = c.item
		}
	}
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

func (p *blockParser) endHTML() {
	b := &p.blocks[p.leaf]
	last := b.Lines[len(b.Lines)-1]
	if p.htmlEnd == "" || !endsHTML(last, p.htmlEnd) {
		return
	}
	if b.Kind == Comment && strings.TrimSpace(last[strings.Index(last, "-->")+len("-->"):]) != "" {
		b.Kind = HTML // it says something behind the comment
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
	case b.Kind == Code && p.fence == 0:
		for len(b.Lines) > 0 && strings.Trim(b.Lines[len(b.Lines)-1], " \t") == "" {
			b.Lines = b.Lines[:len(b.Lines)-1]
		}
	case b.Kind == Paragraph:
		p.nameItem(i)
		p.splitTable(i)
	}
}

// nameItem gives an item the text of its first block.
func (p *blockParser) nameItem(i int) {
	b := p.blocks[i]
	if b.Item < 0 || b.quoted || p.items[b.Item].Block >= 0 || p.items[b.Item].Text != "" {
		return
	}
	item := &p.items[b.Item]
	item.Block = i
	text := strings.TrimSpace(strings.Join(b.Lines, " "))
	if b.Line == item.Line && len(text) > 3 && text[0] == '[' && text[2] == ']' && (text[3] == ' ' || text[3] == '\t') {
		switch text[1] {
		case ' ', 'x', 'X':
			item.Box, text = rune(text[1]|0x20), strings.TrimSpace(text[3:])
		}
	}
	item.Text = text
}
