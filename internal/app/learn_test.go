package app_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/knowledge"
)

// The newest wins within a second too: what a script or a report brings comes in
// bursts.
func TestLearn_newestOfABurst(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	f := gitstoretest.New(t)
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	s := app.New(app.Options{Repo: f.Open(), Now: func() time.Time {
		at = at.Add(time.Microsecond)
		return at
	}, Caller: mara})
	made := create(t, s, app.CreateRequest{Title: "A task"})
	in := made.ID
	for n := range 8 {
		if _, err := s.Knowledge.Learn(ctx, in,
			knowledge.Entry{T: knowledge.Avoid, Txt: fmt.Sprintf("number %d is wrong", n)}); err != nil {
			t.Fatal(err)
		}
	}
	all, err := s.Knowledge.Knowledge(ctx, in)
	if err != nil || len(all) != 8 {
		t.Fatalf("%d entries, %v", len(all), err)
	}
	for i, e := range all {
		if want := fmt.Sprintf("number %d is wrong", 7-i); e.Txt != want {
			t.Errorf("entry %d: %q, want %q", i, e.Txt, want)
		}
	}
}
