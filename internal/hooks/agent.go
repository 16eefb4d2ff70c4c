package hooks

import (
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/shellgate"
	"github.com/git-brew/git-brew/internal/task"
)

// toolCall judges a tool call, a sub-agent's first by what sub-agents may do.
func toolCall(c *call) (Reply, error) {
	if command := c.overreach(); command != "" {
		return c.deny("'git brew " + command + "' is not for a sub-agent: what it changes is for the agent that started it, or the user. " +
			"A report says what was done ('git brew report PHASE --agent NAME FILE'), and which step is due; the agent that started this one then takes it. " +
			"The user allows more with 'git config --add brew.agents.command'."), nil
	}
	return preTool(c)
}

// agentRule says which git brew commands sub-agents may run. Subs nil: all of
// its forms; else those that are listed, "" being the command alone.
type agentRule struct {
	command string
	subs    []string
	// coordinators alone may: sub-agents whose work is to keep a task's state.
	coordinators bool
}

// agentRules are the commands that read, and those that report: what is open to
// everybody, whoever holds the lock. What changes a task's status, phases,
// stage, reviews, documents or lock, a mode or a setting is not here (BW-10).
var agentRules = []agentRule{
	{command: "", subs: nil},
	{command: "status"},
	{command: "list"},
	{command: "show"},
	{command: "log"},
	{command: "diff"},
	{command: "next"},
	{command: "graph"},
	{command: "events"},
	{command: "stats"},
	{command: "summary"},
	{command: "map"},
	{command: "version"},
	{command: "help"},
	{command: "completion"},
	{command: "statusline"},
	{command: "learn"},
	{command: "report"},
	{command: "gray", subs: []string{"", "list", "add"}},
	{command: "decision", subs: []string{"", "list"}},
	{command: "doc", subs: []string{"", "list", "get", "check"}},
	{command: "phase", subs: []string{"", "list"}},
	{command: "mode", subs: []string{""}},
	{command: "stage", subs: []string{""}},
	{command: "session", subs: []string{"", "list", "show"}},
	{command: "lock", subs: []string{"", "show", "list"}},
	{command: "knowledge", subs: []string{"", "list", "inject"}},
	{command: "backlog", subs: []string{"", "list", "add"}},
	{command: "pipeline", subs: []string{"", "show", "check"}},
	{command: "remark", subs: []string{"", "add", "tally"}},
	{command: "trigger", subs: []string{"", "list"}},
	{command: "trust", subs: []string{"", "list"}},
	{command: "config", subs: []string{"", "get", "list"}},
	{command: "doctor"},
	{command: "phase", coordinators: true},
	{command: "lock", subs: []string{"bind"}, coordinators: true},
}

// changingFlags make a change of a command that reads without them.
var changingFlags = []string{"--claim", "--fix"}

// overreach is the first git brew command in a sub-agent's shell command that
// is not for sub-agents; "": there is none.
func (c *call) overreach() string {
	if c.p.AgentID == "" || classify(c.p.ToolName) != shellTool || c.view.Bypassed {
		return ""
	}
	text, _ := shellCommand(c.p)
	for _, args := range shellgate.Judge(text, shellgate.Options{}).Brew {
		if shown := c.refusedToAgent(args); shown != "" {
			return shown
		}
	}
	return ""
}

// refusedToAgent returns what stands behind "git brew" where a sub-agent may
// not run it, as it can be shown; else nothing.
func (c *call) refusedToAgent(words []string) string {
	args, understood := withoutGlobals(words)
	command, sub := "", ""
	if len(args) > 0 {
		command = args[0]
	}
	if len(args) > 1 && !strings.HasPrefix(args[1], "-") {
		sub = args[1]
	}
	coordinates := coordinator(task.AgentName(c.p.AgentType))
	allowed := slices.ContainsFunc(agentRules, func(r agentRule) bool {
		return r.command == command && (!r.coordinators || coordinates) && (r.subs == nil || slices.Contains(r.subs, sub))
	})
	changes := slices.ContainsFunc(args, func(a string) bool {
		return slices.ContainsFunc(changingFlags, func(f string) bool { return a == f || strings.HasPrefix(a, f+"=") })
	})
	switch {
	case allowed && understood && !changes:
		return ""
	case c.agentsMay(args):
		return ""
	}
	return clean(strings.Join(args[:min(len(args), 2)], " "), 60)
}

// agentsMay reports whether the setting allows a command: each of its words is
// the command's at that place.
func (c *call) agentsMay(args []string) bool {
	return slices.ContainsFunc(c.view.Settings.Agents.Commands, func(allowed string) bool {
		words := strings.Fields(allowed)
		return allowed == "*" || len(words) > 0 && len(words) <= len(args) && slices.Equal(words, args[:len(words)])
	})
}
