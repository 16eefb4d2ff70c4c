package main

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// TestHook_S43_BW17_contextOnceInAnyOrder: whatever comes in whatever order, a
// session is told of its task when it starts, is resumed, or comes back from a
// compaction, and once; and once in between, a resumption included, that its context
// fills up.
func TestHook_S43_BW17_contextOnceInAnyOrder(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	transcript := filepath.Join(f.Root, "t.jsonl")
	if err := os.WriteFile(transcript, []byte(`{"type":"assistant","message":{"model":"m","usage":{"input_tokens":160000}}}`), 0o666); err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	call := func(in string, args ...string) string {
		t.Helper()
		e, out, errs := testEnv()
		e.In, e.Dir, e.Environ, e.Getenv = strings.NewReader(in), f.Dir, f.Env, f.Getenv
		e.Now, e.User, e.Host = func() time.Time { return now }, "mara", "laptop"
		if code := run(t.Context(), args, e); code != cli.ExitDone {
			t.Fatalf("%s: exit %d, %s", args, code, errs)
		}
		return out.String()
	}
	call("", "create", "Add JWT auth")
	hook := func(fields map[string]string) string {
		fields["cwd"], fields["transcript_path"] = f.Dir, transcript
		payload, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		return call(string(bytes.TrimSpace(payload)), "hook")
	}
	any := rand.New(rand.NewPCG(43, 17))
	for _, session := range []string{"s1", "s2", "s3", "s4", "s5", "s6"} {
		warned, said := false, []string{}
		start := func(source string) {
			t.Helper()
			now = now.Add(time.Minute)
			said = append(said, source)
			for i, want := range []bool{true, false} { // the second one is registered twice
				out := hook(map[string]string{"hook_event_name": "SessionStart", "session_id": session, "source": source})
				if got := strings.Contains(out, "this work tree is on task"); got != want {
					t.Fatalf("%s, call %d: told %v, want %v", strings.Join(said, ", "), i, got, want)
				}
			}
			warned = warned && source == "resume"
		}
		start("startup")
		for range 12 {
			switch any.IntN(5) {
			case 0:
				start("compact")
			case 1:
				start("resume")
			case 2:
				said = append(said, "a change")
				call("", "learn", now.String())
			default:
				said = append(said, "a prompt")
				out := hook(map[string]string{
					"hook_event_name": "UserPromptSubmit", "session_id": session,
					"prompt": "go on with it",
				})
				if strings.Contains(out, "this work tree is on task") {
					t.Fatalf("%s: told again", strings.Join(said, ", "))
				}
				if got := strings.Contains(out, "80 per cent full"); got == warned {
					t.Fatalf("%s: warned %v", strings.Join(said, ", "), got)
				}
				warned = true
			}
			now = now.Add(10 * time.Second)
		}
	}
}
