package ui

import (
	"io"
	"strings"
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

	rows [][]string
}

// Add appends a row. Rows may differ in length.
func (t *Table) Add(cells ...string) { t.rows = append(t.rows, cells) }

// Len is how many rows there are.
func (t *Table) Len() int { return len(t.rows) }

// Columns is how many columns the widest row has.
func (t *Table) Columns() int { return len(t.widths()) }

// DropEmpty takes out the columns in which nothing stands. It comes before Right
// and Max are set.
func (t *Table) DropEmpty() {
	widths := t.widths()
	for i, row := range t.rows {
		var kept []string
		for column, cell := range row {
			if widths[column] > 0 {
				kept = append(kept, cell)
			}
		}
		t.rows[i] = kept
	}
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
	var b strings.Builder
	for _, row := range t.rows {
		var line strings.Builder
		for i, cell := range row {
			if limit, ok := t.Max[i]; ok {
				cell = Truncate(cell, limit)
			}
			if i > 0 {
				line.WriteString("  ")
			}
			if t.Right[i] {
				line.WriteString(PadLeft(cell, widths[i]))
			} else {
				line.WriteString(Pad(cell, widths[i]))
			}
		}
		b.WriteString(strings.TrimRight(t.Indent+line.String(), " "))
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (t *Table) widths() []int {
	var widths []int
	for _, row := range t.rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			width := Width(cell)
			if limit, ok := t.Max[i]; ok {
				width = min(width, limit)
			}
			widths[i] = max(widths[i], width)
		}
	}
	return widths
}
