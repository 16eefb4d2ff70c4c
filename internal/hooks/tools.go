package hooks

import (
	"slices"
	"strings"
	"unicode"

	"github.com/git-brew/git-brew/internal/hooks/prompt"
	"github.com/git-brew/git-brew/internal/invisible"
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

// runs reports whether what a tool of this kind runs is looked at.
func (k toolKind) runs() bool { return k == shellTool || k == runningTool }

// knownTools are tools that are told by their very name.
var knownTools = []struct {
	kind  toolKind
	names string
}{
	// Claude Code's that read, talk or plan, and what others plan and start agents with.
	{otherTool, "Read Glob Grep LS LSP NotebookRead WebFetch WebSearch BashOutput KillBash KillShell AgentOutputTool " +
		"TodoRead TodoWrite TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate ToolSearch Skill SlashCommand " +
		"AskUserQuestion EnterPlanMode ExitPlanMode ListMcpResources ListMcpResourcesTool ReadMcpResource " +
		"ReadMcpResourceTool ListAgents ReportFindings ScheduleWakeup SendMessage StructuredOutput Workflow " +
		"CronDelete CronList runSubagent spawn_agent todo_list todo_write todoread todowrite update_plan " +
		"update_todo_list write_todos"},
	{agentTool, "Agent Task"},
	{writingTool, "Edit MultiEdit NotebookEdit Write fs_write multiedit patch search_and_replace search_replace " +
		"str_replace str_replace_based_edit_tool str_replace_editor"},
	// Their commands are for a shell that shellgate answers for, but PowerShell's.
	{shellTool, "Bash Monitor PowerShell Shell bash container.exec exec_command execute_bash execute_command " +
		"local_shell runCommand runCommands runInTerminal run_command run_in_terminal run_shell_command " +
		"run_terminal_cmd run_terminal_command shell shell_command terminal unified_exec"},
	{runningTool, "REPL js_repl write_stdin EnterWorktree ExitWorktree RemoteTrigger computer"},
}

// knownTool finds a tool that is told by its name.
func knownTool(name string) (toolKind, bool) {
	for _, row := range knownTools {
		if among(row.names, name) {
			return row.kind, true
		}
	}
	return otherTool, false
}

// classify says what kind of tool is called: by its very name, else by the words of
// it, else by what its input holds. A false alarm costs a question, a miss lets a
// change through that the user did not agree to.
func classify(p Payload) toolKind {
	if p.ToolName == "" {
		return otherTool
	}
	if kind, known := knownTool(p.ToolName); known {
		if strings.HasPrefix(p.ToolName, "str_replace_") && object(p.ToolInput).text("command") == "view" {
			return otherTool
		}
		return kind
	}
	words, mcp := toolWords(p.ToolName)
	if mcp {
		if kind, says := byWords(words); says {
			return kind
		}
	} else if len(words) > 0 && isWritingWord(words[0]) { // apply_patch, write_file, … of other clients
		return writingTool
	}
	in, reads := readInput(p), saysReading(words)
	switch {
	case in.path && in.content && (!reads || !slices.Contains(readingWords, words[0])):
		return writingTool
	case in.runs():
		return shellTool
	case !reads && (in.code || in.path || saysRunning(words)):
		return runningTool
	}
	return otherTool
}

// toolWords are the words of a tool's name without its server's, and whether it is
// of a server: mcp__server__tool, and mcp_… or MCP:… with other clients.
func toolWords(tool string) (words []string, mcp bool) {
	if rest, found := strings.CutPrefix(tool, "mcp__"); found {
		server, name, _ := strings.Cut(rest, "__")
		return withoutServer(nameWords(name), nameWords(server)), true
	}
	words = nameWords(tool)
	if len(words) > 1 && words[0] == "mcp" {
		return words[1:], true
	}
	return words, false
}

// byWords judges a server's tool by the words of its name, where they say
// something; what starts with a reading word ("get_created_items") is reading.
func byWords(words []string) (kind toolKind, says bool) {
	switch {
	case len(words) == 0:
		return otherTool, false
	case slices.Contains(readingWords, words[0]):
		return otherTool, true
	case slices.ContainsFunc(words, isWritingWord):
		return writingTool, true
	case slices.ContainsFunc(words, isRunningWord):
		return runningTool, true
	case words[0] == "post" && words[len(words)-1] == "search": // asked for by HTTP's POST
		return otherTool, true
	case slices.Contains(changingWords, words[0]):
		return writingTool, true
	case words[len(words)-1] == "search":
		return otherTool, true
	case slices.Contains(startingWords, words[0]):
		return runningTool, true
	}
	return otherTool, false
}

// saysReading reports whether a name says that its tool reads, whatever path it is
// given.
func saysReading(words []string) bool {
	return !slices.ContainsFunc(words, isWritingWord) && slices.ContainsFunc(words, func(w string) bool {
		return slices.Contains(readingWords, w) || among(lookingWords, w)
	})
}

func saysRunning(words []string) bool {
	return len(words) > 0 && (slices.Contains(startingWords, words[0]) || slices.ContainsFunc(words, isRunningWord))
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

// lookingWords say, anywhere in a name, that its tool looks at what it is given.
const lookingWords = "grep glob ls cat tree stat info outline symbols references definition hover usages preview " +
	"explore locate exists"

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
	case "exec", "execute", "shell", "bash", "terminal", "command", "evaluate", "repl", "python", "ipython", "jupyter":
		return true
	}
	return false
}

// nameWords splits a tool's name at everything but letters and digits, and
// where a capital follows a small letter.
func nameWords(name string) []string {
	var b strings.Builder
	previous := ' '
	for _, r := range invisible.CutBytes(name, 256) {
		if unicode.IsUpper(r) && unicode.IsLower(previous) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
		previous = r
	}
	return strings.FieldsFunc(b.String(), func(r rune) bool { return !prompt.WordRune(r) })
}
