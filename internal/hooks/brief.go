package hooks

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/hooks/claude"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
	"github.com/git-brew/git-brew/internal/hooks/shown"

	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/task"
)

// The lines around what is put in front of a sub-agent's prompt. A prompt that
// holds the first one has it already.
const (
	briefStart = "--- git brew: context of this task ---"
	briefEnd   = "--- end of git brew context ---"
)

// answerAround is what stands around the changed input in an answer, in bytes, at most.
const answerAround = 100

// maxBrief bounds what is put in front of a prompt, in bytes.
const maxBrief = 5 << 10

// brief puts the task's context in front of a sub-agent's prompt, for the
// holder of the task's lock (BC-57, BC-64). Those that do no phase's work get the
// task's facts in a line, those that brew.agents.system names the search reminder only
// (BC-65); in the client's plan mode nobody gets knowledge
// (BC-67). Who is handed a share of the transcript is set (BW-39). The call's
// permission is left to the client.
func (c *call) brief() (Reply, error) {
	call := readAgentCall(c.Payload)
	c.agent = call.name
	t := c.View.Task
	if t == nil || !c.View.Bound || t.Status.Terminal() || call.prompt == "" || strings.Contains(call.prompt, briefStart) {
		return Reply{}, nil
	}
	b, err := c.brew.Brief(c.Ctx, c.At)
	if err != nil {
		return Reply{}, err
	}
	system := c.View.Settings.List(config.KeySystemAgent)
	worker := !systemAgent(call.name, system)
	var constraints, about, knowledge string
	switch {
	case worker:
		about = c.taskContext(c.assigned(call), true)
		if b.Constraints {
			constraints = constraintsFor(roleOf(call.name), b)
		}
		if c.Payload.PermissionMode != "plan" {
			knowledge = shown.Knowledge(b.Knowledge)
		}
	case helper(call.name, system):
		about = c.taskContext(c.assigned(call), false)
	}
	parts := []string{constraints, about, c.transcript(worker), shown.Clean(b.Search, 300)}
	return inFront(parts, knowledge, c.Payload.ToolInput, call.prompt)
}

// agentCall is what a call of the sub-agent tool asks for.
type agentCall struct {
	name        string // without its plugin's
	prompt      string
	description string
}

func readAgentCall(p Payload) agentCall {
	f := protocol.Object(p.ToolInput)
	return agentCall{
		name: task.AgentName(f.Text("subagent_type")), prompt: f.Text("prompt"),
		description: f.Text("description"),
	}
}

// taskContext tells a sub-agent what it works on, a worker what that is accepted by,
// too.
func (c *call) taskContext(p *task.Phase, worker bool) string {
	t := c.View.Task
	text := "Task: " + c.View.Name() + ", " + shown.Quoted(t.Title, 120) + "."
	if where := servicesText(t); where != "" {
		text += " " + where
	}
	if p == nil {
		return text
	}
	lines := []string{text + " Now " + phaseText(p,
		slices.IndexFunc(t.Phases, func(q task.Phase) bool { return q.UID == p.UID }), len(t.Phases)) + "."}
	for n, a := range p.Acceptance {
		if n == 10 || !worker {
			break
		}
		lines = append(lines, "- accepted when: "+shown.Quoted(a, 160))
	}
	if t.HasDoc(task.PlanOf(p.UID)) {
		lines = append(lines, "- its plan, with role, references, constraints and artifacts: "+
			"'git brew doc get phases/"+phaseID(p)+"/plan'")
	}
	return strings.Join(lines, "\n")
}

// inFront returns the whole input with a text in front of its prompt, without members
// that are null: the client takes none, and they are options that are not given. Where
// the answer would be too long, knowledge loses its end, then the last of the parts go;
// a prompt that leaves no room stays as it is.
func inFront(parts []string, knowledge string, input json.RawMessage, prompt string) (Reply, error) {
	members := protocol.Object(input)
	maps.DeleteFunc(members, func(_ string, value json.RawMessage) bool { return string(value) == "null" })
	for {
		text := sections(append(slices.Clip(parts), knowledge)...)
		if text == "" {
			return Reply{}, nil
		}
		value, err := claude.JSON(briefStart + "\n" + text + "\n" + briefEnd + "\n\n" + prompt)
		if err != nil {
			return Reply{}, err
		}
		members["prompt"] = value
		whole, err := claude.JSON(members)
		if err != nil {
			return Reply{}, err
		}
		switch over := max(len(text)-maxBrief, len(whole)+answerAround-claude.MaxAnswer); {
		case over > 0 && knowledge != "":
			knowledge = invisible.CutBytes(knowledge, len(knowledge)-over)
			continue
		case over > 0:
			parts = parts[:len(parts)-1]
			continue
		}
		reply := Reply{Input: whole}
		if _, err := claude.Encode("PreToolUse", reply); err != nil {
			return Reply{}, nil //nolint:nilerr // a null deep in the input: without an answer the call goes on
		}
		return reply, nil
	}
}
