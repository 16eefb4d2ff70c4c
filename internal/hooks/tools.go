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
	case "Bash", "PowerShell", "Monitor", "Shell", "shell", "local_shell", "exec_command", "run_shell_command":
		return shellTool
	case "Task", "Agent":
		return agentTool
	}
	words := nameWords(tool)
	mcp := strings.HasPrefix(tool, "mcp__")
	if mcp {
		_, name, _ := strings.Cut(strings.TrimPrefix(tool, "mcp__"), "__")
		words = nameWords(name)
	}
	switch {
	case len(words) == 0:
		return otherTool
	case !mcp && isWritingWord(words[0]): // apply_patch, write_file, … of other agents
		return writingTool
	case !mcp || slices.Contains(readingWords, words[0]):
		return otherTool
	case slices.Contains(changingWords, words[0]), slices.ContainsFunc(words, isWritingWord):
		return writingTool
	case slices.ContainsFunc(words, isRunningWord):
		return runningTool
	}
	return otherTool
}

// readingWords start the name of a tool that only reads.
var readingWords = []string{
	"get", "list", "read", "search", "find", "show", "fetch", "query", "describe", "view", "count",
	"check", "inspect", "lookup", "resolve", "browse", "diff", "status", "log",
}

// changingWords are verbs at the start of a name and may be nouns elsewhere.
var changingWords = []string{"update", "move", "commit", "push", "patch", "put", "set", "add", "merge", "post", "send", "publish"}

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
