package workflow

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

// errFound ends a walk.
var errFound = errors.New("found")

// tipAt is the commit of a task's record at a time (anything that git's own
// --until takes is not asked for: RFC 3339, or a date) or at a commit of it;
// its tip where at is "".
func (s *Service) tipAt(ctx context.Context, id task.ID, at string) (gitstore.OID, error) {
	tip, _, err := s.tipOf(ctx, id)
	if err != nil || at == "" {
		return tip, err
	}
	when, isTime := parseMoment(at)
	var found gitstore.OID
	err = s.repo.History(ctx, tip, func(oid gitstore.OID, c gitstore.Commit) (bool, error) {
		if (isTime && !c.Committer.When.After(when)) || (!isTime && len(at) >= 4 && strings.HasPrefix(oid.String(), strings.ToLower(at))) {
			found = oid
			return false, errFound
		}
		return true, nil
	})
	if err != nil && !errors.Is(err, errFound) {
		return tip, err
	}
	if found.IsZero() {
		return tip, &NotFoundError{Kind: ErrNotFound, Msg: fmt.Sprintf("%s has no state at %q", id, at), Hint: "give a time (2026-01-31T14:00:00Z, 2026-01-31) or a commit from 'git brew log'"}
	}
	return found, nil
}

// parseMoment reads a time as people write it; a date means its end.
func parseMoment(text string) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	if t, err := time.Parse("2006-01-02", text); err == nil {
		return t.Add(24*time.Hour - time.Second), true
	}
	return time.Time{}, false
}
