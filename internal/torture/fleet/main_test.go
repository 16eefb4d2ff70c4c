package fleet

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// childVariable makes the test binary a process that syncs once, as the JSON of
// a childSync says, so that it can be sent a signal.
const childVariable = "FLEET_TEST_SYNC"

func TestMain(m *testing.M) {
	text := os.Getenv(childVariable)
	if text == "" {
		if flag.Parse(); testing.Short() {
			return // 'make test' leaves it to 'make torture'
		}
		gitstoretest.InMemory()
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
	Caller clone.Caller
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
	s := app.New(app.Options{
		Repo: repo, Random: source{rand.New(rand.NewPCG(as.Seed, 15))}, Caller: as.Caller,
		Now: func() time.Time { return as.At.Add(time.Since(began)) },
	})
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	_, err = s.Exchange.Sync(ctx, exchange.SyncRequest{Remote: as.Remote})
	return err
}

// apart begins a sync in a process of its own and sends it a signal on the way.
// Git's processes that it waits for may live on for a moment (quiet).
func (c *machine) apart(remote string, signal os.Signal) {
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
	alive, inherited, err := os.Pipe()
	if err != nil {
		f.fail("%v", err)
	}
	cmd := exec.Command(program)
	cmd.Dir, cmd.Env = c.dir, append(f.env[:len(f.env):len(f.env)], childVariable+"="+string(text))
	cmd.ExtraFiles = []*os.File{inherited}
	err = cmd.Start()
	_ = inherited.Close()
	f.left = append(f.left, alive)
	if err != nil {
		f.fail("%v", err)
	}
	after := time.Duration(f.dice.Int64N(int64(f.longest)))
	time.Sleep(after)
	_ = cmd.Process.Signal(signal)
	err = cmd.Wait()
	c.now = c.now.Add(2 * after)
	f.tell("%s: sync with %s, %s after %s: %v", c.name, remote, signal, after.Round(time.Millisecond), err)
	if signal == os.Interrupt {
		c.unlock()
	}
}

// unlock removes, as git tells a person to, the lock of the packed refs that an
// interrupted git may have left: no git is at work in the clone then.
func (c *machine) unlock() {
	c.f.quiet()
	if os.Remove(filepath.Join(c.dir, ".git", "packed-refs.lock")) == nil {
		c.f.tell("%s: the packed refs were left locked", c.name)
	}
}

// quiet waits for what the ended syncs left running, all of which has inherited
// the other end of a pipe.
func (f *fleet) quiet() {
	for _, alive := range f.left {
		err := alive.SetReadDeadline(time.Now().Add(time.Minute))
		if err == nil {
			_, err = io.Copy(io.Discard, alive)
		}
		if err != nil {
			f.fail("what a sync left running does not end: %v", err)
		}
		_ = alive.Close()
	}
	f.left = nil
}
