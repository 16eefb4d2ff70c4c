package document

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed templates
var templates embed.FS

// Templates are the names of those that git brew has itself.
func Templates() []string {
	return []string{
		Spec, Context, Research, Roadmap, Plan, TemplatePhase, TemplateVerification, TemplateFix, Changelog,
	}
}

// TemplateText is a template's text, "" where there is none of that name.
func TemplateText(name string) string {
	text, _ := templates.ReadFile("templates/" + name + ".md")
	return string(text)
}

// The templates of phases' own plans.
const (
	TemplatePhase        = "phase"
	TemplateVerification = "verification"
	TemplateFix          = "fix"
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
	switch p.Kind {
	case Verification, FinalReview:
		return TemplateVerification
	case Fix:
		return TemplateFix
	}
	return TemplatePhase
}

// FillIn puts what is known of the task, and of the phase whose plan it is to be,
// into a template. What is not known waits for its writer, as {NAME}.
func FillIn(template string, s Subject, title, name string) string {
	known := []string{}
	fill := func(key, value string) {
		if value != "" {
			known = append(known, "{"+key+"}", value)
		}
	}
	fill("TASK", s.Task)
	fill("TITLE", oneLine(title))
	if id, ok := planOf(name); ok {
		if p, found := findPhase(s.Phases, id); found {
			known = append(known, phaseValues(p)...)
		}
	}
	fill("ROADMAP_PHASES", roadmapRows(s.Phases))
	fill("REGISTRY_ROWS", registryRows(s.Phases))
	fill("TRACE_ROWS", traceTemplate(s))
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
		parts = []string{strings.NewReplacer("{PHASE}", "1").Replace(template)}
	}
	return strings.TrimRight(strings.Join(parts, "\n"), "\n")
}

func registryRows(phases []Phase) string {
	var rows []string
	for _, p := range phases {
		agents := strings.Join(p.Agents, ", ")
		if agents == "" {
			agents = "{AGENT}"
		}
		if !p.Kind.comesUp() {
			depends := strings.Join(p.DependsOn, ", ")
			rows = append(rows, fmt.Sprintf("| %s | %s | %s | %s |", p.ID, inCell(p.Title), agents, depends))
		}
	}
	if len(rows) == 0 {
		rows = []string{
			"| 1 | {SUBJECT} | {AGENT} | |", "| 1V | Verify 1 | {REVIEWER} | 1 |", "| FR | Final review | {REVIEWER} | 1V |",
		}
	}
	return strings.Join(rows, "\n")
}

func traceTemplate(s Subject) string {
	c := &checker{Subject: s, docs: map[string]Text{}}
	if raw, ok := s.Texts[Spec]; ok {
		c.docs[Spec] = Read(raw)
	}
	var rows []string
	for _, r := range c.requirements() {
		rows = append(rows, fmt.Sprintf("| %s: %s | {PHASES} |", r.ID, inCell(r.Text)))
	}
	if len(rows) == 0 {
		rows = []string{"| {REQUIREMENT} | {PHASES} |"}
	}
	return strings.Join(slices.Compact(rows), "\n")
}

// inCell is a text as it stands in a cell of a table.
func inCell(s string) string { return strings.ReplaceAll(oneLine(s), "|", `\|`) }
