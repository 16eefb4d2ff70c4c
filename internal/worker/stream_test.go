package worker

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// BR-9, BR-14: what each client's own events say of a turn. The files are written by hand, after the
// clients' formats; they are read at once, and byte by byte.
func TestStream_BR9_clients(t *testing.T) {
	reset := time.Unix(1771390800, 0)
	for name, want := range map[string]Report{
		"claude_done": {
			Text: "Added.\n<promise>COMPLETE</promise>", Ended: true, Last: "result",
			Usage: Usage{Input: 1210, Output: 50, CostUSD: 0.03},
		},
		"claude_lifted": {
			Text: "Added.\n<promise>COMPLETE</promise>", Ended: true, Last: "result",
			Usage: Usage{Input: 1210, Output: 50, CostUSD: 0.03},
		},
		"claude_limit": {
			Text: "You've hit your session limit · resets 1:10am (UTC)", Ended: true, Last: "result",
			Failed: "You've hit your session limit · resets 1:10am (UTC)", Limited: true, LimitedUntil: reset,
		},
		"claude_429": {
			Text: "You've hit your session limit", Ended: true, Last: "result",
			Failed: "You've hit your session limit", Limited: true,
		},
		"claude_overage": {Text: "Done.", Ended: true, Last: "result", Usage: Usage{CostUSD: 0.5}},
		"claude_empty":   {Ended: true, Failed: "the result is empty", Last: "result"},
		"claude_turns":   {Ended: true, Failed: "error_max_turns", Last: "result"},
		"claude_cut":     {Text: "I begin.\n", Last: "assistant"},
		"codex_done": {
			Text: "Done.\n<promise>COMPLETE</promise>", Ended: true, Last: "turn.completed",
			Usage: Usage{Input: 900, Output: 40},
		},
		"codex_failed": {
			Ended: true, Failed: "stream disconnected", Last: "turn.failed",
		},
		"opencode_done": {
			Text: "16,374\n", Ended: true, Last: "step_finish",
			Usage: Usage{Input: 130, Output: 20, CostUSD: 0.003},
		},
		"codex_limit": { // nothing but words
			Ended: true, Failed: "You've hit your usage limit. Try again at 9:30 AM.", Last: "turn.failed",
		},
		"opencode_limit": {
			Ended: true, Failed: "Too many requests", Last: "error",
			Limited: true, LimitedUntil: time.UnixMilli(1778479990756).Add(time.Hour),
		},
		"opencode_error": {Ended: true, Failed: "no credit", Limited: true, Last: "error"},
		"gemini_done": {
			Text: "Hello world", Ended: true, Last: "result", Usage: Usage{Input: 70, Output: 9},
		},
		"gemini_error": {Ended: true, Failed: "quota", Last: "result"},
		"gemini_limit": {
			Ended: true, Failed: "You have exhausted your capacity on this model.", Limited: true, Last: "result",
		},
		"cursor_failed": {Last: "system"}, // its words stand on its standard error
		"cursor_done":   {Text: "Done.", Ended: true, Last: "result"},
		"copilot_done": {
			Text: "Done.", Ended: true, Last: "result", Usage: Usage{Output: 12},
		},
		"copilot_limit": {Ended: true, Failed: "You have reached your weekly rate limit", Limited: true, Last: "result"},
		"copilot_quota": {Ended: true, Failed: "You have no quota", Limited: true, Last: "result"},
		"copilot_error": {Ended: true, Failed: "no access", Last: "result"},
	} {
		client, _, _ := strings.Cut(name, "_")
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("testdata", name+".jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			once, slowly := NewStream(client), NewStream(client)
			_, _ = once.Write(data)
			for i := range data {
				_, _ = slowly.Write(data[i : i+1])
			}
			for _, s := range []*Stream{once, slowly} {
				if got := s.Report(); !reflect.DeepEqual(got, want) {
					t.Errorf("got\n%+v\nwant\n%+v", got, want)
				}
			}
		})
	}
}

// A flood is read without being kept, plain text is the client that nobody knows, and what
// is no event is passed over.
func TestStream_isBounded(t *testing.T) {
	s := NewStream("claude")
	for range 100 {
		_, _ = s.Write([]byte(`{"type":"assistant","x":"` + strings.Repeat("x", 100<<10)))
	}
	_, _ = s.Write([]byte("\"}\nnoise\n{\"type\":\"result\",\"subtype\":\"success\",\"result\":\"ok\"}"))
	if got := s.Report(); got.Text != "ok" || !got.Ended || cap(s.line) > 2*maxLine {
		t.Errorf("%+v, %d bytes kept", got, cap(s.line))
	}
	plain := NewStream("")
	for range 100 {
		_, _ = plain.Write([]byte(strings.Repeat("y", 10<<10)))
	}
	_, _ = plain.Write([]byte("<promise>BLOCKED</promise>"))
	if got := plain.Report(); len(got.Text) != maxText || ReadSaid(got.Text).Signal != Blocked || got.Ended {
		t.Errorf("%d bytes, %q", len(got.Text), ReadSaid(got.Text).Signal)
	}
	if !Knows("codex") || Knows("") || Knows("my-agent") {
		t.Error("which clients are known")
	}
}

func FuzzStream(f *testing.F) {
	for _, client := range []string{"claude", "codex", "copilot", "cursor", "gemini", "opencode", ""} {
		f.Add(client, []byte(`{"type":"result","usage":[]}`+"\n"+`{"type":"error","error":{"data":{"statusCode":429}}}`))
	}
	f.Fuzz(func(_ *testing.T, client string, data []byte) {
		s := NewStream(client)
		_, _ = s.Write(data)
		s.Report()
	})
}

// What a client does is told by the tool that it uses, and what the tool gave says no more than
// that (BR-35).
func TestStream_BR35_lastEvent(t *testing.T) {
	s := NewStream("claude")
	for _, step := range []struct{ line, want string }{
		{`{"type":"user"}`, "user"},
		{`{"type":"assistant","message":{"content":[{"type":"text","text":"I look."}]}}`, "assistant"},
		{`{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Edit\u001b[2J"}]}}`, "Edit"},
		{`{"type":"user","message":{"content":[{"type":"tool_result"}]}}`, "Edit"},
		{`{"type":"result"}`, "result"},
	} {
		if _, _ = s.Write([]byte(step.line + "\n")); s.Report().Last != step.want {
			t.Errorf("after %s, it is at %q, want %q", step.line, s.Report().Last, step.want)
		}
	}
}
