package dialect

import (
	"encoding/json"

	"github.com/git-brew/git-brew/internal/hooks/claude"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
)

// cursor is Cursor. Its prompts take no context and its tool hooks do not ask, so that
// what others would ask about is refused; its compaction ends without an event, so
// that preCompact is recorded and no more.
type cursor struct{ goesOn }

func (cursor) words() vocabulary {
	return vocabulary{
		events: "sessionStart SessionStart sessionEnd SessionEnd preToolUse PreToolUse postToolUse PostToolUse " +
			"postToolUseFailure PostToolUseFailure beforeSubmitPrompt UserPromptSubmit stop Stop " +
			"subagentStart SubagentStart subagentStop SubagentStop",
		fields: "conversation_id session_id tool_output tool_response error_message error subagent_type agent_type " +
			"subagent_id agent_id",
		tools: "Shell Bash StrReplace Edit Delete Write Task Agent CreatePlan TodoRead",
	}
}

// Decode reads a payload. The directory is the workspace's where the event has none.
func (d cursor) Decode(data []byte) (protocol.Payload, error) {
	p, err := d.words().decode(data)
	if err != nil || p.Cwd != "" {
		return p, err
	}
	for _, root := range protocol.List(protocol.Object(data)["workspace_roots"]) {
		var path string
		if json.Unmarshal(root, &path) == nil && claude.Path(path) != "" {
			p.Cwd = claude.Path(path)
			break
		}
	}
	return p, nil
}

type cursorAnswer struct {
	Permission string          `json:"permission,omitempty"`
	ForUser    string          `json:"user_message,omitempty"`
	ForAgent   string          `json:"agent_message,omitempty"`
	Input      json.RawMessage `json:"updated_input,omitempty"`
	Context    string          `json:"additional_context,omitempty"`
	Followup   string          `json:"followup_message,omitempty"`
}

// Encode writes an answer.
func (cursor) Encode(event string, r protocol.Reply) ([]byte, error) {
	r = refusing(r)
	if event == "UserPromptSubmit" {
		r.Context = ""
	}
	if r.Kind() == "" || r.Plain != "" {
		return nil, nil
	}
	return claude.Fit(r, func(r protocol.Reply) ([]byte, error) {
		a := cursorAnswer{
			Permission: r.Permission, ForUser: r.PermReason, ForAgent: r.PermReason, Input: r.Input,
			Context: r.Context, Followup: r.Block,
		}
		if r.Input != nil && a.Permission == "" {
			a.Permission = "allow"
		}
		return claude.Line(a)
	})
}
