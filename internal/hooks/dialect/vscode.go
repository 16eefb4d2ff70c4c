package dialect

import (
	"github.com/git-brew/git-brew/internal/hooks/claude"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
)

// vscode is VS Code's own agent, which reads Claude Code's files and Copilot CLI's: it
// names some fields otherwise, and takes the reason to go on inside hookSpecificOutput. A
// prompt's answer has no place for context. Its compaction ends without an event.
type vscode struct{ goesOn }

func (vscode) words() vocabulary {
	return vocabulary{
		events: "PreCompact preCompact",
		fields: "hookEventName hook_event_name sessionId session_id",
		tools: "editFiles Edit create_file Write replace_string_in_file Edit multi_replace_string_in_file Edit " +
			"insert_edit_into_file Edit apply_patch Edit read_file Read list_dir LS file_search Glob grep_search Grep " +
			"semantic_search Grep manage_todo_list TodoRead memory TodoRead terminal_last_command BashOutput " +
			"vscode_renameSymbol Edit runSubagent Agent",
		agent: "agentName subagent_type",
	}
}

// Decode reads a payload.
func (d vscode) Decode(data []byte) (protocol.Payload, error) {
	p, err := d.words().decode(data)
	if p.Event == "SessionStart" && p.Source == "new" {
		p.Source = "startup"
	}
	return p, err
}

type vscodeStop struct {
	Specific vscodeDecision `json:"hookSpecificOutput"`
}

type vscodeDecision struct {
	Event    string `json:"hookEventName"`
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
}

// Encode writes an answer.
func (d vscode) Encode(event string, r protocol.Reply) ([]byte, error) {
	if event == "UserPromptSubmit" {
		r.Context = ""
	}
	if r.Block != "" {
		return claude.Fit(r, func(r protocol.Reply) ([]byte, error) {
			return claude.Line(vscodeStop{vscodeDecision{event, "block", r.Block}})
		})
	}
	r.Title, r.Plain, r.Input = "", "", d.words().input(r.Input)
	return claude.Encode(event, r)
}
