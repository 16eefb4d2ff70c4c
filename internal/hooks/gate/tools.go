package gate

import (
	"slices"
	"strings"
	"unicode"

	"github.com/git-brew/git-brew/internal/hooks/protocol"
	"github.com/git-brew/git-brew/internal/invisible"
)

// Kind says what the gate does with a tool.
type Kind int

const (
	Other   Kind = iota // reading, talking, planning: no opinion
	Writing             // changes files or something outside
	Shell               // its "command" decides
	Running             // runs what can't be judged: the user is asked
	Agent               // starts a sub-agent
)

// runs reports whether what a tool of this kind runs is looked at.
func (k Kind) runs() bool { return k == Shell || k == Running }

// knownTools are tools that are told by their very name.
var knownTools = []struct {
	kind  Kind
	names string
}{
	// Claude Code's that read, talk or plan, and what others plan and start agents with.
	{Other, "Read Glob Grep LS LSP NotebookRead WebFetch WebSearch BashOutput KillBash KillShell AgentOutputTool " +
		"TodoRead TodoWrite TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate ToolSearch Skill SlashCommand " +
		"AskUserQuestion EnterPlanMode ExitPlanMode ListMcpResources ListMcpResourcesTool ReadMcpResource " +
		"ReadMcpResourceTool ListAgents ReportFindings ScheduleWakeup SendMessage StructuredOutput Workflow " +
		"CronDelete CronList runSubagent spawn_agent todo_list todo_write todoread todowrite update_plan " +
		"update_todo_list write_todos"},
	{Agent, "Agent Task"},
	{Writing, "Edit MultiEdit NotebookEdit Write fs_write multiedit patch search_and_replace search_replace " +
		"str_replace str_replace_based_edit_tool str_replace_editor"},
	// Their commands are for a shell that shellgate answers for, but PowerShell's.
	{Shell, "Bash Monitor PowerShell Shell bash container.exec exec_command execute_bash execute_command " +
		"local_shell runCommand runCommands runInTerminal run_command run_in_terminal run_shell_command " +
		"run_terminal_cmd run_terminal_command shell shell_command terminal unified_exec"},
	{Running, "REPL js_repl write_stdin EnterWorktree ExitWorktree RemoteTrigger computer"},
}

// knownTool finds a tool that is told by its name.
func knownTool(name string) (Kind, bool) {
	for _, row := range knownTools {
		if among(row.names, name) {
			return row.kind, true
		}
	}
	return Other, false
}

// KindOf says what kind of tool is called: by its very name, else by the words of
// it, else by what its input holds. A false alarm costs a question, a miss lets a
// change through that the user did not agree to.
func KindOf(p protocol.Payload) Kind {
	if p.ToolName == "" {
		return Other
	}
	if kind, known := knownTool(p.ToolName); known {
		if strings.HasPrefix(p.ToolName, "str_replace_") && protocol.Object(p.ToolInput).Text("command") == "view" {
			return Other
		}
		return kind
	}
	words, mcp := toolWords(p.ToolName)
	if mcp {
		if kind, says := byWords(words); says {
			return kind
		}
	} else if len(words) > 0 && isWritingWord(words[0]) { // apply_patch, write_file, … of other clients
		return Writing
	}
	in, reads := readInput(p), saysReading(words)
	switch {
	case in.path && in.content && (!reads || !slices.Contains(readingWords, words[0])):
		return Writing
	case in.runs():
		return Shell
	case !reads && (in.code || in.path || saysRunning(words)):
		return Running
	}
	return Other
}

// toolWords are the words of a tool's name without its server's, and whether it is
// of a server: mcp__server__tool, and mcp_… or MCP:… with other clients.
func toolWords(tool string) (words []string, mcp bool) {
	if rest, found := strings.CutPrefix(tool, "mcp__"); found {
		server, name, _ := strings.Cut(rest, "__")
		return withoutServer(Words(name), Words(server)), true
	}
	words = Words(tool)
	if len(words) > 1 && words[0] == "mcp" {
		return words[1:], true
	}
	return words, false
}

// byWords judges a server's tool by the words of its name, where they say
// something; what starts with a reading word ("get_created_items") is reading.
func byWords(words []string) (kind Kind, says bool) {
	switch {
	case len(words) == 0:
		return Other, false
	case slices.Contains(readingWords, words[0]):
		return Other, true
	case slices.ContainsFunc(words, isWritingWord):
		return Writing, true
	case slices.ContainsFunc(words, isRunningWord):
		return Running, true
	case words[0] == "post" && words[len(words)-1] == "search": // asked for by HTTP's POST
		return Other, true
	case slices.Contains(changingWords, words[0]):
		return Writing, true
	case words[len(words)-1] == "search":
		return Other, true
	case slices.Contains(startingWords, words[0]):
		return Running, true
	}
	return Other, false
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

// among reports whether a list of words with blanks between holds word.
func among(list, word string) bool {
	for one := range strings.FieldsSeq(list) {
		if one == word {
			return true
		}
	}
	return false
}

// Words splits a name at everything but letters and digits, and where a capital follows
// a small letter.
func Words(name string) []string {
	var b strings.Builder
	previous := ' '
	for _, r := range invisible.CutBytes(name, 256) {
		if unicode.IsUpper(r) && unicode.IsLower(previous) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
		previous = r
	}
	return strings.FieldsFunc(b.String(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
