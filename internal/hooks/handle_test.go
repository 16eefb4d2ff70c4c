package hooks

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/hooks/claude"
	"github.com/git-brew/git-brew/internal/hooks/place"

	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/task"
)

func TestHandle_badInput(t *testing.T) {
	deep := strings.Repeat("[", 100_000)
	big := `{"hook_event_name":"Stop","x":"` + strings.Repeat("a", 9<<20) + `"}`
	for name, input := range map[string]string{
		"empty": "", "blank": " \n", "not JSON": "hello", "NUL": "\x00", "NUL within": `{"a":"` + "\x00" + `"}`,
		"array": "[]", "null": "null", "number": "1",
		"truncated": `{"hook_event_name":"Stop"`, "two": `{"hook_event_name":"Stop"}{}`, "deep": deep,
		"deep within": `{"hook_event_name":"Stop","tool_input":` + deep + strings.Repeat("]", 100_000) + "}",
		"9 MB":        big, "not UTF-8": "{\"hook_event_name\":\"Stop\",\"a\":\"\xff\"}", "no event": "{}",
		"event of a wrong type": `{"hook_event_name":5}`,
	} {
		f := fakeWith(discussing)
		if out := replay(t, f, input); out.Exit != 1 || len(out.Stdout) > 0 ||
			!strings.HasPrefix(out.Stderr, "hook: malformed input") {
			t.Errorf("%s: %+v", name, out)
		}
		if len(f.calls)+len(f.records) > 0 {
			t.Errorf("%s: %v", name, f.calls)
		}
		if out := runEvent(t, f, "PreToolUse", input); name != "no event" && name != "event of a wrong type" {
			if out.Exit != 0 || !strings.Contains(string(out.Stdout), `"permissionDecision":"ask"`) {
				t.Errorf("%s before a gated call: %+v", name, out)
			}
		}
		open := fakeWith(func(v *View) { v.Guarded = name != "9 MB" }) // which may open the gate
		if out := runEvent(t, open, "PreToolUse", input); len(out.Stdout) > 0 {
			t.Errorf("%s before a call that nothing gates: %+v", name, out)
		}
		nothing := fakeWith()
		nothing.lookErr = place.ErrNothingHere
		if out := runEvent(t, nothing, "PreToolUse", input); out.Exit != 0 || len(out.Stdout) > 0 {
			t.Errorf("%s where nothing of git brew is: %+v", name, out)
		}
	}
	gated := `{"session_id":"s","cwd":"/repo","hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"content":"` + strings.Repeat("a", 9<<20)
	f := fakeWith(discussing)
	if out := replay(t, f, gated); !strings.Contains(string(out.Stdout), `"ask"`) ||
		f.places[0] != (Place{Client: "claude-code"}) { // where the hook runs
		t.Errorf("%+v at %+v", out, f.places)
	}
}

func TestHandle_S42_nothingHere(t *testing.T) {
	files, _ := filepath.Glob("testdata/payloads/*.json")
	for _, file := range files {
		payload, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		f := fakeWith()
		f.lookErr = fmt.Errorf("open: %w", place.ErrNothingHere)
		if out := replay(t, f, string(payload)); out.Exit != 0 || len(out.Stdout) > 0 || out.Stderr != "" ||
			len(f.calls)+len(f.records) > 0 {
			t.Errorf("%s: %+v %v", file, out, f.calls)
		}
	}
}

func TestHandle_storeUnreadable(t *testing.T) {
	for payload, asks := range map[string]bool{
		`{"hook_event_name":"PreToolUse","tool_name":"Write"}`:                                           true,
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`:              false,
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"make"}}`:            true,
		`{"hook_event_name":"PreToolUse"}`:                                                               true,
		`{"hook_event_name":"PreToolUse","tool_name":"Read"}`:                                            false,
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git brew status"}}`: false,
		`{"hook_event_name":"Stop"}`:                                                                     false,
		`{"hook_event_name":"SessionStart"}`:                                                             false,
		`{"hook_event_name":"New"}`:                                                                      false,
	} {
		f := fakeWith()
		f.lookErr = errFake
		out := replay(t, f, payload)
		if !strings.Contains(out.Stderr, "truncated") {
			t.Errorf("%s: %+v", payload, out)
		}
		if got := strings.Contains(string(out.Stdout), `"ask"`); got != asks || (out.Exit == 0) != asks {
			t.Errorf("%s: %+v", payload, out)
		}
	}
}

