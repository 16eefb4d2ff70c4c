package hooks

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/hooks/claude"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
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
	b, err := c.here().Brief(c.Ctx)
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
			knowledge = protocol.Knowledge(b.Knowledge)
		}
	case helper(call.name, system):
		about = c.taskContext(c.assigned(call), false)
	}
	parts := []string{constraints, about, c.transcript(worker), protocol.Clean(b.Search, 300)}
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
	text := "Task: " + c.View.Name() + ", " + protocol.Quoted(t.Title, 120) + "."
	if where := servicesText(t); where != "" {
		text += " " + where
	}
	if p == nil {
		return text
	}
	lines := []string{text + " Now " + phaseText(t, p) + "."}
	for n, a := range p.Acceptance {
		if n == 10 || !worker {
			break
		}
		lines = append(lines, "- accepted when: "+protocol.Quoted(a, 160))
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

func word[T ~string](status T) string { return strings.ReplaceAll(string(status), "_", " ") }

// phaseText names a phase: `phase 2 of 3, "Login endpoint", executing`, and where
// its id is not its place `phase 2.1, …`.
func phaseText(t *task.Task, p *task.Phase) string {
	text := "phase " + phaseID(p)
	if phaseID(p) == strconv.Itoa(t.PhaseIndex(p.UID)+1) {
		text += " of " + strconv.Itoa(len(t.Phases))
	}
	if title := protocol.Quoted(p.Title, 100); title != "" {
		text += ", " + title
	}
	text += ", " + word(p.Status)
	if p.Review == task.ReviewChanges {
		text += ", changes wanted"
	}
	return text
}

func phaseID(p *task.Phase) string { return protocol.Clean(p.ID, 40) }

// progress counts what is done: "1 of 3 phases completed".
func progress(t *task.Task) string {
	if len(t.Phases) == 0 {
		return "no phases yet"
	}
	return task.CountPhases(*t).String()
}

func nowText(v View) string {
	if p := v.Phase(); p != nil {
		return phaseText(v.Task, p) + "; " + progress(v.Task)
	}
	return progress(v.Task)
}

// nextText says what comes next: "execute phase 2 (phase 2 is ready), 'git brew
// phase start 2'"; or what the user is asked, and what shows it or follows it.
func nextText(s route.Step) string {
	command := protocol.Clean(s.Command, 160)
	if command != "" {
		command = ", '" + command + "'"
	}
	if ask := protocol.Quoted(strings.TrimSuffix(s.Ask, "."), 320); ask != "" {
		return "ask the user: " + ask + command
	}
	text := protocol.Clean(word(s.Step), 60)
	if text == "" {
		return ""
	}
	if s.Phase != "" {
		text += " phase " + protocol.Clean(s.Phase, 40)
	}
	if r := protocol.InBrackets(s.Reason, 160); r != "" {
		text += " (" + r + ")"
	}
	return text + command
}

const maxServices = 8

// servicesText says where a task is worked on that has its branch in submodules;
// "" for any other task.
func servicesText(t *task.Task) string {
	if len(t.Services) == 0 {
		return ""
	}
	var names []string
	for _, path := range t.ServicePaths() {
		if len(names) == maxServices {
			names = append(names, "others (see 'git brew status')")
			break
		}
		names = append(names, change.ShellWord(protocol.Clean(path, 80)))
	}
	return "Its branch " + protocol.Clean(t.Branch, 120) + " is in these submodules, not in the repository around them: " +
		strings.Join(names, ", ") + "."
}
