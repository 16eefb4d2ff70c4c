//go:build unix

package torture

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// Workers carry out phases while the run is killed again and again.
func TestRun_BR24_killedAnywhere(t *testing.T) {
	r := newRepo(t)
	c := newCrowd(r, rounds(20, 200))
	kills := 0
	for kills < rounds(15, 100) && !c.runUntil(r, rand.N(2*time.Second)) {
		kills++
	}
	res := c.run(r)
	t.Logf("%d phases, %d kills; %s", c.phases, kills, strings.TrimSpace(res.out))
	c.done(r)
	c.gone(r)
}

// Two clones take turns, each killed in the middle of its own: what was done on one is not
// done again on the other.
func TestRun_BR24_killedOnTwoClones(t *testing.T) {
	hub := newHub(t)
	desks := []*repo{hub.clone("laptop", hub.fileURL()), hub.clone("desk", hub.fileURL())}
	c := newCrowd(desks[0], rounds(10, 200))
	share := func(r *repo) {
		r.git("push", "-q", "origin", "feature/many-stories")
		r.must("sync")
	}
	goOn := func(r *repo) {
		r.must("sync")
		r.must("switch", task)
		r.git("pull", "-q", "--ff-only", "origin", "feature/many-stories")
		r.must("start", "--steal", task) // whose run was killed holds it
	}
	share(desks[0])
	c.hire(desks[1])
	desks[1].must("sync")
	hashes := slices.DeleteFunc(strings.Fields(desks[1].must("trust", "list", "--porcelain").out),
		func(word string) bool { return len(word) != 64 })
	desks[1].must(append([]string{"trust", "add"}, hashes...)...)
	kills, through := 0, false
	for kills < rounds(6, 100) && !through {
		r := desks[kills%2]
		goOn(r)
		if through = c.runUntil(r, 500*time.Millisecond+rand.N(1500*time.Millisecond)); !through {
			kills++
		}
		c.nobodyLeft(r) // whoever takes over from it has seen to that
		share(r)
	}
	last := desks[kills%2]
	goOn(last)
	res := c.run(last)
	t.Logf("%d phases, %d kills; %s", c.phases, kills, strings.TrimSpace(res.out))
	c.done(last, desks[1-kills%2])
	for _, branch := range strings.Fields(last.git("for-each-ref", "--format=%(refname)", "refs/heads/brew/")) {
		if last.git("rev-list", "-n1", branch, "^feature/many-stories") == "" {
			t.Errorf("%s is left, and all of it is merged", branch)
		}
	}
}
