package hooks

import "testing"

// TestPreTool_keysAreReadAsTheClientReadsThem: with their case, the last of several;
// and nothing passes unseen that another reader would find.
func TestPreTool_keysAreReadAsTheClientReadsThem(t *testing.T) {
	for payload, want := range map[string]string{
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"Command":"ls"}}`:                                               "ask",
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"touch f","Command":"ls"}}`:                           "deny",
		`{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"File_Path":"/home/dev/.claude/plans/a.md"}}`:                  "deny",
		`{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"/f","file_path":"/home/dev/.claude/plans/a.md"}}`: "ask",
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"touch f"},"tool_input":{"command":"ls"}}`:            "ask",
		`{"hook_event_name":"PreToolUse","tool_name":"Read","Tool_Name":"Write","tool_input":{"file_path":"/f"}}`:                         "ask",
	} {
		if got := gated(t, payload); got != want {
			t.Errorf("%s: %q, want %q", payload, got, want)
		}
	}
}
