package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/workflow"
)

// childVariable makes the test binary a process that syncs once, as the JSON of
// a childSync says, so that it can be killed.
const childVariable = "FLEET_TEST_SYNC"

func TestMain(m *testing.M) {
	text := os.Getenv(childVariable)
	if text == "" {
		os.Exit(m.Run())
	}
	var as childSync
	err := json.Unmarshal([]byte(text), &as)
	if err == nil {
		err = as.run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// childSync is a sync in a process of its own, of a clone at its own time.
type childSync struct {
	Dir    string
	At     time.Time
	Caller workflow.Caller
	Seed   uint64
	Remote string
}

func (as childSync) run() error {
	repo, err := gitstore.Open(gitstore.Options{Dir: as.Dir, Environ: os.Environ(), Name: "brew"})
	if err != nil {
		return err
	}
	defer repo.Close()
	began := time.Now()
	s := workflow.New(workflow.Options{
		Repo: repo, Random: source{rand.New(rand.NewPCG(as.Seed, 15))}, Caller: as.Caller,
		Now: func() time.Time { return as.At.Add(time.Since(began)) },
	})
	_, err = s.Sync(context.Background(), workflow.SyncRequest{Remote: as.Remote})
	return err
}

// killed begins a sync in a process of its own and kills that: git's processes
// that it waits for may live on for a moment.
func (c *clone) killed(remote string) {
	f := c.f
	as := childSync{Dir: c.dir, At: c.now.Add(c.skew), Caller: c.caller(""), Seed: f.dice.Uint64(), Remote: remote}
	text, err := json.Marshal(as)
	if err != nil {
		f.fail("%v", err)
	}
	program, err := os.Executable()
	if err != nil {
		f.fail("%v", err)
	}
	cmd := exec.Command(program)
	cmd.Dir, cmd.Env = c.dir, append(f.env[:len(f.env):len(f.env)], childVariable+"="+string(text))
	if err := cmd.Start(); err != nil {
		f.fail("%v", err)
	}
	after := time.Duration(f.dice.Int64N(int64(f.longest)))
	time.Sleep(after)
	_ = cmd.Process.Kill()
	err = cmd.Wait()
	c.now = c.now.Add(2 * after)
	f.tell("%s: sync with %s, killed after %s: %v", c.name, remote, after.Round(time.Millisecond), err)
}
