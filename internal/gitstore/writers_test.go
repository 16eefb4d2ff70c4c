package gitstore_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// Eight processes write to one ref while git packs refs and collects garbage:
// what one of them acknowledged is there, nobody sees an error, and git itself
// can read the ref at any moment. TORTURE=200 makes it the long form.
func TestWriters_S19_besideGit(t *testing.T) {
	t.Parallel()
	for _, part := range []string{"append", "race"} {
		t.Run(part, func(t *testing.T) {
			t.Parallel()
			f := gitstoretest.New(t)
			count := torture(t, 12)
			ctx, stop := context.WithCancel(t.Context())
			var besides sync.WaitGroup
			beside := func(args ...string) {
				besides.Go(func() {
					for ctx.Err() == nil {
						// git's own processes may find each other in the way.
						_, _ = f.TryGit(args...)
					}
				})
			}
			beside("pack-refs", "--all")
			beside("gc", "-q")
			besides.Go(func() {
				for ctx.Err() == nil {
					if out, err := f.TryGit("for-each-ref", "refs/store/"); err != nil || strings.Contains(out, "broken") {
						t.Errorf("git reads the refs: %v %s", err, out)
					}
				}
			})

			var mu sync.Mutex
			var acknowledged []string
			var writers sync.WaitGroup
			for w := range 8 {
				out, _ := startChild(t, child(f, part, "refs/store/one", fmt.Sprint("w", w), fmt.Sprint(count)))
				writers.Go(func() {
					for out.Scan() {
						mu.Lock()
						acknowledged = append(acknowledged, out.Text())
						mu.Unlock()
					}
				})
			}
			writers.Wait()
			stop()
			besides.Wait()
			equal(t, "acknowledged lines", len(acknowledged), 8*count)
			there := lines(f, "refs/store/one")
			slices.Sort(there)
			slices.Sort(acknowledged)
			if !slices.Equal(there, acknowledged) {
				t.Errorf("%d lines are there, %d were acknowledged", len(there), len(acknowledged))
			}
		})
	}
}
