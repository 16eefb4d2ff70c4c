package ui

import (
	"testing"
	"time"
)

func TestAgo(t *testing.T) {
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		before time.Duration
		want   string
	}{
		{0, "just now"},
		{-30 * time.Second, "just now"},
		{9 * time.Second, "just now"},
		{45 * time.Second, "45 seconds ago"},
		{21 * time.Minute, "21 minutes ago"},
		{3 * time.Hour, "3 hours ago"},
		{47 * time.Hour, "47 hours ago"},
		{time.Minute, "1 minute ago"},
		{48 * time.Hour, "2 days ago"},
		{15 * 24 * time.Hour, "2 weeks ago"},
		{90 * 24 * time.Hour, "3 months ago"},
	} {
		if got := Ago(now.Add(-c.before), now); got != c.want {
			t.Errorf("%v before: %q, want %q", c.before, got, c.want)
		}
	}
	// Nothing happens in the future: the clock is wrong, the date is shown.
	later := now.Add(time.Hour)
	if got, want := Ago(later, now), later.Local().Format("2006-01-02 15:04"); got != want {
		t.Errorf("an hour ahead: %q, want %q", got, want)
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second:                    "0s",
		12 * time.Second:                "12s",
		9*time.Minute + 59*time.Second:  "9m",
		time.Hour:                       "1h",
		time.Hour + 12*time.Minute:      "1h 12m",
		24 * time.Hour:                  "1d",
		51*time.Hour + 20*time.Minute:   "2d 3h",
		1000*24*time.Hour + time.Minute: "1000d",
	} {
		if got := Duration(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

func TestUntil(t *testing.T) {
	now := time.Date(2026, 3, 10, 14, 2, 0, 0, time.UTC)
	for _, c := range []struct {
		after time.Duration
		want  string
	}{
		{time.Hour, "15:02"},
		{24 * time.Hour, "tomorrow 14:02"},
		{48 * time.Hour, "2026-03-12 14:02"},
		{-24 * time.Hour, "2026-03-09 14:02"},
	} {
		if got := Until(now.Add(c.after), now); got != c.want {
			t.Errorf("%v after: %q, want %q", c.after, got, c.want)
		}
	}
}
