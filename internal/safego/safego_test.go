package safego_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/git-brew/git-brew/internal/safego"
)

var errFailed = errors.New("failed")

func TestGroup(t *testing.T) {
	t.Parallel()
	var g safego.Group
	if err := g.Wait(); err != nil {
		t.Errorf("nothing was started: %v", err)
	}
	done := make([]bool, 3)
	for i := range done {
		g.Go(func() error {
			done[i] = true
			return nil
		})
	}
	if err := g.Wait(); err != nil || !done[0] || !done[1] || !done[2] {
		t.Errorf("done: %v, %v", done, err)
	}
	g.Go(func() error { return errFailed })
	if err := g.Wait(); !errors.Is(err, errFailed) {
		t.Errorf("an error that was lost: %v", err)
	}
	var crashed safego.Group
	crashed.Go(func() error { return crash(nil) })
	if err := crashed.Wait(); err == nil || !strings.HasPrefix(err.Error(), "internal error: ") {
		t.Errorf("a panic is %v", err)
	}
}

func TestAwait(t *testing.T) {
	t.Parallel()
	over, cancel := context.WithCancelCause(t.Context())
	cancel(errFailed)
	never := make(chan bool)
	for name, c := range map[string]struct {
		ctx  context.Context
		do   func() (int, error)
		want int
		err  string
	}{
		"done":   {t.Context(), func() (int, error) { return 1, nil }, 1, ""},
		"failed": {t.Context(), func() (int, error) { return 1, errFailed }, 1, "failed"},
		"crash":  {t.Context(), func() (int, error) { return 1, crash(nil) }, 0, "internal error: "},
		"hangs":  {over, func() (int, error) { <-never; return 1, nil }, 0, "failed"},
	} {
		got, err := safego.Await(c.ctx, c.do)
		if got != c.want || (err == nil) != (c.err == "") || err != nil && !strings.HasPrefix(err.Error(), c.err) {
			t.Errorf("%s: %d, %v", name, got, err)
		}
	}
}

// What is done when the time is over counts, though both are so.
func TestAwait_doneAndOver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for range 50 { // a select takes either
			over, cancel := context.WithCancel(t.Context())
			cancel()
			if got, err := safego.Await(late{over}, func() (int, error) { return 1, nil }); got != 1 || err != nil {
				t.Fatalf("%d, %v", got, err)
			}
		}
	})
}

// late is a context that is looked at when all else has ended.
type late struct{ context.Context }

func (l late) Done() <-chan struct{} {
	synctest.Wait()
	return l.Context.Done()
}

// crash panics as the runtime does.
func crash(list []error) error { return list[0] }
