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

// knownTools are the tools of Claude Code, which are told by their very name.
var knownTools = []struct {
	kind  Kind
	names string
}{
	{Other, "Read Glob Grep LS LSP NotebookRead WebFetch WebSearch BashOutput KillBash KillShell AgentOutputTool " +
		"TodoRead TodoWrite TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate ToolSearch Skill SlashCommand " +
		"AskUserQuestion EnterPlanMode ExitPlanMode ListMcpResources ListMcpResourcesTool ReadMcpResource " +
		"ReadMcpResourceTool ListAgents ReportFindings ScheduleWakeup SendMessage StructuredOutput Workflow " +
		// Gemini CLI's; it does not say whether the user agreed.
		"CronDelete CronList exit_plan_mode"},
	{Agent, "Agent Task"},
	{Writing, "Edit MultiEdit NotebookEdit Write"},
	// Their commands are for a shell that shellgate answers for, but PowerShell's.
	{Shell, "Bash Monitor PowerShell"},
	{Running, "REPL EnterWorktree ExitWorktree RemoteTrigger"},
}

// Words in the names of tools.
const (
	// At the start of the name of a tool that only reads; anywhere in that of one that
	// looks at what it is given.
	readingWords = "get list read search find show fetch query describe view count check inspect lookup resolve browse " +
		"diff status log"
	lookingWords = readingWords + " grep glob ls cat tree stat info outline symbols references definition hover usages " +
		"preview explore locate exists"
	// Anywhere in the name of one that writes, or runs something.
	writingWords = "write edit create delete apply insert replace append overwrite remove rename modify mkdir upload save"
	runningWords = "exec execute shell bash terminal command evaluate repl python ipython jupyter"
	// Verbs at the start of a name, which may be nouns elsewhere.
	changingWords = "update move commit push patch put set add merge post send publish deploy fork assign submit " +
		"restart kill terminate reset checkout rebase revert stash install uninstall enable disable close reopen " +
		"archive restore transfer cancel dispatch manage mark dismiss scale drop truncate import copy promote rollback tag"
	startingWords = "run start invoke eval evaluate interact trigger spawn launch"
)

func knownTool(name string) (Kind, bool) {
	for _, row := range knownTools {
		if among(row.names, name) {
			return row.kind, true
		}
	}
	return Other, false
}

// nameRules judge a server's tool by the words of its name: the first that fits, which
// may ask for the first word or the last alone. What starts with a reading word
// ("get_created_items") is reading, unless another says that it writes ("get_and_delete"),
// or its input holds a command.
var nameRules = [...]struct {
	kind  Kind
	at    string
	words string
}{
	{Writing, "any", writingWords},
	{Other, "first", readingWords},
	{Running, "any", runningWords},
	{Writing, "first", changingWords},
	{Other, "last", "search"},
	{Running, "first", startingWords},
}

// KindOf says what kind of tool is called: by its very name, else by the words of
// it, else by what its input holds. A false alarm costs a question, a miss lets a
// change through that the user did not agree to.
func KindOf(p protocol.Payload) Kind {
	if kind, known := knownTool(p.ToolName); known || p.ToolName == "" {
		return kind
	}
	words, ofServer := toolWords(p.ToolName)
	first, last := "", ""
	if len(words) > 0 {
		first, last = words[0], words[len(words)-1]
	}
	if !ofServer && among(writingWords, first) { // apply_patch, write_file, … of other clients
		return Writing
	}
	if first == "post" && last == "search" { // asked for by HTTP's POST
		first = ""
	}
	for _, rule := range nameRules {
		looked := map[string][]string{"first": {first}, "last": {last}, "any": words}[rule.at]
		switch {
		case !ofServer || !anyOf(looked, rule.words):
		case rule.kind == Other && readInput(p).orders:
			return Shell
		default:
			return rule.kind
		}
	}
	in, reads := readInput(p), anyOf(words, lookingWords) && !anyOf(words, writingWords)
	switch {
	case in.path && in.content && (!reads || !among(readingWords, first)):
		return Writing
	case in.runs():
		return Shell
	case !reads && (in.code || in.path || among(startingWords, first) || anyOf(words, runningWords)):
		return Running
	}
	return Other
}

// toolWords are the words of a tool's name without its server's, and whether it is of a
// server: mcp__server__tool, and mcp_… or MCP:… with other clients. Servers put words in
// front of each of their tools ("slack_post_message", "API-patch-page"); one that says
// what the tool changes or runs stays, whosever name it is in too.
func toolWords(tool string) (words []string, ofServer bool) {
	rest, found := strings.CutPrefix(tool, "mcp__")
	if !found {
		words = Words(tool)
		if len(words) > 1 && words[0] == "mcp" {
			return words[1:], true
		}
		return words, false
	}
	server, name, _ := strings.Cut(rest, "__")
	words = Words(name)
	for len(words) > 1 && (words[0] == "api" || slices.Contains(Words(server), words[0]) &&
		!among(writingWords+" "+runningWords+" "+changingWords+" "+startingWords, words[0])) {
		words = words[1:]
	}
	return words, true
}

func anyOf(words []string, list string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return among(list, w) })
}

// among reports whether a list of words with blanks between holds word.
func among(list, word string) bool { return slices.Contains(strings.Fields(list), word) }

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
