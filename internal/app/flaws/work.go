// Package flaws finds what is wrong with work though its commands may pass: tests that are gone,
// emptied or skipped, what verifies the work changed by it, conflict markers, work that is put
// off. It reads commits, and changes nothing.
package flaws

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
	"github.com/git-brew/git-brew/internal/app/trees"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/invisible"
)

// Work is what a worker left on a phase's branch.
type Work struct {
	Tip     gitstore.OID
	Commits int // since the phase's branch left the task's
	files   []changed
}

// IsEmpty reports that the work changes nothing.
func (w Work) IsEmpty() bool { return len(w.files) == 0 }

// changed is a file that work changed; status is git's letter, from the name that it had
// before, of one that was renamed; modes are git's, and blob is what it is now.
type changed struct{ status, path, from, wasMode, mode, blob string }

// Look checks what a worker left, against the tip of the task's branch. why says what
// keeps it from being checked any further, in a sentence about the worker.
func Look(ctx context.Context, w trees.Tree, onto gitstore.OID) (done Work, why string, err error) {
	if err := w.Check(ctx); err != nil {
		return done, "", err
	}
	switch head, err := w.Run(ctx, "rev-parse", "--symbolic-full-name", "HEAD"); {
	case err != nil:
		return done, "", err
	case head != string(w.Ref()):
		return done, "The work tree is not on its branch " + w.Branch + ", where all commits belong.", nil
	}
	left, err := w.Run(ctx, "status", "--porcelain", "--untracked-files=all")
	if err != nil {
		return done, "", err
	}
	if left != "" {
		return done, "Not everything is committed. What does not belong to the work has to go:\n" +
			invisible.FirstLines(left, 20), nil
	}
	tip, err := w.Run(ctx, "rev-parse", "--verify", "HEAD^{commit}")
	if err != nil {
		return done, "", err
	}
	if done.Tip, err = gitstore.ParseOID(tip); err != nil {
		return done, "", err
	}
	base, err := w.Run(ctx, "merge-base", onto.String(), tip)
	if err != nil {
		return done, "", err
	}
	count, err := w.Run(ctx, "rev-list", "--count", "--no-merges", tip, "^"+onto.String(), "--")
	if err != nil {
		return done, "", err
	}
	if _, err := fmt.Sscan(count, &done.Commits); err != nil {
		return done, "", err
	}
	done.files, err = changes(ctx, w, base, tip)
	return done, "", err
}

// changes are the files that differ between two commits.
func changes(ctx context.Context, w trees.Tree, from, to string) ([]changed, error) {
	names, err := w.Run(ctx, "diff", "--raw", "--no-abbrev", "--no-ext-diff", "-M", "-z", from, to, "--")
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

// Of finds what is wrong with work, whatever its checks say, a sentence each. All of it is of
// lines that the work adds, or of files that it takes away. commands verify the work.
func Of(ctx context.Context, w trees.Tree, done Work, onto gitstore.OID, commands []string) ([]string, error) {
	base, err := w.Run(ctx, "merge-base", onto.String(), done.Tip.String())
	if err != nil {
		return nil, err
	}
	heavy, err := heavy(ctx, w, done)
	if err != nil || len(heavy) > 0 {
		return heavy, err
	}
	lines := ofLines(w.Diff(ctx, &err, "--unified=0", "-M", base, done.Tip.String(), "--"))
	if err != nil {
		return nil, err
	}
	empty, err := emptiedTests(ctx, w, done, base)
	if err != nil {
		return nil, err
	}
	kinds, err := ofKinds(ctx, w, done.files)
	return slices.Concat(lines, ofFiles(done.files, commands), empty, kinds, ofPackages(ctx, w, done, base, commands)), err
}

// Between finds what is wrong with commits that no worker handed over, as one piece of work.
func Between(ctx context.Context, w trees.Tree, from, to gitstore.OID, commands []string) ([]string, error) {
	files, err := changes(ctx, w, from.String(), to.String())
	if err != nil {
		return nil, err
	}
	return Of(ctx, w, Work{Tip: to, files: files}, from, commands)
}

// maxAdded is how large a file may be that work adds, in bytes.
const maxAdded = 50 << 20

// heavy are the files that work adds and that are larger than that, a sentence each.
func heavy(ctx context.Context, w trees.Tree, done Work) (all []string, err error) {
	var names []string
	for _, f := range done.files {
		if f.status == "A" {
			names = append(names, f.path)
		}
	}
	for some := range slices.Chunk(names, testsAtOnce) {
		args := append([]string{"ls-tree", "-z", "-l", "--full-tree", done.Tip.String(), "--"}, some...)
		out, err := w.Run(ctx, args...)
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

// ofLines looks at the lines that a diff adds.
func ofLines(lines iter.Seq2[string, string]) (all []string) {
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

// ofFiles looks at the files that work changed: a test that is gone, or a file that the
// commands run or go by and that was there before, prove nothing.
func ofFiles(files []changed, commands []string) (all []string) {
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
