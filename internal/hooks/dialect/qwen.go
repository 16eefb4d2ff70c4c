package dialect

import (
	"github.com/git-brew/git-brew/internal/hooks/claude"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
)

// qwen is Qwen Code: Claude Code's events and answers, Gemini CLI's names of tools. Its
// prompts may be results of tools; what the user typed stands in a field of its own, and
// where that is missing nobody typed anything for certain. It takes a changed input with a
// permission only, which is not git brew's to give.
type qwen struct{ goesOn }

func (qwen) words() vocabulary {
	return vocabulary{
		tools: "run_shell_command Bash write_file Write edit Edit replace Edit notebook_edit NotebookEdit " +
			"read_file Read read_many_files Read list_directory LS glob Glob grep_search Grep " +
			"web_fetch WebFetch web_search WebSearch skill Skill ask_user_question AskUserQuestion " +
			"lsp LSP send_message SendMessage monitor Monitor enter_plan_mode EnterPlanMode agent Agent task Agent " +
			"todo_write TodoWrite",
	}
}

// Decode reads a payload.
func (d qwen) Decode(data []byte) (protocol.Payload, error) {
	p, err := d.words().decode(data)
	p.Prompt = protocol.Object(data).Text("submitted_prompt")
	return p, err
}

// Encode writes an answer.
func (qwen) Encode(event string, r protocol.Reply) ([]byte, error) {
	r.Title, r.Plain, r.Input = "", "", nil
	return claude.Encode(event, r)
}
