package hooks

import (
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/hooks/protocol"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// InCI reports whether a machine runs the agent: the environment variable CI says
// so, as all of them set it. Nobody is there to talk to or to ask, so hooks step
// aside (BW-50).
func InCI(getenv func(string) string) bool { return switchedOn(getenv("CI")) }

// switchedOn reports whether the value of a switch in the environment turns it on.
func switchedOn(value string) bool {
	switch strings.ToLower(value) {
	case "", "0", "false", "no", "off":
		return false
	}
	return true
}

// Bypassed reports whether the environment of the agent's client says that agents
// are kept from nothing.
func Bypassed(getenv func(string) string) bool { return switchedOn(getenv("GIT_BREW_BYPASS")) }

// agentMarks are the variables that agents set in the shells that they run
// commands in: Claude Code, Cursor, Qwen, Gemini, Codex, Copilot, opencode, then those that
// say so to anybody (AI_AGENT). What only tells that a terminal belongs to an editor with an
// agent in it, such as CLAUDE_CODE_SSE_PORT or CURSOR_TRACE_ID, is none: people
// type there.
const agentMarks = "CLAUDECODE CLAUDE_CODE_SESSION_ID CURSOR_AGENT CURSOR_CONVERSATION_ID " +
	"QWEN_CODE QWEN_CODE_SESSION_ID GEMINI_CLI CODEX_SANDBOX CODEX_THREAD_ID " +
	"COPILOT_AGENT_SESSION_ID COPILOT_CLI COPILOT_AGENT OPENCODE AI_AGENT"

// sessionMarks are those of them that name the session, as the client's hooks do.
const sessionMarks = "CLAUDE_CODE_SESSION_ID CODEX_THREAD_ID COPILOT_AGENT_SESSION_ID QWEN_CODE_SESSION_ID " +
	"CURSOR_CONVERSATION_ID"

// ShellSession is the session of which an agent's shell is, as its environment says; "" for
// a shell that names none.
func ShellSession(getenv func(string) string) string {
	for name := range strings.FieldsSeq(sessionMarks) {
		if id := task.SessionName(getenv(name)); id != "" {
			return id
		}
	}
	return ""
}

// AgentMark names the variable that says that the environment is that of a shell in which
// an agent runs its commands; "" where none does. A hook's is, too, though it also speaks
// for the user.
func AgentMark(getenv func(string) string) string {
	for name := range strings.FieldsSeq(agentMarks) {
		if switchedOn(getenv(name)) {
			return name
		}
	}
	return ""
}

// ShellClient is the agents' program of which a shell is, as 'git brew hook --agent' names
// it; "" where its environment names none. opencode's plugin tells its session as Claude
// Code does.
func ShellClient(getenv func(string) string) string {
	first, _, _ := strings.Cut(strings.ToLower(AgentMark(getenv)), "_")
	switch {
	case first == "claude" && getenv("OPENCODE") != "":
		return "opencode"
	case first == "claude", first == "claudecode":
		return "claude-code"
	case first == "ai":
		return saidToBe(getenv("AI_AGENT"))
	}
	return first
}

// saidToBe is the agents' program that AI_AGENT names, with a version or not;
// lease.OtherClient for one that nobody knows, "" for a run's worker, which the run's own rules hold.
func saidToBe(value string) string {
	value = strings.ToLower(value)
	for name := range strings.FieldsSeq("claude-code claude codex copilot cursor gemini opencode qwen") {
		switch {
		case !strings.Contains(value, name):
		case name == "claude":
			return "claude-code"
		default:
			return name
		}
	}
	if value == "git-brew-run" {
		return ""
	}
	return lease.OtherClient
}

// agentClients are the programs that run agents, by the names that their processes
// have. An agent's shell that becomes its last command leaves no process with a
// mark: then the client is the next one above.
const agentClients = "claude codex copilot opencode"

// Process is a process as the system's table has it.
type Process struct {
	Parent int
	Name   string
	// Environ is what it was started with; nil where that can't be read.
	Environ []string
}

const maxAbove = 32

// AgentAbove says by which process an agent started the one whose parent is pid, and
// what tells so: its environment or its name. It is "" where none does. Lookup reads
// the system's table; false: there is no such process, or it is not to be seen.
func AgentAbove(pid int, lookup func(pid int) (Process, bool)) string {
	for range maxAbove {
		if pid <= 0 {
			return ""
		}
		p, found := lookup(pid)
		if !found {
			return ""
		}
		who := "process " + strconv.Itoa(pid) + " (" + protocol.Clean(p.Name, 30) + "), above this one,"
		mark := AgentMark(func(name string) string { return variable(p.Environ, name) })
		switch {
		case mark != "":
			return mark + " of " + who
		case slices.Contains(strings.Fields(agentClients), p.Name):
			return who
		}
		pid = p.Parent
	}
	return ""
}

func variable(environ []string, name string) string {
	for _, v := range environ {
		if value, found := strings.CutPrefix(v, name+"="); found {
			return value
		}
	}
	return ""
}
