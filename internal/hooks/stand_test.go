package hooks

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/hooks/place"
)

// worlds are what other places than the agent's may be like.
var (
	nothing  = other{err: place.ErrNothingHere}
	unable   = other{err: fmt.Errorf("%w: read-only", place.ErrUnable)}
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
	writeCall   = `{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"/b/x"}}`
	personsCall = `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git -C /a brew mode implementation"}}`
	makeCall    = `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"make"}}`
	readCall    = `{"hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{"file_path":"/b/x"}}`
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
			wants := map[string]string{writeCall: c.write, personsCall: c.persons, makeCall: c.make, readCall: ""}
			for payload, want := range wants {
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
	away(t, f, "/b", writeCall)
	if len(f.places) != 1 {
		t.Errorf("%+v", f.places)
	}
}

// Where a client tells a directory that git brew is not used in, the one that was kept
// counts; what starts anew goes by neither.
func TestStand_kept(t *testing.T) {
	f := fakeWith()
	f.other, f.kept = map[string]other{"/b": nothing, "/c": nothing, "/a": closed}, "/a"
	if out := away(t, f, "/c", writeCall); !strings.Contains(string(out.Stdout), `"deny"`) {
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
	if out := away(t, f, "", writeCall); len(out.Stdout) > 0 {
		t.Errorf("%+v", out)
	}
}

// The phrase that a refusal names switches the mode that refused.
func TestStand_promptSwitchesTheSessions(t *testing.T) {
	f := fakeWith()
	f.other = map[string]other{"/b": guarding.in("/b"), "/a": closed}
	away(t, f, "/a", `{"hook_event_name":"UserPromptSubmit","prompt":"make it so"}`)
	if !f.called("UserMode implementation") {
		t.Errorf("%v", f.calls)
	}
}

// TestSpots_BW2_whereAPathLies: what a tool writes is judged by the work tree that it
// lies in, wherever its agent is.
func TestSpots_BW2_whereAPathLies(t *testing.T) {
	open, allowedThere := guarding.in("/b"),
		map[string]worktree.Target{"/w/docs/x": {Allowed: true}, "/w/.git/config": {Own: "git's"}}
	same := closed.in("/w")
	same.view.Repo = "/b/.git"
	const in = `{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"/w/`
	for name, c := range map[string]struct {
		here, there other
		payload     string
		want        string
	}{
		"nothing here, closed there": {
			nothing, closed.in("/w"), in + `x"}}`,
			"that is in /w, where add-jwt-auth is in discussion mode",
		},
		"allowed there":              {nothing, closed.in("/w"), in + `docs/x"}}`, ""},
		"allowed there, closed here": {closed.in("/b"), closed.in("/w"), in + `docs/x"}}`, ""},
		"allowed by who knows whom": {
			nothing,
			other{view: at("", ModeDiscussion, true, true)},
			in + `docs/x"}}`,
			"that is in /w",
		},
		"open there, closed here": {
			closed.in("/b"), guarding.in("/w"), in + `x"}}`,
			"Write is not allowed: add-jwt-auth is in discussion mode.",
		},
		"open here, closed there":   {open, closed.in("/w"), in + `x"}}`, "that is in /w"},
		"open here and there":       {open, guarding.in("/w"), in + `x"}}`, ""},
		"what keeps the gate there": {nothing, guarding.in("/w"), in + `.git/config"}}`, "is git's, which decides"},
		"the gate is off there":     {nothing, off.in("/w"), in + `.git/config"}}`, ""},
		"nothing there":             {nothing, nothing, in + `x"}}`, ""},
		"another work tree":         {open, same, in + `x"}}`, ""},
		"it can't be read there":    {nothing, broken, in + `x"}}`, "could not check this call"},
		"open here, broken there":   {open, broken, in + `x"}}`, "could not check this call"},
		"another tool, of that name": {
			nothing, closed.in("/w"),
			`{"hook_event_name":"PreToolUse","tool_name":"mcp__files__write_file","tool_input":{"path":"/w/docs/x"}}`,
			"that is in /w",
		},
		"a patch": {
			nothing, closed.in("/w"),
			`{"hook_event_name":"PreToolUse","tool_name":"apply_patch","tool_input":{"patch":"*** Update File: /w/x\n"}}`,
			"that is in /w",
		},
		"it only reads": {
			nothing, closed.in("/w"),
			`{"hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{"file_path":"/w/x"}}`, "",
		},
		"another event": {
			nothing, closed.in("/w"),
			`{"hook_event_name":"PostToolUse","tool_name":"Write","tool_input":{"file_path":"/w/x"}}`, "",
		},
		"allowed there, and one above": {
			nothing, closed.in("/w"),
			`{"hook_event_name":"PreToolUse","tool_name":"apply_patch","tool_input":{"patch":"*** Update File: /w/docs/x\n*** Update File: /b/x\n"}}`, "that is in /w",
		},
	} {
		f := fakeWith()
		f.other = map[string]other{"/b": c.here, "/w": c.there}
		f.gate.targets = allowedThere
		f.gate.tops = map[string][]string{}
		for _, path := range []string{"/w/x", "/w/docs/x", "/w/.git/config"} {
			f.gate.tops[path] = []string{"/w"}
		}
		out := away(t, f, "", c.payload)
		if c.want == "" && len(out.Stdout) > 0 || !strings.Contains(string(out.Stdout), c.want) {
			t.Errorf("%s: %s, want %q", name, out.Stdout, c.want)
		}
		if strings.Contains(string(out.Stdout), "that is in") && (len(f.records) != 1 || f.records[0].Decision != "deny") {
			t.Errorf("%s: recorded %+v", name, f.records)
		}
	}
}

// From another work tree of its repository, a session does not write around the gate
// of the one where it started.
func TestSpots_BW2_whereItStarted(t *testing.T) {
	f := fakeWith()
	f.other = map[string]other{"/a": closed, "/b": guarding}
	b := f.other["/b"]
	b.view.Top = "/b"
	f.other["/b"] = b
	f.gate.tops = map[string][]string{"/a": {"/a"}, "/a/x": {"/a"}}
	out := away(t, f, "/a", strings.ReplaceAll(writeCall, "/b/x", "/a/x"))
	if !strings.Contains(string(out.Stdout), "that is in /a, where add-jwt-auth is in discussion mode") {
		t.Errorf("%+v", out)
	}
	if out := away(t, f, "/a", writeCall); len(out.Stdout) > 0 {
		t.Errorf("%+v", out)
	}
}

// What can't be judged is asked about.
func TestGuard_undecided(t *testing.T) {
	for _, method := range []string{"Target", "Astray"} {
		f := fakeWith()
		f.fail = map[string]error{method: errFake}
		if out := away(t, f, "", writeCall); !strings.Contains(string(out.Stdout), `"ask"`) {
			t.Errorf("%s: %+v", method, out)
		}
	}
}
