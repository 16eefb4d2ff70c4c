package run

import (
	"context"
	"time"

	"github.com/git-brew/git-brew/internal/worker"
)

const (
	// atOnce is how soon a turn fails that tells of its program, or its account, not of the work.
	atOnce = 2 * time.Second
	// maxPause is how long the next turn waits at most after such turns.
	maxPause = time.Minute
)

// backOff counts a turn that failed, where it failed at once.
func (j *job) backOff(e worker.Ended) {
	if j.quick++; e.Took >= atOnce || e.TimedOut {
		j.quick = 0
	}
}

// pause is how long the next turn waits: a second after the first turn that failed at once, and
// twice as long after each one more.
func (j *job) pause() time.Duration {
	if j.quick == 0 {
		return 0
	}
	return min(time.Second<<min(j.quick-1, 10), maxPause)
}

// sleep waits for a time, unless ctx ends before.
func sleep(ctx context.Context, d time.Duration) error {
	over := time.NewTimer(d)
	defer over.Stop()
	select {
	case <-over.C:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}
