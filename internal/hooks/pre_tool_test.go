package hooks

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/hooks/claude"
)

// gated answers one call of a tool while changes wait for the user.
func gated(t *testing.T, payload string) string {
	t.Helper()
	return permitted(t, fakeWith(discussing), payload)
}

// permitted is the permission that a call of a tool gets.
func permitted(t *testing.T, f *fakeBrew, payload string) string {
	t.Helper()
	return permittedWith(t, f, payload, map[string]string{"HOME": "/home/dev"})
}

// permittedWith is permitted in an environment.
func permittedWith(t *testing.T, f *fakeBrew, payload string, environ map[string]string) string {
	t.Helper()
	out := Handle(t.Context(), f, Input{
		Stdin:  strings.NewReader(payload),
		Getenv: func(name string) string { return environ[name] },
		Now:    func() time.Time { return testNow },
	})
	if len(out.Stdout) == 0 {
		return ""
	}
	return specificOf(t, out).Permission
}

func TestPreTool_clientsPlansAreWritten(t *testing.T) {
	const plans = "/home/dev/.claude/plans/"
	for path, want := range map[string]string{
		plans + "calm-tea.md":          "",
		plans + "sub/calm-tea.md":      "deny",
		plans + "../settings.md":       "deny",
		plans + "../plans/calm-tea.md": "deny",
		plans + "run.sh":               "deny",
		plans + ".md/x":                "deny",
		".claude/plans/calm-tea.md":    "deny",
		"/home/dev/.claude/calm.md":    "deny",
		"/srv/.claude/plans/calm.md":   "deny",
	} {
		for _, tool := range []string{"Write", "Edit"} {
			for _, mode := range []string{"plan", "default"} {
				payload := fmt.Sprintf(`{"hook_event_name":"PreToolUse","tool_name":%q,"permission_mode":%q,"tool_input":{"file_path":%q}}`, tool, mode, path)
				if got := gated(t, payload); got != want {
					t.Errorf("%s %s in %s mode: %q, want %q", tool, path, mode, got, want)
				}
			}
		}
	}
}

// Where the client's directory is another one, its plans are there.
func TestPreTool_plansWhereTheClientHasThem(t *testing.T) {
	for path, want := range map[string]string{
		"/srv/claude/plans/calm.md":       "",
		"/srv/claude/settings.md":         "deny",
		"/home/dev/.claude/plans/calm.md": "deny",
	} {
		payload := fmt.Sprintf(`{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":%q}}`, path)
		if got := permittedWith(t, fakeWith(discussing), payload,
			map[string]string{"HOME": "/home/dev", "CLAUDE_CONFIG_DIR": "/srv/claude"}); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	for value, want := range map[string]string{"": "/home/dev/.claude", "/srv/claude": "/srv/claude", "srv": ""} {
		getenv := func(name string) string {
			return map[string]string{"HOME": "/home/dev", "CLAUDE_CONFIG_DIR": value}[name]
		}
		if got := claude.Dir(getenv); got != want {
			t.Errorf("CLAUDE_CONFIG_DIR=%s: %q, want %q", value, got, want)
		}
	}
}

func TestPreTool_namelessToolIsAsked(t *testing.T) {
	for _, member := range []string{
		`"tool_name":5,`, `"tool_name":null,`, `"tool_name":"",`, `"tool_name":"\u0007",`,
		``,
	} {
		if got := gated(t, `{"hook_event_name":"PreToolUse",`+member+`"tool_input":{"file_path":"/x"}}`); got != "ask" {
			t.Errorf("%s: %q, want ask", member, got)
		}
	}
}
