package hooks

import (
	"cmp"
	"slices"
)

// spot is a place that has a say in what a tool writes.
type spot struct {
	at   Place
	view View
	// elsewhere: it is not the one where the call is judged as a whole.
	elsewhere bool
}

// aim is a path that a tool writes, and a place that has a say in it.
type aim struct {
	spot
	path string
}

// spots are the places that have a say in writing a path: first the one of the call,
// then the work trees that the path lies in, wherever the agent is. Those that guard
// nothing are left out.
func (c *call) spots(path string) ([]spot, error) {
	var all []spot
	if c.view.Guarded || c.view.closed() {
		all = append(all, spot{at: c.at, view: c.view})
	}
	for _, top := range c.brew.WorkTrees(c.at, path) {
		if top == c.view.Top {
			continue
		}
		s, err := c.spotIn(top)
		if err != nil {
			return nil, err
		}
		if (s.view.Guarded || s.view.closed()) && !c.speaksFor(s.view, top) {
			all = append(all, s)
		}
	}
	return all, nil
}

// speaksFor reports whether the place of the call has the say in another work tree,
// too: one of the same repository, unless the session started in it. Between these
// brew.gate.branch decides. A service of its task is the same place.
func (c *call) speaksFor(v View, top string) bool {
	if v.Repo != c.view.Repo {
		return false
	}
	return v.Top == c.view.Top || c.at.ProjectDir == "" || !slices.Contains(c.brew.WorkTrees(c.at, c.at.ProjectDir), top)
}

// spotIn looks at a work tree, once a call. One where git brew has no say has an empty
// view.
func (c *call) spotIn(top string) (spot, error) {
	if s, ok := c.seen[top]; ok {
		return s, nil
	}
	s := spot{at: c.at, elsewhere: true}
	// A linked work tree of the same repository may have its mode from where the
	// session is.
	s.at.Here, s.at.ProjectDir = top, cmp.Or(c.at.ProjectDir, c.view.Top)
	view, err := c.brew.Look(c.ctx, s.at)
	if err != nil && !absent(err) {
		return s, err
	}
	if err == nil {
		s.view = view
	}
	if c.seen == nil {
		c.seen = map[string]spot{}
	}
	c.seen[top] = s
	return s, nil
}
