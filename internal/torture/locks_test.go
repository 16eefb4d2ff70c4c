package torture

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// S-13: four clones of one remote claim a task at the same moment, again and
// again. One gets it, confirmed; the others are told who, in that command, and
// see it with the next one.
func TestLocks_S13_fourClonesOneRemote(t *testing.T) {
	for _, by := range []string{"file", "daemon"} {
		t.Run(by, func(t *testing.T) {
			hub := newHub(t)
			race(t, hub, map[string]func() string{"file": hub.fileURL, "daemon": hub.daemonURL}[by]())
		})
	}
}

func race(t *testing.T, hub *repo, url string) {
	const clones = 4
	var desks [clones]*repo
	var id string
	for d := range desks {
		desks[d] = hub.clone(fmt.Sprintf("desk%d", d), url)
		if d == 0 {
			id = desks[d].create("Wanted by all", "--phase", "One")
		}
		desks[d].must("sync")
	}
	var wins [clones]int
	for round := range rounds(6, 300) {
		session := func(d int) string { return fmt.Sprintf("round%d-desk%d", round, d) }
		var ended [clones]result
		all(clones, func(d int) { ended[d] = desks[d].brew("start", id, "--session", session(d), "--json") })
		winner := slices.IndexFunc(ended[:], func(res result) bool { return res.code == 0 })
		if winner < 0 {
			t.Fatalf("round %d: nobody won: %+v", round, ended)
		}
		wins[winner]++
		var won struct{ Lock lockShown }
		desks[winner].decode(ended[winner], &won)
		if !won.Lock.Confirmed || won.Lock.Session != session(winner) {
			t.Fatalf("round %d: the winner's lock is %s", round, ended[winner].out)
		}
		for d, res := range ended {
			if d == winner {
				continue
			}
			if res.code != 3 || !strings.Contains(res.err+res.out, "wanted-by-all is held by session "+session(winner)[:8]) {
				t.Fatalf("round %d: desk %d lost against %d: exit %d\n%s%s", round, d, winner, res.code, res.out, res.err)
			}
			var seen struct{ Lock lockShown }
			desks[d].decode(desks[d].must("status", id, "--json"), &seen)
			if seen.Lock.Session != session(winner) || seen.Lock.State != "held" || !seen.Lock.Confirmed {
				t.Fatalf("round %d: desk %d lost against %d, and believes in %+v", round, d, winner, seen.Lock)
			}
		}
		desks[winner].must("lock", "release", id, "--session", session(winner))
		desks[winner].must("sync")
		for d := range desks {
			desks[d].must("sync")
		}
	}
	t.Logf("won: %v", wins)
	want := desks[0].git("for-each-ref", "--format=%(refname) %(objectname)", "refs/brew/tasks", "refs/brew/locks")
	for d := range desks {
		desks[d].healthy()
		if have := desks[d].git("for-each-ref", "--format=%(refname) %(objectname)", "refs/brew/tasks",
			"refs/brew/locks"); have != want {
			t.Errorf("desk %d has\n%s\nthe first one\n%s", d, have, want)
		}
	}
}

// lockShown is what answers tell of a lock.
type lockShown struct {
	State     string
	Session   string `json:"session_id"`
	Confirmed bool
}

// S-10: eight processes, each in a work tree of its own, claim one task on one
// clone at the same moment.
func TestLocks_S10_eightOnOneClone(t *testing.T) {
	const processes = 8
	r := newRepo(t)
	id := r.create("Wanted by all")
	var trees [processes]repo
	for p := range trees {
		trees[p] = *r
		if p > 0 {
			trees[p].dir = filepath.Join(filepath.Dir(r.dir), fmt.Sprint("tree", p))
			r.git("worktree", "add", "-q", "--detach", trees[p].dir)
		}
	}
	for round := range rounds(10, 1000) {
		session := func(p int) string { return fmt.Sprintf("s%06d%d", round, p) }
		var ended [processes]result
		all(processes, func(p int) { ended[p] = trees[p].brew("lock", "acquire", id, "--session", session(p)) })
		winner := -1
		for p, res := range ended {
			switch {
			case res.code == 0 && winner >= 0:
				t.Fatalf("round %d: %d and %d both hold it", round, winner, p)
			case res.code == 0:
				winner = p
			}
		}
		if winner < 0 {
			t.Fatalf("round %d: nobody won: %+v", round, ended)
		}
		for p, res := range ended {
			if p != winner && (res.code != 3 || !strings.Contains(res.err, "held by session "+session(winner)+" on ")) {
				t.Fatalf("round %d: %d lost against %d: exit %d\n%s", round, p, winner, res.code, res.err)
			}
		}
		r.must("lock", "release", id, "--session", session(winner))
	}
	r.healthy()
}

// newHub makes a bare repository that others share.
func newHub(t *testing.T) *repo {
	t.Helper()
	r := newRepo(t)
	hub := *r
	hub.dir = filepath.Join(filepath.Dir(r.dir), "served", "hub.git")
	if err := os.Mkdir(filepath.Dir(hub.dir), 0o777); err != nil {
		t.Fatal(err)
	}
	r.git("clone", "-q", "--bare", r.dir, hub.dir)
	return &hub
}

func (r *repo) fileURL() string { return "file://" + r.dir }

// clone makes a clone of a hub, beside it.
func (r *repo) clone(name, url string, more ...string) *repo {
	r.t.Helper()
	c := *r
	c.dir = filepath.Join(filepath.Dir(filepath.Dir(r.dir)), name)
	r.git(append(append([]string{"clone", "-q"}, more...), url, c.dir)...)
	// What runs in the background would race with what is looked at.
	c.git("config", "brew.sync.auto", "false")
	return &c
}

// daemonURL serves the hub over the network of this machine, until the test
// ends.
func (r *repo) daemonURL() string {
	r.t.Helper()
	daemon := filepath.Join(r.git("--exec-path"), "git-daemon")
	if _, err := exec.LookPath(daemon); err != nil {
		r.t.Skip("this git has no daemon: ", err)
	}
	for range 5 {
		if url, ok := r.serve(daemon); ok {
			return url
		}
	}
	r.t.Fatal("git daemon does not answer")
	return ""
}

// serve starts a daemon. Not ok: somebody else took its port.
func (r *repo) serve(daemon string) (url string, ok bool) {
	r.t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		r.t.Fatal(err)
	}
	at := free.Addr().(*net.TCPAddr)
	_ = free.Close()
	cmd := r.command(daemon, "--listen=127.0.0.1", fmt.Sprintf("--port=%d", at.Port), "--reuseaddr", "--export-all",
		"--enable=receive-pack", "--base-path="+filepath.Dir(r.dir), filepath.Dir(r.dir))
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait()
	}()
	r.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-ended
	})
	url = fmt.Sprintf("git://%s/%s", at, filepath.Base(r.dir))
	for end := time.Now().Add(time.Minute); r.run("", "git", "ls-remote",
		url).code != 0; time.Sleep(20 * time.Millisecond) {
		select {
		case <-ended:
			return url, false
		default:
		}
		if time.Now().After(end) {
			return url, false
		}
	}
	return url, true
}
