package dialect

import (
	"github.com/git-brew/git-brew/internal/hooks/claude"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
)

// opencode is opencode, by way of the plugin that init writes: that makes Claude Code's
// payloads of the client's events, and does what the answers say. A plugin can't ask.
type opencode struct{ goesOn }

func (opencode) words() vocabulary {
	return vocabulary{
		tools: "bash Bash edit Edit write Write patch Edit apply_patch Edit multiedit MultiEdit read Read list LS " +
			"glob Glob grep Grep webfetch WebFetch websearch WebSearch skill Skill question AskUserQuestion task Agent " +
			"lsp LSP codesearch WebSearch todoread TodoRead todowrite TodoWrite",
		server: "_",
	}
}

// Decode reads a payload.
func (d opencode) Decode(data []byte) (protocol.Payload, error) { return d.words().decode(data) }

// Encode writes an answer.
func (opencode) Encode(event string, r protocol.Reply) ([]byte, error) {
	return claude.Encode(event, refusing(r))
}
