package setup

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/plugin"
)

// AgentsFile is the file that agents of all clients read.
const AgentsFile = "AGENTS.md"

// What init puts at the top of it, with a plugin's mark behind it: below a person's text, its
// last line might have no end.
const (
	agentsBegin = "<!-- git brew: begin -->\n"
	agentsText  = `This repository keeps the state of its tasks in git, with git brew.

- ` + "`git brew next`" + ` says what comes next, and who is asked. Begin with it, and after each step.
- ` + "`git brew status`" + ` says which task is at hand, ` + "`git brew help -a`" + ` what else there is.
- Store texts with ` + "`git brew doc set plan -`" + `, on standard input, and not as files.
- Before you stop: ` + "`git brew pause -m WHY`" + `.
`
)

// agentsBlock finds the block in a text, and what stands in it, nil for none. Its first line
// may have another end, which git gave it.
func agentsBlock(text []byte) (start, end int, inside []byte) {
	start = bytes.Index(text, []byte(strings.TrimSpace(agentsBegin)))
	if start < 0 || start > 0 && text[start-1] != '\n' {
		return 0, 0, nil
	}
	body := 0
	for line := range bytes.Lines(text[start:]) {
		if end += len(line); body == 0 {
			body = end
		} else if bytes.HasPrefix(line, []byte(plugin.MarkBegin)) {
			return start, start + end, text[start+body : start+end]
		}
	}
	return 0, 0, nil
}

// planAgentsFile tells agents of git brew, in the place of what an earlier init told them,
// or takes that out again, unless somebody changed it.
func planAgentsFile(w *planner, tell bool, version string) error {
	path, follows, about := filepath.Join(w.top, AgentsFile), "", "as it was"
	if tell {
		follows, about = "agents are not told there", "tells agents of git brew"
	}
	before, ok, err := w.editable(path, follows)
	if err != nil || !ok {
		return err
	}
	start, end, inside := agentsBlock(before)
	found, block := inside != nil, plugin.Mark([]byte(agentsText), version)
	switch {
	case found && plugin.OwnerOf(inside) != plugin.Ours:
		w.remark("git brew's lines in %s were changed by hand and stay", AgentsFile)
		return nil
	case tell && found && plugin.Same(inside, block):
		return nil
	case !tell && !found:
		return nil
	case !tell:
		block = nil
	default:
		block, w.tree.AgentsFile = append([]byte(agentsBegin), block...), w.tree.AgentsFile || !found
		if before == nil {
			w.noteMade(path)
		}
	}
	after := slices.Concat(before[:start], block, before[end:])
	if len(after) == 0 && !w.made(path) {
		after = []byte{} // it stood there empty
	}
	w.add(Change{Path: path, About: about, Before: before, After: after})
	return nil
}
