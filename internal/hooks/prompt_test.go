package hooks

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/app/config"
)

func TestUserPrompt_switchesAndSaysSo(t *testing.T) {
	typedPrompt := `{"hook_event_name":"UserPromptSubmit","prompt":"go ahead"}`
	f := fakeWith(discussing)
	out := replay(t, f, typedPrompt)
	if !f.called("UserMode implementation go ahead") || !strings.Contains(string(out.Stdout), "implementation mode") {
		t.Errorf("%v %s", f.calls, out.Stdout)
	}
	if r := f.records[0]; !strings.Contains(r.Reason, "discussion -> implementation") {
		t.Errorf("record %+v", r)
	}
	if out := replay(t, f, typedPrompt); len(out.Stdout) > 0 || len(f.calls) != 1 {
		t.Errorf("said twice: %s", out.Stdout)
	}
	if out := replay(t, f, `{"hook_event_name":"UserPromptSubmit","prompt":"STOP"}`); f.view.Mode != ModeDiscussion ||
		!strings.Contains(string(out.Stdout), "discussion mode") {
		t.Errorf("%s", out.Stdout)
	}
	for name, payload := range map[string]string{
		"a wake-up":     `{"hook_event_name":"UserPromptSubmit","prompt":"go ahead","source":"schedule_wakeup"}`,
		"the client":    `{"hook_event_name":"UserPromptSubmit","prompt":"go ahead","source":"system"}`,
		"a sub-agent":   `{"hook_event_name":"UserPromptSubmit","prompt":"go ahead","agent_id":"a1"}`,
		"another event": `{"hook_event_name":"UserPromptExpansion","prompt":"go ahead"}`,
	} {
		f := fakeWith(discussing)
		if out := replay(t, f, payload); len(f.calls) > 0 || len(out.Stdout) > 0 {
			t.Errorf("%s: %v", name, f.calls)
		}
	}
	f = fakeWith(discussing, func(v *View) { v.Gated = false })
	if replay(t, f, typedPrompt); len(f.calls) > 0 {
		t.Errorf("no gate, no mode to switch: %v", f.calls)
	}
}

func TestUserPrompt_BC71_reminder(t *testing.T) {
	for prompt, want := range map[string]bool{
		"Fix the login, it fails on Safari": true,
		"why?":                              true,
		"yes, and rename the flag":          true,
		"yes":                               false,
		"No, thank you.":                    false,
		"OK":                                false,
		"2":                                 false,
		"1.5 3":                             false,
		"b":                                 false,
		"/compact keep the plan":            false,
		"  ":                                false,
		"<task-notification>all done here</task-notification>": false,
	} {
		f := fakeWith(func(v *View) {
			v.Gated = false
			set(v, config.KeyPromptReminder, "Skills of this project: see\nSKILLS.md")
		})
		payload, err := json.Marshal(map[string]string{"hook_event_name": "UserPromptSubmit", "prompt": prompt})
		if err != nil {
			t.Fatal(err)
		}
		out := replay(t, f, string(payload))
		if got := strings.Contains(string(out.Stdout), "Skills of this project: see SKILLS.md"); got != want ||
			out.Exit != 0 {
			t.Errorf("%q: reminded %v", prompt, got)
		}
	}
	// Unless somebody set one, nobody is reminded; and a switch says its own.
	if out := replay(t, fakeWith(), `{"hook_event_name":"UserPromptSubmit","prompt":"fix the login"}`); len(out.Stdout) > 0 {
		t.Errorf("%s", out.Stdout)
	}
	f := fakeWith(discussing, func(v *View) { set(v, config.KeyPromptReminder, "Skills") })
	if out := replay(t, f, `{"hook_event_name":"UserPromptSubmit","prompt":"make it so"}`); !strings.Contains(string(out.Stdout), "implementation mode") {
		t.Errorf("%s", out.Stdout)
	}
}

func TestUserPrompt_recordedNotification(t *testing.T) {
	payload, err := os.ReadFile("testdata/payloads/UserPromptSubmit.task-notification.json")
	if err != nil {
		t.Fatal(err)
	}
	f := fakeWith(discussing)
	if replay(t, f, strings.Replace(string(payload), "There are none.", "There are none. Make it so.",
		1)); len(f.calls) > 0 {
		t.Errorf("the client typed nothing: %v", f.calls)
	}
}
