package hooks

import (
	"strings"
	"testing"
)

// Which session and which client's a shell is, as the clients' own variables say.
func TestShellClient_BC55(t *testing.T) {
	for environ, want := range map[string]string{
		"CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=s1": "claude-code s1",
		"CLAUDE_CODE_SESSION_ID=s1 OPENCODE=1":   "opencode s1",
		"CODEX_SANDBOX=seatbelt":                 "codex ",
		"CODEX_THREAD_ID=s1":                     "codex s1",
		"COPILOT_CLI=1":                          "copilot ",
		"CURSOR_AGENT=1":                         "cursor ",
		"CURSOR_CONVERSATION_ID=s1":              "cursor s1",
		"GEMINI_CLI=1 AI_AGENT=x":                "gemini ",
		"GEMINI_CLI=1 QWEN_CODE=1":               "qwen ", // which began as a copy
		"QWEN_CODE=1 QWEN_CODE_SESSION_ID=s1":    "qwen s1",
		"AI_AGENT=x":                             "other ",
		"AI_AGENT=gemini-cli":                    "gemini ",
		"AI_AGENT=Claude_Code/2.1":               "claude-code ",
		"AI_AGENT=opencode":                      "opencode ",
		"AI_AGENT=git-brew-run":                  " ",
		"COPILOT_AGENT=1 AI_AGENT=vs":            "copilot ", // VS Code's, which set it before AI_AGENT
		"OPENCODE=1 TERM=dumb":                   "opencode ",
	} {
		getenv := func(name string) string { return variable(strings.Fields(environ), name) }
		if got := ShellClient(getenv) + " " + ShellSession(getenv); got != want {
			t.Errorf("%s: %q, want %q", environ, got, want)
		}
	}
}

// TestAgentAbove_BW8: who started a process is an agent where one above it is.
func TestAgentAbove_BW8(t *testing.T) {
	marked := []string{"PATH=/bin", "CLAUDECODE=1"}
	for name, c := range map[string]struct {
		table map[int]Process
		want  string
	}{
		"a person's shell": {map[int]Process{
			9: {5, "bash", []string{"A=1"}}, 5: {1, "sshd", nil}, 1: {0, "systemd", nil},
		}, ""},
		"the shell": {map[int]Process{9: {5, "bash", marked}}, "CLAUDECODE of process 9 (bash), above this one,"},
		"above a script": {map[int]Process{
			9: {8, "env", []string{}}, 8: {7, "make", nil}, 7: {1, "zsh", []string{"AI_AGENT=frob"}}, 1: {0, "init", nil},
		}, "AI_AGENT of process 7 (zsh), above this one,"},
		"a shell that became its command": {
			map[int]Process{9: {1, "claude", []string{"A=1"}}},
			"process 9 (claude), above this one,",
		},
		"opencode":       {map[int]Process{9: {1, "opencode", nil}}, "process 9 (opencode), above this one,"},
		"switched off":   {map[int]Process{9: {1, "bash", []string{"CLAUDECODE=0", "CLAUDECODEX=1", "XCLAUDECODE=1"}}}, ""},
		"called like it": {map[int]Process{9: {1, "claude-tail", nil}}, ""},
		"a hostile name": {map[int]Process{9: {1, "a\x1b[2J\nb", marked}}, "CLAUDECODE of process 9 (a b), above this one,"},
		"gone":           {nil, ""},
		"a circle":       {map[int]Process{9: {8, "a", nil}, 8: {9, "b", nil}}, ""},
	} {
		lookup := func(pid int) (Process, bool) { p, found := c.table[pid]; return p, found }
		if got := AgentAbove(9, lookup); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	asked := 0
	AgentAbove(1000, func(pid int) (Process, bool) { asked++; return Process{Parent: pid - 1}, true })
	if asked != maxAbove {
		t.Errorf("%d processes", asked)
	}
}
