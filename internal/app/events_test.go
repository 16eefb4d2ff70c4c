package app_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/journal"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/event"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/stats"
)

// record appends an event of a session.
func record(t *testing.T, s *app.App, e event.Event) {
	t.Helper()
	if err := s.Journal.Record(context.Background(), e); err != nil {
		t.Fatal(err)
	}
}

func eventsOf(t *testing.T, s *app.App, r journal.EventsRequest) []event.Event {
	t.Helper()
	var all []event.Event
	bad, err := s.Journal.Events(context.Background(), r, func(e event.Event) error {
		all = append(all, e)
		return nil
	})
	if err != nil || bad != 0 {
		t.Fatalf("%v, %d bad lines", err, bad)
	}
	return all
}

// BW-32: events are kept for 90 days, and go when others are sealed.
func TestSeal_BW32_retention(t *testing.T) {
	ctx := context.Background()
	f := gitstoretest.New(t)
	now := time.Date(2026, 1, 30, 12, 0, 0, 0, time.UTC)
	for range 6 {
		s := at(f, &now, "one")
		record(t, s, event.Event{Type: event.Stop, Hook: "Stop"})
		if err := s.Journal.Seal(ctx); err != nil {
			t.Fatal(err)
		}
		now = now.AddDate(0, 0, 30)
	}
	all := eventsOf(t, at(f, &now, ""), journal.EventsRequest{})
	if len(all) != 4 || time.Unix(0, all[0].TS).UTC().Format(time.DateOnly) != "2026-03-31" {
		t.Errorf("%d events are left, the first of %s", len(all), time.Unix(0, all[0].TS).UTC())
	}
}

// S-36: what an older program, or an older rule, left in a segment is not printed.
func TestEvents_S36_olderSegments(t *testing.T) {
	f := gitstoretest.New(t)
	now := time.Date(2026, 1, 30, 12, 0, 0, 0, time.UTC)
	s := at(f, &now, "one")
	record(t, s, event.Event{Type: event.Other, Reason: "REASON", Data: map[string]string{"detail": "DETAIL"}})
	if err := s.Journal.Seal(context.Background()); err != nil {
		t.Fatal(err)
	}
	ref := cloneRef(f)
	path := fmt.Sprintf("events/2026-01-30/%d.jsonl", now.UnixNano())
	secret := "dop" + "_v1_" + strings.Repeat("0af3958e1b7cd624", 4)
	rewrite(f, ref, path, "REASON", "used "+secret)
	rewrite(f, ref, path, "DETAIL", "used "+secret)
	all := eventsOf(t, at(f, &now, ""), journal.EventsRequest{})
	if len(all) != 1 || all[0].Reason != "used [redacted]" || all[0].Data["detail"] != "used [redacted]" {
		t.Errorf("events: %+v", all)
	}
}

