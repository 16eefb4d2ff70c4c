package hooks

import (
	"slices"
	"strings"
	"unicode"
)

// toolKind says what the gate does with a tool.
type toolKind int

const (
	otherTool   toolKind = iota // reading, talking, planning: no opinion
	writingTool                 // changes files or something outside
	shellTool                   // its "command" decides
	runningTool                 // runs what can't be judged: the user is asked
	agentTool                   // starts a sub-agent
)

// classify decides by name. The client's own tools are listed; those of other
// agents start with what they do. Tools of MCP servers are judged by the words of their name: a false alarm costs a
// question, a miss lets a change through that the user did not agree to; but
// what starts with a reading word ("get_created_items") is reading.
func classify(tool string) toolKind {
	switch tool {
	case "Edit", "Write", "MultiEdit", "NotebookEdit":
		return writingTool
	case "Bash", "PowerShell", "Monitor", "Shell", "shell", "local_shell", "exec_command", "run_shell_command",
		"bash", "terminal", "execute_bash", "execute_command", "run_command", "run_terminal_cmd", "run_terminal_command", "run_in_terminal":
		return shellTool
	case "replace", "multiedit", "search_replace", "search_and_replace", "str_replace_editor", "str_replace_based_edit_tool":
		return writingTool
	case "Task", "Agent":
		return agentTool
	}
	words := nameWords(tool)
	mcp := strings.HasPrefix(tool, "mcp__")
	if mcp {
		server, name, _ := strings.Cut(strings.TrimPrefix(tool, "mcp__"), "__")
		words = withoutServer(nameWords(name), nameWords(server))
	}
	switch {
	case len(words) == 0:
		return otherTool
	case !mcp && isWritingWord(words[0]): // apply_patch, write_file, … of other agents
		return writingTool
	case !mcp || slices.Contains(readingWords, words[0]):
		return otherTool
	case slices.ContainsFunc(words, isWritingWord):
		return writingTool
	case slices.ContainsFunc(words, isRunningWord):
		return runningTool
	case words[0] == "post" && words[len(words)-1] == "search": // asked for by HTTP's POST
		return otherTool
	case slices.Contains(changingWords, words[0]):
		return writingTool
	case words[len(words)-1] == "search":
		return otherTool
	case slices.Contains(startingWords, words[0]):
		return runningTool
	}
	return otherTool
}

// withoutServer takes off what servers put in front of each of their tools: a
// word of their own name ("slack_post_message"), "API". A verb that says what the
// tool changes or runs stays, whosever name it is in too.
func withoutServer(words, server []string) []string {
	for len(words) > 1 && (slices.Contains(server, words[0]) && !isChange(words[0]) || words[0] == "api") {
		words = words[1:]
	}
	return words
}

func isChange(w string) bool {
	return isWritingWord(w) || isRunningWord(w) || slices.Contains(changingWords, w) || slices.Contains(startingWords, w)
}

// readingWords start the name of a tool that only reads.
var readingWords = []string{
	"get", "list", "read", "search", "find", "show", "fetch", "query", "describe", "view", "count",
	"check", "inspect", "lookup", "resolve", "browse", "diff", "status", "log",
}

// changingWords are verbs at the start of a name and may be nouns elsewhere.
var changingWords = []string{
	"update", "move", "commit", "push", "patch", "put", "set", "add", "merge", "post", "send", "publish",
	"deploy", "fork", "assign", "submit", "restart", "kill", "terminate", "reset", "checkout", "rebase", "revert", "stash",
	"install", "uninstall", "enable", "disable", "close", "reopen", "archive", "restore", "transfer", "cancel", "dispatch",
	"manage", "mark", "dismiss", "scale", "drop", "truncate", "import", "copy", "promote", "rollback", "tag",
}

// startingWords are verbs of tools that run something.
var startingWords = []string{"run", "start", "invoke", "eval", "evaluate", "interact", "trigger", "spawn", "launch"}

func isWritingWord(w string) bool {
	switch w {
	case "write", "edit", "create", "delete", "apply", "insert", "replace", "append", "overwrite",
		"remove", "rename", "modify", "mkdir", "upload", "save":
		return true
	}
	return false
}

func isRunningWord(w string) bool {
	switch w {
	case "exec", "execute", "shell", "bash", "terminal", "command":
		return true
	}
	return false
}

// nameWords splits a tool's name at everything but letters and digits, and
// where a capital follows a small letter.
func nameWords(name string) []string {
	var b strings.Builder
	previous := ' '
	for _, r := range cut(name, 256) {
		if unicode.IsUpper(r) && unicode.IsLower(previous) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
		previous = r
	}
	return strings.FieldsFunc(b.String(), func(r rune) bool { return !wordRune(r) })
}
