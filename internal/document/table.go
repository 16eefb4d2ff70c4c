package document

import (
	"strings"

	"github.com/git-brew/git-brew/internal/markdown"
)

// splitTable makes a table of a paragraph's lines, from the one above a row of
// dashes on. What stands before is a paragraph still.
func (p *blockParser) splitTable(i int) {
	if p.table < 0 {
		return
	}
	b, at := p.blocks[i], p.table
	head := markdown.Cells(b.Lines[at])
	table := b
	table.Kind, table.Line, table.Lines, table.Cells = Table, b.Line+at, b.Lines[at:], [][]string{head}
	for _, line := range b.Lines[at+2:] {
		row := markdown.Cells(line)
		table.Cells = append(table.Cells, row[:min(len(row), len(head))])
	}
	if at == 0 {
		p.blocks[i] = table
		return
	}
	p.blocks[i].Lines = b.Lines[:at]
	p.blocks = append(p.blocks, table)
}

// isHead reports that a line is the head of a table, by the one below it.
func isHead(line, below string) bool {
	columns, ok := delimiters(below)
	return ok && len(markdown.Cells(line)) == columns
}

// delimiters counts the cells of a row that consists of dashes and colons.
func delimiters(line string) (int, bool) {
	if strings.Trim(line, " \t|:-") != "" || !strings.Contains(line, "-") {
		return 0, false
	}
	row := markdown.Cells(line)
	for _, cell := range row {
		if dashes := strings.TrimSuffix(strings.TrimPrefix(cell, ":"), ":"); dashes == "" || strings.Trim(dashes, "-") != "" {
			return 0, false
		}
	}
	return len(row), len(row) > 1 || strings.Contains(line, "|") || strings.Contains(line, ":")
}

// row is a row of a table below its head, with the columns that were asked for.
type row struct {
	line  int
	table int // the line of its table
	cells []string
	width int   // of the head
	at    []int // the places of the columns; -1: the table has none such
}

// rows are the rows of the tables in a section, and below it. Each column is asked for
// by the names that it may have.
func (t Text) rows(s Section, columns ...[]string) []row {
	var all []row
	for _, table := range t.Blocks[s.First:s.End] {
		if table.Kind != Table {
			continue
		}
		at := make([]int, len(columns))
		for i, names := range columns {
			at[i] = table.column(names)
		}
		for i, cells := range table.Cells[1:] {
			line := table.Line + i + 2 // the row of dashes is between them
			all = append(all, row{line, table.Line, cells, len(table.Cells[0]), at})
		}
	}
	return all
}

// column is the place of the first column that has one of these names, -1 for none.
func (b Block) column(names []string) int {
	for _, name := range names {
		for i, head := range b.Cells[0] {
			if sameName(bare(head), name) {
				return i
			}
		}
	}
	return -1
}

func (r row) has(column int) bool { return r.at[column] >= 0 }

func (r row) cell(column int) string { return r.in(r.at[column]) }

func (r row) in(place int) string {
	if place < 0 || place >= len(r.cells) {
		return ""
	}
	return strings.TrimSpace(r.cells[place])
}
