package workflow

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/event"
	"github.com/git-brew/git-brew/internal/gitstore"
)

// sealAfter is how many events the journal holds before they are sealed.
const sealAfter = 100

func shortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:4])
}

func (s *Service) journal() event.Journal {
	return event.Journal{Dir: journalIn(s.repo.CacheDir()), Share: s.repo.Share, MakeDir: s.repo.MakeDir}
}

func journalIn(cache string) string { return filepath.Join(cache, "journal") }

// Record appends an event to the journal; what is not known of it yet (its
// time, its session, its work tree) is filled in. A full journal is sealed.
func (s *Service) Record(ctx context.Context, e event.Event) error {
	if s.Rehearses() {
		return nil
	}
	if e.TS == 0 {
		e.TS = s.now().UnixNano()
	}
	e.Session = cmp.Or(e.Session, s.caller.Session)
	e.WorkTree = cmp.Or(e.WorkTree, s.worktreeKey())
	if e.Correlation == "" && e.Session != "" {
		c, err := s.cloneBrief(ctx)
		if err != nil {
			return err
		}
		e.Correlation = cmp.Or(c.session(e.Session).Correlation, shortHash(e.Session))
	}
	if err := s.journal().Append(e); err != nil {
		return err
	}
	full, err := s.journal().Full(sealAfter)
	if err != nil || !full {
		return err
	}
	return s.Seal(ctx)
}

// Seal writes what is in the journal into git.
func (s *Service) Seal(ctx context.Context) error { return s.sealWith(ctx, "events", nil) }

// sealWith writes what is in the journal into git, and what fn changes in the
// clone's record in the same commit.
func (s *Service) sealWith(ctx context.Context, subject string, fn func(ctx context.Context, c *cloneChange) error) error {
	var refused error
	_, err := s.journal().Seal(func(generation uint64, lines []byte) error {
		refused = s.changeClone(ctx, subject, func(ctx context.Context, c *cloneChange) error {
			if err := s.addSegment(ctx, c, generation, lines); err != nil || fn == nil {
				return err
			}
			return fn(ctx, c)
		})
		if refused == nil {
			fn = nil
		}
		return refused
	})
	// What the record refused once, it refuses again, and a hook's time is short.
	if fn != nil && refused == nil {
		if cerr := s.changeClone(ctx, subject, fn); cerr != nil {
			return cerr
		}
	}
	return err
}

// addSegment adds a generation of the journal under its day, and with the first
// one of a day takes out the days that are kept no longer.
func (s *Service) addSegment(ctx context.Context, c *cloneChange, generation uint64, lines []byte) error {
	day := time.Unix(0, int64(generation)).UTC().Format(time.DateOnly)
	c.files[path.Join("events", day, strconv.FormatUint(generation, 10)+".jsonl")] = lines
	set, err := s.Settings(ctx)
	if err != nil {
		return err
	}
	days, err := s.ledger.Dir(ctx, c.tip, "events")
	if err != nil {
		return ctx.Err() // a damaged record loses nothing more
	}
	if slices.ContainsFunc(days, func(e gitstore.Entry) bool { return e.Name == day }) {
		return nil
	}
	oldest := s.now().Add(-set.Period(KeyEventsKeep)).UTC().Format(time.DateOnly)
	for _, d := range days {
		if d.Name >= oldest {
			continue
		}
		segments, err := s.ledger.Dir(ctx, c.tip, path.Join("events", d.Name))
		if err != nil {
			return ctx.Err()
		}
		for _, g := range segments {
			c.files[path.Join("events", d.Name, g.Name)] = nil
		}
	}
	return nil
}

// EventsRequest selects events of this clone. Since and Until are times as
// people write them, or how long ago: 90m, 24h, 30d.
type EventsRequest struct {
	Session, Task, Hook string
	Since, Until        string
}

// Events returns what happened on this clone, sealed or not, in its order, and
// how many lines could not be read.
func (s *Service) Events(ctx context.Context, r EventsRequest) ([]event.Event, int, error) {
	f := event.Filter{Session: r.Session, Task: r.Task, Hook: r.Hook}
	for _, t := range []struct {
		text string
		to   *int64
	}{{r.Since, &f.Since}, {r.Until, &f.Until}} {
		if t.text == "" {
			continue
		}
		when, err := s.moment(t.text)
		if err != nil {
			return nil, 0, err
		}
		*t.to = when.UnixNano()
	}
	// The journal first: what is sealed meanwhile is then seen twice, and
	// Collect tells the doubles.
	pending, err := s.journal().Pending()
	if err != nil {
		return nil, 0, err
	}
	segments, err := s.segments(ctx, f)
	if err != nil {
		return nil, 0, err
	}
	events, bad := event.Collect(f, pending, segments...)
	return events, bad, nil
}

// moment reads a time, or how long ago it was.
func (s *Service) moment(text string) (time.Time, error) {
	if ago, err := parsePeriod(text); err == nil {
		return s.now().Add(-ago), nil
	}
	if t, ok := parseMoment(text); ok {
		if len(text) == len(time.DateOnly) {
			t = t.Truncate(24 * time.Hour)
		}
		return t, nil
	}
	return time.Time{}, invalid("give 90m, 24h, 30d, 2026-01-31 or 2026-01-31T14:00:00Z", "%q is no time", text)
}

// segments reads the sealed events of the days that the filter can want.
func (s *Service) segments(ctx context.Context, f event.Filter) ([][]byte, error) {
	tip, err := s.ledger.Tip(ctx, s.cloneRef())
	if err != nil || tip.IsZero() {
		return nil, err
	}
	days, err := s.ledger.Dir(ctx, tip, "events")
	if err != nil {
		return nil, err
	}
	// A segment lies under the day of its first event; its last may be of the
	// next day.
	first := ""
	if f.Since > 0 {
		first = time.Unix(0, f.Since).UTC().AddDate(0, 0, -1).Format(time.DateOnly)
	}
	var out [][]byte
	for _, d := range days {
		if d.Mode != gitstore.ModeDir || d.Name < first {
			continue
		}
		files, err := s.ledger.Dir(ctx, tip, path.Join("events", d.Name))
		if err != nil {
			return nil, err
		}
		for _, g := range files {
			if !strings.HasSuffix(g.Name, ".jsonl") {
				continue
			}
			data, err := s.ledger.Blob(ctx, g.OID.String())
			if err != nil {
				return nil, fmt.Errorf("read the events of %s: %w", d.Name, err)
			}
			out = append(out, data)
		}
	}
	return out, nil
}
