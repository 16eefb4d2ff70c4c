package ui

import (
	"bufio"
	"bytes"
	"io"
	"slices"
)

// Table prints rows whose columns stand below each other. Cells may be
// coloured; they must be safe.
type Table struct {
	// Indent stands in front of every row.
	Indent string
	// Right names the columns that are flush right.
	Right map[int]bool
	// Max bounds a column's width; a longer cell is cut. Cells of such a
	// column must be without colours.
	Max map[int]int

	rows  [][]string
	width []int // of the widest cell of each column, before it is cut
}

// Add appends a row. Rows may differ in length.
func (t *Table) Add(cells ...string) {
	t.rows = append(t.rows, cells)
	for i, cell := range cells {
		if i == len(t.width) {
			t.width = append(t.width, 0)
		}
		t.width[i] = max(t.width[i], Width(cell))
	}
}

// AddColumn appends a column: a cell for each row, in their order.
func (t *Table) AddColumn(cells []string) {
	column := len(t.width)
	t.width = append(t.width, 0)
	for i, row := range t.rows {
		for len(row) < column {
			row = append(row, "")
		}
		t.rows[i] = append(row, cells[i])
		t.width[column] = max(t.width[column], Width(cells[i]))
	}
}

// Len is how many rows there are.
func (t *Table) Len() int { return len(t.rows) }

// Columns is how many columns the widest row has.
func (t *Table) Columns() int { return len(t.width) }

// DropEmpty takes out the columns in which nothing stands. It comes before Right
// and Max are set.
func (t *Table) DropEmpty() {
	for i, row := range t.rows {
		kept := row[:0]
		for column, cell := range row {
			if t.width[column] > 0 {
				kept = append(kept, cell)
			}
		}
		t.rows[i] = kept
	}
	t.width = slices.DeleteFunc(t.width, func(width int) bool { return width == 0 })
}

// WidthBefore is how many columns stand in front of a column, with the blanks.
func (t *Table) WidthBefore(column int) int {
	total := Width(t.Indent)
	for i, width := range t.widths() {
		if i < column {
			total += width + 2
		}
	}
	return total
}

// Write prints the table, columns two blanks apart, no blanks at a line's end.
func (t *Table) Write(w io.Writer) error {
	widths := t.widths()
	out := bufio.NewWriterSize(w, 64<<10)
	var line []byte
	for _, row := range t.rows {
		line = append(line[:0], t.Indent...)
		for i, cell := range row {
			if limit, ok := t.Max[i]; ok {
				cell = Truncate(cell, limit)
			}
			if i > 0 {
				line = append(line, "  "...)
			}
			missing := max(0, widths[i]-Width(cell))
			if !t.Right[i] {
				line = append(line, cell...)
			}
			for range missing {
				line = append(line, ' ')
			}
			if t.Right[i] {
				line = append(line, cell...)
			}
		}
		_, _ = out.Write(append(bytes.TrimRight(line, " "), '\n')) // Flush tells of errors
	}
	return out.Flush()
}

// widths are those of the columns as they are printed.
func (t *Table) widths() []int {
	widths := slices.Clone(t.width)
	for i, limit := range t.Max {
		if i < len(widths) {
			widths[i] = min(widths[i], limit)
		}
	}
	return widths
}
