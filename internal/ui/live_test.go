package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// The live view of a run, as a terminal gets it: the frames are drawn in place (BR-35).
func TestLive_BR35(t *testing.T) {
	live := Live{
		Done: 3, Total: 8, For: 3*time.Minute + 45*time.Second, Cost: "$0.40",
		Rows: []LiveRow{
			{Mark: MarkBusy, ID: "US-1", Doing: "junior claude", For: 59 * time.Second, Said: "assistant"},
			{Mark: MarkBusy, ID: "US-2", Doing: "senior\x1b[2J\nx", For: time.Hour, Cost: "$0.31", Raised: true},
			{Mark: MarkReview, ID: "a-story-with-a-long-id", Doing: "is checked"},
		},
	}
	want := `███████░░░░░░░░░░░░░ 3 of 8  3m 45s  $0.40
→  US-1      junior claude  59s  assistant
→⬆ US-2      senior\x1b[2J\nx  1h  $0.31
◐  a-story-with-a-long-id  is checked  0s`
	if got := strings.Join(live.Lines(Style{}, 80), "\n"); got != want {
		t.Errorf("the view is\n%s\nwant\n%s", got, want)
	}
	for width := range 60 {
		for _, line := range live.Lines(NewStyle(true), width) {
			if Width(line) > max(1, width-1) {
				t.Errorf("at %d columns, %q has %d", width, line, Width(line))
			}
		}
	}
	for i := range 20 {
		live.Rows = append(live.Rows, LiveRow{ID: fmt.Sprint(i)})
	}
	if got := live.Lines(Style{}, 80); len(got) != 14 || got[13] != "  and 11 more" {
		t.Errorf("many rows are\n%s", strings.Join(got, "\n"))
	}
}

// A bar is full when all is done, and never before; no number breaks it.
func TestBar(t *testing.T) {
	for _, c := range []struct{ done, total, full int }{
		{0, 0, 0}, {0, 5, 0}, {1, 200, 0}, {1, 20, 1}, {199, 200, 19}, {200, 200, 20}, {9, 3, 20}, {-1, 3, 0},
	} {
		if got := strings.Count(Bar(c.done, c.total), "█"); got != c.full || Width(Bar(c.done, c.total)) != 20 {
			t.Errorf("%d of %d: %s", c.done, c.total, Bar(c.done, c.total))
		}
	}
}

// A frame takes the place of the one before; lines above it scroll. Nothing is cleared that is
// not written anew in the same breath.
func TestScreen_BR35(t *testing.T) {
	var s Screen
	for _, step := range []struct {
		above, lines []string
		want         string
	}{
		{nil, []string{"a", "b"}, "\x1b[?7la\x1b[K\nb\x1b[K\n\x1b[?7h\x1b[J"},
		{[]string{"one"}, []string{"c"}, "\x1b[2A\rone\x1b[K\n\x1b[?7lc\x1b[K\n\x1b[?7h\x1b[J"},
		{nil, nil, "\x1b[1A\r\x1b[?7l\x1b[?7h\x1b[J"},
	} {
		if got := s.Frame(step.above, step.lines); got != step.want {
			t.Errorf("Frame(%q, %q) = %q, want %q", step.above, step.lines, got, step.want)
		}
	}
}
