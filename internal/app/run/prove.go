package run

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/runner"
)

// work is what a worker left on a phase's branch.
type work struct {
	tip     gitstore.OID
	commits int // since the phase's branch left the task's
	files   []changed
}

// changed is a file that the work changed; status is git's letter, from the name that it had
// before, of one that was renamed.
type changed struct{ status, path, from string }

// look looks at what a worker left, against the tip of the task's branch. why says what
// keeps it from being looked at any further, in a sentence for the worker.
func (w tree) look(ctx context.Context, onto gitstore.OID) (done work, why string, err error) {
	if err := w.check(ctx); err != nil {
		return done, "", err
	}
	switch head, err := w.run(ctx, "rev-parse", "--symbolic-full-name", "HEAD"); {
	case err != nil:
		return done, "", err
	case head != string(w.ref()):
		return done, "The work tree is not on its branch " + w.branch + ": go back to it, with all your commits.", nil
	}
	left, err := w.run(ctx, "status", "--porcelain", "--untracked-files=all")
	if err != nil {
		return done, "", err
	}
	if left != "" {
		return done, "Not everything is committed. Commit what belongs to the work, and take away the rest:\n" +
			firstLines(left, 20), nil
	}
	tip, err := w.run(ctx, "rev-parse", "--verify", "HEAD^{commit}")
	if err != nil {
		return done, "", err
	}
	if done.tip, err = gitstore.ParseOID(tip); err != nil {
		return done, "", err
	}
	base, err := w.run(ctx, "merge-base", onto.String(), tip)
	if err != nil {
		return done, "", err
	}
	count, err := w.run(ctx, "rev-list", "--count", "--no-merges", tip, "^"+onto.String(), "--")
	if err != nil {
		return done, "", err
	}
	if _, err := fmt.Sscan(count, &done.commits); err != nil {
		return done, "", err
	}
	done.files, err = w.changes(ctx, base, tip)
	return done, "", err
}

// changes are the files that differ between two commits.
func (w tree) changes(ctx context.Context, from, to string) ([]changed, error) {
	names, err := w.run(ctx, "diff", "--name-status", "--no-ext-diff", "-M", "-z", from, to, "--")
	return readChanged(names), err
}

// readChanged reads git diff --name-status -z.
func readChanged(text string) (all []changed) {
	fields := strings.Split(strings.TrimSuffix(text, "\x00"), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		c := changed{status: fields[i][:min(1, len(fields[i]))], path: fields[i+1]}
		if c.status == "R" || c.status == "C" { // the old name, then the new one
			if i++; i+1 < len(fields) {
				c.from, c.path = c.path, fields[i+1]
			}
		}
		all = append(all, c)
	}
	return all
}

// flaws are what is wrong with the work, whatever its checks say, a sentence each. All of
// them are of lines that the work adds, or of files that it takes away.
func (w tree) flaws(ctx context.Context, done work, onto gitstore.OID, commands []string) ([]string, error) {
	base, err := w.run(ctx, "merge-base", onto.String(), done.tip.String())
	if err != nil {
		return nil, err
	}
	out, err := w.run(ctx, "-c", "core.quotePath=false", "diff", "--no-ext-diff", "--no-textconv", "--no-color", "--text",
		"--submodule=short", "--src-prefix=a/", "--dst-prefix=b/", "--unified=0", "-M", base, done.tip.String(), "--")
	if err != nil {
		return nil, err
	}
	empty, err := w.emptiedTests(ctx, done, base)
	return slices.Concat(flawsOfLines(out), flawsOfFiles(done.files, commands), empty), err
}

// flawsOfLines looks at the lines that a diff adds.
func flawsOfLines(diff string) (all []string) {
	todo := regexp.MustCompile(`\b(TODO|FIXME|HACK|XXX)\b[^:]{0,40}:`)
	marker := regexp.MustCompile(`^(<<<<<<<|>>>>>>>)( |$)`)
	skips := regexp.MustCompile(`\bt\.Skip(f|Now)?\(|\b(it|test|describe)\.(skip|todo)\(|\bx(it|describe|test)\(|` +
		`@(pytest\.mark|unittest)\.skip|\bpytest\.skip\(|@(Disabled|Ignore)\b|#\[ignore|\bskip\(['"]`)
	file := ""
	found := map[string]bool{}
	note := func(what, line string) {
		if key := what + file; !found[key] && len(all) < 20 {
			found[key] = true
			all = append(all, fmt.Sprintf("%s: %s: %s", file, what, strings.TrimSpace(line[:min(len(line), 120)])))
		}
	}
	for name, line := range diffLines(diff) {
		file = name
		added, is := strings.CutPrefix(line, "+")
		switch {
		case !is:
		case marker.MatchString(added):
			note("it has a conflict marker", added)
		case codediff.IsTest(file):
			if skips.MatchString(added) {
				note("a test is skipped", added)
			}
		case !isProse(file) && todo.MatchString(added):
			note("work is put off", added)
		}
	}
	return all
}

// flawsOfFiles looks at the files that work changed: a test that is gone, or a program of
// the tree that verifies the work and was there before, prove nothing.
func flawsOfFiles(files []changed, commands []string) (all []string) {
	checks := map[string]bool{}
	for _, command := range commands {
		if simple, err := runner.ReadSimple(command); err == nil {
			checks[programOf(simple.Args)] = true
		}
	}
	for _, f := range files {
		switch {
		case f.status == "D" && codediff.IsTest(f.path),
			f.status == "R" && codediff.IsTest(f.from) && !codediff.IsTest(f.path):
			all = append(all, cmp.Or(f.from, f.path)+": a test was deleted")
		case f.status != "A" && (checks[f.path] || checks[f.from]):
			all = append(all, f.path+": it verifies the work, and was changed by it")
		}
	}
	return all
}

// programOf is the file that a command runs: its first word, or what an interpreter is given
// first.
func programOf(args []string) string {
	name := path.Base(args[0])
	if slices.Contains([]string{"sh", "bash", "dash", "zsh", "node", "ruby", "perl"}, name) ||
		strings.HasPrefix(name, "python") {
		for _, arg := range args[1:] {
			if !strings.HasPrefix(arg, "-") {
				return path.Clean(arg)
			}
		}
	}
	return path.Clean(args[0])
}

// isProse reports a file in which a word like TODO may just be a word.
func isProse(name string) bool {
	return slices.Contains([]string{".md", ".txt", ".json", ".yaml", ".yml", ".rst", ".adoc"},
		strings.ToLower(path.Ext(name)))
}

// firstLines is the beginning of a text, with a line that counts the rest.
func firstLines(text string, n int) string {
	lines := strings.Split(text, "\n")
	if len(lines) <= n {
		return text
	}
	return strings.Join(lines[:n], "\n") + fmt.Sprintf("\n(%d lines more)", len(lines)-n)
}
