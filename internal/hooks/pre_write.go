package hooks

import (
	"encoding/json"
	"slices"
	"strings"
)

// guard keeps writing tools from what keeps the gate, in either mode (BW-48), in
// implementation mode from other places than the one where the task is worked on
// (BW-47), and from files of other work trees whose gate is closed (BW-2). It
// reports whether it answered.
func (c *call) guard(w *writes) (Reply, bool, error) {
	tool := clean(c.p.ToolName, 60)
	var bound []string // to the place of the task
	var shut *spot     // the first of another work tree that is closed to the call
	for _, path := range w.paths {
		spots, err := c.spots(path)
		if err != nil {
			return Reply{}, false, err
		}
		allowed := false
		for _, s := range spots {
			target, err := c.brew.Target(c.ctx, s.at, path)
			if err != nil {
				return Reply{}, false, err
			}
			if target.Own != "" {
				c.at, c.view, c.reason = s.at, s.view, "guarded: "+clean(target.Own, 60)
				return c.deny(tool + " is not allowed: " + clean(path, 80) + " is " + clean(target.Own, 80) + ", which decides what agents may do. " +
					"What the work needs there, git's own commands change; the rest is for the user, in a terminal."), true, nil
			}
			allowed = allowed || target.Allowed
		}
		if allowed {
			w.allowed++
		} else if len(spots) > 0 && !spots[0].view.closed() {
			bound = append(bound, path)
		}
		for i, s := range spots {
			if s.elsewhere && s.view.closed() && shut == nil && !(allowed && w.all) {
				shut = &spots[i]
			}
		}
	}
	for _, path := range bound {
		spots, err := c.spots(path)
		if err != nil {
			return Reply{}, false, err
		}
		astray, err := c.brew.Astray(c.ctx, spots[0].at, path)
		if err != nil {
			return Reply{}, false, err
		}
		if astray != nil {
			c.at, c.view, c.reason = spots[0].at, spots[0].view, "astray: "+clean(astray.What, 80)
			return c.deny(tool + " is not allowed: " + clean(astray.What, 190) + "; " + clean(astray.Way, 170) + "."), true, nil
		}
	}
	if shut == nil || c.writesPlan() {
		return Reply{}, false, nil
	}
	c.at, c.view = shut.at, shut.view
	top := clean(shut.view.Top, 80)
	return c.deny(tool + " is not allowed: that is in " + top + ", where " + c.where() + " in discussion mode. " +
		"Agree on the change with the user first; the user switches with 'git -C " + top + " brew mode implementation'."), true, nil
}

// mayWrite reports whether a call writes only files that may be written in
// discussion mode, by brew.gate.allowedPath.
func (w writes) mayWrite() bool { return w.all && len(w.paths) > 0 && w.allowed == len(w.paths) }

// writes are the paths that a call of a writing tool names.
type writes struct {
	paths []string
	// all: the tool is known to write nothing else.
	all bool
	// allowed counts the paths that brew.gate.allowedPath allows, as guard found them.
	allowed int
}

// maxWrites bounds how many paths of one call are looked at.
const maxWrites = 64

// readWrites finds the paths in a tool's input: where the client's own tools have
// them, else wherever a field's name says that it is one, and in the heads of a
// patch.
func readWrites(p Payload) writes {
	field := ""
	switch p.ToolName {
	case "Write", "Edit", "MultiEdit":
		field = "file_path"
	case "NotebookEdit":
		field = "notebook_path"
	}
	var f fields
	_ = json.Unmarshal(p.ToolInput, &f)
	if path := f.text(field); field != "" && path != "" {
		return writes{paths: []string{path}, all: true}
	}
	var input any
	_ = json.Unmarshal(p.ToolInput, &input)
	var w writes
	w.collect("", input, 0)
	return w
}

// collect goes through an input; name is the field that v stands in.
func (w *writes) collect(name string, v any, depth int) {
	if depth > 8 || len(w.paths) >= maxWrites {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			w.collect(key, value, depth+1)
		}
	case []any:
		for _, value := range v {
			w.collect(name, value, depth+1)
		}
	case string:
		switch {
		case strings.Contains(v, "\n"):
			w.patch(v)
		case v != "" && slices.ContainsFunc(nameWords(name), namesPath):
			w.paths = append(w.paths, v)
		}
	}
}

func namesPath(word string) bool {
	switch word {
	case "path", "paths", "file", "files", "filename", "filepath", "destination", "dest", "target", "source", "uri", "url", "folder", "dir", "directory", "location":
		return true
	}
	return false
}

// patch takes the files that a patch names in its heads.
func (w *writes) patch(text string) {
	for line := range strings.Lines(text) {
		for _, head := range []string{"*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: ", "+++ b/", "--- a/"} {
			if path, ok := strings.CutPrefix(line, head); ok && len(w.paths) < maxWrites {
				w.paths = append(w.paths, strings.TrimRight(path, "\r\n"))
			}
		}
	}
}
