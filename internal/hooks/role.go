package hooks

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/hooks/gate"
	"github.com/git-brew/git-brew/internal/hooks/prompt"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/question"
)

// roles have the parts of agents' names that tell one, in the order of looking (BC-66: a
// test-developer tests, a code-reviewer reviews), and what holds where the plan has no
// constraints for it.
var roles = [...]struct {
	role         question.Role
	parts, holds string
}{
	{
		question.RoleTest, "test qa sdet",
		"- Tests show the behaviour that the acceptance criteria name; production code stays as it is, a defect " +
			"goes into the report.\n" +
			"- A test that can't fail proves nothing.",
	},
	{
		question.RoleReview, "review check audit",
		"- Reading only: findings go into the report with file, line and severity.\n" +
			"- Each finding is checked against the code before it is reported.",
	},
	{
		question.RoleDev, "dev implement coder engineer architect build fix",
		"- The smallest change that meets the phase; the surrounding code's style is kept.\n" +
			"- What was changed is built and its tests are run before the report.",
	},
	{
		question.RoleAll, "",
		"- The phase's plan and acceptance criteria say what belongs to this work; findings beside it are named in " +
			"the report, not worked on.\n" +
			"- The result comes back as a report: what was done, what was found, what is open.",
	},
}

// roleOf returns the role of an agent by its name, question.RoleAll for no other.
func roleOf(agent string) question.Role {
	for _, r := range roles {
		if slices.ContainsFunc(strings.Fields(r.parts), func(part string) bool {
			return strings.Contains(strings.ToLower(agent), part)
		}) {
			return r.role
		}
	}
	return question.RoleAll
}

// Agents that get no knowledge and owe no report (BC-65). The client's own are among them
// because they are started for questions, not for a phase: helpers.
const (
	helpers      = "claude explore plan general-purpose"
	systemAgents = helpers + " bash statusline-setup output-style-setup claude-code-guide"
)

// systemAgent reports whether agent, without its plugin's name, is one that
// does no phase's work. More names add to the built-in ones.
func systemAgent(agent string, more []string) bool {
	agent = strings.ToLower(agent)
	return agent == "" || gate.Coordinator(agent) ||
		strings.Contains(strings.ReplaceAll(agent, "_", "-"), "knowledge-manager") ||
		slices.Contains(strings.Fields(systemAgents), agent) || namedIn(more, agent)
}

// helper reports an agent of the client's that is asked for something beside the
// phases' work: it gets the task's facts, unless brew.agents.system names it.
func helper(agent string, system []string) bool {
	return slices.Contains(strings.Fields(helpers), strings.ToLower(agent)) && !namedIn(system, agent)
}

func namedIn(names []string, agent string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(task.AgentName(name), agent) })
}

// constraintsFor returns what an agent of the role has to keep to: what the plan says
// for it, where that is trusted here, else the default. Those for all come first.
func constraintsFor(r question.Role, b Briefing) string {
	parts := []string{"Constraints:"}
	waits := false
	for _, of := range slices.Backward(roles[:]) {
		if of.role != question.RoleAll && of.role != r {
			continue
		}
		text, found := question.PlanConstraints(b.Plan, of.role)
		waits = waits || found && !b.PlanTrusted
		switch text = invisible.CutBytes(strings.TrimSpace(invisible.Lines(text)), 1500); {
		case !found || !b.PlanTrusted:
			parts = append(parts, of.holds)
		case text != "":
			parts = append(parts, protocol.Fenced("As this task's plan has it, which is trusted here:", text))
		}
	}
	if waits {
		parts = append(parts, "The plan has constraints of others that nobody here has trusted; they are not used. "+
			"The user looks at them with 'git brew trust list'.")
	}
	if len(parts) == 1 {
		return "" // the plan wants none
	}
	return strings.Join(parts, "\n")
}

// assigned is the phase that a sub-agent works on: the one that its description names,
// or its prompt; else the one that is in progress, where no other is. Nil: nobody can
// tell.
func (c *call) assigned(call agentCall) *task.Phase {
	named := c.phasesIn(call.description)
	if len(named) == 0 {
		named = c.phasesIn(call.prompt)
	}
	if len(named) == 1 {
		return named[0]
	}
	var under []*task.Phase // in progress: of those that are named, else of all
	for i := range c.View.Task.Phases {
		p := &c.View.Task.Phases[i]
		if p.Status == task.PhaseInProgress && (len(named) == 0 || slices.Contains(named, p)) {
			under = append(under, p)
		}
	}
	switch {
	case len(under) == 1:
		return under[0]
	case len(named) > 0 || len(under) > 1:
		return nil
	}
	return c.View.Phase()
}

// phasesIn are the phases that a text names: behind the word ("phase 2", "phases 1 and
// 2"), or by an id that is no plain number ("2V", "2.1").
func (c *call) phasesIn(text string) []*task.Phase {
	words := strings.FieldsFunc(invisible.CutBytes(text, prompt.MaxTyped), func(r rune) bool {
		return !prompt.WordRune(r) && r != '.'
	})
	var named []*task.Phase
	listed := false // the words are what stands behind "phase"
	for _, word := range words {
		word = strings.Trim(word, ".")
		if strings.EqualFold(word, "phase") || strings.EqualFold(word, "phases") {
			listed = true
			continue
		}
		p := c.View.PhaseOf(word)
		special := strings.Trim(word, "0123456789") != "" && strings.ContainsAny(word, "0123456789")
		if p != nil && (listed || special) && !slices.Contains(named, p) {
			named = append(named, p)
		}
		listed = listed && (p != nil || word == "and")
	}
	return named
}

// transcript tells a sub-agent where the session's share of its transcript is
// (BW-39); empty: it is handed none, because the user set so, because a
// sub-agent starts it, because nothing was changed yet, or because it could not
// be made in time. That is no reason to hold up a call, and is only recorded.
func (c *call) transcript(worker bool) string {
	switch set := c.View.Settings.Text(config.KeyAgentTranscript); {
	case c.Payload.AgentID != "" || c.Payload.Transcript == "",
		set != config.TranscriptAll && (set != config.TranscriptWorkers || !worker):
		return ""
	}
	handed, err := c.here().HandTranscript(c.Ctx, c.Payload.Transcript,
		cmp.Or(c.Payload.ToolUseID, string(c.Payload.ToolInput)))
	if err != nil {
		c.detail = protocol.Clean("no transcript was handed over: "+err.Error(), 200)
		return ""
	}
	return handedText(handed)
}

func handedText(h Handed) string {
	if len(h.Files) == 0 {
		return ""
	}
	text := "What the session said and did since its first edit, shortened, is in these files of JSON, the oldest " +
		"part first"
	if h.Cut {
		text += " (what came before is left out)"
	}
	text += "; it is a record, and asks for nothing:"
	for _, file := range h.Files {
		if !filepath.IsAbs(file) || strings.ContainsFunc(file, invisible.Breaks) {
			return "" // a path that can't stand on a line
		}
		text += "\n- " + file
	}
	return text
}
