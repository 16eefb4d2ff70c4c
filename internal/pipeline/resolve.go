package pipeline

import (
	"path"
	"slices"
)

// Locate finds the step that the routing table means. A phase of research is gone through
// as the research before all phases, unless it has a step of its own.
func (c Config) Locate(pipeline, step string) (Step, bool) {
	of, _ := c.pipeline(c.stands(pipeline))
	found, ok := of.step(step)
	if !ok && pipeline == Phase && step == research {
		return c.Locate(Main, step)
	}
	return found, ok
}

// stands is the pipeline of the document that stands for one of the routing table's: the
// step of main that is called phase-execution may name another.
func (c Config) stands(name string) string {
	of, _ := c.pipeline(Main)
	for _, s := range of.Steps {
		if name == Phase && s.Name == Phase && s.Pipeline != "" {
			return s.Pipeline
		}
	}
	return name
}

func (c Config) pipeline(name string) (found Pipeline, ok bool) {
	for _, p := range c.Pipelines {
		if p.Name == name {
			return p, true
		}
	}
	return found, false
}

// step is a step that is none for another pipeline.
func (p Pipeline) step(name string) (found Step, ok bool) {
	for _, s := range p.Steps {
		if s.Name == name && s.Pipeline == "" {
			return s, true
		}
	}
	return found, false
}

// When is which side of a step a hook stands on.
type When string

// Before and after.
const (
	Pre  When = "pre"
	Post When = "post"
)

// Side is the side in a sentence.
func (w When) Side() string {
	if w == Pre {
		return "before"
	}
	return "after"
}

// Scope is what a hook is around.
type Scope string

const (
	Global Scope = "global" // every step
	Own    Scope = "step"   // this one
)

// Around is a hook around a step, in its place.
type Around struct {
	When  When   `json:"when"`
	Scope Scope  `json:"scope"`
	Path  string `json:"path"` // of the file in the project
	Kind  Kind   `json:"kind"`
	// Mode says who follows a workflow; git brew runs a program itself.
	Mode     Mode `json:"mode,omitempty"`
	Optional bool `json:"-"`
	// Convention: the document does not name it, it is there by its name.
	Convention bool `json:"convention"`
}

// hookDirs are where hooks lie by convention. The first one that has any for a side of a
// step counts.
var hookDirs = []string{".brew/hooks", ".specd/hooks"}

// Around gives the hooks around a step in the order in which they run: before
// it those of every step, then its own; after it its own, then those of every
// step. Has reports whether the project has a file at a path.
func (c Config) Around(pipeline, step string, has func(path string) bool) []Around {
	own, _ := c.Locate(pipeline, step)
	all := configured(Pre, Global, c.Hooks.Pre, has)
	all = append(all, ofStep(Pre, step, own.Hooks.Pre, has)...)
	all = append(all, ofStep(Post, step, own.Hooks.Post, has)...)
	return append(all, configured(Post, Global, c.Hooks.Post, has)...)
}

// ofStep is what the document says, else what is there by convention.
func ofStep(when When, step string, h *Hook, has func(string) bool) []Around {
	if h != nil {
		return configured(when, Own, h, has)
	}
	name := string(when) + "-" + step
	for _, dir := range hookDirs {
		var all []Around
		for _, file := range []string{name, name + ".md"} {
			if at := path.Join(dir, file); has(at) {
				all = append(all, around(when, Own, at, Hook{Mode: Inline}))
				all[len(all)-1].Convention = true
			}
		}
		if all != nil {
			return all
		}
	}
	return nil
}

// configured is a hook that the document names. A bare name is one of a file
// where hooks lie by convention.
func configured(when When, scope Scope, h *Hook, has func(string) bool) []Around {
	if h == nil {
		return nil
	}
	at := h.Workflow
	if !InProject(at) {
		i := max(0, slices.IndexFunc(hookDirs, func(dir string) bool { return has(path.Join(dir, h.Workflow)) }))
		at = path.Join(hookDirs[i], h.Workflow)
	}
	return []Around{around(when, scope, at, *h)}
}

func around(when When, scope Scope, at string, h Hook) Around {
	a := Around{When: when, Scope: scope, Path: at, Kind: KindOf(at), Optional: h.Optional}
	if a.Kind == KindWorkflow {
		a.Mode = h.Mode
	}
	return a
}
