package hooks

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/hooks/place"
)

// TestHandle_BW36_toldOnce: what no hook can do here is said where a session
// starts, and blocks nobody.
func TestHandle_BW36_toldOnce(t *testing.T) {
	old := fmt.Errorf("%w: git 2.11 is too old", place.ErrUnable)
	for name, f := range map[string]func() *fakeBrew{
		"the state can't be read": func() *fakeBrew {
			f := fakeWith(discussing)
			f.lookErr = old
			return f
		},
		"nothing can be recorded": func() *fakeBrew {
			f := fakeWith()
			f.fail = map[string]error{"Record": old}
			return f
		},
	} {
		for payload, told := range map[string]bool{
			`{"session_id":"s","hook_event_name":"SessionStart","source":"startup"}`:              true,
			`{"hook_event_name":"PreToolUse","tool_name":"Write"}`:                                false,
			`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"make"}}`: false,
			`{"hook_event_name":"PreToolUse"}`:                                                    false,
			`{"hook_event_name":"Notification"}`:                                                  false,
			`{"hook_event_name":"SomethingNew"}`:                                                  false,
			`{"hook_event_name":"PreToolUse",`:                                                    false,
		} {
			out := replay(t, f(), payload)
			if strings.Contains(string(out.Stdout), "permissionDecision") {
				t.Errorf("%s: %s answers %s", name, payload, out.Stdout)
			}
			if malformed := !strings.HasSuffix(payload, "}"); malformed && name == "nothing can be recorded" {
				continue
			}
			if got := strings.Contains(out.Stderr, "git 2.11 is too old"); got != told || !told && out.Exit != 0 {
				t.Errorf("%s: %s: exit %d, %q", name, payload, out.Exit, out.Stderr)
			}
		}
	}
	// What stands is decided all the same.
	f := fakeWith(discussing)
	f.fail = map[string]error{"Record": old}
	if out := replay(t, f, `{"hook_event_name":"PreToolUse","tool_name":"Write"}`); !strings.Contains(string(out.Stdout),
		`"deny"`) || out.Stderr != "" {
		t.Errorf("%+v", out)
	}
}
