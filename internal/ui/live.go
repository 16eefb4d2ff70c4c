package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/run"
	"github.com/git-brew/git-brew/internal/task"
)

const (
	barCells    = 20
	maxLiveRows = 12
	liveBesides = 4 // lines: the bar, what counts the rest, what happens above, and the cursor's
)

// Bar is a bar of 20 cells.
func Bar(done, total int) string {
	full := 0
	if total > 0 {
		full = min(max(done, 0), total) * barCells / total
	}
	return strings.Repeat("█", full) + strings.Repeat("░", barCells-full)
}

// Elapsed is a length of time that is looked at as it grows: "3m 45s".
func Elapsed(d time.Duration) string {
	if d < time.Minute || d >= time.Hour {
		return Duration(d)
	}
	return fmt.Sprintf("%dm %ds", d/time.Minute, d%time.Minute/time.Second)
}

// Run is how a run stands at a time, in lines for a terminal: a bar, and a line for each phase
// that it has in hand. They fit in columns and rows; rows of 0 are any number.
func (s Style) Run(at run.Standing, now time.Time, columns, rows int) []string {
	head := fmt.Sprintf("%s %d of %d", s.Good(Bar(at.Done, at.Total)), at.Done, at.Total)
	failed := Either(at.Failed == 0, "", s.Bad(fmt.Sprintf("%d failed", at.Failed)))
	limit := Either(at.Until.IsZero(), "", s.Warn("waits for a client's limit, until "+Until(at.Until, now)))
	all := []string{Joined("  ", head, failed, Elapsed(now.Sub(at.Began)), limit, Dollars(at.Cost))}
	most := maxLiveRows
	if rows > 0 {
		most = min(most, max(1, rows-liveBesides))
	}
	for _, r := range at.Rows[:min(len(at.Rows), most)] {
		all = append(all, s.runRow(r, now))
	}
	if more := len(at.Rows) - most; more > 0 {
		all = append(all, s.Dim(fmt.Sprintf("  and %d more", more)))
	}
	for i := range all {
		all[i] = Truncate(all[i], max(1, columns-1))
	}
	return all
}

func (s Style) runRow(r run.Row, now time.Time) string {
	mark, doing, said := MarkReview, "", ""
	switch r.Doing {
	case run.Works:
		mark, doing, said = MarkBusy, Joined(" ", Safe(string(r.Tier)), Safe(r.Client)), Safe(r.Said)
	case run.Checked:
		doing = "its work is checked"
	case run.Waits:
		doing = "done, " + Either(r.After == "", "waits to be checked", "is checked after "+Safe(r.After))
	case run.Rests:
		doing = "ended at once, goes on at " + Clock(r.Until, now)
	case run.Asks:
		mark, doing = MarkFailed, "would fail, waits for a decision"
	case run.Overview:
		doing = "an executive looks at the whole"
	}
	return fmt.Sprintf("%s%s %s  %s", s.Mark(mark), Either(r.Raised, s.Warn(string(MarkEscalated)), " "),
		s.Bright(Pad(Safe(cmp.Or(r.Phase, "run")), 8)),
		Joined("  ", doing, Elapsed(now.Sub(r.Since)), Dollars(r.Cost), said, s.Dim(Safe(r.Title))))
}

// Dollars is what clients say that something cost, "" where they say nothing.
func Dollars(c task.Cost) string {
	return Either(c.MicroUSD == 0, "", fmt.Sprintf("$%.2f", float64(c.MicroUSD)/1e6))
}

// Page is a text as the whole of a terminal of so many rows, in the place of what was there: of a
// long text, the beginning and the end. The first one makes room, and what stood there scrolls away.
func Page(text string, rows int, first bool) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if over := len(lines) - (rows - 1); rows > 3 && over > 0 {
		head := max(1, min(3, rows/6))
		tail := rows - 2 - head
		left := fmt.Sprintf("  … %d lines more", len(lines)-head-tail)
		lines = slices.Concat(lines[:head], []string{left}, lines[len(lines)-tail:])
	}
	var b strings.Builder
	if first {
		b.WriteString(strings.Repeat("\n", max(0, rows-1)))
	}
	b.WriteString(home + noWrap)
	for _, line := range lines {
		b.WriteString(line + clearLine + "\n")
	}
	b.WriteString(wrap + clearRest)
	return b.String()
}

// Screen is the bottom of a terminal, that is written anew in its place. What it gives is
// written at once, so nothing flickers.
type Screen struct{ shown []string }

const (
	upBy      = "\x1b[%dA\r"
	clearLine = "\x1b[K"
	clearRest = "\x1b[J"
	home      = "\x1b[H"
	noWrap    = "\x1b[?7l" // a terminal that becomes narrow meanwhile cuts lines
	wrap      = "\x1b[?7h"
)

// Frame shows lines above, which scroll, and then a frame in place of the one before, on a
// terminal of so many columns: one that became narrow since has folded what was shown.
func (s *Screen) Frame(above, lines []string, columns int) string {
	var b strings.Builder
	up := 0
	for _, line := range s.shown {
		up += max(1, (Width(line)+columns-1)/max(1, columns))
	}
	if up > 0 {
		fmt.Fprintf(&b, upBy, up)
	}
	for _, line := range above {
		b.WriteString(line + clearLine + "\n")
	}
	b.WriteString(noWrap)
	for _, line := range lines {
		b.WriteString(line + clearLine + "\n")
	}
	b.WriteString(wrap + clearRest)
	s.shown = lines
	return b.String()
}
