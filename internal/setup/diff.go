package setup

import (
	"fmt"
	"strings"
)

// diffContext is how many unchanged lines stand around a change.
const diffContext = 3

// maxTable bounds the comparison of two texts, in pairs of lines; beyond it all
// between the first and the last difference counts as changed.
const maxTable = 4 << 20

// Diff is the change as git would show it.
func (c Change) Diff() string {
	var b strings.Builder
	if c.MovedFrom != "" {
		fmt.Fprintf(&b, "rename to %s\n", c.Name)
		return b.String()
	}
	from, to := "a/"+c.Name, "b/"+c.Name
	if c.Before == nil {
		from = "/dev/null"
	}
	if c.After == nil {
		to = "/dev/null"
	}
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", from, to)
	writeHunks(&b, compare(lines(c.Before), lines(c.After)))
	return b.String()
}

// edit is one line of a comparison: ' ' stays, '-' goes, '+' comes.
type edit struct {
	sign byte
	line string
}

func lines(data []byte) []string {
	if len(data) == 0 {
		return nil
	}
	return strings.SplitAfter(strings.TrimSuffix(string(data), "\n"), "\n")
}

// compare finds a shortest list of edits that makes b of a.
func compare(a, b []string) []edit {
	clean := func(s string) string { return strings.TrimSuffix(s, "\n") }
	for i := range a {
		a[i] = clean(a[i])
	}
	for i := range b {
		b[i] = clean(b[i])
	}
	var head, tail []edit
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		head = append(head, edit{' ', a[0]})
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		tail = append([]edit{{' ', a[len(a)-1]}}, tail...)
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return append(append(head, between(a, b)...), tail...)
}

func between(a, b []string) []edit {
	var out []edit
	if len(a) == 0 || len(b) == 0 || len(a)*len(b) > maxTable {
		for _, line := range a {
			out = append(out, edit{'-', line})
		}
		for _, line := range b {
			out = append(out, edit{'+', line})
		}
		return out
	}
	// common[i][j] is how many lines a[i:] and b[j:] have in common.
	common := make([][]int32, len(a)+1)
	for i := range common {
		common[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, edit{' ', a[i]})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			out = append(out, edit{'-', a[i]})
			i++
		default:
			out = append(out, edit{'+', b[j]})
			j++
		}
	}
	return out
}

func writeHunks(b *strings.Builder, edits []edit) {
	oldLine, newLine := 1, 1
	for start := 0; start < len(edits); {
		first := start
		for first < len(edits) && edits[first].sign == ' ' {
			first++
		}
		if first == len(edits) {
			return
		}
		from := max(start, first-diffContext)
		oldLine, newLine = oldLine+from-start, newLine+from-start
		last := first
		for i := first; i < len(edits) && i-last <= 2*diffContext; i++ {
			if edits[i].sign != ' ' {
				last = i
			}
		}
		end := min(len(edits), last+1+diffContext)
		oldCount, newCount := count(edits[from:end], '+'), count(edits[from:end], '-')
		fmt.Fprintf(b, "@@ -%s +%s @@\n", hunkRange(oldLine, oldCount), hunkRange(newLine, newCount))
		for _, e := range edits[from:end] {
			fmt.Fprintf(b, "%c%s\n", e.sign, e.line)
		}
		oldLine, newLine, start = oldLine+oldCount, newLine+newCount, end
	}
}

// count is how many of the lines are on one side.
func count(edits []edit, without byte) int {
	n := 0
	for _, e := range edits {
		if e.sign != without {
			n++
		}
	}
	return n
}

func hunkRange(line, n int) string {
	if n == 0 {
		line--
	}
	if n == 1 {
		return fmt.Sprint(line)
	}
	return fmt.Sprintf("%d,%d", line, n)
}
