package gitstore_test

import (
	"errors"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// A time is read as git reads it; what git would only guess at is none.
func TestMoment(t *testing.T) {
	f := gitstoretest.New(t)
	f.Setenv("TZ", "UTC")
	repo := f.Open()
	now := time.Date(2026, 1, 6, 11, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"yesterday":          "2026-01-05T11:00:00Z",
		"2 hours ago":        "2026-01-06T09:00:00Z",
		"3 days ago":         "2026-01-03T11:00:00Z",
		"Jan 2 2026":         "2026-01-02T11:00:00Z",
		"2025-12-31 10:30":   "2025-12-31T10:30:00Z",
		"last week":          "2025-12-30T11:00:00Z",
		"when we were young": "",
		"plan":               "",
		"":                   "",
	} {
		got, err := repo.Git.Approxidate(t.Context(), text, now)
		if want == "" {
			if !errors.Is(err, gitstore.ErrNotExist) {
				t.Errorf("%q: %v, %v", text, got, err)
			}
			continue
		}
		if err != nil || got.UTC().Format(time.RFC3339) != want {
			t.Errorf("%q: %s, %v, want %s", text, got.UTC().Format(time.RFC3339), err, want)
		}
	}
}
