package hooks

import "strings"

// agentMarks are the variables that agents set in the shells that they run
// commands in: Claude Code, then those that say so to anybody (AI_AGENT), Cursor,
// Gemini, Codex. What only tells that a terminal belongs to an editor with an
// agent in it, such as CLAUDE_CODE_SSE_PORT or CURSOR_TRACE_ID, is none: people
// type there.
const agentMarks = "CLAUDECODE CLAUDE_CODE_SESSION_ID AI_AGENT CURSOR_AGENT GEMINI_CLI CODEX_SANDBOX CODEX_THREAD_ID"

// InAgentsShell reports whether the environment is that of a shell in which an
// agent runs its commands. A hook's is, too, though it also speaks for the user.
func InAgentsShell(getenv func(string) string) bool { return AgentMark(getenv) != "" }

// AgentMark names the variable that says so; "" where none does.
func AgentMark(getenv func(string) string) string {
	for name := range strings.FieldsSeq(agentMarks) {
		if switchedOn(getenv(name)) {
			return name
		}
	}
	return ""
}
