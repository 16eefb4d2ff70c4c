package setup

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
)

// The lines around what init adds to info/exclude. The second form of the first
// one says that the line before had no end.
const (
	excludeBegin   = "# git brew: begin\n"
	excludeUnended = "# git brew: begin (the line above had no end)\n"
	excludeEnd     = "# git brew: end\n"
)

func (w place) excludePath() string { return filepath.Join(w.repo.CommonDir(), "info", "exclude") }

// planExclude keeps files of the work tree out of git's sight, where nothing
// does so yet.
func (w place) planExclude(ctx context.Context, p *Plan, m *manifest, paths []string) error {
	var lines []string
	for _, path := range paths {
		rel, err := filepath.Rel(w.top, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if w.tracked(ctx, path) {
			p.remark("%s is in git: the change shows in git status", rel)
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
	before, err := w.read(path)
	if errors.Is(err, errForeign) {
		p.remark("%s: %v; git status shows %s", w.name(path), err, strings.TrimSpace(strings.Join(lines, " ")))
		return nil
	}
	if err != nil {
		return err
	}
	if before == nil {
		m.noteMade(w, path, true)
	}
	p.add(Change{
		Path: path, Name: w.name(path), About: "keeps git brew's files out of git status", Before: before,
		After: addExcludes(before, lines),
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
func (w place) planExcludeBack(p *Plan, m manifest) error {
	path := w.excludePath()
	before, err := w.read(path)
	if err != nil || before == nil {
		if errors.Is(err, errForeign) {
			return nil
		}
		return err
	}
	start, end, found := excludeBlock(before)
	if !found {
		return nil
	}
	text := string(before)
	rest := text[end:]
	if rest != "" && text[start] == '\n' {
		rest = "\n" + rest // somebody wrote behind the block
	}
	after := []byte(text[:start] + rest)
	if len(after) == 0 && m.made(w, path) {
		after = nil
	}
	p.add(Change{Path: path, Name: w.name(path), About: "as it was", Before: before, After: after})
	return nil
}

// tracked tells whether git keeps a file.
func (w place) tracked(ctx context.Context, path string) bool {
	rel, err := filepath.Rel(w.top, path)
	if err != nil || w.top == "" || !within(w.top, path) {
		return false
	}
	_, err = w.repo.Git.Run(ctx, "-C", w.top, "ls-files", "--error-unmatch", "--", filepath.ToSlash(rel))
	return err == nil
}
