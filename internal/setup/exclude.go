package setup

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
)

// The lines around what init adds to info/exclude. The second form of the first
// one says that the line before had no end.
const (
	excludeBegin   = "# git brew: begin\n"
	excludeUnended = "# git brew: begin (the line above had no end)\n"
	excludeEnd     = "# git brew: end\n"
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

// addExcludes adds lines at the end, or to the block that is there.
func addExcludes(data []byte, lines []string) []byte {
	text, added := string(data), strings.Join(lines, "")
	if _, end, found := excludeBlock(data); found {
		at := end - len(excludeEnd)
		return []byte(text[:at] + added + text[at:])
	}
	begin := excludeBegin
	if text != "" && !strings.HasSuffix(text, "\n") {
		begin = "\n" + excludeUnended
	}
	return []byte(text + begin + added + excludeEnd)
}

// excludeBlock finds what addExcludes put in: the last such block. A begin that
// stood there before, without an end, is a person's line like any other.
func excludeBlock(data []byte) (start, end int, found bool) {
	text := string(data)
	last := strings.LastIndex(text, excludeEnd)
	if last < 0 {
		return 0, 0, false
	}
	end = last + len(excludeEnd)
	if start = strings.LastIndex(text[:last], "\n"+excludeUnended); start >= 0 {
		return start, end, true
	}
	start = strings.LastIndex(text[:last], excludeBegin)
	if start < 0 || start > 0 && text[start-1] != '\n' {
		return 0, 0, false
	}
	return start, end, true
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
	rest := before[end:]
	if len(rest) > 0 && before[start] == '\n' {
		rest = append([]byte("\n"), rest...) // somebody wrote behind the block
	}
	after := slices.Concat(before[:start], rest)
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
