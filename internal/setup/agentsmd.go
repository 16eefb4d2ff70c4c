package setup

import (
	"bytes"
	"path/filepath"
	"slices"
)

// AgentsFile is the file that agents of all clients read.
const AgentsFile = "AGENTS.md"

// What init puts at the top of it: below a person's text, its last line might have no end.
const (
	agentsBegin = "<!-- git brew: begin -->\n"
	agentsEnd   = "<!-- git brew: end -->\n"
	agentsText  = `This repository keeps the state of its tasks in git, with git brew.

- ` + "`git brew next`" + ` says what comes next, and who is asked. Begin with it, and after each step.
- ` + "`git brew status`" + ` says which task is at hand, ` + "`git brew help -a`" + ` what else there is.
- Store texts with ` + "`git brew doc set plan -`" + `, on standard input, and not as files.
- Before you stop: ` + "`git brew pause -m WHY`" + `.
`
)

// agentsBlock finds the block in a text.
func agentsBlock(text []byte) (start, end int, found bool) {
	start = bytes.Index(text, []byte(agentsBegin))
	if start < 0 || start > 0 && text[start-1] != '\n' {
		return 0, 0, false
	}
	length := bytes.Index(text[start:], []byte(agentsEnd))
	return start, start + length + len(agentsEnd), length >= 0
}

// planAgentsFile tells agents of git brew, in the place of what an earlier init told them,
// or takes that out again.
func planAgentsFile(w *planner, tell bool) error {
	path, follows, about := filepath.Join(w.top, AgentsFile), "", "as it was"
	if tell {
		follows, about = "agents are not told there", "tells agents of git brew"
	}
	before, ok, err := w.editable(path, follows)
	if err != nil || !ok {
		return err
	}
	start, end, found := agentsBlock(before)
	if !found {
		start, end = 0, 0
	}
	var block []byte
	if tell {
		block, w.tree.AgentsFile = []byte(agentsBegin+agentsText+agentsEnd), w.tree.AgentsFile || !found
		if before == nil {
			w.noteMade(path)
		}
	}
	after := slices.Concat(before[:start], block, before[end:])
	if len(after) == 0 && before != nil && (!found || !w.made(path)) {
		after = []byte{} // it stood there empty
	}
	w.add(Change{Path: path, About: about, Before: before, After: after})
	return nil
}
