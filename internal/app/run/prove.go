package run

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/gitstore"
)

// work is what a worker left on a phase's branch.
type work struct {
	tip     gitstore.OID
	commits int // since the phase's branch left the task's
	files   []changed
}

// changed is a file that the work changed; status is git's letter, from the name that it had
// before, of one that was renamed; modes are git's, and blob is what it is now.
type changed struct{ status, path, from, wasMode, mode, blob string }

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
	names, err := w.run(ctx, "diff", "--raw", "--no-abbrev", "--no-ext-diff", "-M", "-z", from, to, "--")
	return readChanged(names), err
}

// readChanged reads git diff --raw -z.
func readChanged(text string) (all []changed) {
	fields := strings.Split(strings.TrimSuffix(text, "\x00"), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		about := strings.Fields(strings.TrimPrefix(fields[i], ":")) // modes, objects, and the status
		if len(about) != 5 {
			return all
		}
		c := changed{status: about[4][:1], path: fields[i+1], wasMode: about[0], mode: about[1], blob: about[3]}
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
	heavy, err := w.heavy(ctx, done)
	if err != nil || len(heavy) > 0 {
		return heavy, err
	}
	lines := flawsOfLines(w.diff(ctx, &err, "--unified=0", "-M", base, done.tip.String(), "--"))
	if err != nil {
		return nil, err
	}
	empty, err := w.emptiedTests(ctx, done, base)
	if err != nil {
		return nil, err
	}
	kinds, err := w.flawsOfKinds(ctx, done.files)
	return slices.Concat(lines, flawsOfFiles(done.files, commands), empty, kinds,
		w.flawsOfPackages(ctx, done, base, commands)), err
}

// maxAdded is how large a file may be that work adds, in bytes.
const maxAdded = 50 << 20

// heavy are the files that work adds and that are larger than that, a sentence each.
func (w tree) heavy(ctx context.Context, done work) (all []string, err error) {
	var names []string
	for _, f := range done.files {
		if f.status == "A" {
			names = append(names, f.path)
		}
	}
	for some := range slices.Chunk(names, testsAtOnce) {
		args := append([]string{"ls-tree", "-z", "-l", "--full-tree", done.tip.String(), "--"}, some...)
		out, err := w.run(ctx, args...)
		if err != nil {
			return nil, err
		}
		for entry := range strings.SplitSeq(out, "\x00") {
			about, name, _ := strings.Cut(entry, "\t")
			size := int64(0)
			if fields := strings.Fields(about); len(fields) == len([]string{"mode", "type", "object", "size"}) {
				_, _ = fmt.Sscan(fields[len(fields)-1], &size) // "-": a repository inside
			}
			if size > maxAdded {
				all = append(all, fmt.Sprintf("%s: it adds a file of %d MB", name, size>>20))
			}
		}
	}
	return all, nil
}

// flawsOfLines looks at the lines that a diff adds.
func flawsOfLines(lines iter.Seq2[string, string]) (all []string) {
	m, driver := newMarks(), regexp.MustCompile(`\b(merge|filter)=`)
	found := map[string]bool{}
	for file, line := range lines {
		added, is := strings.CutPrefix(line, "+")
		if !is {
			continue
		}
		what := m.flaw(file, added)
		if path.Base(file) == ".gitattributes" && driver.MatchString(added) {
			what = "it has git merge or check out with a program"
		}
		if key := what + file; what != "" && !found[key] && len(all) < 20 {
			found[key] = true
			all = append(all, fmt.Sprintf("%s: %s: %s", file, what, strings.TrimSpace(added[:min(len(added), 120)])))
		}
	}
	return all
}

// flawsOfFiles looks at the files that work changed: a test that is gone, or a file that the
// commands run or go by and that was there before, prove nothing.
func flawsOfFiles(files []changed, commands []string) (all []string) {
	m, checks := newMarks(), verifiesOf(commands)
	for _, f := range files {
		switch {
		case f.status == "D" && codediff.IsTest(f.path),
			f.status == "R" && codediff.IsTest(f.from) && m.lost(f.from, f.path):
			all = append(all, cmp.Or(f.from, f.path)+": a test was deleted")
		case f.status != "A" && (checks.goBy(f.path) || f.from != "" && checks.goBy(f.from)):
			all = append(all, f.path+": it verifies the work, and was changed by it")
		}
	}
	return all
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
