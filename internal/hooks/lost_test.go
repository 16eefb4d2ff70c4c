package hooks

import (
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/hooks/gate"
	"github.com/git-brew/git-brew/internal/task"
)

// S-12: who lost the lock is told by the next hook that can carry it, before
// more work is done, and once.
func TestTellLost_S12_onceBeforeMoreWork(t *testing.T) {
	tool := `{"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"file_path":"/w/a.go"}}`
	f := fakeWith(lostLock)
	replay(t, f, `{"hook_event_name":"Stop"}`)
	replay(t, f, `{"hook_event_name":"PreCompact"}`)
	if len(f.view.Lost) == 0 {
		t.Fatal("told where an answer can't carry it")
	}
	s := specificOf(t, replay(t, f, tool))
	for _, want := range []string{
		"This call was not run.", "lost the lock of add-jwt-auth",
		"\"session 11aa02c7 on jo@desk\" holds it", "may not count", "git brew status",
	} {
		if !strings.Contains(s.PermReason, want) {
			t.Errorf("%s %q does not say %q", s.Permission, s.PermReason, want)
		}
	}
	if s.Permission != "deny" || len(s.PermReason) > gate.MaxReason {
		t.Errorf("%s, %d bytes", s.Permission, len(s.PermReason))
	}
	if r := f.records[len(f.records)-1]; r.Decision != "deny" || r.Reason != "lock lost" {
		t.Errorf("recorded %+v", r)
	}
	if out := replay(t, f, tool); len(out.Stdout) > 0 {
		t.Errorf("told twice: %s", out.Stdout)
	}
}

// Where there is other context, it comes first.
func TestTellLost_withOtherContext(t *testing.T) {
	for _, payload := range []string{
		startPayload("startup"),
		`{"hook_event_name":"UserPromptSubmit","prompt":"STOP"}`,
		`{"hook_event_name":"PostToolUse","tool_name":"ExitPlanMode","tool_response":{}}`,
	} {
		plain := specificOf(t, replay(t, fakeWith(foreign), payload)).Context
		f := fakeWith(lostLock)
		s := specificOf(t, replay(t, f, payload))
		if !strings.HasPrefix(s.Context, "git brew: the last sync showed") || !strings.HasSuffix(s.Context, plain) ||
			len(s.Context) >= maxContext {
			t.Errorf("%s: %q", payload, s.Context)
		}
		if len(f.view.Lost) > 0 {
			t.Errorf("%s: still to be told", payload)
		}
	}
}

// A sub-agent is stopped once, and its agent told all the same.
func TestTellLost_subAgent(t *testing.T) {
	f := fakeWith(lostLock)
	inside := `{"hook_event_name":"PreToolUse","agent_id":"a1","tool_name":"Edit","tool_input":{}}`
	replay(t, f, `{"hook_event_name":"PostToolUse","agent_id":"a1","tool_name":"Edit","tool_response":{}}`)
	if f.called("LostTold") {
		t.Errorf("%v", f.calls)
	}
	if s := specificOf(t, replay(t, f, inside)); s.Permission != "deny" {
		t.Errorf("%+v", s)
	}
	if out := replay(t, f, inside); len(out.Stdout) > 0 {
		t.Errorf("stopped twice: %s", out.Stdout)
	}
	if s := specificOf(t, replay(t, f, `{"hook_event_name":"PostToolUse","tool_name":"Read","tool_response":{}}`)); !strings.Contains(s.Context, "lost the lock") {
		t.Errorf("%+v", s)
	}
}

// What can't be recorded as told is not told with a denial, which would go on
// for ever.
func TestTellLost_cantBeRecorded(t *testing.T) {
	f := fakeWith(lostLock)
	f.fail = map[string]error{"LostTold": errFake}
	out := replay(t, f, `{"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{}}`)
	if len(out.Stdout) > 0 || !strings.Contains(out.Stderr, errFake.Error()) {
		t.Errorf("%s, %s", out.Stdout, out.Stderr)
	}
}

func TestLostText(t *testing.T) {
	for want, l := range map[string]clone.LostLock{
		"nobody holds it now":           {Task: "x"},
		"\"jo@desk\" holds it":          {Task: "x", Holder: "jo@desk"},
		"changed of them may not count": {Task: "x", Holder: "jo@desk", Work: true},
		"it is this session's again":    {Task: "x", Again: true, Work: true},
		"…":                             {Task: task.ID(strings.Repeat("x", 500)), Holder: strings.Repeat("y", 500)},
	} {
		text := "This call was not run. " + lostText([]clone.LostLock{l}, gate.MaxReason)
		if !strings.Contains(text, want) || len(text) > gate.MaxReason || strings.Contains(text, "steal") {
			t.Errorf("%d bytes: %q does not say %q", len(text), text, want)
		}
	}
}

// What others wait for goes out in the background, where something ends, and
// where a renewal has to reach them.
func TestShareLater(t *testing.T) {
	due := func(v *View) { v.RenewDue, v.ShareDue = true, true }
	for name, c := range map[string]struct {
		payload string
		change  func(*View)
		want    bool
	}{
		"the end of a session":      {`{"hook_event_name":"SessionEnd","reason":"exit"}`, func(*View) {}, true},
		"a hand-off":                {`{"hook_event_name":"PreCompact","trigger":"auto"}`, func(*View) {}, true},
		"no hand-off":               {`{"hook_event_name":"PreCompact","trigger":"auto"}`, foreign, false},
		"a renewal due there":       {`{"hook_event_name":"Notification"}`, due, true},
		"a renewal that is not":     {`{"hook_event_name":"Notification"}`, func(v *View) { v.RenewDue = true }, false},
		"a renewal of another's":    {`{"hook_event_name":"Notification"}`, func(v *View) { due(v); foreign(v) }, false},
		"nothing to say to anybody": {`{"hook_event_name":"Notification"}`, func(*View) {}, false},
	} {
		f := fakeWith(c.change)
		replay(t, f, c.payload)
		if f.called("ShareLater") != c.want {
			t.Errorf("%s: %v", name, f.calls)
		}
	}
}
