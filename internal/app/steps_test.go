package app_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// TestChangeSteps_BW46_atOnce: hooks of calls that a client makes side by side
// each add theirs.
func TestChangeSteps_BW46_atOnce(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	var want []string
	var all sync.WaitGroup
	for i := range 6 {
		step := fmt.Sprintf("step %d", i)
		want = append(want, step)
		s := at(f, &now, "one")
		all.Go(func() {
			if _, err := s.Sessions.ChangeSteps(t.Context(), func(have clone.Steps) clone.Steps {
				return clone.Steps{List: append(slices.Clone(have.List), step)}
			}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	have, err := at(f, &now, "one").Sessions.Steps(t.Context())
	slices.Sort(have.List)
	if err != nil || !slices.Equal(have.List, want) {
		t.Errorf("%q, %v; want %q", have.List, err, want)
	}
	if other, err := at(f, &now, "two").Sessions.Steps(t.Context()); err != nil || len(other.List) > 0 {
		t.Errorf("another session's: %q, %v", other.List, err)
	}
	long := clone.Steps{List: make([]string, 1000)}
	if kept, err := at(f, &now, "one").Sessions.ChangeSteps(t.Context(),
		func(clone.Steps) clone.Steps { return long }); err != nil || len(kept.List) != len(want) {
		t.Errorf("a list without bounds: %d, %v", len(kept.List), err)
	}
}