// TestHandle_S23_writesFail: a decision stands, whatever can't be written.
func TestHandle_S23_writesFail(t *testing.T) {
	full := errors.New("no space left on device")
	f := fakeWith(discussing)
	f.fail = map[string]error{"Record": full}
	out := replay(t, f, `{"hook_event_name":"PreToolUse","tool_name":"Edit"}`)
	if out.Exit != 0 || !strings.Contains(string(out.Stdout), `"deny"`) || !strings.Contains(out.Stderr, "no space") {
		t.Errorf("%+v", out)
	}
	if out = replay(t, f, `{"hook_event_name":"PreToolUse","tool_name":"Read"}`); out.Exit != 1 || len(out.Stdout) > 0 {
		t.Errorf("%+v", out)
	}
	f = fakeWith()
	f.fail = map[string]error{"Handoff": full}
	if out = replay(t, f, `{"hook_event_name":"PreCompact"}`); out.Exit != 0 || len(out.Stdout) == 0 || out.Stderr == "" {
		t.Errorf("%+v", out)
	}
	f = fakeWith(unbound)
	f.fail = map[string]error{"SessionStarted": full, "BindLock": full, "Brief": full}
	out = replay(t, f, `{"session_id":"s","hook_event_name":"SessionStart","source":"startup"}`)
	if out.Exit != 0 || !strings.Contains(string(out.Stdout), "phase 2 of 2") ||
		strings.Count(out.Stderr, "no space") != 3 {
		t.Errorf("%+v", out)
	}
}

// BW-11: a crash of ours blocks nobody.
func TestHandle_panic(t *testing.T) {
	f := fakeWith()
	f.panics = true
	if out := replay(t, f, `{"hook_event_name":"PreToolUse"}`); out.Exit != 1 ||
		out.Stderr != "hook: internal error: fake" {
		t.Errorf("%+v", out)
	}
}

func TestHandle_givesUpInTime(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("2 s are over"))
	never, _ := io.Pipe()
	in := Input{Stdin: never, Getenv: func(string) string { return "" }, Now: time.Now}
	if out := Handle(ctx, fakeWith(), in); out.Exit != 1 || !strings.Contains(out.Stderr, "2 s are over") {
		t.Errorf("a reader that never ends: %+v", out)
	}
	for payload, want := range map[string]int{
		`{"hook_event_name":"Stop"}`:                           1,
		`{"hook_event_name":"PreToolUse","tool_name":"Write"}`: 0,
	} {
		f := fakeWith()
		f.block = make(chan struct{})
		ctx, cancel := context.WithCancelCause(t.Context())
		in.Stdin = cancelAtEnd{strings.NewReader(payload), func() {
			time.AfterFunc(20*time.Millisecond, func() { cancel(errors.New("2 s are over")) })
		}}
		out := Handle(ctx, f, in)
		close(f.block)
		if out.Exit != want || !out.GaveUp || !strings.Contains(out.Stderr, "gave up: 2 s are over") {
			t.Errorf("%s: %+v", payload, out)
		}
	}
}

type cancelAtEnd struct {
	r   io.Reader
	end func()
}

func (c cancelAtEnd) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	if err == io.EOF {
		c.end()
	}
	return n, err
}

func TestHandle_unknownEventIsRecorded(t *testing.T) {
	f := fakeWith()
	if out := replay(t, f, `{"hook_event_name":"Brand\u0007New","cwd":"relative"}`); out.Exit != 0 || len(out.Stdout) > 0 {
		t.Errorf("%+v", out)
	}
	if len(f.records) != 1 || f.records[0].Hook != "BrandNew" || f.places[0].Cwd != "" {
		t.Errorf("%+v", f.records)
	}
}

func TestHandle_eventByArgument(t *testing.T) {
	f := fakeWith(discussing)
	if out := runEvent(t, f, "pre-tool-use", `{"tool_name":"Write"}`); !strings.Contains(string(out.Stdout),
		`"hookEventName":"PreToolUse"`) {
		t.Errorf("%s", out.Stdout)
	}
}

func TestHandle_wrongTypesAreAbsent(t *testing.T) {
	f := fakeWith()
	out := replay(t, f, `{"hook_event_name":"Stop","session_id":7,"cwd":[],"agent_id":{},"stop_hook_active":"yes","background_tasks":{},"duration_ms":"x"}`)
	if out.Exit != 0 || !strings.Contains(string(out.Stdout), `"block"`) {
		t.Errorf("%+v", out)
	}
}

// What a client calls a session is a name before it goes anywhere.
func TestHandle_hostileSession(t *testing.T) {
	f := fakeWith()
	replay(t, f, `{"hook_event_name":"Notification","session_id":"../../heads/main"}`)
	if s := f.places[0].Session; s != task.SessionName("../../heads/main") || strings.Contains(s, "/") ||
		f.records[0].Session != s {
		t.Errorf("%q", s)
	}
}

