package hooks

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/config"

	"github.com/git-brew/git-brew/internal/command"
	"github.com/git-brew/git-brew/internal/shellgate"
	"github.com/git-brew/git-brew/internal/task"
)

// toolCall judges a tool call, a sub-agent's first by what sub-agents may do.
func toolCall(c *call) (Reply, error) {
	if refused := c.overreach(); refused != "" {
		return c.deny("'git brew " + refused +
			"' is not for a sub-agent: what it changes is for the agent that started it, or the user. " +
			"A report says what was done ('git brew report PHASE --agent NAME -'), and which step is due; the agent that " +
			"started this one then takes it. " +
			"The user allows more with 'git config --add brew.agents.command'."), nil
	}
	return preTool(c)
}

// overreach is the first git brew command in a sub-agent's shell command that
// is not for sub-agents; "": there is none.
func (c *call) overreach() string {
	if c.p.AgentID == "" || !classify(c.p).runs() || c.view.Off != "" {
		return ""
	}
	text, _ := shellCommand(c.p)
	v := shellgate.Judge(text, shellgate.Options{})
	for _, args := range v.Brew {
		if !c.agentMay(args) {
			return shownCommand(args)
		}
	}
	if f := v.Finding; f != nil && (f.Reason == shellgate.Parses || f.Reason == shellgate.TooLong) &&
		strings.Contains(text, "brew") {
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
	name, sub := "", ""
	if len(args) > 0 {
		name = args[0]
	}
	if len(args) > 1 && !strings.HasPrefix(args[1], "-") {
		sub = args[1]
	}
	r, known := command.Find(name, sub)
	may := r.Has(command.SubAgent) && stores(r, args) ||
		r.Has(command.Coordinator) && coordinator(task.AgentName(c.p.AgentType))
	return understood && known && may && !slices.ContainsFunc(args, func(a string) bool {
		option, _, _ := strings.Cut(a, "=")
		return r.SubNever != "" && (among(r.SubNever, option) || mayBeOption(a))
	})
}

// stores reports whether a command stores one of the documents that its rule names.
func stores(r command.Rule, args []string) bool {
	return r.Texts == nil || len(args) > 2 && slices.Contains(r.Texts, path.Base(args[2]))
}

// agentsMay reports whether the setting allows a command: each of its words is
// the command's at that place.
func (c *call) agentsMay(args []string) bool {
	return slices.ContainsFunc(c.view.Settings.List(config.KeyAgentCommand), func(allowed string) bool {
		words := strings.Fields(allowed)
		return allowed == "*" || len(words) > 0 && len(words) <= len(args) && slices.Equal(words, args[:len(words)])
	})
}