// Whatever the clock does, each segment has a number above those before it, and all that was
// recorded is read in its order.
func TestSeal_clockGoesBack(t *testing.T) {
	f := gitstoretest.New(t)
	now := time.Date(2026, 1, 30, 12, 0, 0, 0, time.UTC)
	var want []string
	for i, back := range []time.Duration{0, 0, time.Hour, 48 * time.Hour, -72 * time.Hour} {
		now = now.Add(-back)
		want = append(want, fmt.Sprint(i))
		record(t, at(f, &now, "one"), event.Event{Type: event.Other, Reason: fmt.Sprint(i)})
		if err := at(f, &now, "one").Journal.Seal(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, e := range eventsOf(t, at(f, &now, ""), journal.EventsRequest{}) {
		got = append(got, e.Reason)
	}
	if !slices.Equal(got, want) {
		t.Errorf("events: %v", got)
	}
}

// What was recorded over days, and stored at once, is found by its own time.
func TestEvents_storedDaysLater(t *testing.T) {
	f := gitstoretest.New(t)
	now := time.Date(2026, 1, 20, 12, 0, 0, 0, time.UTC)
	for i := range 3 {
		record(t, at(f, &now, "one"), event.Event{Type: event.Other, Mode: "discussion", Reason: fmt.Sprint(i)})
		now = now.AddDate(0, 0, 5)
	}
	s := at(f, &now, "one")
	if err := s.Journal.Seal(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		since, until string
		want         int
	}{{"", "", 3}, {"2026-01-22", "", 2}, {"", "2026-01-22", 1}, {"2026-01-22", "2026-01-27", 1}, {"2026-02-01", "", 0}} {
		if all := eventsOf(t, s, journal.EventsRequest{Since: row.since, Until: row.until}); len(all) != row.want {
			t.Errorf("since %q until %q: %d events, want %d", row.since, row.until, len(all), row.want)
		}
		for _, when := range []string{"summed up", "again"} {
			sum, err := s.Journal.Stats(context.Background(), row.since, row.until)
			if err != nil {
				t.Fatal(err)
			}
			if n := sum.Report("", "").Total.Events; n != row.want {
				t.Errorf("since %q until %q, %s: %d events, want %d", row.since, row.until, when, n, row.want)
			}
		}
	}
}

// BW-33: what ties events together is the task; it ends with the work on it, or
// with the session, not with each turn.
func TestRecord_BW33_correlation(t *testing.T) {
	ctx := context.Background()
	f := gitstoretest.New(t)
	now := time.Date(2026, 1, 30, 12, 0, 0, 0, time.UTC)
	const first, second = "one-aaaaaaa", "two-bbbbbbb"
	step := func(session, id string) string {
		t.Helper()
		now = now.Add(time.Minute)
		s := at(f, &now, session)
		record(t, s, event.Event{Type: event.Stop, Hook: "Stop", Task: id})
		all := eventsOf(t, s, journal.EventsRequest{Session: session})
		return all[len(all)-1].Correlation
	}
	if _, err := at(f, &now, "s1").Sessions.SessionStarted(ctx, session.SessionStart{Source: "startup"},
		first); err != nil {
		t.Fatal(err)
	}
	start := step("s1", first)
	if start == "" || step("s1", first) != start || step("s1", "") != start {
		t.Error("a session's correlation does not last")
	}
	other := step("s1", second)
	if other == start {
		t.Error("another task has the correlation of the first")
	}
	// Weeks later, when no snapshot knows the session any more.
	now = now.AddDate(0, 0, 30)
	if _, err := at(f, &now, "s2").Sessions.SessionStarted(ctx, session.SessionStart{Source: "startup"},
		first); err != nil {
		t.Fatal(err)
	}
	if got := step("s2", first); got != start {
		t.Errorf("the next session of the task has %s, want %s", got, start)
	}
	// The session goes on with another task.
	if _, err := at(f, &now, "s2").Sessions.SessionStarted(ctx, session.SessionStart{Source: "resume"},
		second); err != nil {
		t.Fatal(err)
	}
	if got := step("s2", second); got != other {
		t.Errorf("after the switch it has %s, want %s", got, other)
	}
	// By hand, for that session and those that follow.
	if _, err := at(f, &now, "").Sessions.Correlate(ctx, "s2", "0123abcd"); err != nil {
		t.Fatal(err)
	}
	if _, err := at(f, &now, "s3").Sessions.SessionStarted(ctx, session.SessionStart{Source: "startup"},
		second); err != nil {
		t.Fatal(err)
	}
	if a, b := step("s2", second), step("s3", second); a != "0123abcd" || b != "0123abcd" {
		t.Errorf("set by hand: %s and %s", a, b)
	}
}

// BW-34, BW-44: sums are those of the events, whatever of them is sealed, kept
// from an earlier day, or part of a day only.
func TestStats_BW34_BW44_asTheEvents(t *testing.T) {
	ctx := context.Background()
	f := gitstoretest.New(t)
	now := time.Date(2026, 1, 30, 21, 0, 0, 0, time.UTC)
	compare := func(when string) {
		t.Helper()
		s := at(f, &now, "")
		for _, r := range []journal.EventsRequest{
			{},
			{Since: "2026-01-31"},
			{Since: "2026-01-31T12:34:00Z"},
			{Until: "2026-02-01"},
			{Since: "20h"},
			{Since: "2026-01-30T23:00:00Z", Until: "2026-02-02T01:00:00Z"},
			{Until: "2026-02-01T06:00:00Z"},
		} {
			want := stats.New()
			for _, e := range eventsOf(t, s, r) {
				want.Add(e)
			}
			for range 2 { // the second time from what was kept
				got, err := s.Journal.Stats(ctx, r.Since, r.Until)
				if err != nil {
					t.Fatal(err)
				}
				if have, want := got.Report("", ""), want.Report("", ""); !reflect.DeepEqual(have, want) {
					t.Fatalf("%s, %+v:\n%+v\nwant\n%+v", when, r, have, want)
				}
			}
		}
	}
	for i := range 60 {
		now = now.Add(time.Duration(17+i%23) * time.Minute)
		ok := i%5 > 0
		s := at(f, &now, fmt.Sprintf("s%d", i%3))
		record(t, s, event.Event{
			Type: event.ToolComplete, Hook: "PostToolUse", Tool: []string{"Bash", "Edit"}[i%2], Success: &ok,
			DurationMS: int64(i * i),
			Mode:       []string{"discussion", "implementation"}[i/7%2], HookUS: int64(900 + i), Task: "one-aaaaaaa",
		})
		if i%4 == 3 {
			if err := s.Journal.Seal(ctx); err != nil {
				t.Fatal(err)
			}
		}
		if i%20 == 10 {
			compare(fmt.Sprintf("after %d", i))
		}
	}
	compare("at last")
	// A cache that somebody garbled is no answer.
	path := filepath.Join(at(f, &now, "").Clone.Repo.CacheDir(), "days-summed")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(text), "Bash", "Dash")), 0o666); err != nil {
		t.Fatal(err)
	}
	compare("garbled")
}
