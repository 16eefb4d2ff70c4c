package journal

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/event"
	"github.com/git-brew/git-brew/internal/gitstore"
)

// EventsRequest selects events of this clone. Since and Until are times as
// people write them, or how long ago: 90m, 24h, 30d.
type EventsRequest struct {
	Session, Task, Hook, Type string
	Since, Until              string
}

// filter reads the request.
func (s *Journal) filter(r EventsRequest) (event.Filter, error) {
	f := event.Filter{Session: r.Session, Task: r.Task, Hook: r.Hook, Type: event.Type(r.Type)}
	if r.Type != "" && !slices.Contains(event.TypeNames(), r.Type) {
		return f, clone.Invalid("one of "+strings.Join(event.TypeNames(), ", "), "%q is no type of event", r.Type)
	}
	for _, t := range []struct {
		text string
		to   *int64
	}{{r.Since, &f.Since}, {r.Until, &f.Until}} {
		if t.text == "" {
			continue
		}
		when, err := s.moment(t.text)
		if err != nil {
			return f, err
		}
		*t.to = when.UnixNano()
	}
	return f, nil
}

// Events visits what happened on this clone, sealed or not, in its order. It
// returns how many lines could not be read.
func (s *Journal) Events(ctx context.Context, of EventsRequest, visit func(event.Event) error) (bad int, err error) {
	f, err := s.filter(of)
	if err != nil {
		return 0, err
	}
	r, err := s.recorded(ctx, f)
	if err != nil {
		return 0, err
	}
	for _, d := range r.days {
		if err := s.readDay(ctx, r, d, visit); err != nil {
			return 0, err
		}
	}
	err = r.Lines(r.pending, visit)
	return r.Bad, err
}

// maxLooks bounds how often the journal is read while it is sealed again and again.
const maxLooks = 100

// record reads what a filter chooses of the sealed days that can hold it, and of what is in
// the journal alone.
type record struct {
	event.Reader
	days    []gitstore.Entry
	pending []byte
}

// recorded finds what can hold what f chooses. Where the journal is sealed meanwhile it looks
// again.
func (s *Journal) recorded(ctx context.Context, f event.Filter) (*record, error) {
	r := &record{Reader: event.Reader{Filter: f}}
	tip, err := s.Clone.Ledger.Tip(ctx, s.Clone.Ref())
	for before, n := tip, 0; err == nil && (n == 0 || before != tip && n < maxLooks); n++ {
		before = tip
		if r.pending, err = s.journal().Pending(); err == nil {
			tip, err = s.Clone.Ledger.Tip(ctx, s.Clone.Ref())
		}
	}
	if err == nil {
		r.days, err = s.Clone.Ledger.Dir(ctx, tip, "events")
	}
	if err != nil {
		return nil, err
	}
	if last, err := s.lastSegment(ctx, tip); err == nil && !last.blob.IsZero() && len(r.pending) > 0 {
		stored, err := s.Clone.Ledger.Blob(ctx, last.blob.String())
		if err != nil {
			return nil, err
		}
		r.pending = bytes.TrimPrefix(r.pending, stored) // it is removed next
	}
	r.days = slices.DeleteFunc(r.days, func(d gitstore.Entry) bool {
		return d.Mode != gitstore.ModeDir || f.Since > 0 && d.Name < dayOf(f.Since)
	})
	return r, nil
}

// dayOf is the day whose segments were stored at a time: nothing in them happened later.
func dayOf(ts int64) string { return time.Unix(0, ts).UTC().Format(time.DateOnly) }

// moment reads a time, or how long ago it was.
func (s *Journal) moment(text string) (time.Time, error) {
	if ago, err := config.ParsePeriod(text); err == nil {
		return s.Clone.Now().Add(-ago), nil
	}
	if t, ok := records.ParseMoment(text); ok {
		if len(text) == len(time.DateOnly) {
			t = t.Truncate(24 * time.Hour)
		}
		return t, nil
	}
	return time.Time{}, clone.Invalid("give 90m, 24h, 30d, 2026-01-31 or 2026-01-31T14:00:00Z", "%q is no time", text)
}

// readDay visits the events of a day's segments, in their order.
func (s *Journal) readDay(ctx context.Context, r *record, day gitstore.Entry, visit func(event.Event) error) error {
	files, err := s.Clone.Ledger.Dir(ctx, day.OID, "")
	for _, f := range files {
		var lines []byte
		if lines, err = s.Clone.Ledger.Blob(ctx, f.OID.String()); err != nil {
			break
		}
		if err := r.Lines(lines, visit); err != nil {
			return err
		}
	}
	if err != nil {
		return fmt.Errorf("read the events of %s: %w", day.Name, err)
	}
	return nil
}

// segment is a part of the journal as it was stored, under a number above those before it.
type segment struct {
	day    string
	number int64
	blob   gitstore.OID
}

const segmentSuffix = ".jsonl"

// lastSegment is the one that was stored last up to a tip of the clone's record.
func (s *Journal) lastSegment(ctx context.Context, tip gitstore.OID) (last segment, err error) {
	days, err := s.Clone.Ledger.Dir(ctx, tip, "events")
	if err != nil || len(days) == 0 {
		return last, err
	}
	day := days[len(days)-1]
	files, err := s.Clone.Ledger.Dir(ctx, day.OID, "")
	for _, f := range files {
		number, err := strconv.ParseInt(strings.TrimSuffix(f.Name, segmentSuffix), 10, 64)
		if err == nil && number > last.number {
			last = segment{day.Name, number, f.OID}
		}
	}
	return last, err
}

// DoubleStart is how close two starts of one session are that are one start,
// told by two registrations of the hook.
const DoubleStart = 2 * time.Second
