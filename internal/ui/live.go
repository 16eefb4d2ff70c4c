package ui

import (
	"fmt"
	"strings"
	"time"
)

// Live is how a run stands, at the bottom of a terminal.
type Live struct {
	Done, Total int
	For         time.Duration
	Cost        string // "" where nobody knows
	Rows        []LiveRow
}

// LiveRow is a phase that is worked on.
type LiveRow struct {
	Mark   Marker
	ID     string
	Doing  string // who is at it, or what is done about it
	For    time.Duration
	Cost   string
	Said   string // the last event
	Raised bool   // it was escalated
}

const (
	barCells    = 20
	maxLiveRows = 12 // a terminal is not high
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

// Lines are what a terminal of a width shows of it, a line each.
func (l Live) Lines(s Style, width int) []string {
	head := fmt.Sprintf("%s %d of %d", s.Good(Bar(l.Done, l.Total)), l.Done, l.Total)
	all := []string{Joined("  ", head, Elapsed(l.For), l.Cost)}
	for _, r := range l.Rows[:min(len(l.Rows), maxLiveRows)] {
		mark := s.Mark(r.Mark) + Either(r.Raised, s.Warn(string(MarkEscalated)), " ")
		all = append(all, fmt.Sprintf("%s %s  %s", mark, s.Bright(Pad(Safe(r.ID), 8)),
			Joined("  ", Safe(r.Doing), Elapsed(r.For), r.Cost, s.Dim(Safe(r.Said)))))
	}
	if more := len(l.Rows) - maxLiveRows; more > 0 {
		all = append(all, s.Dim(fmt.Sprintf("  and %d more", more)))
	}
	for i := range all {
		all[i] = Truncate(all[i], max(1, width-1))
	}
	return all
}

// Screen is the bottom of a terminal, that is written anew in its place. What it gives is
// written at once, so nothing flickers.
type Screen struct{ shown int }

const (
	upBy      = "\x1b[%dA\r"
	clearLine = "\x1b[K"
	clearRest = "\x1b[J"
	noWrap    = "\x1b[?7l" // a terminal that became narrow cuts lines
	wrap      = "\x1b[?7h"
)

// Frame shows lines above, which scroll, and then a frame in place of the one before.
func (s *Screen) Frame(above, lines []string) string {
	var b strings.Builder
	if s.shown > 0 {
		fmt.Fprintf(&b, upBy, s.shown)
	}
	for _, line := range above {
		b.WriteString(line + clearLine + "\n")
	}
	b.WriteString(noWrap)
	for _, line := range lines {
		b.WriteString(line + clearLine + "\n")
	}
	b.WriteString(wrap + clearRest)
	s.shown = len(lines)
	return b.String()
}
