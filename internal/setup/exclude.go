package setup

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
)

// The lines around what init puts at the top of info/exclude.
const (
	excludeBegin = "# git brew: begin\n"
	excludeEnd   = "# git brew: end\n"
)

func (w *planner) excludePath() string { return filepath.Join(w.repo.CommonDir, "info", "exclude") }

// planExclude keeps files of the work tree out of git's sight, where nothing
// does so yet.
func (w *planner) planExclude(ctx context.Context, paths []string) error {
	var lines []string
	for _, path := range paths {
		rel := w.name(path)
		if w.tracked(ctx, path) {
			w.remark("%s is in git: the change shows in git status", rel)
			continue
		}
		if _, err := w.repo.Git.Run(ctx, "-C", w.top, "check-ignore", "-q", "--", rel); err != nil {
			lines = append(lines, "/"+rel+"\n")
		}
	}
	if len(lines) == 0 {
		return nil
	}
	path := w.excludePath()
	before, ok, err := w.editable(path, "git status shows "+strings.TrimSpace(strings.Join(lines, " ")))
	if err != nil || !ok {
		return err
	}
	if before == nil {
		w.noteMade(path)
	}
	w.add(Change{
		Path: path, About: "keeps git brew's files out of git status", Before: before, After: addExcludes(before, lines),
	})
	return nil
}

// addExcludes adds lines at the top, or to the block that is there.
func addExcludes(data []byte, lines []string) []byte {
	text, added := string(data), strings.Join(lines, "")
	if _, end, found := excludeBlock(data); found {
		end -= len(excludeEnd)
		return []byte(text[:end] + added + text[end:])
	}
	return []byte(excludeBegin + added + excludeEnd + text)
}

// excludeBlock finds what addExcludes put in: the first such block, for what a person
// wrote stands below it.
func excludeBlock(data []byte) (start, end int, found bool) {
	begin := bytes.Index(data, []byte(excludeBegin))
	if begin < 0 || begin > 0 && data[begin-1] != '\n' {
		return 0, 0, false
	}
	length := bytes.Index(data[begin:], []byte(excludeEnd))
	return begin, begin + length + len(excludeEnd), length >= 0
}

// planExcludeBack takes the lines out again.
func (w *planner) planExcludeBack() error {
	path := w.excludePath()
	before, ok, err := w.editable(path, "")
	if err != nil || !ok {
		return err
	}
	start, end, found := excludeBlock(before)
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

// tracked tells whether git keeps a file.
func (w *planner) tracked(ctx context.Context, path string) bool {
	if w.top == "" || !within(w.top, path) {
		return false
	}
	_, err := w.repo.Git.Run(ctx, "-C", w.top, "ls-files", "--error-unmatch", "--", w.name(path))
	return err == nil
}
