package ui

import (
	"fmt"
	"strings"
	"time"
)

// Ago says how long before now something was, in git's words: "21 minutes ago".
func Ago(t, now time.Time) string {
	const day = 24 * time.Hour
	d := now.Sub(t)
	ago := func(unit time.Duration, name string) string { return Plural(int(d/unit), name) + " ago" }
	switch {
	case d <= -time.Minute: // another machine's clock, or ours, is off: a date is the truth
		return t.Local().Format("2006-01-02 15:04")
	case d < 10*time.Second:
		return "just now"
	case d < time.Minute:
		return ago(time.Second, "second")
	case d < time.Hour:
		return ago(time.Minute, "minute")
	case d < 2*day:
		return ago(time.Hour, "hour")
	case d < 14*day:
		return ago(day, "day")
	case d < 60*day:
		return ago(7*day, "week")
	case d <= 365*day:
		return ago(30*day, "month")
	}
	return t.Local().Format("2006-01-02")
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

// Clock is a time of this day to the second, in the zone of now.
func Clock(t, now time.Time) string { return t.In(now.Location()).Format("15:04:05") }

// Timestamp is a time in the form of JSON and porcelain: RFC 3339 in UTC, ""
// for none.
func Timestamp(t time.Time) string {
	return Either(t.IsZero(), "", t.UTC().Format(time.RFC3339))
}
