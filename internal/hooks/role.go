package hooks

import (
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/hooks/gate"
	"github.com/git-brew/git-brew/internal/hooks/shown"
	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/question"
)

// roleNames are parts of agents' names, in the order of looking (BC-66): a
// test-developer tests, a code-reviewer reviews.
var roleNames = []struct {
	role  question.Role
	parts []string
}{
	{question.RoleTest, []string{"test", "qa", "sdet"}},
	{question.RoleReview, []string{"review", "check", "audit"}},
	{question.RoleDev, []string{"dev", "implement", "coder", "engineer", "architect", "build", "fix"}},
}

// roleOf returns the role of an agent by its name, task.RoleAll for no other.
func roleOf(agent string) question.Role {
	agent = strings.ToLower(agent)
	for _, r := range roleNames {
		if slices.ContainsFunc(r.parts, func(part string) bool { return strings.Contains(agent, part) }) {
			return r.role
		}
	}
	return question.RoleAll
}

// builtinSystemAgents get no knowledge and owe no report (BC-65). The client's
// own are here because they are started for questions, not for a phase.
var builtinSystemAgents = []string{
	"", "claude", "explore", "plan", "bash", "general-purpose",
	"statusline-setup", "output-style-setup", "claude-code-guide",
}

// systemAgent reports whether agent, without its plugin's name, is one that
// does no phase's work. More names add to the built-in ones.
func systemAgent(agent string, more []string) bool {
	agent = strings.ToLower(agent)
	if gate.Coordinator(agent) || strings.Contains(agent, "knowledge-manager") ||
		strings.Contains(agent, "knowledge_manager") {
		return true
	}
	return slices.Contains(builtinSystemAgents, agent) ||
		slices.ContainsFunc(more, func(name string) bool { return strings.EqualFold(task.AgentName(name), agent) })
}

// helper reports an agent of the client's that is asked for something beside the
// phases' work: it gets the task's facts, unless brew.agents.system names it.
func helper(agent string, system []string) bool {
	return slices.Contains([]string{"claude", "explore", "plan", "general-purpose"}, strings.ToLower(agent)) &&
		!slices.ContainsFunc(system, func(name string) bool { return strings.EqualFold(task.AgentName(name), agent) })
}

// defaultConstraints hold where the plan has none for a role.
func defaultConstraints(r question.Role) string {
	switch r {
	case question.RoleAll:
		return "- The phase's plan and acceptance criteria say what belongs to this work; findings beside it are named in " +
			"the report, not worked on.\n" +
			"- The result comes back as a report: what was done, what was found, what is open."
	case question.RoleDev:
		return "- The smallest change that meets the phase; the surrounding code's style is kept.\n" +
			"- What was changed is built and its tests are run before the report."
	case question.RoleTest:
		return "- Tests show the behaviour that the acceptance criteria name; production code stays as it is, a defect " +
			"goes into the report.\n" +
			"- A test that can't fail proves nothing."
	case question.RoleReview:
		return "- Reading only: findings go into the report with file, line and severity.\n" +
			"- Each finding is checked against the code before it is reported."
	}
	return ""
}

// constraintsFor returns what an agent of the role has to keep to: what the plan says
// for it, where that is trusted here, else the default. Those for all come first.
func constraintsFor(r question.Role, b Briefing) string {
	roles := []question.Role{question.RoleAll}
	if r != question.RoleAll {
		roles = append(roles, r)
	}
	parts := []string{"Constraints:"}
	waits := false
	for _, r := range roles {
		text, found := question.PlanConstraints(b.Plan, r)
		waits = waits || found && !b.PlanTrusted
		switch text = invisible.CutBytes(strings.TrimSpace(invisible.Lines(text)), 1500); {
		case !found || !b.PlanTrusted:
			parts = append(parts, defaultConstraints(r))
		case text != "":
			parts = append(parts, shown.Fenced("As this task's plan has it, which is trusted here:", text))
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
