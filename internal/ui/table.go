package ui

import (
	"bufio"
	"cmp"
	"io"
	"slices"
	"strings"
)

// Table prints rows whose columns stand below each other. Cells may be
// coloured; they must be safe. A column in which nothing stands takes no room.
type Table struct {
	// Indent stands in front of every row.
	Indent string
	// Right names the columns that are flush right.
	Right map[int]bool
	// Width is how wide a row may be; 0: as wide as it is.
	Width int
	// Leave names the columns that are left out where the room is scarce, the first
	// one first; Give those that are cut after that, the first one first.
	Leave, Give []int
	// Ease is what a column that gives way keeps while others can be left out.
	Ease int
	// Fold breaks a long text in the last column into lines; without, it is cut.
	Fold bool

	rows  [][]string
	fact  string // the name of the last one
	width []int  // of the widest cell of each column
}

const (
	// tableGap is how many blanks part two columns.
	tableGap = 2
	// ease is Ease where none is said.
	ease = 18
	// leastFold is how narrow a text is folded.
	leastFold = 20
)

// leftOut is the width of a column that is not printed.
const leftOut = -1

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

// Fact appends a name and what is to be said about it, where there is something. Of several
// in a row with one name, the first alone shows it.
func (t *Table) Fact(name, words string) {
	if words == "" {
		return
	}
	t.Add(Either(name == t.fact, "", name), words)
	t.fact = name
}

// Write prints the table, columns two blanks apart, no blanks at a line's end.
func (t *Table) Write(w io.Writer) error {
	widths := t.fit()
	last := len(widths) - 1
	for last >= 0 && widths[last] == leftOut {
		last--
	}
	out := bufio.NewWriterSize(w, 64<<10)
	var line strings.Builder
	for _, row := range t.rows {
		line.Reset()
		line.WriteString(t.Indent)
		before, folded := len(t.Indent), []string(nil)
		for i, cell := range row {
			if widths[i] == leftOut {
				continue
			}
			switch {
			case i == last && t.Fold:
				folded = fold(cell, widths[i])
				cell = folded[0]
			default:
				cell = Truncate(cell, widths[i])
			}
			missing := strings.Repeat(" ", max(0, widths[i]-Width(cell)))
			if t.Right[i] {
				line.WriteString(missing + cell)
			} else {
				line.WriteString(cell + missing)
			}
			if i < last {
				line.WriteString(strings.Repeat(" ", tableGap))
				before += widths[i] + tableGap
			}
		}
		_, _ = out.WriteString(strings.TrimRight(line.String(), " ") + "\n") // Flush tells of errors
		for _, rest := range folded[min(1, len(folded)):] {
			_, _ = out.WriteString(strings.Repeat(" ", before) + rest + "\n")
		}
	}
	return out.Flush()
}

// fit is how wide each column is printed.
func (t *Table) fit() []int {
	widths := slices.Clone(t.width)
	for i, width := range widths {
		if width == 0 {
			widths[i] = leftOut
		}
	}
	if t.Width <= 0 {
		return widths
	}
	least := slices.Clone(widths) // what columns keep while others can be left out
	for _, column := range t.Give {
		if column < len(least) {
			least[column] = min(least[column], cmp.Or(t.Ease, ease))
		}
	}
	for _, column := range t.Leave {
		if column < len(widths) && t.over(least) > 0 {
			widths[column], least[column] = leftOut, leftOut
		}
	}
	if last := len(widths) - 1; t.Fold && last >= 0 {
		widths[last] = max(widths[last]-max(0, t.over(widths)), min(widths[last], leastFold))
	}
	for _, column := range t.Give {
		if column < len(widths) {
			widths[column] -= min(max(0, t.over(widths)), max(0, widths[column]-least[column]))
		}
	}
	for over := t.over(widths); over > 0 && len(widths) > 0; over-- { // what nobody gives is taken from the widest
		widest := slices.Index(widths, slices.Max(widths))
		widths[widest] = max(1, widths[widest]-1)
	}
	return widths
}

// over is by how much columns of these widths are wider than the table may be.
func (t *Table) over(widths []int) int {
	total := Width(t.Indent) - tableGap - t.Width
	for _, width := range widths {
		if width != leftOut {
			total += width + tableGap
		}
	}
	return total
}
