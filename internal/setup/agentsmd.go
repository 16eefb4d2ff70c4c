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

// planAgentsFile tells agents of git brew, in the place of what an earlier init told them.
func (w *planner) planAgentsFile() error {
	path := filepath.Join(w.top, AgentsFile)
	before, ok, err := w.editable(path, "agents are not told there")
	if err != nil || !ok {
		return err
	}
	block := []byte(agentsBegin + agentsText + agentsEnd)
	after := slices.Concat(block, before)
	if start, end, found := agentsBlock(before); found {
		after = slices.Concat(before[:start], block, before[end:])
	} else {
		w.tree.AgentsFile = true
	}
	if before == nil {
		w.noteMade(path)
	}
	w.add(Change{Path: path, About: "tells agents of git brew", Before: before, After: after})
	return nil
}

// planAgentsFileBack takes the block out again.
func (w *planner) planAgentsFileBack() error {
	path := filepath.Join(w.top, AgentsFile)
	before, ok, err := w.editable(path, "")
	if err != nil || !ok {
		return err
	}
	start, end, found := agentsBlock(before)
	if !found {
		return nil
	}
	after := slices.Concat(before[:start], before[end:])
	if len(after) == 0 && !w.made(path) {
		after = []byte{} // it stood there empty
	}
	w.add(Change{Path: path, About: "as it was", Before: before, After: after})
	return nil
}
