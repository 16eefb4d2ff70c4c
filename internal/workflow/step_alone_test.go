package workflow

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// SP-6: hooks after steps run once. What they, or their record, could not lock is told
// as it is, and is not taken for somebody else's turn.
func TestAlone_SP6_runsOnce(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	f.Commit("first")
	s := New(Options{Repo: f.Open(), Now: time.Now})
	ctx := context.Background()
	busy := &gitstore.LockedError{Path: "write"}
	for _, patience := range []time.Duration{0, time.Second} {
		runs := 0
		err := s.alone(ctx, patience, func() error { runs++; return busy })
		if runs != 1 || !errors.Is(err, gitstore.ErrLocked) || errors.Is(err, errHooksRun) {
			t.Errorf("within %v: %d runs, %v", patience, runs, err)
		}
	}
	err := f.Open().Exclusive(ctx, "hooks-.git", 0, func() error {
		return s.alone(ctx, time.Millisecond, func() error { t.Error("both run"); return nil })
	})
	if !errors.Is(err, errHooksRun) {
		t.Errorf("while others run: %v", err)
	}
}
