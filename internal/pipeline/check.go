package pipeline

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/Masterminds/semver/v3"

	"github.com/git-brew/git-brew/internal/invisible"
)

// newest is the newest version of the schema that this program knows whole. It reads all
// whose first number is the same: those only add.
const newest = "1.0"

// The steps that the routing table leads to, by pipeline: main's, and a phase's. Complete
// may stand in main for the sake of its hooks, and needs no workflow; research among a
// phase's steps, for a phase that is one of research.
var mainSteps, phaseSteps = []string{clarify, research, "plan", complete}, []string{
	"plan", "execute", "review", "revise", research,
}

// The steps that rules are about. Specdacular calls clarify discuss, which is read so.
const (
	clarify  = "clarify"
	discuss  = "discuss"
	research = "research"
	complete = "complete"
)

// config is what a document says, with all that is wrong with it found.
func (p *parser) config(d document) Config {
	c := Config{Hooks: Hooks(d.Hooks)}
	if d.Schema == nil {
		p.add(LevelWarning, "", "there is no schema_version; it is read as 1.0")
	} else {
		c.Schema = *d.Schema
		p.schema(c.Schema)
	}
	p.hook("hooks.pre-step", c.Hooks.Pre)
	p.hook("hooks.post-step", c.Hooks.Post)
	if d.Pipelines == nil {
		p.add(LevelNote, "", "it has no pipelines; the built-in ones are gone through, with these hooks")
		c.Pipelines = Default().Pipelines
		return c
	}
	for _, name := range p.names {
		place := join("pipelines", name)
		if !validName(name) {
			p.add(LevelError, place, "%s", nameRule)
		}
		c.Pipelines = append(c.Pipelines, Pipeline{Name: name, Steps: p.steps(place, name, d.Pipelines[name])})
	}
	p.ways(c)
	return c
}

// schema looks at the schema's version.
func (p *parser) schema(text string) {
	v, err := semver.NewVersion(text)
	known := semver.MustParse(newest)
	switch {
	case err != nil:
		p.add(LevelError, "schema_version", "%s is no version, such as %q", quoted(text), newest)
	case v.Major() != known.Major():
		p.add(LevelError, "schema_version", "%q is another format; this git-brew reads %d.x", text, known.Major())
	case v.GreaterThan(known):
		p.add(LevelNote, "schema_version", "%q is newer than what this git-brew knows, %s; what it adds is not read",
			text, newest)
	}
}

// steps looks at the steps of a pipeline, and gives them the names that they have here.
func (p *parser) steps(place, of string, steps []Step) []Step {
	for i := range steps {
		s := &steps[i]
		if s.Name == discuss {
			s.Name = clarify
		}
		if s.Workflow == discuss+".md" {
			s.Workflow = clarify + ".md"
		}
		at := stepPlace(place, i)
		p.step(at, of, s)
		if slices.ContainsFunc(steps[:i], func(other Step) bool { return other.Name == s.Name }) {
			p.add(LevelError, at, "the pipeline has a step %s already", quoted(s.Name))
		}
	}
	return steps
}

func stepPlace(place string, i int) string { return place + "[" + strconv.Itoa(i) + "]" }

func (p *parser) step(at, of string, s *Step) {
	if !validName(s.Name) {
		p.add(LevelError, at, "%s is no name of a step; %s", quoted(s.Name), nameRule)
	}
	p.hook(at+".hooks.pre", s.Hooks.Pre)
	p.hook(at+".hooks.post", s.Hooks.Post)
	switch {
	case s.Pipeline != "" && (of != Main || s.Name != Phase):
		p.add(LevelError, at, "only the step %s of %s stands for a pipeline", Phase, Main)
	case s.Pipeline != "":
		if s.Workflow != "" || s.Pause || s.Hooks != (Hooks{}) {
			p.add(LevelWarning, at, "a step that stands for a pipeline has no workflow, no pause and no hooks of its own; "+
				"give them to that one's steps")
			s.Workflow, s.Pause, s.Hooks = "", false, Hooks{}
		}
	case s.Workflow == "" && s.Name == complete: // there for its hooks alone
	case s.Workflow == "":
		p.add(LevelError, at, "the step has neither a workflow nor a pipeline")
	case !validPath(s.Workflow):
		p.add(LevelError, at+".workflow", "%s %s", quoted(s.Workflow), pathRule)
	case KindOf(s.Workflow) != KindWorkflow:
		p.add(LevelError, at+".workflow", "a step follows a text in Markdown, and %s is none", quoted(s.Workflow))
	case !InProject(s.Workflow) && !BuiltIn(s.Workflow):
		p.add(LevelWarning, at+".workflow", "git brew has no workflow %s of its own; a file of the project is named by a "+
			"path with a slash", quoted(s.Workflow))
	}
}

