package linemerge

import (
	"fmt"
	"slices"
	"strings"
)

// context is how many unchanged lines stand around a change, as in git.
const context = 3

// Unified is a comparison in the form that git's own diffs have, with from and to
// as the names of the two texts; "" where nothing changed.
func Unified(from, to string, lines []Line) string {
	var b strings.Builder
	oldLine, newLine := 1, 1
	for i := 0; i < len(lines); {
		end := hunkEnd(lines, i)
		if end == i {
			oldLine, newLine = lines[i].after(oldLine, newLine)
			i++
			continue
		}
		oldEnd, newEnd := oldLine, newLine
		for _, l := range lines[i:end] {
			oldEnd, newEnd = l.after(oldEnd, newEnd)
		}
		if b.Len() == 0 {
			fmt.Fprintf(&b, "--- %s\n+++ %s\n", from, to)
		}
		fmt.Fprintf(&b, "@@ -%s +%s @@\n", hunkRange(oldLine, oldEnd), hunkRange(newLine, newEnd))
		for _, l := range lines[i:end] {
			text, whole := strings.CutSuffix(l.Text, "\n")
			fmt.Fprintf(&b, "%c%s\n", l.Op, text)
			if !whole {
				b.WriteString("\\ No newline at end of file\n")
			}
		}
		oldLine, newLine, i = oldEnd, newEnd, end
	}
	return b.String()
}

// hunkEnd is where the hunk that begins at line i ends; i itself where none
// begins there.
func hunkEnd(lines []Line, i int) int {
	changed := func(l Line) bool { return l.Op != LineSame }
	end := i
	for reach := context + 1; ; reach = 2*context + 1 {
		next := slices.IndexFunc(lines[end:min(end+reach, len(lines))], changed)
		if next < 0 {
			break
		}
		end += next + 1
	}
	if end == i {
		return i
	}
	return min(end+context, len(lines))
}

// after is at which line of both texts a reader is behind l.
func (l Line) after(oldLine, newLine int) (int, int) {
	if l.Op != LineAdded {
		oldLine++
	}
	if l.Op != LineRemoved {
		newLine++
	}
	return oldLine, newLine
}

// hunkRange is one side of a hunk's head; an empty one stands at the line before
// it.
func hunkRange(first, end int) string {
	switch n := end - first; n {
	case 0:
		return fmt.Sprintf("%d,0", first-1)
	case 1:
		return fmt.Sprint(first)
	default:
		return fmt.Sprintf("%d,%d", first, n)
	}
}
