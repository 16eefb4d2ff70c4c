package hooks

import (
	"encoding/json"
	"slices"
	"strings"
)

// guard keeps writing tools from what keeps the gate, in either mode (BW-48),
// and in implementation mode from other places than the one where the task is
// worked on (BW-47). It reports whether it answered.
func (c *call) guard(w writes) (Reply, bool, error) {
	if !c.view.Guarded {
		return Reply{}, false, nil
	}
	tool := clean(c.p.ToolName, 60)
	var bound []string // to the place of the task
	for _, path := range w.paths {
		target, err := c.brew.Target(c.ctx, c.at, path)
		if err != nil {
			return Reply{}, false, err
		}
		if target.Own != "" {
			c.reason = "guarded: " + clean(target.Own, 60)
			return c.deny(tool + " is not allowed: " + clean(path, 80) + " is " + clean(target.Own, 80) + ", which decides what agents may do. " +
				"What the work needs there, git's own commands change; the rest is for the user, in a terminal."), true, nil
		}
		if !target.Allowed && !c.view.closed() {
			bound = append(bound, path)
		}
	}
	for _, path := range bound {
		astray, err := c.brew.Astray(c.ctx, c.at, path)
		if err != nil || astray == nil {
			if err != nil {
				return Reply{}, false, err
			}
			continue
		}
		c.reason = "astray: " + clean(astray.What, 80)
		return c.deny(tool + " is not allowed: " + clean(astray.What, 190) + "; " + clean(astray.Way, 170) + "."), true, nil
	}
	return Reply{}, false, nil
}

// mayWrite reports whether a call writes only files that may be written in
// discussion mode, by brew.gate.allowedPath.
func (c *call) mayWrite(w writes) (bool, error) {
	if !w.all || len(w.paths) == 0 {
		return false, nil
	}
	for _, path := range w.paths {
		target, err := c.brew.Target(c.ctx, c.at, path)
		if err != nil || !target.Allowed || target.Own != "" {
			return false, err
		}
	}
	return true, nil
}

// writes are the paths that a call of a writing tool names.
type writes struct {
	paths []string
	// all: the tool is known to write nothing else.
	all bool
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
	if path := object(p.ToolInput).text(field); field != "" && path != "" {
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