func (p *parser) hook(at string, h *Hook) {
	if h == nil {
		return // by convention
	}
	if h.Mode == "" {
		h.Mode = Inline
	}
	switch {
	case h.Workflow == "":
		p.add(LevelError, at, "a hook needs a workflow: a text, or a program, of the project")
	case !validPath(h.Workflow):
		p.add(LevelError, at+".workflow", "%s %s", quoted(h.Workflow), pathRule)
	case h.Mode != Inline && h.Mode != Subagent:
		p.add(LevelError, at+".mode", "%s is no mode; give %s or %s", quoted(string(h.Mode)), Inline, Subagent)
	case h.Mode == Subagent && KindOf(h.Workflow) == KindProgram:
		p.add(LevelWarning, at+".mode", "it is not read, since git brew runs the program itself")
	}
}

// ways looks at where the pipelines lead: with no error, it remarks steps that are missing,
// and steps that nothing leads to.
func (p *parser) ways(c Config) {
	phase := c.stands(Phase)
	if _, ok := c.pipeline(Main); !ok {
		p.add(LevelError, "pipelines", "there is no pipeline %s, where every task begins", Main)
	} else if _, ok := c.pipeline(phase); phase == Main || phase != Phase && !ok {
		p.add(LevelError, "pipelines.main", "there is no pipeline %s to go through for each phase", quoted(phase))
	}
	if len(Errors(p.found)) > 0 {
		return
	}
	ledTo := map[string][]string{phase: phaseSteps, Main: mainSteps}
	for _, row := range [][2]string{{Main, Main}, {Phase, phase}} {
		of, _ := c.pipeline(row[1])
		for _, name := range ledTo[row[1]] {
			optional := name == complete || row[0] == Phase && name == research
			if _, ok := of.step(name); !ok && !optional {
				p.add(LevelNote, "pipelines."+row[1], "there is no step %s: where it comes next, the pipeline stops", name)
			}
		}
	}
	for _, of := range c.Pipelines {
		for i, s := range of.Steps {
			if s.Pipeline == "" && !slices.Contains(ledTo[of.Name], s.Name) {
				p.add(LevelWarning, stepPlace("pipelines."+of.Name, i), "nothing leads to the step %s: it is never gone through",
					s.Name)
			}
		}
	}
}

// nameRule says what validName wants, pathRule what validPath does.
const (
	nameRule = "a name has lower-case letters, digits, dashes and underscores, 64 at most, and begins with a " +
		"letter or a digit"
	pathRule = "is no path in the project: it is relative, has slashes, and no part that is empty, . or .., or .git"
)

func validName(s string) bool {
	return s != "" && len(s) <= maxName && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-_") == "" &&
		s[0] != '-' && s[0] != '_'
}

// validPath accepts paths that stay in the project by their spelling; where they
// lead is for whoever opens them to see.
func validPath(s string) bool {
	if s == "" || strings.ContainsAny(s, "\\:") || strings.IndexByte("~-", s[0]) >= 0 ||
		strings.ContainsFunc(s, hidden) {
		return false
	}
	for part := range strings.SplitSeq(s, "/") {
		if part == "" || part == "." || part == ".." || strings.EqualFold(strings.TrimRight(part, ". "), ".git") ||
			strings.EqualFold(part, "git~1") {
			return false
		}
	}
	return true
}

// hidden reports what shows nothing, or reorders what is shown, and what is no text.
func hidden(r rune) bool { return invisible.Hides(r) || r == unicode.ReplacementChar }

// quoted is what stands in a document, in one line.
func quoted(s string) string { return strconv.QuoteToASCII(invisible.Cut(s, maxName)) }
