package dialect

import (
	"strings"

	"github.com/git-brew/git-brew/internal/hooks/claude"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
)

// codex is Codex CLI, which has Claude Code's events and most of its answers. It drops an
// answer that has a field too much, cannot ask ("ask" is an error, and the call runs), and
// takes a changed input with "allow" only.
type codex struct{ goesOn }

func (codex) words() vocabulary {
	return vocabulary{tools: "apply_patch Edit spawn_agent Agent", agent: "message prompt agent_type subagent_type"}
}

// Decode reads a payload.
func (d codex) Decode(data []byte) (protocol.Payload, error) {
	p, err := d.words().decode(data)
	if at := strings.LastIndex(p.Prompt, codexRequest); at >= 0 {
		p.Prompt = p.Prompt[at+len(codexRequest):]
	}
	return p, err
}

// codexRequest is what its apps write between what is open or selected in an editor, and
// what the user typed.
const codexRequest = "## My request for Codex:"

// Encode writes an answer.
func (d codex) Encode(event string, r protocol.Reply) ([]byte, error) {
	r = refusing(r)
	r.Title, r.Plain = "", "" // it knows neither
	if r.Input != nil {
		r.Input, r.Permission = d.words().input(r.Input), "allow"
	}
	return claude.Encode(event, r)
}
