package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/cli"
)

// Eight workers take twenty phases, each as soon as it has one: every phase is
// taken once, and none is left; at the end all are told so.
func TestClaim_S11_eightWorkersTwentyPhases(t *testing.T) {
	const workers, phases = 8, 20
	r := newRig(t)
	args := []string{"git-brew", "create", "Add JWT auth"}
	for i := range phases {
		args = append(args, "--phase", fmt.Sprintf("Part %d", i+1))
	}
	r.must(args...)
	r.must("git-brew", "start")
	taken := make([][]string, workers)
	var last [workers]ran
	r.together(workers, func(w int) []string {
		for {
			got := r.run("git-brew", "next", "--claim", "--json")
			if last[w] = got; got.code != cli.ExitDone {
				return []string{"true"}
			}
			var claim struct{ Phase struct{ ID string } }
			if err := json.Unmarshal([]byte(got.stdout), &claim); err != nil || claim.Phase.ID == "" {
				last[w].stderr += fmt.Sprintf("no phase in %s: %v", got.stdout, err)
				return []string{"true"}
			}
			taken[w] = append(taken[w], claim.Phase.ID)
		}
	})
	by := map[string]int{}
	for w, ids := range taken {
		for _, id := range ids {
			if first, twice := by[id]; twice {
				t.Errorf("phase %s was taken by worker %d and by worker %d", id, first, w)
			}
			by[id] = w
		}
		if last[w].code != cli.ExitRefused || !strings.Contains(last[w].stderr, "no phase can be claimed") {
			t.Errorf("worker %d ended with %d: %s", w, last[w].code, last[w].stderr)
		}
	}
	if len(by) != phases {
		t.Errorf("%d of %d phases were taken: %v", len(by), phases, slices.Sorted(maps.Keys(by)))
	}
	listed := r.must("git-brew", "phase", "list", "--porcelain")
	if n := strings.Count(listed, "\tin_progress\tnone\t1\t"); n != phases {
		t.Errorf("%d of %d phases are executing, each in its first iteration:\n%s", n, phases, listed)
	}
}
