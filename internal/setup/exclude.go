package setup

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// The lines around what init puts at the top of info/exclude.
const (
	excludeBegin = "# git brew: begin\n"
	excludeEnd   = "# git brew: end\n"
)

func excludePath(repo *gitstore.Repo) string { return filepath.Join(repo.CommonDir, "info", "exclude") }

// planExclude keeps files of the work tree out of git's sight, where nothing
// does so yet, and into it those that it shall show.
func (w *planner) planExclude(ctx context.Context, paths, shown []string) error {
	names := make([]string, 0, len(paths))
	for _, path := range paths {
		if !slices.Contains(shown, path) { // as another name of one directory, perhaps
			names = append(names, w.name(path))
		}
	}
	tracked, err := w.trackedOf(ctx, names...)
	if err != nil {
		return err
	}
	unseen := ignored(ctx, w.repo, names)
	var lines []string
	for _, name := range names {
		changes := func(c Change) bool { return c.Name == name }
		switch {
		case tracked[name] && slices.ContainsFunc(w.Changes, changes):
			w.remark("%s is in git: the change shows in git status", name)
		case !tracked[name] && !unseen[name]:
			lines = append(lines, "/"+name+"\n")
		}
	}
	path, follows := excludePath(w.repo), ""
	if len(lines) > 0 {
		follows = "git status shows " + strings.TrimSpace(lines[0])
		if n := len(lines) - 1; n > 0 {
			follows += fmt.Sprintf(" and %d more", n)
		}
	}
	before, ok, err := w.editable(path, follows)
	if err != nil || !ok {
		return err
	}
	after := before
	for _, path := range shown {
		after = withoutExclude(after, "/"+w.name(path)+"\n")
	}
	if len(lines) > 0 {
		after = addExcludes(after, lines)
	}
	if before == nil && after != nil {
		w.noteMade(path)
	}
	w.add(Change{Path: path, About: "keeps git brew's files out of git status", Before: before, After: after})
	return nil
}

// withoutExclude takes a line out of what addExcludes put in.
func withoutExclude(data []byte, line string) []byte {
	start, end, found := excludeBlock(data)
	at := -1
	if found {
		at = bytes.Index(data[start:end], []byte("\n"+line))
	}
	if at < 0 {
		return data
	}
	return slices.Delete(slices.Clone(data), start+at+1, start+at+1+len(line))
}

// addExcludes adds lines at the top, or to the block that is there.
func addExcludes(data []byte, lines []string) []byte {
	text := string(data)
	if start, end, found := excludeBlock(data); found {
		end -= len(excludeEnd)
		there := func(line string) bool { return strings.Contains(text[start:end], "\n"+line) }
		lines = slices.DeleteFunc(lines, there) // git may not say so, as behind a link
		return []byte(text[:end] + strings.Join(lines, "") + text[end:])
	}
	return []byte(excludeBegin + strings.Join(lines, "") + excludeEnd + text)
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
	path := excludePath(w.repo)
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

func (w *planner) tracked(ctx context.Context, path string) bool {
	if w.top == "" || !within(w.top, path) {
		return false
	}
	_, err := w.repo.Git.Run(ctx, "-C", w.top, "ls-files", "--error-unmatch", "--", w.name(path))
	return err == nil
}

// trackedOf are the files that git keeps, of those that are named or lie below a name.
func (w *planner) trackedOf(ctx context.Context, names ...string) (map[string]bool, error) {
	if len(names) == 0 {
		return nil, nil
	}
	args := append([]string{"-C", w.top, "--literal-pathspecs", "ls-files", "-z", "--"}, names...)
	out, err := w.repo.Git.Run(ctx, args...)
	return setOf(out), err
}

func ignored(ctx context.Context, repo *gitstore.Repo, names []string) map[string]bool {
	if len(names) == 0 {
		return nil
	}
	list := []byte(strings.Join(names, "\x00") + "\x00")
	out, _ := repo.Git.Input(ctx, list, "-C", repo.WorkTree, "check-ignore", "-z", "--stdin") // exit status 1: none
	return setOf(out)
}

func setOf(list []byte) map[string]bool {
	set := map[string]bool{}
	for name := range strings.SplitSeq(string(list), "\x00") {
		set[name] = true
	}
	return set
}
