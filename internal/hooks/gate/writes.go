package gate

import (
	"cmp"
	"slices"

	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/hooks/place"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
)

// guard keeps writing tools from what keeps the gate (BW-48) and from other places than
// the one where the task is worked on (BW-47), in either mode, and from files of other
// work trees whose gate is closed (BW-2). It answers with a refusal or with no opinion.
func (c *Call) guard(w *writes) (reply protocol.Reply, err error) {
	for _, path := range w.paths {
		if reply, err = c.guardPath(w, path); reply.Permission != "" || err != nil {
			break
		}
	}
	return reply, err
}

func (c *Call) guardPath(w *writes, path string) (reply protocol.Reply, err error) {
	spots, err := c.spots(path)
	if err != nil {
		return reply, err
	}
	target, by, err := c.target(spots, path)
	switch {
	case err != nil:
		return reply, err
	case target.Own != "":
		return c.denyBy(by, "guarded: "+target.Own, protocol.Clean(path, 80)+" is "+protocol.Clean(target.Own, 80)+
			", which decides what agents may do. "+
			"What the work needs there, git's own commands change; the rest is for the user, in a terminal."), nil
	case target.Allowed:
		w.allowed++
	case len(spots) > 0: // before the mode: the one of another task is not what keeps it
		astray, err := c.Brew.Astray(c.Ctx, spots[0].at, path)
		if err != nil {
			return reply, err
		}
		if astray != nil {
			return c.denyBy(spots[0], "astray: "+astray.What,
				protocol.Clean(astray.What, 190)+"; "+protocol.Clean(astray.Way, 170)+"."), nil
		}
	}
	shut := slices.IndexFunc(spots, func(s spot) bool { return s.elsewhere && s.view.Closed() })
	if shut < 0 || target.Allowed && w.all {
		return reply, nil
	}
	by = spots[shut] // a phrase would switch the work tree of the session
	top := protocol.Clean(by.at.Here, 80)
	return c.denyBy(by, c.Reason, "that is in "+top+", where "+by.view.What()+
		" in discussion mode. Agree on the change with the user first; "+
		"the user switches with 'git -C "+top+" brew mode implementation'."), nil
}

// target is where a path leads by the word of all that have a say in it: whose it is,
// or else that one of them allows it; by is the one that said so. Another repository
// allows nothing in a work tree that may not be its own.
func (c *Call) target(spots []spot, path string) (target worktree.Target, by spot, err error) {
	for _, s := range spots {
		t, err := c.Brew.Target(c.Ctx, s.at, path)
		if err != nil || t.Own != "" {
			return t, s, err
		}
		if t.Allowed && (!s.elsewhere || s.view.Top != "") {
			target, by = t, s
		}
	}
	return target, by, nil
}

// denyBy refuses the call in the name of the place that has the say.
func (c *Call) denyBy(by spot, reason, why string) protocol.Reply {
	c.At, c.View, c.Reason = by.at, by.view, protocol.Clean(reason, 90)
	return c.deny(protocol.Clean(c.Payload.ToolName, 60) + " is not allowed: " + why)
}

// Writes answers a call of a writing tool in a session that is in no place of ours: what
// it writes into a work tree of ours is judged there, and refused or left alone.
func (c *Call) Writes() (protocol.Reply, error) {
	if KindOf(c.Payload) != Writing {
		return protocol.Reply{}, nil
	}
	files := readWrites(c.Payload)
	return c.guard(&files)
}

// mayWrite reports whether a call writes only files that may be written in
// discussion mode, by brew.gate.allowedPath.
func (w writes) mayWrite() bool { return w.all && len(w.paths) > 0 && w.allowed == len(w.paths) }

type writes struct {
	paths []string
	// all: the tool is known to write nothing else.
	all bool
	// more: there are others, which nobody looked at.
	more bool
	// allowed counts the paths that brew.gate.allowedPath allows, as guard found them.
	allowed int
}

// readWrites finds the paths in a tool's input: where the client's own tools have
// them, else as readInput does.
func readWrites(p protocol.Payload) writes {
	field := ""
	switch p.ToolName {
	case "Write", "Edit", "MultiEdit":
		field = "file_path"
	case "NotebookEdit":
		field = "notebook_path"
	}
	if path := protocol.Object(p.ToolInput).Text(field); field != "" && path != "" {
		return writes{paths: []string{path}, all: true}
	}
	in := readInput(p)
	return writes{paths: in.paths, more: in.more}
}

// spot is a place that has a say in what a tool writes.
type spot struct {
	at   place.Place
	view place.View
	// elsewhere: it is not the one where the call is judged as a whole.
	elsewhere bool
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
