package dialect

import (
	"encoding/json"

	"github.com/git-brew/git-brew/internal/hooks/claude"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
)

// copilot is Copilot CLI, for hooks whose events are named as Claude Code's: those get
// fields of its form, too, and its tools' names. Any exit status but 0 refuses a call. Its
// compaction ends without an event, so that a task that is paused for it would stay so:
// PreCompact is recorded and no more.
type copilot struct{ goesOn }

func (copilot) words() vocabulary {
	return vocabulary{
		events: "PreCompact preCompact",
		// Those of Notification and SubagentStart have the other form, whatever the event is called.
		fields: "sessionId session_id transcriptPath transcript_path agentName agent_type agentId agent_id " +
			"tool_result tool_response stop_reason reason toolName tool_name toolArgs tool_input",
		tools: "bash Bash powershell PowerShell create Write edit Edit apply_patch Edit " +
			"view Read rg Grep lsp LSP stop_bash KillShell stop_powershell KillShell task Agent update_todo TodoRead " +
			"TodoWrite TodoRead",
		server: "-", last: true, // github-mcp-server-create_issue
		agent: "agent_type subagent_type",
	}
}

// Decode reads a payload.
func (d copilot) Decode(data []byte) (protocol.Payload, error) {
	p, err := d.words().decode(data)
	if p.Event == "SessionStart" && p.Source == "new" {
		p.Source = "startup"
	}
	if p.ToolName == "str_replace_editor" { // one tool for both; which, its input says
		p.ToolName = "Edit"
		if protocol.Object(p.ToolInput).Text("command") == "view" {
			p.ToolName = "Read"
		}
	}
	if p.Event == "Stop" || p.Event == "SubagentStop" {
		p.Kind = ""
	}
	return p, err
}

type copilotAnswer struct {
	Permission string          `json:"permissionDecision,omitempty"`
	PermReason string          `json:"permissionDecisionReason,omitempty"`
	Input      json.RawMessage `json:"modifiedArgs,omitempty"`
	Context    string          `json:"additionalContext,omitempty"`
	Decision   string          `json:"decision,omitempty"`
	Reason     string          `json:"reason,omitempty"`
}

// Encode writes an answer.
func (d copilot) Encode(_ string, r protocol.Reply) ([]byte, error) {
	if r.Kind() == "" || r.Plain != "" {
		return nil, nil
	}
	r.Input = d.words().input(r.Input)
	return claude.Fit(r, func(r protocol.Reply) ([]byte, error) {
		a := copilotAnswer{
			Permission: r.Permission, PermReason: r.PermReason, Input: r.Input, Context: r.Context, Reason: r.Block,
		}
		if r.Block != "" {
			a.Decision = "block"
		}
		return claude.Line(a)
	})
}
