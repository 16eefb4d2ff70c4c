package hooks

import (
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/unseen"
)

// role is what an agent does for a task; it decides which constraints it gets.
type role string

const (
	roleAll    role = "ALL"
	roleDev    role = "DEV"
	roleTest   role = "TEST"
	roleReview role = "REVIEW"
)

// roleNames are parts of agents' names, in the order of looking (BC-66): a
// test-developer tests, a code-reviewer reviews.
var roleNames = []struct {
	role  role
	parts []string
}{
	{roleTest, []string{"test", "qa", "sdet"}},
	{roleReview, []string{"review", "check", "audit"}},
	{roleDev, []string{"dev", "implement", "coder", "engineer", "architect", "build", "fix"}},
}

// roleOf returns the role of an agent by its name, roleAll for no other.
func roleOf(agent string) role {
	agent = strings.ToLower(agent)
	for _, r := range roleNames {
		if slices.ContainsFunc(r.parts, func(part string) bool { return strings.Contains(agent, part) }) {
			return r.role
		}
	}
	return roleAll
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
	if coordinator(agent) || strings.Contains(agent, "knowledge-manager") || strings.Contains(agent, "knowledge_manager") {
		return true
	}
	return slices.Contains(builtinSystemAgents, agent) ||
		slices.ContainsFunc(more, func(name string) bool { return strings.EqualFold(task.AgentName(name), agent) })
}

func coordinator(agent string) bool { return strings.Contains(strings.ToLower(agent), "coordinator") }

// defaultConstraints hold where the plan has none for a role.
func defaultConstraints(r role) string {
	switch r {
	case roleAll:
		return "- The phase's plan and acceptance criteria say what belongs to this work; findings beside it are named in the report, not worked on.\n" +
			"- The result comes back as a report: what was done, what was found, what is open."
	case roleDev:
		return "- The smallest change that meets the phase; the surrounding code's style is kept.\n" +
			"- What was changed is built and its tests are run before the report."
	case roleTest:
		return "- Tests show the behaviour that the acceptance criteria name; production code stays as it is, a defect goes into the report.\n" +
			"- A test that can't fail proves nothing."
	case roleReview:
		return "- Reading only: findings go into the report with file, line and severity.\n" +
			"- Each finding is checked against the code before it is reported."
	}
	return ""
}

// constraintsFor returns what an agent of the role has to keep to: the plan's
// own texts between the comments <!-- ROLE --> and <!-- /ROLE -->, else the
// default ones. Those for all come first.
func constraintsFor(r role, plan string) string {
	roles := []role{roleAll}
	if r != roleAll {
		roles = append(roles, r)
	}
	var parts []string
	for _, r := range roles {
		text, found := planConstraints(plan, r)
		if !found {
			text = defaultConstraints(r)
		}
		if text = strings.TrimSpace(text); text != "" {
			parts = append(parts, cut(text, 1500))
		}
	}
	return strings.Join(parts, "\n")
}

func planConstraints(plan string, r role) (string, bool) {
	_, rest, found := strings.Cut(plan, "<!-- "+string(r)+" -->")
	if !found {
		return "", false
	}
	text, _, found := strings.Cut(rest, "<!-- /"+string(r)+" -->")
	return printable(text), found
}

// printable takes out of a text of several lines what nobody sees.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unseen.Hides(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text)
}
