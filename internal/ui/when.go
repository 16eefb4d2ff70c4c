package ui

import (
	"fmt"
	"strings"
	"time"
)

// Ago says how long before now something was, in git's words: "21 minutes ago".
func Ago(t, now time.Time) string {
	d := now.Sub(t)
	switch {
	case d <= -time.Minute: // another machine's clock, or ours, is off: a date is the truth
		return t.Local().Format("2006-01-02 15:04")
	case d < 10*time.Second:
		return "just now"
	case d < time.Minute:
		return Plural(int(d/time.Second), "second") + " ago"
	case d < time.Hour:
		return Plural(int(d/time.Minute), "minute") + " ago"
	case d < 48*time.Hour:
		return Plural(int(d/time.Hour), "hour") + " ago"
	case d > 365*24*time.Hour:
		return t.Local().Format("2006-01-02")
	}
	return Span(d) + " ago"
}

// Span is a length of time in one unit: "45 s", "21 min", "3 h", "4 days".
func Span(d time.Duration) string {
	d = max(d, 0)
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%d min", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", d/time.Hour)
	case d < 14*24*time.Hour:
		return fmt.Sprintf("%d days", d/(24*time.Hour))
	case d < 60*24*time.Hour:
		return fmt.Sprintf("%d weeks", d/(7*24*time.Hour))
	}
	return fmt.Sprintf("%d months", d/(30*24*time.Hour))
}

// Duration is a length of time for a column: "12s", "9m", "1h 12m", "2d 3h".
func Duration(d time.Duration) string {
	d = max(d, 0)
	hours, minutes := d/time.Hour, d%time.Hour/time.Minute
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm", minutes)
	case d < 24*time.Hour:
		return strings.TrimSuffix(fmt.Sprintf("%dh %dm", hours, minutes), " 0m")
	}
	return strings.TrimSuffix(fmt.Sprintf("%dd %dh", hours/24, hours%24), " 0h")
}

// Until says when something will be, in the zone of now: "14:02", "tomorrow
// 14:02", "2026-11-24 14:02".
func Until(t, now time.Time) string {
	t = t.In(now.Location())
	day := func(t time.Time) time.Time { return time.Date(t.Year(), t.Month(), t.Day(), 12, 0, 0, 0, time.UTC) }
	switch day(t).Sub(day(now)) {
	case 0:
		return t.Format("15:04")
	case 24 * time.Hour:
		return "tomorrow " + t.Format("15:04")
	}
	return t.Format("2006-01-02 15:04")
}

// Timestamp is a time in the form of JSON and porcelain: RFC 3339 in UTC, ""
// for none.
func Timestamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
