package journal

import (
	"context"
	"fmt"
	"iter"
	"path"
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
	if r.Type != "" && !event.Known(f.Type) {
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
func (s *Journal) Events(ctx context.Context, r EventsRequest, visit func(event.Event) error) (bad int, err error) {
	f, err := s.filter(r)
	if err != nil {
		return 0, err
	}
	reader, days, err := s.recorded(ctx, f)
	if err != nil {
		return 0, err
	}
	err = reader.All(s.segments(ctx, days), visit)
	return reader.Bad, err
}

// recorded gives a reader of what f chooses, and the sealed days that can hold
// it. The journal is read before the tip: what is sealed meanwhile is then seen
// twice, and the reader tells the doubles.
func (s *Journal) recorded(ctx context.Context, f event.Filter) (*event.Reader, []gitstore.Entry, error) {
	pending, err := s.journal().Pending()
	if err != nil {
		return nil, nil, err
	}
	tip, err := s.Clone.Ledger.Tip(ctx, s.Clone.Ref())
	if err != nil {
		return nil, nil, err
	}
	days, err := s.Clone.Ledger.Dir(ctx, tip, "events")
	if err != nil {
		return nil, nil, err
	}
	first, last := daysOf(f)
	days = slices.DeleteFunc(days, func(d gitstore.Entry) bool {
		return d.Mode != gitstore.ModeDir || d.Name < first || last != "" && d.Name > last
	})
	return event.NewReader(f, pending), days, nil
}

// daysOf are the first and the last day whose segments can hold what f chooses;
// "" where there is no bound. A segment lies under the day of its first event:
// its last ones may be of the next day.
func daysOf(f event.Filter) (first, last string) {
	if f.Since > 0 {
		first = time.Unix(0, f.Since).UTC().AddDate(0, 0, -1).Format(time.DateOnly)
	}
	if f.Until > 0 {
		last = time.Unix(0, f.Until).UTC().Format(time.DateOnly)
	}
	return first, last
}

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

// segments reads the segments of days, in their order.
func (s *Journal) segments(ctx context.Context, days []gitstore.Entry) iter.Seq2[event.Segment, error] {
	return func(yield func(event.Segment, error) bool) {
		for _, d := range days {
			files, err := s.Clone.Ledger.Dir(ctx, d.OID, "")
			if err != nil {
				yield(event.Segment{}, fmt.Errorf("read the events of %s: %w", d.Name, err))
				return
			}
			for _, f := range files {
				number, ok := strings.CutSuffix(f.Name, segmentSuffix)
				generation, err := strconv.ParseUint(number, 10, 64)
				if !ok || err != nil {
					continue
				}
				lines, err := s.Clone.Ledger.Blob(ctx, f.OID.String())
				if err != nil {
					err = fmt.Errorf("read the events of %s: %w", d.Name, err)
				}
				if !yield(event.Segment{Generation: generation, Lines: lines}, err) || err != nil {
					return
				}
			}
		}
	}
}

const segmentSuffix = ".jsonl"

func segmentPath(day string, generation uint64) string {
	return path.Join("events", day, strconv.FormatUint(generation, 10)+segmentSuffix)
}

// DoubleStart is how close two starts of one session are that are one start,
// told by two registrations of the hook.
const DoubleStart = 2 * time.Second
