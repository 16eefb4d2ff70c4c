//go:build unix

package worker_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/worker"
)

// client is a command line of a client that does what a shell's text says.
func client(t *testing.T, name, text string) []string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	gitstoretest.WriteProgram(t, path, "#!/bin/sh\n"+text+"\n")
	return []string{path, "--json"}
}

func turn(t *testing.T, turn worker.Turn) worker.Ended {
	t.Helper()
	turn.Dir, turn.Env = t.TempDir(), []string{"PATH=/usr/bin:/bin"}
	e, err := worker.Run(t.Context(), turn, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

const done = `{"type":"result","subtype":"success","result":"<promise>COMPLETE</promise>"}`

const cut = `{"type":"text","part":{"text":"<promise>COMPLETE</promise>"}}`

// Why a turn failed is told in the program's words, wherever it wrote them.
func TestRun_BR9_whyItFailed(t *testing.T) {
	for name, c := range map[string]struct{ client, text, want string }{
		"stderr": {"agent", "echo work; echo no disk >&2; exit 1", "exit 1: no disk"},
		"stdout alone": {
			"agent", "echo Not logged in; echo Run login; exit 1", "exit 1: Not logged in; Run login",
		},
		"nothing":                  {"agent", "exit 3", "exit 3"},
		"beside events":            {"claude", "echo 'Invalid API key'; exit 1", "exit 1: Invalid API key"},
		"a stream without its end": {"opencode", `echo '` + cut + `'`, "its events end without a result"},
		"no event at all":          {"codex", "echo 'update me'", "it said nothing: update me"},
	} {
		t.Run(name, func(t *testing.T) {
			if e := turn(t, worker.Turn{Args: client(t, c.client, c.text)}); e.Failure != c.want {
				t.Errorf("it failed for %q, not %q", e.Failure, c.want)
			}
		})
	}
}

// Gemini CLI says by its exit status alone that its account's limit is reached: 429, of which a
// process keeps eight bits. Nobody else's status says that.
func TestRun_BR9_limitByStatus(t *testing.T) {
	const failed = `echo '{"type":"result","status":"error","error":{"type":"unknown","message":"quota"}}'; exit `
	for _, c := range []struct {
		client, code string
		limited      bool
	}{{"gemini", "173", true}, {"gemini", "1", false}, {"codex", "173", false}} {
		if e := turn(t, worker.Turn{Args: client(t, c.client, failed+c.code)}); e.Limited != c.limited || e.Failure == "" {
			t.Errorf("%s, exit %s: limited %v, %q", c.client, c.code, e.Limited, e.Failure)
		}
	}
}

// BR-27: a client whose events stop coming is ended after the silence; a program whose events
// nobody knows may be silent.
func TestRun_BR27_silence(t *testing.T) {
	event := `echo '{"type":"system"}'; `
	e := turn(t, worker.Turn{Args: client(t, "claude", event+"sleep 30"), Silence: 200 * time.Millisecond})
	if !e.TimedOut || e.Failure != "it said nothing for 200ms" || e.Took > 10*time.Second {
		t.Errorf("%+v", e)
	}
	talks := client(t, "claude", event+"sleep 0.5; "+event+"sleep 0.5; "+event+"sleep 0.5; echo '"+done+"'")
	if e = turn(t, worker.Turn{Args: talks, Silence: time.Second}); e.TimedOut || e.Failure != "" {
		t.Errorf("one that goes on talking: %+v", e)
	}
	quiet := client(t, "agent", "sleep 0.5; echo Done")
	if e = turn(t, worker.Turn{Args: quiet, Silence: 100 * time.Millisecond}); e.TimedOut || e.Failure != "" {
		t.Errorf("one whose events nobody knows: %+v", e)
	}
}

// BR-27: the result ends the turn, not the process: it has a while to end by itself.
func TestRun_BR27_afterTheResult(t *testing.T) {
	stays := client(t, "claude", "echo '"+done+"'; sleep 30")
	e := turn(t, worker.Turn{Args: stays, AfterEnd: 300 * time.Millisecond, Silence: 100 * time.Millisecond})
	if e.Failure != "" || e.TimedOut || e.Signal != worker.Complete || e.Took > 10*time.Second ||
		e.Took < 300*time.Millisecond {
		t.Errorf("%+v", e)
	}
}

// What a worker wrote is kept without what it said to git brew.
func TestWithoutTags(t *testing.T) {
	text := "I did it.\n<learning>use 81</learning>\nAll of it. <promise>COMPLETE</promise>\n<backlog>x\ny</backlog>\n" +
		"<promise>COMPLETE</promise>\n"
	if got := worker.WithoutTags(text); got != "I did it.\n\nAll of it." {
		t.Errorf("%q", got)
	}
}
