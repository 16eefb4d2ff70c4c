package pipeline

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/git-brew/git-brew/internal/invisible"
)

// Parse reads a document and checks it. With a finding of LevelError there is
// nothing to go by: the Config is empty then.
func Parse(data []byte) (Config, []Finding) {
	var p parser
	root, err := readNode(data)
	var syntax *syntaxError
	if errors.As(err, &syntax) {
		return Config{}, []Finding{{LevelError, syntax.line, "", syntax.text}}
	}
	c := p.config(root)
	p.check(c)
	if len(Errors(p.found)) > 0 {
		return Config{}, p.found
	}
	return c, p.found
}

// parser takes nodes apart and collects what is wrong with them.
type parser struct {
	found []Finding
	// lines of pipelines and steps, for what is found when all of them are read.
	lines map[string]int
	// listed: there is a list of pipelines to look at. Misnamed are those of it
	// that have no name to lead to, which is said.
	listed   bool
	misnamed map[string]bool
}

func (p *parser) add(level Level, n node, format string, args ...any) {
	if len(p.found) < maxFindings {
		p.found = append(p.found, Finding{level, n.line, n.place, fmt.Sprintf(format, args...)})
	}
}

func (p *parser) config(n node) Config {
	var c Config
	keys := p.object(n, "schema_version", "pipelines", "hooks")
	if keys == nil {
		return c
	}
	if v, ok := keys["schema_version"]; ok && v.value != nil {
		c.Schema = p.schema(v)
	} else {
		p.add(LevelWarning, node{line: n.line}, "there is no schema_version; it is read as 1.0")
	}
	if v, ok := keys["pipelines"]; ok && v.value != nil {
		c.Pipelines = p.pipelines(v)
	} else {
		p.add(LevelNote, node{line: n.line}, "it has no pipelines; the built-in ones are gone through, with these hooks")
		c.Pipelines, p.listed = Default().Pipelines, true
	}
	if v, ok := keys["hooks"]; ok {
		c.Hooks = p.hooks(v, "pre-step", "post-step")
	}
	return c
}

// object takes an object apart; nil: it is none. A key that is there twice is an
// error, for readers differ in which of them counts; an unknown one is remarked.
func (p *parser) object(n node, known ...string) map[string]node {
	fields, ok := n.value.([]field)
	if !ok {
		p.add(LevelError, n, "it must be an object, and is %s", kindOf(n.value))
		return nil
	}
	keys := make(map[string]node, len(fields))
	for _, f := range fields {
		if _, twice := keys[f.key]; twice {
			p.add(LevelError, f.node, "it is there twice")
		}
		keys[f.key] = f.node
		if known != nil && !slices.Contains(known, f.key) {
			p.add(LevelWarning, f.node, "it is unknown here, and not read; known are %s", strings.Join(known, ", "))
		}
	}
	return keys
}

func (p *parser) pipelines(n node) []Pipeline {
	fields, ok := n.value.([]field)
	switch {
	case !ok:
		p.object(n)
		return nil
	case len(fields) > maxPipelines:
		p.add(LevelError, n, "there are %d pipelines, at most %d are read", len(fields), maxPipelines)
		return nil
	}
	p.object(n) // for names that are there twice
	p.listed, p.misnamed = true, map[string]bool{}
	var all []Pipeline
	for _, f := range fields {
		if !validName(f.key) {
			p.add(LevelError, f.node, "%s", nameRule)
			p.misnamed[f.key] = true
			continue
		}
		p.note(f.node)
		all = append(all, Pipeline{Name: f.key, Steps: p.steps(f.node)})
	}
	return all
}

// note keeps where something stands.
func (p *parser) note(n node) {
	if p.lines == nil {
		p.lines = map[string]int{}
	}
	p.lines[n.place] = n.line
}

func (p *parser) steps(n node) []Step {
	nodes, ok := n.value.([]node)
	switch {
	case !ok:
		p.add(LevelError, n, "it must be a list of steps, and is %s", kindOf(n.value))
		return nil
	case len(nodes) > maxSteps:
		p.add(LevelError, n, "it has %d steps, at most %d are read", len(nodes), maxSteps)
		return nil
	}
	steps := make([]Step, 0, len(nodes))
	for _, s := range nodes {
		step := p.step(s)
		if slices.ContainsFunc(steps, func(other Step) bool { return other.Name == step.Name && step.Name != "" }) {
			p.add(LevelError, s, "the pipeline has a step %s already", step.Name)
		}
		steps = append(steps, step)
	}
	return steps
}

