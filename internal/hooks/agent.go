package hooks

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/shellgate"
	"github.com/git-brew/git-brew/internal/task"
)

// toolCall judges a tool call, a sub-agent's first by what sub-agents may do.
func toolCall(c *call) (Reply, error) {
	if command := c.overreach(); command != "" {
		return c.deny("'git brew " + command + "' is not for a sub-agent: what it changes is for the agent that started it, or the user. " +
			"A report says what was done ('git brew report PHASE --agent NAME -'), and which step is due; the agent that started this one then takes it. " +
			"The user allows more with 'git config --add brew.agents.command'."), nil
	}
	return preTool(c)
}

// agentRule says which git brew commands sub-agents may run. Subs nil: all of
// its forms; else those that are listed, "" being the command alone.
type agentRule struct {
	command string
	subs    []string
	// texts are the documents that a sub-agent may store with it; nil: any.
	texts []string
	// never are options that make a change of a command that reads.
	never string
	// coordinators alone may: sub-agents whose work is to keep a task's state.
	coordinators bool
}

// agentRules are the commands that read, and those that report: what is open to
// everybody, whoever holds the lock. What changes a task's status, phases,
// stage, reviews, documents or lock, a mode or a setting is not here (BW-10).
var agentRules = []agentRule{
	{command: ""},
	{command: "status"},
	{command: "list"},
	{command: "show"},
	{command: "log"},
	{command: "diff"},
	{command: "next", never: "--claim --skip --auto"},
	{command: "graph"},
	{command: "events"},
	{command: "stats"},
	{command: "version"},
	{command: "help"},
	{command: "completion"},
	{command: "statusline"},
	{command: "learn"},
	{command: "report"},
	{command: "question", subs: []string{"", "list", "add"}},
	{command: "decision", subs: []string{"", "list", "show"}},
	{command: "doc", subs: []string{"", "list", "get", "check", "template"}},
	{command: "doc", subs: []string{"set"}, texts: []string{"research", "context"}}, // what it found
	{command: "phase", subs: []string{"", "list", "review"}},
	{command: "mode", subs: []string{""}},
	{command: "stage", subs: []string{""}},
	{command: "session", subs: []string{"", "list", "show"}},
	{command: "lock", subs: []string{"", "show", "list"}},
	{command: "knowledge", subs: []string{"", "list", "inject"}},
	{command: "backlog", subs: []string{"", "list", "add"}},
	{command: "pipeline", subs: []string{"", "show", "check", "failed"}},
	{command: "remark", subs: []string{"", "add", "confirm", "reject", "tally", "list", "show"}},
	{command: "trigger", subs: []string{"", "list"}},
	{command: "trust", subs: []string{"", "list"}},
	{command: "config", subs: []string{"", "get", "list"}},
	{command: "doctor", never: "--fix"},
	{command: "verify"},
	{command: "start", never: "--steal", coordinators: true},
	{command: "phase", coordinators: true},
	{command: "escalate", coordinators: true},
	{command: "finish", coordinators: true},
	{command: "lock", subs: []string{"bind"}, coordinators: true},
}

// overreach is the first git brew command in a sub-agent's shell command that
// is not for sub-agents; "": there is none.
func (c *call) overreach() string {
	if c.p.AgentID == "" || !classify(c.p).runs() || c.view.Bypassed {
		return ""
	}
	text, _ := shellCommand(c.p)
	v := shellgate.Judge(text, shellgate.Options{})
	for _, args := range v.Brew {
		if !c.agentMay(args) {
			return shownCommand(args)
		}
	}
	if f := v.Finding; f != nil && (f.Reason == shellgate.Parses || f.Reason == shellgate.TooLong) && strings.Contains(text, "brew") {
		return "…" // whatever a shell makes of it
	}
	return ""
}

// shownCommand is what stands behind "git brew", as it can be shown.
func shownCommand(words []string) string {
	args, _ := withoutGlobals(words)
	shown := strings.Join(args[:min(len(args), 2)], " ")
	return cmp.Or(clean(strings.ReplaceAll(shown, shellgate.Hole, "…"), 60), "…")
}

// agentMay reports whether a sub-agent may run what stands behind "git brew".
func (c *call) agentMay(words []string) bool {
	args, understood := withoutGlobals(words)
	if c.agentsMay(args) {
		return true
	}
	command, sub := "", ""
	if len(args) > 0 {
		command = args[0]
	}
	if len(args) > 1 && !strings.HasPrefix(args[1], "-") {
		sub = args[1]
	}
	coordinates := coordinator(task.AgentName(c.p.AgentType))
	i := slices.IndexFunc(agentRules, func(r agentRule) bool {
		return r.command == command && (!r.coordinators || coordinates) && (r.subs == nil || slices.Contains(r.subs, sub)) && r.stores(args)
	})
	return understood && i >= 0 && !slices.ContainsFunc(args, func(a string) bool {
		name, _, _ := strings.Cut(a, "=")
		return agentRules[i].never != "" && (among(agentRules[i].never, name) || mayBeOption(a))
	})
}

// stores reports whether a command stores one of the documents that the rule names.
func (r agentRule) stores(args []string) bool {
	return r.texts == nil || len(args) > 2 && slices.Contains(r.texts, path.Base(args[2]))
}

// agentsMay reports whether the setting allows a command: each of its words is
// the command's at that place.
func (c *call) agentsMay(args []string) bool {
	return slices.ContainsFunc(c.view.Settings.Agents.Commands, func(allowed string) bool {
		words := strings.Fields(allowed)
		return allowed == "*" || len(words) > 0 && len(words) <= len(args) && slices.Equal(words, args[:len(words)])
	})
}
