package gate

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/hooks/shown"

	"github.com/git-brew/git-brew/internal/command"
	"github.com/git-brew/git-brew/internal/shellgate"
	"github.com/git-brew/git-brew/internal/task"
)

// overreach is the first git brew command in a sub-agent's shell command that
// is not for sub-agents; "": there is none.
func (c *Call) overreach(kind Kind) string {
	if c.Payload.AgentID == "" || !kind.runs() || c.View.Off != "" {
		return ""
	}
	text, _ := ShellCommand(c.Payload)
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
	first := strings.Join(args[:min(len(args), 2)], " ")
	return cmp.Or(shown.Clean(strings.ReplaceAll(first, shellgate.Hole, "…"), 60), "…")
}

// agentMay reports whether a sub-agent may run what stands behind "git brew".
func (c *Call) agentMay(words []string) bool {
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
		r.Has(command.Coordinator) && Coordinator(task.AgentName(c.Payload.AgentType))
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
func (c *Call) agentsMay(args []string) bool {
	return slices.ContainsFunc(c.View.Settings.List(config.KeyAgentCommand), func(allowed string) bool {
		words := strings.Fields(allowed)
		return allowed == "*" || len(words) > 0 && len(words) <= len(args) && slices.Equal(words, args[:len(words)])
	})
}

// Coordinator reports an agent that coordinates others, by its name.
func Coordinator(agent string) bool { return strings.Contains(strings.ToLower(agent), "coordinator") }
