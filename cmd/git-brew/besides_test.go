package main

import (
	"bufio"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/adapter"
	"github.com/git-brew/git-brew/internal/cli/agent"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/hooks"
)

// told gets what is written, each write as one.
type told chan string

func (c told) Write(p []byte) (int, error) {
	c <- string(p)
	return len(p), nil
}

// next is what is written next; nothing may hold it back.
func (c told) next(t *testing.T) string {
	t.Helper()
	select {
	case s := <-c:
		return s
	case <-time.After(20 * time.Second):
		t.Error("nothing was said")
		return ""
	}
}

// A disk that hangs when something is kept for the next time holds back no answer:
// neither a denial, which counts only when it is out, nor what a command says.
func TestAnswer_BW2_besidesASlowDisk(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	// stuck is an outside world with a repository whose disk hangs until free.
	stuck := func() (e *cli.Env, s *app.App, out told, free func()) {
		e, _, _ = testEnv()
		out = make(told, 10)
		e.Out, e.Dir, e.Environ, e.Getenv, e.User, e.Host = out, f.Dir, f.Env, f.Getenv, "mara", "laptop"
		s, err := e.Open(cli.OpenRequest{For: clone.Caller{Session: "s1"}})
		if err != nil {
			t.Fatal(err)
		}
		hang := make(chan struct{})
		s.Clone.Repo.Background(func() { <-hang })
		return e, s, out, func() { close(hang) }
	}
	at := func(t *testing.T, ended chan int) int {
		t.Helper()
		select {
		case code := <-ended:
			return code
		case <-time.After(20 * time.Second):
			t.Error("it does not end")
			return -1
		}
	}
	first, _, out, free := stuck()
	free()
	if code := run(t.Context(), []string{"create", "Add JWT auth"}, first); code != cli.ExitDone {
		t.Fatal(<-out)
	}
	t.Run("a hook", func(t *testing.T) {
		e, s, out, free := stuck()
		defer free()
		buffer := bufio.NewWriter(e.Out)
		e.Out, e.Flush = buffer, buffer.Flush
		e.In = strings.NewReader(`{"hook_event_name":"PreToolUse","session_id":"s1","cwd":"` + f.Dir +
			`","tool_name":"Write","tool_input":{"file_path":"x.go"}}`)
		ctx, giveUp := context.WithCancel(t.Context())
		defer giveUp()
		ended := make(chan int, 1)
		go func() {
			ended <- agent.AnswerHook(ctx, e, &adapter.Agent{
				Env:  e,
				Open: map[hooks.Place]*app.App{{Cwd: f.Dir, Session: "s1"}: s},
			}, "", "")
		}()
		if said := out.next(t); !strings.Contains(said, `"permissionDecision":"deny"`) {
			t.Errorf("it says %q", said)
		}
		giveUp() // the time of a hook is over
		if code := at(t, ended); code != cli.ExitDone {
			t.Errorf("exit %d", code)
		}
	})
	t.Run("a command", func(t *testing.T) {
		e, s, out, free := stuck()
		e.Opened = s
		ended := make(chan int, 1)
		go func() { ended <- run(t.Context(), []string{"list", "--porcelain"}, e) }()
		if said := out.next(t); !strings.Contains(said, "add-jwt-auth") {
			t.Errorf("it says %q", said)
		}
		free()
		if code := at(t, ended); code != cli.ExitDone {
			t.Errorf("exit %d", code)
		}
	})
}

// What is done when the answer is out ends no hook with 2, which blocks: neither by
// failing, nor because nobody reads the answer any more.
func TestAnswer_BW43_besidesWhatFails(t *testing.T) {
	t.Parallel()
	agent.Within(t.Context(), func() { panic("it fails") })
	e, _, _ := testEnv()
	e.In, e.Flush = strings.NewReader("{}"), func() error { return fmt.Errorf("write: %w", cli.ErrBrokenPipe) }
	e.Getenv = func(name string) string { return map[string]string{"CI": "1"}[name] }
	if code := agent.AnswerHook(t.Context(), e, &adapter.Agent{Env: e}, "", "Stop"); code != cli.ExitDone {
		t.Errorf("exit %d", code)
	}
}
