package gitcmd

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// approxidateWords are the words that git reads in a time, beside numbers, names of
// months and of days (date.c): others it passes over, and takes what is left.
const approxidateWords = "now today yesterday noon midnight tea ago last at am pm never t z utc gmt " +
	"second minute hour day week month year one two three four five six seven eight nine ten " +
	"january february march april may june july august september october november december " +
	"monday tuesday wednesday thursday friday saturday sunday"

// Approxidate reads a time as git does where it is told --since: "yesterday", "2 hours
// ago", "last friday", "2026-01-31 14:00". ErrNotExist for what is none.
func (r *Runner) Approxidate(ctx context.Context, text string, now time.Time) (time.Time, error) {
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return c < 'a' || c > 'z' }) {
		if !isApproxidateWord(word) {
			return time.Time{}, fmt.Errorf("time %q: %w", text, plumbing.ErrNotExist)
		}
	}
	args := []string{"rev-parse", "--since=" + text}
	cmd := r.Command(ctx, args...)
	// Where git itself looks for the time that it is, for its own tests.
	cmd.Env = Environ(cmd.Env).With("LC_ALL=C", "GIT_TEST_DATE_NOW="+strconv.FormatInt(now.Unix(), 10))
	out, err := Output(ctx, cmd, nil, args)
	if err != nil {
		return time.Time{}, fmt.Errorf("read time %q: %w", text, err)
	}
	seconds, err := strconv.ParseInt(strings.TrimPrefix(strings.TrimSpace(string(out)), "--max-age="), 10, 64)
	if err != nil || strings.TrimSpace(text) == "" {
		return time.Time{}, fmt.Errorf("time %q: %w", text, plumbing.ErrNotExist)
	}
	return time.Unix(seconds, 0), nil
}

// isApproxidateWord accepts plurals, and names of months and days that are cut to
// three letters or more, as git does.
func isApproxidateWord(word string) bool {
	return slices.ContainsFunc(strings.Fields(approxidateWords), func(known string) bool {
		return word == known || word == known+"s" || len(word) >= 3 && strings.HasPrefix(known, word)
	})
}