func (p *parser) step(n node) Step {
	var s Step
	keys := p.object(n, "name", "workflow", "pipeline", "pause", "hooks")
	if keys == nil {
		return s
	}
	p.note(n)
	named, follows, leads := false, false, false // or what is wrong with it is said
	s.Name, named = p.text(keys, "name")
	if named && !validName(s.Name) {
		at, ok := keys["name"]
		if !ok {
			at = n
		}
		p.add(LevelError, at, "a step needs a name; %s", nameRule)
	}
	s.Workflow, follows = p.text(keys, "workflow")
	if s.Name == discuss { // Specdacular's word
		s.Name = clarify
	}
	if s.Workflow == discuss+".md" {
		s.Workflow = clarify + ".md"
	}
	s.Pipeline, leads = p.text(keys, "pipeline")
	if v, ok := keys["pause"]; ok {
		s.Pause = p.truth(v)
	}
	if v, ok := keys["hooks"]; ok {
		s.Hooks = p.hooks(v, "pre", "post")
	}
	switch {
	case s.Pipeline != "" && s.Workflow != "":
		p.add(LevelWarning, keys["workflow"], "it is not read, since the step stands for the pipeline %s",
			invisible.Cut(s.Pipeline, maxName))
	case s.Pipeline == "" && s.Workflow == "" && s.Name == complete && !has(keys, "workflow"):
		// there for its hooks alone
	case !follows || !leads:
	case s.Pipeline == "" && s.Workflow == "":
		at, ok := keys["workflow"]
		if !ok {
			at = n
		}
		p.add(LevelError, at, "the step has neither a workflow nor a pipeline")
	case s.Pipeline == "":
		if p.workflow(keys["workflow"], s.Workflow) && KindOf(s.Workflow) != KindWorkflow {
			p.add(LevelError, keys["workflow"], "a step follows a text in Markdown, and %q is none",
				invisible.Cut(s.Workflow, maxName))
		}
	}
	if s.Pipeline != "" && (s.Pause || s.Hooks.Pre != nil || s.Hooks.Post != nil) {
		p.add(LevelWarning, n, "a step that stands for a pipeline has no pause and no hooks of its own; give them to that "+
			"one's steps")
		s.Pause, s.Hooks = false, Hooks{}
	}
	return s
}

func (p *parser) hooks(n node, pre, post string) Hooks {
	var h Hooks
	if n.value == nil {
		return h
	}
	keys := p.object(n, pre, post)
	if v, ok := keys[pre]; ok {
		h.Pre = p.hook(v)
	}
	if v, ok := keys[post]; ok {
		h.Post = p.hook(v)
	}
	return h
}

func (p *parser) hook(n node) *Hook {
	if n.value == nil {
		return nil // by convention
	}
	h := Hook{Mode: Inline}
	keys := p.object(n, "workflow", "mode", "optional")
	if keys == nil {
		return nil
	}
	file, named := p.text(keys, "workflow")
	switch h.Workflow = file; {
	case !named: // which is said
	case file == "":
		at, ok := keys["workflow"]
		if !ok {
			at = n
		}
		p.add(LevelError, at, "a hook needs a workflow: a text, or a program, of the project")
	default:
		p.workflow(keys["workflow"], file)
	}
	if mode, _ := p.text(keys, "mode"); mode != "" {
		h.Mode = Mode(mode)
	}
	switch {
	case h.Mode != Inline && h.Mode != Subagent:
		p.add(LevelError, keys["mode"], "%q is no mode; give %s or %s", invisible.Cut(string(h.Mode), maxName), Inline,
			Subagent)
	case h.Mode == Subagent && h.Workflow != "" && KindOf(h.Workflow) == KindProgram:
		p.add(LevelWarning, keys["mode"], "it is not read, since git brew runs the program itself")
	}
	if v, ok := keys["optional"]; ok {
		h.Optional = p.truth(v)
	}
	return &h
}

// workflow refuses what is no file of the project.
func (p *parser) workflow(n node, name string) bool {
	ok := validPath(name)
	if !ok {
		p.add(LevelError, n, "%q is no path in the project: it is relative, has slashes, and no part that is empty, . or "+
			".., or .git", invisible.Cut(name, maxName))
	}
	return ok
}

// text is a key's text, "" where it is not there or null; what is no text, or
// none of one line, is an error, and not ok.
func (p *parser) text(keys map[string]node, key string) (text string, ok bool) {
	n, there := keys[key]
	if !there || n.value == nil {
		return "", true
	}
	s, isText := n.value.(string)
	switch {
	case !isText:
		p.add(LevelError, n, "it must be a text, and is %s", kindOf(n.value))
	case len(s) > maxPath:
		p.add(LevelError, n, "it has %d bytes, at most %d are read", len(s), maxPath)
	case strings.ContainsFunc(s, hidden):
		p.add(LevelError, n, "%s has characters that can't be seen", strconv.QuoteToASCII(invisible.Cut(s, maxName)))
	default:
		return s, true
	}
	return "", false
}

func has(keys map[string]node, key string) bool {
	_, ok := keys[key]
	return ok
}

func (p *parser) truth(n node) bool {
	v, ok := n.value.(bool)
	if !ok && n.value != nil {
		p.add(LevelError, n, "it must be true or false, and is %s", kindOf(n.value))
	}
	return v
}

// nameRule says what validName wants.
const nameRule = "a name has lower-case letters, digits, dashes and underscores, 64 at most, and begins with a " +
	"letter or a digit"

func validName(s string) bool {
	if s == "" || len(s) > maxName {
		return false
	}
	for i, c := range []byte(s) {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
		case i > 0 && (c == '-' || c == '_'):
		default:
			return false
		}
	}
	return true
}

// validPath accepts paths that stay in the project by their spelling; where they
// lead is for whoever opens them to see.
func validPath(s string) bool {
	if s == "" || strings.ContainsAny(s, "\\:") || strings.HasPrefix(s, "~") || strings.HasPrefix(s, "-") {
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

// kindOf names a JSON value's kind.
func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "true or false"
	case string:
		return "a text"
	case json.Number:
		return "a number"
	case []node:
		return "a list"
	}
	return "an object"
}
