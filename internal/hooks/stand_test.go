package hooks

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// worlds are what other places than the agent's may be like.
var (
	nothing  = other{err: ErrNothingHere}
	unable   = other{err: fmt.Errorf("%w: read-only", ErrUnable)}
	broken   = other{err: errFake}
	closed   = other{view: at("/a", ModeDiscussion, true, true)}
	guarding = other{view: at("/a", ModeImplementation, true, true)}
	off      = other{view: at("/a", ModeDiscussion, false, false)}
)

func at(repo string, mode Mode, gated, guarded bool) View {
	v := fakeWith().view
	v.Repo, v.Top, v.Mode, v.Gated, v.Guarded = repo+"/.git", repo, mode, gated, guarded
	return v
}

// in gives another place of the same kind.
func (o other) in(repo string) other {
	o.view.Repo, o.view.Top = repo+"/.git", repo
	return o
}

// away answers one call of an agent in /b whose session started in /a.
func away(t *testing.T, f *fakeBrew, project, payload string) Output {
	t.Helper()
	return Handle(t.Context(), f, Input{
		Stdin:  strings.NewReader(strings.Replace(payload, "{", `{"session_id":"s","cwd":"/b",`, 1)),
		Getenv: func(name string) string { return map[string]string{"CLAUDE_PROJECT_DIR": project}[name] },
		Now:    func() time.Time { return testNow },
	})
}

const (
	write    = `{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"/b/x"}}`
	persons  = `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git -C /a brew lock steal"}}`
	makes    = `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"make"}}`
	readsOne = `{"hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{"file_path":"/b/x"}}`
)

// TestStand_BW2_followsTheSession: whichever of its places gates, the session is
// gated.
func TestStand_BW2_followsTheSession(t *testing.T) {
	inB := func(o other) other { return o.in("/b") }
	for name, c := range map[string]struct {
		here, start          other
		write, persons, make string
	}{
		"nothing here, closed there":  {nothing, closed, "deny", "deny", "deny"},
		"nothing here, guarded there": {nothing, guarding, "", "deny", ""},
		"nothing here, off there":     {nothing, off, "", "", ""},
		"nothing anywhere":            {nothing, nothing, "", "", ""},
		"open here, closed there":     {inB(guarding), closed, "deny", "deny", "deny"},
		"off here, closed there":      {inB(off), closed, "deny", "deny", "deny"},
		"off here, guarded there":     {inB(off), guarding, "", "deny", ""},
		"closed here, open there":     {inB(closed), guarding, "deny", "deny", "deny"},
		"closed here, nothing there":  {inB(closed), nothing, "deny", "deny", "deny"},
		"unable here, closed there":   {unable, closed, "deny", "deny", "deny"},
		"nothing here, unable there":  {nothing, unable, "", "", ""},
		"nothing here, broken there":  {nothing, broken, "ask", "ask", "ask"},
		"open here, broken there":     {inB(guarding), broken, "ask", "ask", "ask"},
		"closed here, broken there":   {inB(closed), broken, "deny", "deny", "deny"},
		"broken here, closed there":   {broken, closed, "ask", "ask", "ask"},
		"open in a linked work tree":  {guarding, closed, "", "deny", ""},
		"open in the same":            {guarding, guarding, "", "deny", ""},
	} {
		for way, started := range map[string][2]string{"told": {"/a", ""}, "kept": {"", "/a"}} {
			for payload, want := range map[string]string{write: c.write, persons: c.persons, makes: c.make, readsOne: ""} {
				f := fakeWith()
				f.other, f.kept = map[string]other{"/a": c.start, "/b": c.here}, started[1]
				out := away(t, f, started[0], payload)
				got := ""
				if len(out.Stdout) > 0 {
					got = specificOf(t, out).Permission
				}
				if got != want {
					t.Errorf("%s, %s: %s: %q, want %q", name, way, payload, got, want)
				}
			}
		}
	}
}

// What the common call is about is looked at once, and no file is read for it.
func TestStand_oneLook(t *testing.T) {
	f := fakeWith()
	f.view, f.kept = at("/b", ModeImplementation, true, true), "/a"
	away(t, f, "/b", write)
	if len(f.places) != 1 {
		t.Errorf("%+v", f.places)
	}
}

// Where a client tells a directory that git brew is not used in, the one that was kept
// counts; what starts anew goes by neither.
func TestStand_kept(t *testing.T) {
	f := fakeWith()
	f.other, f.kept = map[string]other{"/b": nothing, "/c": nothing, "/a": closed}, "/a"
	if out := away(t, f, "/c", write); !strings.Contains(string(out.Stdout), `"deny"`) {
		t.Errorf("%+v", out)
	}
	if len(f.records) != 1 || f.places[len(f.places)-1].Here != "/a" || f.places[len(f.places)-1].Cwd != "/b" {
		t.Errorf("%+v at %+v", f.records, f.places)
	}
	for source, want := range map[string]bool{"startup": false, "resume": false, "clear": false, "compact": true} {
		f.calls = nil
		away(t, f, "", `{"hook_event_name":"SessionStart","source":"`+source+`"}`)
		if f.called("SessionStarted") != want {
			t.Errorf("%s: %v", source, f.calls)
		}
	}
	f.kept = "a/relative\x00one"
	if out := away(t, f, "", write); len(out.Stdout) > 0 {
		t.Errorf("%+v", out)
	}
}

// The phrase that a refusal names switches the mode that refused.
func TestStand_promptSwitchesTheSessions(t *testing.T) {
	f := fakeWith()
	f.other = map[string]other{"/b": guarding.in("/b"), "/a": closed}
	away(t, f, "/a", `{"hook_event_name":"UserPromptSubmit","prompt":"make it so"}`)
	if !f.called("SetMode implementation") {
		t.Errorf("%v", f.calls)
	}
}
