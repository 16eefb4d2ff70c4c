package gate

import (
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
	"github.com/git-brew/git-brew/internal/hooks/shown"
)

// guard keeps writing tools from what keeps the gate, in either mode (BW-48), in
// implementation mode from other places than the one where the task is worked on
// (BW-47), and from files of other work trees whose gate is closed (BW-2). It
// reports whether it answered.
func (c *Call) guard(w *writes) (protocol.Reply, bool, error) {
	var bound, shut []aim
	for _, path := range w.paths {
		spots, err := c.spots(path)
		if err != nil {
			return protocol.Reply{}, false, err
		}
		target, by, err := c.target(spots, path)
		switch {
		case err != nil:
			return protocol.Reply{}, false, err
		case target.Own != "":
			return c.denyBy(by, "guarded: "+target.Own, shown.Clean(path, 80)+" is "+shown.Clean(target.Own, 80)+
				", which decides what agents may do. "+
				"What the work needs there, git's own commands change; the rest is for the user, in a terminal."), true, nil
		case target.Allowed:
			w.allowed++
		case len(spots) > 0 && !spots[0].view.Closed():
			bound = append(bound, aim{spots[0], path})
		}
		for _, s := range spots {
			if s.elsewhere && s.view.Closed() && !(target.Allowed && w.all) {
				shut = append(shut, aim{s, path})
			}
		}
	}
	for _, a := range bound {
		astray, err := c.Brew.Astray(c.Ctx, a.at, a.path)
		if err != nil {
			return protocol.Reply{}, false, err
		}
		if astray != nil {
			return c.denyBy(a.spot, "astray: "+astray.What,
				shown.Clean(astray.What, 190)+"; "+shown.Clean(astray.Way, 170)+"."), true, nil
		}
	}
	if len(shut) > 0 {
		by := shut[0].spot // a phrase would switch the work tree of the session
		top := shown.Clean(by.at.Here, 80)
		return c.denyBy(by, c.Reason, "that is in "+top+", where "+by.view.What()+
			" in discussion mode. Agree on the change with the user first; "+
			"the user switches with 'git -C "+top+" brew mode implementation'."), true, nil
	}
	return protocol.Reply{}, false, nil
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
	c.At, c.View, c.Reason = by.at, by.view, shown.Clean(reason, 90)
	return c.deny(shown.Clean(c.Payload.ToolName, 60) + " is not allowed: " + why)
}

// Writes answers a call of a writing tool in a session that is in no place of ours: what
// it writes into a work tree of ours is judged there. It reports whether it answered.
func (c *Call) Writes() (protocol.Reply, bool, error) {
	if KindOf(c.Payload) != Writing {
		return protocol.Reply{}, false, nil
	}
	files := readWrites(c.Payload)
	return c.guard(&files)
}

// mayWrite reports whether a call writes only files that may be written in
// discussion mode, by brew.gate.allowedPath.
func (w writes) mayWrite() bool { return w.all && len(w.paths) > 0 && w.allowed == len(w.paths) }

// writes are the paths that a call of a writing tool names.
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
