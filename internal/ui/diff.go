package ui

import (
	"fmt"
	"io"
	"strings"

	"github.com/git-brew/git-brew/internal/task/linemerge"
)

// diffContext is how many unchanged lines stand around a change, as in git.
const diffContext = 3

// WriteDiff prints how a text changed, in the form that git's own diffs have.
// from and to are the commits of its two versions, from "" for none.
func WriteDiff(w io.Writer, s Style, name, from, to string, lines []linemerge.Line) error {
	if !changed(lines) {
		return nil
	}
	var b strings.Builder
	old := "/dev/null"
	if from != "" {
		old = Safe(name) + "  " + Short(from)
	}
	b.WriteString(s.Bright("--- "+old) + "\n" + s.Bright("+++ "+Safe(name)+"  "+Short(to)) + "\n")
	oldLine, newLine := 1, 1
	for i := 0; i < len(lines); {
		end := hunkEnd(lines, i)
		if end == i {
			oldLine, newLine = advance(lines[i], oldLine, newLine)
			i++
			continue
		}
		oldEnd, newEnd := oldLine, newLine
		for _, l := range lines[i:end] {
			oldEnd, newEnd = advance(l, oldEnd, newEnd)
		}
		b.WriteString(s.Busy(fmt.Sprintf("@@ -%s +%s @@", hunkRange(oldLine, oldEnd), hunkRange(newLine, newEnd))) + "\n")
		for _, l := range lines[i:end] {
			writeLine(&b, s, l)
		}
		oldLine, newLine, i = oldEnd, newEnd, end
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func changed(lines []linemerge.Line) bool {
	for _, l := range lines {
		if l.Op != linemerge.LineSame {
			return true
		}
	}
	return false
}

// hunkEnd is where the hunk that begins at line i ends; i itself where none
// begins there.
func hunkEnd(lines []linemerge.Line, i int) int {
	end := i
	for at := i; at < len(lines) && at < max(end, i)+2*diffContext+1; at++ {
		if lines[at].Op == linemerge.LineSame {
			continue
		}
		if end == i && at > i+diffContext {
			return i // it begins later
		}
		end = at + 1
	}
	if end == i {
		return i
	}
	return min(end+diffContext, len(lines))
}

func advance(l linemerge.Line, oldLine, newLine int) (int, int) {
	switch l.Op {
	case linemerge.LineSame:
		return oldLine + 1, newLine + 1
	case linemerge.LineRemoved:
		return oldLine + 1, newLine
	case linemerge.LineAdded:
		return oldLine, newLine + 1
	}
	return oldLine, newLine
}

// hunkRange is one side of a hunk's head; an empty one stands at the line
// before it.
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

func writeLine(b *strings.Builder, s Style, l linemerge.Line) {
	text, whole := strings.CutSuffix(l.Text, "\n")
	text = string(rune(l.Op)) + SafeLines(text)
	switch l.Op {
	case linemerge.LineRemoved:
		text = s.Bad(text)
	case linemerge.LineAdded:
		text = s.Good(text)
	case linemerge.LineSame:
	}
	b.WriteString(text + "\n")
	if !whole {
		b.WriteString("\\ No newline at end of file\n")
	}
}
