package document

import "strings"

// splitTable makes a table of a paragraph's lines, from the one above a row of
// dashes on. What stands before is a paragraph still.
func (p *blockParser) splitTable(i int) {
	if p.table < 0 {
		return
	}
	b, at := p.blocks[i], p.table
	head := cells(b.Lines[at])
	table := Block{Kind: Table, Line: b.Line + at, Lines: b.Lines[at:], Item: b.Item, quoted: b.quoted, Cells: [][]string{head}}
	for _, line := range b.Lines[at+2:] {
		row := cells(line)
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
	return ok && len(cells(line)) == columns
}

// delimiters counts the cells of a row that consists of dashes and colons.
func delimiters(line string) (int, bool) {
	if strings.Trim(line, " \t|:-") != "" || !strings.Contains(line, "-") {
		return 0, false
	}
	row := cells(line)
	for _, cell := range row {
		if dashes := strings.TrimSuffix(strings.TrimPrefix(cell, ":"), ":"); dashes == "" || strings.Trim(dashes, "-") != "" {
			return 0, false
		}
	}
	return len(row), len(row) > 1 || strings.Contains(line, "|") || strings.Contains(line, ":")
}

// cells are the cells of a table's row. \| is no border.
func cells(line string) []string {
	line = strings.Trim(line, " \t")
	line = strings.TrimPrefix(line, "|")
	var row []string
	from, escaped := 0, false
	for i := range len(line) {
		switch {
		case escaped:
			escaped = false
		case line[i] == '\\':
			escaped = true
		case line[i] == '|':
			row = append(row, cellText(line[from:i]))
			from = i + 1
		}
	}
	if from < len(line) || len(row) == 0 {
		row = append(row, cellText(line[from:]))
	}
	return row
}

func cellText(s string) string {
	return strings.ReplaceAll(strings.Trim(s, " \t"), `\|`, "|")
}