func TestCheckAnswer(t *testing.T) {
	for answer, ok := range map[string]bool{
		``:   true,
		`{}`: true,
		`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"x"}}`: true,
		`{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"a":[1]}}}`:                                   true,
		`{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"a":[null]}}}`:                                false,
		`{"hookSpecificOutput":{"hookEventName":"PostToolUse","permissionDecision":"deny"}}`:                               false,
		`{"hookSpecificOutput":{"permissionDecision":"deny"}}`:                                                             false,
		`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"never"}}`:                               false,
		`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":null}}`:                                  false,
		`{"hookSpecificOutput":[]}`: false,
		`{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":5}}`: false,
		`{"systemMessage":null}`: false, `{"decision":"block"}`: false, `plain`: false, `[]`: false,
		`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecisionReason":"` +
			strings.Repeat("a", claude.MaxAnswer) +
			`"}}`: false,
	} {
		if err := checkAnswer("PreToolUse", []byte(answer)); (err == nil) != ok {
			t.Errorf("%.100s: %v", answer, err)
		}
	}
	for answer, ok := range map[string]bool{
		`{"decision":"block","reason":"x"}`: true, `{"decision":"allow"}`: false,
		`{"decision":"block","reason":1}`: false,
	} {
		if err := checkAnswer("Stop", []byte(answer)); (err == nil) != ok {
			t.Errorf("Stop %s: %v", answer, err)
		}
	}
	for answer, ok := range map[string]bool{"keep this": true, ` {"a":1}`: false, " \n": false} {
		if err := checkAnswer("PreCompact", []byte(answer)); (err == nil) != ok {
			t.Errorf("PreCompact %q: %v", answer, err)
		}
	}
	if checkAnswer("SessionEnd", []byte("{}")) == nil {
		t.Error("SessionEnd takes no answer")
	}
}

func TestEncode_cutsToFit(t *testing.T) {
	long := strings.Repeat("ä\"\n", 10_000)
	for event, reply := range map[string]Reply{
		"Stop": {Block: long}, "PreToolUse": {Permission: "deny", PermReason: long},
		"SessionStart": {Context: long, Title: long},
		"PreCompact":   {Plain: long},
	} {
		out, err := claude.Encode(event, reply)
		if err != nil || len(out) >= claude.MaxAnswer || len(out) < 1000 || !bytes.Contains(out, []byte(invisible.Ellipsis)) {
			t.Errorf("%s: %d bytes, %v", event, len(out), err)
		}
		if event != "PreCompact" && !json.Valid(out) {
			t.Errorf("%s: %s", event, out)
		}
	}
}

func FuzzHandle(f *testing.F) {
	files, _ := filepath.Glob("testdata/payloads/*.json")
	for _, file := range files {
		payload, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(payload, uint8(1))
	}
	f.Add([]byte(`{"hook_event_name":"PreToolUse","tool_name":"Task","tool_input":{"prompt":"x","subagent_type":"developer","a":{"b":null},"prompt":"y"}}`), uint8(1))
	f.Add([]byte(`{"hook_event_name":"PreToolUse","tool_name":"Agent","tool_input":{"prompt":"\ud800","subagent_type":"a:b","z":null}}`), uint8(1))
	f.Add([]byte("\x00"), uint8(2))
	f.Fuzz(func(t *testing.T, payload []byte, situation uint8) {
		s := situations[int(situation)%len(situations)]
		out := replay(t, fakeWith(s.view), string(payload))
		if len(out.Stdout) == 0 {
			return
		}
		event := "PreToolUse"
		var head struct {
			Event string `json:"hook_event_name"`
		}
		if json.Unmarshal(payload, &head) == nil {
			event = eventName(head.Event)
		}
		if err := checkAnswer(event, out.Stdout); err != nil {
			t.Errorf("%v: %s", err, out.Stdout)
		}
	})
}

func TestAnswer_renewsTheLease(t *testing.T) {
	due := func(v *View) { v.RenewDue = true }
	for name, c := range map[string]struct {
		change  []func(*View)
		payload string
		want    bool
	}{
		"the holder":       {[]func(*View){due}, `{"hook_event_name":"Notification"}`, true},
		"not due":          {nil, `{"hook_event_name":"Notification"}`, false},
		"another session":  {[]func(*View){due, foreign}, `{"hook_event_name":"Notification"}`, false},
		"at the end":       {[]func(*View){due}, `{"hook_event_name":"SessionEnd"}`, false},
		"an ended task":    {[]func(*View){stands(task.Failed), due}, `{"hook_event_name":"Stop"}`, false},
		"a cleared lock":   {[]func(*View){due, func(v *View) { v.LockState = lock.LockStale }}, `{"hook_event_name":"Stop"}`, false},
		"no task any more": {[]func(*View){due, func(v *View) { v.Task = nil }}, `{"hook_event_name":"Stop"}`, false},
	} {
		f := fakeWith(c.change...)
		if replay(t, f, c.payload); f.called("RenewLock") != c.want {
			t.Errorf("%s: %v", name, f.calls)
		}
	}
}

// The client allows the end of a session less time than other events.
func TestHandle_endOfSession(t *testing.T) {
	t.Parallel()
	in := Input{Getenv: func(string) string { return "" }, Now: time.Now}
	f := fakeWith()
	f.block = make(chan struct{})
	defer close(f.block)
	in.Stdin = strings.NewReader(`{"hook_event_name":"SessionEnd"}`)
	if out := Handle(t.Context(), f, in); !out.GaveUp || !strings.Contains(out.Stderr, errEndLimit.Error()) {
		t.Errorf("%+v", out)
	}
}
