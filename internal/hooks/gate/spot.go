package gate

import (
	"cmp"
	"slices"

	"github.com/git-brew/git-brew/internal/hooks/place"
)

// spot is a place that has a say in what a tool writes.
type spot struct {
	at   place.Place
	view place.View
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
func (c *Call) spots(path string) ([]spot, error) {
	var all []spot
	if c.View.Guarded || c.View.Closed() {
		all = append(all, spot{at: c.At, view: c.View})
	}
	for _, top := range c.Brew.WorkTrees(c.At, path) {
		if top == c.View.Top {
			continue
		}
		s, err := c.spotIn(top)
		if err != nil {
			return nil, err
		}
		if (s.view.Guarded || s.view.Closed()) && !c.speaksFor(s.view, top) {
			all = append(all, s)
		}
	}
	return all, nil
}

// speaksFor reports whether the place of the call has the say in another work tree,
// too: one of the same repository, unless the session started in it. Between these
// brew.gate.branch decides. A service of its task is the same place.
func (c *Call) speaksFor(v place.View, top string) bool {
	if v.Repo != c.View.Repo {
		return false
	}
	return v.Top == c.View.Top || c.At.ProjectDir == "" || !slices.Contains(c.Brew.WorkTrees(c.At, c.At.ProjectDir), top)
}

// spotIn looks at a work tree, once a call. One where git brew has no say has an empty
// view.
func (c *Call) spotIn(top string) (spot, error) {
	if s, ok := c.seen[top]; ok {
		return s, nil
	}
	s := spot{at: c.At, elsewhere: true}
	// A linked work tree of the same repository may have its mode from where the
	// session is.
	s.at.Here, s.at.ProjectDir = top, cmp.Or(c.At.ProjectDir, c.View.Top)
	view, err := c.Brew.Look(c.Ctx, s.at)
	if err != nil && !place.Absent(err) {
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
