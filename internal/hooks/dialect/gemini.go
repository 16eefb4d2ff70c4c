package dialect

import (
	"encoding/json"
	"strings"

	"github.com/git-brew/git-brew/internal/hooks/claude"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
)

// gemini is Gemini CLI. Its PreCompress is not Claude Code's PreCompact: it comes before
// each request to the model, whether anything is compressed or not, so it is recorded and
// no more. A list of steps that it writes down (write_todos) has a form of its own, which
// nobody agrees to.
type gemini struct{ goesOn }

func (gemini) words() vocabulary {
	return vocabulary{
		events: "BeforeTool PreToolUse AfterTool PostToolUse BeforeAgent UserPromptSubmit AfterAgent Stop",
		tools: "run_shell_command Bash write_file Write replace Edit read_file Read read_many_files Read " +
			"list_directory LS glob Glob grep_search Grep search_file_content Grep web_fetch WebFetch " +
			"google_web_search WebSearch activate_skill Skill ask_user AskUserQuestion enter_plan_mode EnterPlanMode " +
			"invoke_agent Agent write_todos TodoRead get_internal_docs Read",
		agent: "agent_name subagent_type",
	}
}

// Decode reads a payload.
func (d gemini) Decode(data []byte) (protocol.Payload, error) {
	p, err := d.words().decode(data)
	p.Prompt, _, _ = strings.Cut(p.Prompt, geminiFiles)
	return p, err
}

// geminiFiles is where in a prompt the files begin that the user named in it: nobody
// typed what stands there.
const geminiFiles = "--- Content from referenced files ---"

type geminiAnswer struct {
	Decision string          `json:"decision,omitempty"`
	Reason   string          `json:"reason,omitempty"`
	Specific *geminiSpecific `json:"hookSpecificOutput,omitempty"`
}

type geminiSpecific struct {
	Event   string          `json:"hookEventName"`
	Input   json.RawMessage `json:"tool_input,omitempty"`
	Context string          `json:"additionalContext,omitempty"`
}

// Encode writes an answer.
func (d gemini) Encode(event string, r protocol.Reply) ([]byte, error) {
	if r.Kind() == "" || r.Plain != "" { // it reads plain text as a message to the user
		return nil, nil
	}
	r.Input = d.words().input(r.Input)
	return claude.Fit(r, func(r protocol.Reply) ([]byte, error) {
		a := geminiAnswer{Decision: r.Permission, Reason: r.PermReason + r.Block}
		if r.Block != "" {
			a.Decision = protocol.Denied
		}
		if r.Input != nil || r.Context != "" {
			a.Specific = &geminiSpecific{d.words().events.theirs(event), r.Input, r.Context}
		}
		return claude.Line(a)
	})
}
