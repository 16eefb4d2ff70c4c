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
	worker := !systemAgent(call.name, c.View.Settings.List(config.KeySystemAgent))
	f := front{search: shown.Clean(b.Search, 300), transcript: c.transcript(worker)}
	switch {
	case worker:
		f.task = c.taskContext(c.assigned(call), true)
		if b.Constraints {
			f.constraints = constraintsFor(roleOf(call.name), b)
		}
		if c.Payload.PermissionMode != "plan" {
			f.knowledge = shown.Knowledge(b.Knowledge)
		}
	case helper(call.name, c.View.Settings.List(config.KeySystemAgent)):
		f.task = c.taskContext(c.assigned(call), false)
	}
	return f.rewrite(c.Payload.ToolInput, call.prompt)
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

// front is what is put in front of a prompt, each part a text or empty.
type front struct{ constraints, task, knowledge, search, transcript string }

func (f front) text() string {
	var parts []string
	for _, p := range []string{f.constraints, f.task, f.knowledge, f.search, f.transcript} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, "\n\n")
}

// rewrite returns the whole input with the parts in front of its prompt, without members
// that are null: the client takes none, and they are options that are not given. Where
// the answer would be too long, parts are cut (see shorten); a prompt that
// leaves no room stays as it is.
func (f front) rewrite(input json.RawMessage, prompt string) (Reply, error) {
	over, members := len(f.text())-maxBrief, protocol.Object(input)
	maps.DeleteFunc(members, func(_ string, value json.RawMessage) bool { return string(value) == "null" })
	for {
		f.shorten(over)
		text := f.text()
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
		reply := Reply{Input: whole}
		if over = len(whole) + answerAround - claude.MaxAnswer; over > 0 {
			continue
		}
		if _, err := claude.Encode("PreToolUse", reply); err != nil {
			return Reply{}, nil //nolint:nilerr // a null deep in the input: without an answer the call goes on
		}
		return reply, nil
	}
}

// shorten takes at least over bytes off the parts, as far as they go: knowledge
// first, then the search reminder, the files of the transcript, the task, the
// constraints.
func (f *front) shorten(over int) {
	for _, p := range []struct {
		text *string
		// least is what says something: less goes as a whole.
		least int
	}{{&f.knowledge, 160}, {&f.search, 80}, {&f.transcript, len(f.transcript)}, {&f.task, 80}, {&f.constraints, 80}} {
		if over <= 0 {
			return
		}
		had := len(*p.text)
		if *p.text = invisible.CutBytes(*p.text, max(0, had-over)); len(*p.text) < p.least && len(*p.text) < had {
			*p.text = ""
		}
		over -= had - len(*p.text)
	}
}
