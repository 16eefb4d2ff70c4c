package journal

import (
	"context"
	"encoding/json"
	"maps"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/event"
	"github.com/git-brew/git-brew/internal/gitstore/statcache"
	"github.com/git-brew/git-brew/internal/stats"
)

// Stats sums up what happened on this clone between two times, as people write
// them; empty: since the record begins, until now. Days that are over are summed
// up once.
func (s *Journal) Stats(ctx context.Context, since, until string) (*stats.Sum, error) {
	f, err := s.filter(EventsRequest{Since: since, Until: until})
	if err != nil {
		return nil, err
	}
	return s.statsOf(ctx, f)
}

func (s *Journal) statsOf(ctx context.Context, f event.Filter) (*stats.Sum, error) {
	r, err := s.recorded(ctx, f)
	if err != nil {
		return nil, err
	}
	r.Raw = true
	kept := s.readDaySums()
	sum, used, made := stats.New(), map[string]*stats.Sum{}, false
	all := *r
	all.Filter = event.Filter{}
	for _, d := range r.days {
		part := kept[d.OID.String()]
		if part == nil {
			part, made = stats.New(), true
			if err := s.readDay(ctx, &all, d, adding(part)); err != nil {
				return nil, err
			}
		}
		used[d.OID.String()] = part
		if first, last := part.Span(); first < f.Since || f.Until != 0 && last >= f.Until {
			part = stats.New() // of what is asked for
			if err := s.readDay(ctx, r, d, adding(part)); err != nil {
				return nil, err
			}
		}
		sum.Follow(part)
	}
	rest := stats.New()
	if err := r.Lines(r.pending, adding(rest)); err != nil {
		return nil, err
	}
	sum.Follow(rest)
	if f.Since != 0 { // there are more days
		maps.Copy(kept, used)
		used = kept
	}
	if made {
		s.writeDaySums(used)
	}
	return sum, nil
}

func adding(to *stats.Sum) func(event.Event) error {
	return func(e event.Event) error {
		to.Add(e)
		return nil
	}
}

// daySumsFile keeps the sums of days, in the cache directory, by their trees. It can be
// deleted at any time.
const daySumsFile = "days-summed"

func (s *Journal) readDaySums() map[string]*stats.Sum {
	kept := map[string]*stats.Sum{}
	text, _ := s.Clone.Repo.Cache.GetPiece(daySumsFile, statcache.Watch{})
	if json.Unmarshal([]byte(text), &kept) != nil {
		return map[string]*stats.Sum{} // they are summed up again
	}
	return kept
}

func (s *Journal) writeDaySums(sums map[string]*stats.Sum) {
	if text, err := json.Marshal(sums); err == nil {
		s.Clone.Repo.Cache.PutPiece(daySumsFile, statcache.Watch{}, text)
	}
}

// SessionReport sums up what happened in a session.
func (s *Journal) SessionReport(ctx context.Context, of clone.Session) (stats.Report, error) {
	var f event.Filter
	if t, ok := clone.ParseTime(of.StartedAt); ok {
		f.Since = t.Add(-DoubleStart).UnixNano()
	}
	sum, err := s.statsOf(ctx, f)
	if err != nil {
		return stats.Report{}, err
	}
	return sum.Report("", of.ID), nil
}
