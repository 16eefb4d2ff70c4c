package records

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

// ErrFound ends a walk.
var ErrFound = errors.New("found")

// TipAt is the commit of a task's record at a time, or at a commit of it; its tip
// where at is "".
func (s *Records) TipAt(ctx context.Context, id task.ID, at string) (gitstore.OID, error) {
	tip, _, err := s.TipOf(ctx, id)
	if err != nil || at == "" {
		return tip, err
	}
	when, isTime, err := momentAt(ctx, s, at)
	if err != nil {
		return tip, err
	}
	var found gitstore.OID
	var first time.Time
	err = s.Clone.Repo.History.Walk(ctx, tip, func(oid gitstore.OID, c gitstore.Commit) (bool, error) {
		first = c.Committer.When
		if (isTime && !c.Committer.When.After(when)) ||
			(!isTime && isPrefix(at) && strings.HasPrefix(oid.String(), strings.ToLower(at))) {
			found = oid
			return false, ErrFound
		}
		return true, nil
	})
	switch {
	case err != nil && !errors.Is(err, ErrFound):
		return tip, err
	case !found.IsZero():
		return found, nil
	case isTime:
		return tip, clone.NotFound("it began at "+first.UTC().Format(time.RFC3339), "%s was not there yet at %s",
			s.Name(ctx, id), when.UTC().Format(time.RFC3339))
	}
	return tip, clone.NotFound("give a time (2026-01-31, yesterday, '2 hours ago') or a commit from 'git brew log'",
		"%s has no state at %q", s.Name(ctx, id), at)
}

// momentAt is the time that a text says, as git reads it; false for one that says
// none, or may be a commit.
func momentAt(ctx context.Context, s *Records, text string) (time.Time, bool, error) {
	if when, ok := ParseMoment(text); ok {
		return when, true, nil
	}
	// Git counts on from days that there are not, and takes a lone number for now.
	if isPrefix(text) || isDate(text) || isNumber(text) {
		return time.Time{}, false, nil
	}
	when, err := s.Clone.Repo.Git.Approxidate(ctx, text, s.Clone.Now())
	if errors.Is(err, gitstore.ErrNotExist) {
		return when, false, nil
	}
	return when, err == nil, err
}

// isPrefix reports what may be the beginning of a commit's id.
func isPrefix(text string) bool {
	return len(text) >= 4 && strings.Trim(strings.ToLower(text), "0123456789abcdef") == ""
}

// isDate reports a text that begins as a date does which there is not.
func isDate(text string) bool {
	const form = "2006-01-02"
	text = strings.NewReplacer("/", "-", ".", "-").Replace(strings.TrimSpace(text))
	if len(text) < len(form) || strings.Trim(text[:4], "0123456789") != "" || text[4] != '-' || text[7] != '-' {
		return false
	}
	_, err := time.Parse(form, text[:len(form)])
	return err != nil
}

// isNumber reports a text without any word or mark that makes a time of it.
func isNumber(text string) bool { return strings.Trim(text, "0123456789 ") == "" }

// ParseMoment reads a time as people write it; a date means its end.
func ParseMoment(text string) (time.Time, bool) {
	for _, layout := range []string{
		time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04",
		"2006-01-02 15:04",
	} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	if t, err := time.Parse("2006-01-02", text); err == nil {
		return t.Add(24*time.Hour - time.Second), true
	}
	return time.Time{}, false
}
