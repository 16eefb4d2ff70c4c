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
	for _, words := range v.Brew {
		if b := readBrew(words); !c.agentMay(b) {
			first := strings.TrimSpace(b.name + " " + b.sub)
			return cmp.Or(shown.Clean(strings.ReplaceAll(first, shellgate.Hole, "…"), 60), "…")
		}
	}
	if f := v.Finding; f != nil && (f.Reason == shellgate.Parses || f.Reason == shellgate.TooLong) &&
		strings.Contains(text, "brew") {
		return "…" // whatever a shell makes of it
	}
	return ""
}

// agentMay reports whether a sub-agent may run a command of git brew.
func (c *Call) agentMay(b brewCall) bool {
	if c.agentsMay(b) {
		return true
	}
	word := b.sub
	if strings.HasPrefix(word, "-") {
		word = ""
	}
	r, known := command.Find(b.name, word)
	stores := r.Texts == nil || len(b.args) > 1 && slices.Contains(r.Texts, path.Base(b.args[1]))
	may := r.Has(command.SubAgent) && stores ||
		r.Has(command.Coordinator) && Coordinator(task.AgentName(c.Payload.AgentType))
	return b.understood && known && may && !slices.ContainsFunc(b.args, func(a string) bool {
		option, _, _ := strings.Cut(a, "=")
		return r.SubNever != "" && (among(r.SubNever, option) || mayBeOption(a))
	})
}

// agentsMay reports whether the setting allows a command: each of its words is
// the command's at that place.
func (c *Call) agentsMay(b brewCall) bool {
	return slices.ContainsFunc(c.View.Settings.List(config.KeyAgentCommand), func(allowed string) bool {
		words, args := strings.Fields(allowed), append([]string{b.name}, b.args...)
		return allowed == "*" || len(words) > 0 && len(words) <= len(args) && slices.Equal(words, args[:len(words)])
	})
}

// Coordinator reports an agent that coordinates others, by its name.
func Coordinator(agent string) bool { return strings.Contains(strings.ToLower(agent), "coordinator") }
