package journal

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/event"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
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
	reader, days, err := s.recorded(ctx, f)
	if err != nil {
		return nil, err
	}
	reader.Raw = true
	kept := s.readDaySums()
	before := maps.Clone(kept)
	sum := &stats.Sum{}
	for _, d := range days {
		part, err := s.daySum(ctx, reader, f, d, kept)
		if err != nil {
			return nil, err
		}
		sum.Follow(part)
	}
	rest := &stats.Sum{}
	if err := reader.Pending(adding(rest)); err != nil {
		return nil, err
	}
	sum.Follow(rest)
	if f.Since == 0 && f.Until == 0 { // days that the record has no more
		maps.DeleteFunc(kept, func(day string, _ daySum) bool {
			return !slices.ContainsFunc(days, func(d gitstore.Entry) bool { return d.Name == day })
		})
	}
	if !maps.Equal(kept, before) {
		s.writeDaySums(kept)
	}
	return sum, nil
}

func adding(to *stats.Sum) func(event.Event) error {
	return func(e event.Event) error {
		to.Add(e)
		return nil
	}
}

// daySum sums up a day's segments: what is kept of them, where all of them are
// wanted and none can hold what the journal has too.
func (s *Journal) daySum(ctx context.Context, reader *event.Reader, f event.Filter, d gitstore.Entry,
	kept map[string]daySum,
) (*stats.Sum, error) {
	whole := wholeDay(f, d.Name) && !reader.Doubles(lastOf(d.Name))
	if k, ok := kept[d.Name]; ok && whole && k.tree == d.OID.String() {
		if sum, err := stats.Decode([]byte(k.text)); err == nil {
			return sum, nil
		}
	}
	sum := &stats.Sum{}
	for segment, err := range s.segments(ctx, []gitstore.Entry{d}) {
		if err == nil {
			err = reader.Segment(segment, adding(sum))
		}
		if err != nil {
			return nil, err
		}
	}
	if whole {
		text, err := sum.Encode()
		if err != nil {
			return nil, err
		}
		kept[d.Name] = daySum{tree: d.OID.String(), text: string(text)}
	}
	return sum, nil
}

// lastOf is the largest generation that can lie under a day.
func lastOf(day string) uint64 {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return 1<<64 - 1 // no day: nothing is known of it
	}
	return uint64(max(0, t.AddDate(0, 0, 1).UnixNano()-1))
}

// wholeDay reports whether f chooses every event of the segments that lie under a
// day.
func wholeDay(f event.Filter, day string) bool {
	first, last := "", ""
	if f.Since > 0 {
		first = time.Unix(0, f.Since).UTC().Format(time.DateOnly)
	}
	if f.Until > 0 {
		last = time.Unix(0, f.Until).UTC().AddDate(0, 0, -1).Format(time.DateOnly)
	}
	return day > first && (last == "" || day < last)
}

// daySumsFile keeps the sums of days, in the cache directory: a header, and of
// each day a line with its name, its tree, the length and the hash of the sum
// that follows. It can be deleted at any time.
const (
	daySumsFile   = "day-sums"
	daySumsHeader = "git-brew day sums 1\n"
)

// daySum is the sum of the segments in a tree.
type daySum struct{ tree, text string }

func (s *Journal) readDaySums() map[string]daySum {
	kept := map[string]daySum{}
	data, err := gitfile.ReadFile(filepath.Join(s.Clone.Repo.CacheDir(), daySumsFile))
	rest, ours := bytes.CutPrefix(data, []byte(daySumsHeader))
	if err != nil || !ours {
		return kept
	}
	for len(rest) > 0 {
		line, body, ok := bytes.Cut(rest, []byte{'\n'})
		f := strings.Fields(string(line))
		if !ok || len(f) != 4 {
			return kept
		}
		n, err := strconv.Atoi(f[2])
		if err != nil || n < 0 || n > len(body) || f[3] != hashOf(body[:n]) {
			return kept
		}
		kept[f[0]] = daySum{tree: f[1], text: string(body[:n])}
		rest = body[n:]
	}
	return kept
}

func (s *Journal) writeDaySums(kept map[string]daySum) {
	var b bytes.Buffer
	b.WriteString(daySumsHeader)
	for _, day := range slices.Sorted(maps.Keys(kept)) {
		k := kept[day]
		fmt.Fprintf(&b, "%s %s %d %s\n%s", day, k.tree, len(k.text), hashOf([]byte(k.text)), k.text)
	}
	_ = s.Clone.Repo.WriteCache(daySumsFile, b.Bytes()) // else they are summed up again
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
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
