package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app/run"
	"github.com/git-brew/git-brew/internal/task"
)

// The live view of a run, as a terminal gets it: what is done about each phase, and what that
// waits for (BR-35).
func TestRun_BR35(t *testing.T) {
	now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	stands := run.Standing{
		Done: 3, Failed: 1, Total: 8, Began: ago(3*time.Minute + 45*time.Second), Cost: task.Cost{MicroUSD: 400_000},
		Rows: []run.Row{
			{
				Phase: "US-1", Title: "Pay", Doing: run.Works, Tier: "junior", Client: "claude", Since: ago(59 * time.Second),
				Said: "Edit",
			},
			{
				Phase: "US-2", Title: "电话", Doing: run.Works, Tier: "senior", Client: "\x1b[2J\nx", Since: ago(time.Hour),
				Cost: task.Cost{MicroUSD: 310_000}, Raised: true,
			},
			{Phase: "a-story-with-a-long-id", Doing: run.Checked, Since: now, Said: "result"},
			{Phase: "US-7", Doing: run.Rests, Since: now, Until: now.Add(4 * time.Second)},
			{Phase: "US-4", Doing: run.Asks, Since: now},
			{Doing: run.Overview, Since: now},
			{Phase: "US-5", Doing: run.Waits, After: "US-3", Since: now},
			{Phase: "US-6", Doing: run.Waits, Since: now},
		},
	}
	want := `███████░░░░░░░░░░░░░ 3 of 8  1 failed  3m 45s  $0.40
→  US-1      junior claude  59s  Edit  Pay
→⬆ US-2      senior \x1b[2J\nx  1h  $0.31  电话
◐  a-story-with-a-long-id  its work is checked  0s
◐  US-7      ended at once, goes on at 09:00:04  0s
✗  US-4      would fail, waits for a decision  0s
◐  run       an executive looks at the whole  0s
◐  US-5      done, is checked after US-3  0s
◐  US-6      done, waits to be checked  0s`
	if got := strings.Join(Style{}.Run(stands, now, 80, 0), "\n"); got != want {
		t.Errorf("the view is\n%s\nwant\n%s", got, want)
	}
	for width := range 60 {
		for _, line := range NewStyle(true).Run(stands, now, width, 0) {
			if Width(line) > max(1, width-1) {
				t.Errorf("at %d columns, %q has %d", width, line, Width(line))
			}
		}
	}
	stands.Until = now.Add(time.Hour)
	got := Style{}.Run(stands, now, 120, 0)[0]
	if !strings.Contains(got, "  3m 45s  waits for a client's limit, until ") {
		t.Errorf("at a limit it says %q", got)
	}
	for i := range 20 {
		stands.Rows = append(stands.Rows, run.Row{Phase: fmt.Sprint(i)})
	}
	for _, c := range []struct {
		rows, lines int
		last        string
	}{{0, 14, "  and 16 more"}, {50, 14, "  and 16 more"}, {10, 8, "  and 22 more"}, {3, 3, "  and 27 more"}} {
		got := Style{}.Run(stands, now, 80, c.rows)
		if len(got) != c.lines || got[len(got)-1] != c.last {
			t.Errorf("on %d rows, many phases are\n%s", c.rows, strings.Join(got, "\n"))
		}
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
// not written anew in the same breath. What a terminal folded that became narrow goes, too.
func TestScreen_BR35(t *testing.T) {
	var s Screen
	for _, step := range []struct {
		above, lines []string
		columns      int
		want         string
	}{
		{nil, []string{"a", "b"}, 80, "\x1b[?7la\x1b[K\nb\x1b[K\n\x1b[?7h\x1b[J"},
		{[]string{"one"}, []string{"电话电话 c", ""}, 80, "\x1b[2A\rone\x1b[K\n\x1b[?7l电话电话 c\x1b[K\n\x1b[K\n\x1b[?7h\x1b[J"},
		{nil, nil, 5, "\x1b[3A\r\x1b[?7l\x1b[?7h\x1b[J"},
		{nil, nil, 5, "\x1b[?7l\x1b[?7h\x1b[J"},
	} {
		if got := s.Frame(step.above, step.lines, step.columns); got != step.want {
			t.Errorf("Frame(%q, %q) = %q, want %q", step.above, step.lines, got, step.want)
		}
	}
}

// A page never has more lines than the terminal, whose last one is the cursor's: of a longer text
// it has the beginning and the end.
func TestPage_BR32(t *testing.T) {
	text := ""
	for i := range 50 {
		text += fmt.Sprintln(i)
	}
	for rows := range 70 {
		got := Page(text, rows, false)
		if n := strings.Count(got, "\n"); rows > 3 && n > rows-1 || !strings.Contains(got, "49\x1b[K\n") {
			t.Errorf("on %d rows, it has %d lines: %q", rows, n, got)
		}
	}
	if got := Page(text, 8, false); got != "\x1b[H\x1b[?7l0\x1b[K\n  … 44 lines more\x1b[K\n45\x1b[K\n46\x1b[K\n"+
		"47\x1b[K\n48\x1b[K\n49\x1b[K\n\x1b[?7h\x1b[J" {
		t.Errorf("%q", got)
	}
	if got := Page("a\n", 3, true); got != "\n\n\x1b[H\x1b[?7la\x1b[K\n\x1b[?7h\x1b[J" {
		t.Errorf("%q", got)
	}
}
