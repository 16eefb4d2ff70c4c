package pipeline

import (
	"fmt"
	"slices"

	"github.com/Masterminds/semver/v3"

	"github.com/git-brew/git-brew/internal/invisible"
)

// Supported is the range of schema versions that this program reads: a newer
// minor version only adds.
const Supported = "^1.0"

// newest is the newest version that this program knows whole.
const newest = "1.0"

// schema reads the schema's version.
func (p *parser) schema(n node) string {
	text, ok := n.value.(string)
	if !ok {
		p.add(LevelError, n, "it must be a text, such as \"1.0\", and is %s", kindOf(n.value))
		return ""
	}
	v, err := semver.NewVersion(text)
	if err != nil {
		p.add(LevelError, n, "%q is no version, such as %q", invisible.Cut(text, maxName), newest)
		return ""
	}
	allowed, err := semver.NewConstraint(Supported)
	if err != nil || !allowed.Check(v) {
		p.add(LevelError, n, "%q is another format; this git-brew reads %s", invisible.Cut(text, maxName), Supported)
		return ""
	}
	if known, err := semver.NewVersion(newest); err == nil && v.GreaterThan(known) {
		p.add(LevelNote, n, "%q is newer than what this git-brew knows, %s; what it adds is not read",
			invisible.Cut(text, maxName), newest)
	}
	return text
}

// standard are the steps that the routing table leads to, by pipeline.
var standard = []struct {
	pipeline string
	steps    []string
}{
	{Main, []string{clarify, research, "plan"}},
	{Phase, []string{"plan", "execute", "review", "revise"}},
}

// complete is a step that may stand in main for the sake of its hooks: the
// routing table leads to it, and it needs no workflow.
const complete = "complete"

// clarify is a step of main; Specdacular calls it discuss, which is read as clarify.
const clarify, discuss = "clarify", "discuss"

// research is a step of main, and of a phase that is one of research.
const research = "research"

// check looks at what only shows when all is read.
func (p *parser) check(c Config) {
	if !p.listed {
		return
	}
	if _, ok := c.pipeline(Main); !ok {
		p.add(LevelError, node{place: "pipelines"}, "there is no pipeline %s, where every task begins", Main)
	}
	for _, of := range c.Pipelines {
		for i, s := range of.Steps {
			at := p.at(fmt.Sprintf("pipelines.%s[%d]", of.Name, i))
			if _, known := c.pipeline(s.Pipeline); s.Pipeline != "" && !known && !p.misnamed[s.Pipeline] {
				p.add(LevelError, at, "there is no pipeline %q", invisible.Cut(s.Pipeline, maxName))
			}
			if s.Workflow != "" && s.Pipeline == "" && validPath(s.Workflow) && !InProject(s.Workflow) && !BuiltIn(s.Workflow) {
				p.add(LevelWarning, at, "git brew has no workflow %s of its own; a file of the project is named by a path "+
					"with a slash", s.Workflow)
			}
		}
	}
	told := map[string]bool{} // what is on a circle
	for _, of := range c.Pipelines {
		way := c.cycle(of.Name)
		if way == nil || slices.ContainsFunc(way, func(name string) bool { return told[name] }) {
			continue
		}
		p.add(LevelError, p.at("pipelines."+of.Name), "the pipeline leads back to itself: %s", joined(way))
		for _, name := range way {
			told[name] = true
		}
	}
	if len(Errors(p.found)) == 0 { // else a step may only seem to be missing
		p.reached(c)
	}
}

// at is the node of a place that was noted.
func (p *parser) at(place string) node { return node{line: p.lines[place], place: place} }

// cycle is the way from a pipeline back to one on it, nil where there is none.
// A pipeline that is behind others several times is gone into only once, for a
// cycle behind it shows the first time.
func (c Config) cycle(name string) []string {
	seen := map[string]bool{}
	var walk func(name string, way []string) []string
	walk = func(name string, way []string) []string {
		if i := slices.Index(way, name); i >= 0 {
			return append(slices.Clone(way[i:]), name)
		}
		if seen[name] {
			return nil
		}
		seen[name] = true
		of, _ := c.pipeline(name)
		for _, s := range of.Steps {
			if s.Pipeline == "" {
				continue
			}
			if found := walk(s.Pipeline, append(slices.Clip(way), name)); found != nil {
				return found
			}
		}
		return nil
	}
	return walk(name, nil)
}

func joined(way []string) string {
	text := ""
	for i, name := range way {
		if i > 0 {
			text += " -> "
		}
		text += name
	}
	return text
}

// reached remarks standard steps that are missing, and steps that nothing leads
// to.
func (p *parser) reached(c Config) {
	led := map[string]bool{}
	for _, row := range standard {
		for _, step := range row.steps {
			of, i, ok := c.find(row.pipeline, step)
			if !ok {
				p.add(LevelNote, p.at("pipelines."+c.stands(row.pipeline)),
					"there is no step %s: where it comes next, the pipeline stops", step)
				continue
			}
			led[fmt.Sprintf("%s[%d]", of, i)] = true
		}
	}
	if of, i, ok := c.find(Phase, research); ok {
		led[fmt.Sprintf("%s[%d]", of, i)] = true
	}
	for _, of := range c.Pipelines {
		for i, s := range of.Steps {
			at := fmt.Sprintf("%s[%d]", of.Name, i)
			if s.Pipeline == "" && !led[at] && !(of.Name == Main && s.Name == complete) {
				p.add(LevelWarning, p.at("pipelines."+at), "nothing leads to the step %s: it is never gone through", s.Name)
			}
		}
	}
}
