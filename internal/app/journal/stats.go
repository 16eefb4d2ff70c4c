package journal

import (
	"context"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/event"
	"github.com/git-brew/git-brew/internal/stats"
)

// Stats sums up what happened on this clone between two times, as people write
// them; empty: since the record begins, until now.
func (s *Journal) Stats(ctx context.Context, since, until string) (*stats.Sum, error) {
	f, err := s.filter(EventsRequest{Since: since, Until: until})
	if err != nil {
		return nil, err
	}
	return s.statsOf(ctx, f)
}

func (s *Journal) statsOf(ctx context.Context, f event.Filter) (*stats.Sum, error) {
	sum := &stats.Sum{}
	_, err := s.each(ctx, event.Reader{Filter: f, Raw: true}, func(e event.Event) error {
		sum.Add(e)
		return nil
	})
	return sum, err
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
	return sum.Report(stats.Filter{Session: of.ID}), nil
}
