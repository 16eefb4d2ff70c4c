package hooks

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
)

// The lines around what is put in front of a sub-agent's prompt. A prompt that
// holds the first one has it already.
const (
	briefStart = "--- git brew: context of this task ---"
	briefEnd   = "--- end of git brew context ---"
)

// maxBrief bounds what is put in front of a prompt, in bytes.
const maxBrief = 5 << 10

// brief puts the task's context in front of a sub-agent's prompt, for the
// holder of the task's lock (BC-57, BC-64). System agents get the search
// reminder only (BC-65); in the client's plan mode nobody gets knowledge
// (BC-67). The call's permission is left to the client.
func (c *call) brief() (Reply, error) {
	call := readAgentCall(c.p)
	c.agent = call.name
	t := c.view.Task
	if t == nil || !c.view.Holder || t.Status.Terminal() || call.prompt == "" || hasLine(call.prompt, briefStart) {
		return Reply{}, nil
	}
	b, err := c.brew.Brief(c.ctx, c.at)
	if err != nil {
		return Reply{}, err
	}
	search := clean(b.Search, 300)
	if systemAgent(call.name, c.view.Settings.SystemAgents) {
		return rewritePrompt(c.p.ToolInput, call.prompt, search)
	}
	parts := []string{"", c.taskContext(), "", search}
	if b.Constraints {
		parts[0] = "Constraints:\n" + constraintsFor(roleOf(call.name), b.Plan)
	}
	if c.p.PermissionMode != "plan" {
		parts[2] = printable(strings.TrimSpace(b.Knowledge))
	}
	return rewritePrompt(c.p.ToolInput, call.prompt, parts...)
}

// agentCall is what a call of the sub-agent tool asks for.
type agentCall struct {
	name   string // without its plugin's
	prompt string
}

func readAgentCall(p Payload) agentCall {
	var f fields
	_ = json.Unmarshal(p.ToolInput, &f)
	return agentCall{name: task.AgentName(f.text("subagent_type")), prompt: f.text("prompt")}
}

// taskContext tells a worker what it works on.
func (c *call) taskContext() string {
	t := c.view.Task
	text := "Task: " + c.view.name() + ", \"" + clean(t.Title, 120) + "\"."
	p, i := c.view.phase()
	if p == nil {
		return text
	}
	lines := []string{text + " Now " + phaseText(p, i, len(t.Phases)) + "."}
	for n, a := range p.Acceptance {
		if n == 10 {
			break
		}
		lines = append(lines, "- accepted when: "+clean(a, 160))
	}
	return strings.Join(lines, "\n")
}

// rewritePrompt returns the whole input with the parts in front of its prompt.
// Where the answer would be too long, parts are cut (see shorten); a prompt that
// leaves no room stays as it is.
func rewritePrompt(input json.RawMessage, prompt string, parts ...string) (Reply, error) {
	over := len(strings.Join(parts, "\n\n")) - maxBrief
	for {
		shorten(parts, over)
		front := strings.Join(present(parts), "\n\n")
		if front == "" {
			return Reply{}, nil
		}
		value, err := encodeText(briefStart + "\n" + front + "\n" + briefEnd + "\n\n" + prompt)
		if err != nil {
			return Reply{}, err
		}
		whole, ok := withMember(input, "prompt", value)
		if !ok {
			return Reply{}, nil
		}
		reply := Rewrite(whole)
		out, err := reply.marshal("PreToolUse")
		if err != nil {
			return Reply{}, err
		}
		if over = len(out) - maxAnswer + 1; over > 0 {
			continue
		}
		if err := checkAnswer("PreToolUse", out); err != nil {
			return Reply{}, nil //nolint:nilerr // a null deep in the input: without an answer the call goes on
		}
		return reply, nil
	}
}

// shorten takes at least over bytes off the parts, as far as they go: knowledge
// first, then the search reminder, the task, the constraints.
func shorten(parts []string, over int) {
	for _, i := range []int{2, 3, 1, 0} {
		if i >= len(parts) || over <= 0 {
			continue
		}
		had := len(parts[i])
		parts[i] = cut(parts[i], max(0, had-over))
		if len(parts[i]) < 80 && len(parts[i]) < had {
			parts[i] = "" // a stump says nothing
		}
		over -= had - len(parts[i])
	}
}

func present(parts []string) []string {
	var some []string
	for _, p := range parts {
		if p != "" {
			some = append(some, p)
		}
	}
	return some
}

func hasLine(text, line string) bool {
	for l := range strings.Lines(text) {
		if strings.TrimSpace(l) == line {
			return true
		}
	}
	return false
}

// encodeText is the JSON string of text.
func encodeText(text string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}
