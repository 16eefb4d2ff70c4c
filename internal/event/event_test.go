package event

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestEncode_BW30_BW32_fields(t *testing.T) {
	no := false
	e := Event{
		TS: 1234567890123456789, Session: "7f3a9c01", Correlation: "0a1b2c3d", Execution: "x1", Hook: "PostToolUse",
		Type: ToolComplete, Tool: "Bash", ToolUseID: "toolu_1", AgentID: "a1", Agent: "developer", WorkTree: "/w",
		Task:  "t-1234567",
		Phase: "2.1", Mode: "implementation", Decision: "allow", Reason: "a < b & c", Success: &no, DurationMS: 12,
		HookUS: 800,
		Data:   map[string]string{"b": "2", "a": "1"},
	}
	line, err := Encode(e)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"schema":"1.0.0","ts":1234567890123456789,"session":"7f3a9c01","correlation":"0a1b2c3d","execution":"x1","hook":"PostToolUse",` +
		`"type":"tool_complete","tool":"Bash","tool_use_id":"toolu_1","agent_id":"a1","agent":"developer","worktree":"/w","task":"t-1234567",` +
		`"phase":"2.1","mode":"implementation","decision":"allow","reason":"a < b & c","success":false,"duration_ms":12,"hook_us":800,"data":{"a":"1","b":"2"}}` + "\n"
	if string(line) != want {
		t.Errorf("line:\n%s\nwant:\n%s", line, want)
	}
	e.Schema = Schema
	got, bad := collect(Filter{}, line)
	if bad != 0 || len(got) != 1 || !reflect.DeepEqual(got[0], e) {
		t.Errorf("Decode: %+v, %d bad", got, bad)
	}
}

func TestEncode_BW32_bounds(t *testing.T) {
	long := strings.Repeat("é\u2028\x00\x1b[31m ", 5000)
	e := Event{
		Session: long, Hook: long, Type: Type(long), Tool: long, ToolUseID: long, AgentID: long, Agent: long, Task: long,
		Phase: long, Mode: long, Decision: long, Reason: long, WorkTree: long, Correlation: long, Execution: long,
		Data: map[string]string{},
	}
	for i := range 50 {
		e.Data[fmt.Sprintf("key %02d %s", i, long)] = strings.Repeat("👩", 4000)
	}
	line, err := Encode(e)
	if err != nil || len(line) > MaxLine || bytes.Count(line, []byte("\n")) != 1 {
		t.Fatalf("%d bytes, %v", len(line), err)
	}
	got, bad := collect(Filter{}, line)
	if n := utf8.RuneCountInString(got[0].Session); bad != 0 || n < MaxText/4 || n > MaxText {
		t.Errorf("session has %d characters, %d bad", n, bad)
	}
	if strings.ContainsAny(got[0].Session, "\x00\x1b\u2028") {
		t.Errorf("session: %q", got[0].Session)
	}
	if len(e.Data) != 50 {
		t.Error("the event given was changed")
	}
}

func TestEncode_S36_redactsBeforeItCuts(t *testing.T) {
	const key = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6"
	secret := "ghp" + "_" + key
	line, err := Encode(Event{
		Reason: strings.Repeat("x", 80) + " " + secret,
		Data: map[string]string{
			"command": "curl -H 'Authorization: Bearer " + secret + "' https://x",
			"split":   "ghp_\x00" + key,
		},
	})
	if err != nil || bytes.Contains(line, []byte(key[:8])) {
		t.Errorf("line: %s, %v", line, err)
	}
	// A text longer than what is looked at: the last, half word goes.
	line, err = Encode(Event{Reason: "password=" + strings.Repeat("s3cret", 600) + " " + secret + " " +
		strings.Repeat(secret, 30)})
	if err != nil || bytes.Contains(line, []byte(key[:8])) || bytes.Contains(line, []byte("s3cret")) {
		t.Errorf("line: %s, %v", line, err)
	}
}

func TestDecode_hostile(t *testing.T) {
	in := strings.Join([]string{
		`{"schema":"1.0.0","ts":1,"reason":"a\u001b[31mb\u202e"}`,
		``,
		`{"schema":"1.0.0","ts":2,"tool":"torn`,
		`null`, `[]`, `{}`, `{"schema":"2.0.0","ts":3}`, `{"schema":"1.0.0","ts":"x"}`, "\x00\x00\x00",
		`{"schema":"1.0.0","ts":4,"reason":"` + strings.Repeat("x", MaxLine) + `"}`,
		`{"schema":"1.9.0","ts":5,"reason":"` + strings.Repeat("x", 200) + `","new":{"a":1}}`,
	}, "\n")
	got, bad := collect(Filter{}, []byte(in))
	if len(got) != 2 || bad != 8 {
		t.Fatalf("%d events, %d bad", len(got), bad)
	}
	if got[0].Reason != "ab" || len(got[1].Reason) != MaxText {
		t.Errorf("events: %+v", got)
	}
}

func FuzzEncode(f *testing.F) {
	f.Add("s", "reason", "key", "value")
	f.Fuzz(func(t *testing.T, session, reason, key, value string) {
		line, err := Encode(Event{TS: 1, Session: session, Reason: reason, Data: map[string]string{key: value}})
		if err != nil || len(line) > MaxLine || !json.Valid(line) || bytes.IndexByte(line, '\n') != len(line)-1 {
			t.Fatalf("%q, %v", line, err)
		}
		got, bad := collect(Filter{}, line)
		if bad != 0 || len(got) != 1 {
			t.Fatalf("%q reads as %d events, %d bad", line, len(got), bad)
		}
		again, err := Encode(got[0])
		if err != nil || !bytes.Equal(again, line) {
			t.Fatalf("written again: %q, first %q", again, line)
		}
	})
}

func TestTypeOfHook_BW31(t *testing.T) {
	for hook, want := range map[string]Type{
		"SessionStart": "session_start", "SessionEnd": "session_end", "PreToolUse": ToolStart, "PostToolUse": ToolComplete,
		"PostToolUseFailure": ToolComplete, "PreCompact": Compaction, "Stop": Stop, "SubagentStop": "agent_stop",
		"SubagentStart": AgentStart, "UserPromptSubmit": Prompt, "Notification": "notification", "Unheard": Other, "": Other,
	} {
		if got := TypeOfHook(hook, "allow"); got != want {
			t.Errorf("TypeOfHook(%q) = %s", hook, got)
		}
	}
	if got := TypeOfHook("PreToolUse", "deny"); got != Denial {
		t.Errorf("a refused call is a %s", got)
	}
}

func TestFilter_BW30(t *testing.T) {
	e := Event{TS: 10, Session: "7f3a9c01-1", Task: "add-jwt-1234567", Hook: "Stop"}
	for _, c := range []struct {
		f    Filter
		want bool
	}{
		{Filter{}, true},
		{Filter{Session: "7f3a"}, true},
		{Filter{Session: "8"}, false},
		{Filter{Task: "add-jwt"}, true},
		{Filter{Task: "add-jwt-1234567x"}, false},
		{Filter{Hook: "stop"}, true},
		{Filter{Hook: "PreCompact"}, false},
		{Filter{Since: 10, Until: 11}, true},
		{Filter{Since: 11}, false},
		{Filter{Until: 10}, false},
	} {
		if got := c.f.match(e); got != c.want {
			t.Errorf("%+v: %v", c.f, got)
		}
	}
}
