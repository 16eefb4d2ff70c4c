package document

import (
	"cmp"
	"embed"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/markdown"
)

//go:embed templates
var templates embed.FS

// Templates are the names of those that git brew has itself.
func Templates() []string {
	return []string{
		Spec, Context, Research, Roadmap, Plan, TemplatePhase, TemplateVerification, TemplateFix, Changelog,
		TemplateReport, TemplateReview,
	}
}

// TemplateText is a template's text, "" where there is none of that name.
func TemplateText(name string) string {
	text, _ := templates.ReadFile("templates/" + name + ".md")
	return string(text)
}

const (
	TemplatePhase        = "phase"
	TemplateVerification = "verification"
	TemplateFix          = "fix"
)

// The templates of what those who work on a phase, or look at it, hand in.
const (
	TemplateReport = "report"
	TemplateReview = "review"
)

// TemplateOf names the template of a document: a phase's plan has that of its kind.
func TemplateOf(s Subject, name string) string {
	id, ok := planOf(name)
	if !ok {
		return name
	}
	p, ok := findPhase(s.Phases, id)
	if !ok {
		p.Kind, _ = kindOfID(id)
	}
	switch {
	case p.Kind == Verification || p.Kind == FinalReview:
		return TemplateVerification
	case p.Kind == Fix:
		return TemplateFix
	}
	return TemplatePhase
}

// FillIn puts what is known of the task, and of the phase whose plan it is to be,
// into a template. What is not known waits for its writer, as {NAME}.
func FillIn(template string, s Subject, title, name string) string {
	known := []string{
		"{ROADMAP_PHASES}", roadmapRows(s.Phases), "{REGISTRY_ROWS}", registryRows(s.Phases), "{TRACE_ROWS}",
		traceTemplate(s),
	}
	if s.Task != "" {
		known = append(known, "{TASK}", s.Task, "{TITLE}", oneLine(title))
	}
	if id, ok := planOf(name); ok {
		if p, found := findPhase(s.Phases, id); found {
			known = append(known, phaseValues(p)...)
		}
	}
	return strings.NewReplacer(known...).Replace(template)
}

func phaseValues(p Phase) []string {
	known := []string{"{PHASE}", p.ID, "{PHASE_TITLE}", oneLine(p.Title), "{DEPENDS_ON}", strings.Join(p.DependsOn, ", ")}
	if len(p.Agents) > 0 {
		known = append(known, "{ROLE}", strings.Join(p.Agents, ", "))
	}
	return known
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// roadmapRows is a section for each phase; one to be filled in where there are
// none.
func roadmapRows(phases []Phase) string {
	var parts []string
	template := TemplateText("roadmap_phase")
	for _, p := range phases {
		if p.Kind == Execution {
			if len(p.DependsOn) == 0 {
				p.DependsOn = []string{"none"}
			}
			parts = append(parts, strings.NewReplacer(phaseValues(p)...).Replace(template))
		}
	}
	if len(parts) == 0 {
		parts = []string{strings.ReplaceAll(template, "{PHASE}", "1")}
	}
	return strings.TrimRight(strings.Join(parts, "\n"), "\n")
}

func registryRows(phases []Phase) string {
	var rows []string
	for _, p := range phases {
		if !p.Kind.comesUp() {
			agents := cmp.Or(strings.Join(p.Agents, ", "), "{AGENT}")
			rows = append(rows, markdown.Row(p.ID, oneLine(p.Title), agents, strings.Join(p.DependsOn, ", ")))
		}
	}
	if len(rows) == 0 {
		return "| 1 | {SUBJECT} | {AGENT} | |\n| 1V | Verify 1 | {REVIEWER} | 1 |\n| FR | Final review | {REVIEWER} | 1V |"
	}
	return strings.Join(rows, "\n")
}

func traceTemplate(s Subject) string {
	c := &checker{docs: map[string]Text{Spec: Read(s.Texts[Spec])}}
	var rows []string
	for _, r := range c.requirements() {
		rows = append(rows, markdown.Row(r.ID+": "+oneLine(r.Text), "{PHASES}"))
	}
	if len(rows) == 0 {
		return "| {REQUIREMENT} | {PHASES} |"
	}
	return strings.Join(slices.Compact(rows), "\n")
}
