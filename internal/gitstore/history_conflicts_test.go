package gitstore_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/gitstore/history"
)

// What is said of a pair of branches is what git merge does with them in a work tree: for edits,
// removals, renames of files and directories, changes of modes, files where directories were,
// links, binary and empty files, and branches that go on from each other.
func TestHistory_BR17_Conflicts_asGitMerges(t *testing.T) {
	n := 500
	if testing.Short() {
		n = 40
	}
	const seed = 17
	f := gitstoretest.New(t)
	pairs := randomPairs(t, f, rand.New(rand.NewPCG(seed, 0)), n)
	before := f.Git("count-objects", "-v")
	said, err := f.Open().History.Conflicts(t.Context(), pairs)
	noError(t, err)
	equal(t, "answers", len(said), n)
	equal(t, "objects that stay", f.Git("count-objects", "-v"), before)
	conflicts := 0
	for i, p := range pairs {
		_ = os.Remove(filepath.Join(f.Dir, ".git", "index.lock")) // a git that broke down left it
		f.Git("reset", "-q", "--hard", p[0].String())
		f.Git("clean", "-q", "-d", "-f", "-f", "-x")
		merges := exec.CommandContext(t.Context(), "git", "merge", "-q", "--no-commit", "--no-ff",
			"--allow-unrelated-histories", p[1].String())
		merges.Dir, merges.Env = f.Dir, f.Env
		out, err := merges.CombinedOutput()
		if said[i].Is != (err != nil) {
			t.Fatalf("seed %d, pair %d, %s %s: said %v, git merge: %v\n%s", seed, i, p[0], p[1], said[i], err, out)
		}
		if err != nil {
			conflicts++
		}
		if bytes.Contains(out, []byte("BUG: merge-ort.c")) { // git 2.39 breaks down at some, and has no paths then
			continue
		}
		have := said[i].Paths
		var want []string
		for line := range strings.SplitSeq(strings.TrimRight(f.Git("ls-files", "-u", "-z"), "\x00\n"), "\x00") {
			if _, path, is := strings.Cut(line, "\t"); is {
				path, _, _ = strings.Cut(path, "~HEAD")
				path, _, _ = strings.Cut(path, "~"+p[1].String())
				want = append(want, path)
			}
		}
		slices.Sort(want)
		if want = slices.Compact(want); !slices.Equal(have, want) {
			t.Fatalf("seed %d, pair %d, %s %s: said %q, git merge stopped at %q\n%s", seed, i, p[0], p[1], have, want, out)
		}
	}
	if conflicts < n/4 || conflicts > n*3/4 {
		t.Errorf("%d of %d pairs conflict: the pairs say little", conflicts, n)
	}
}

// A commit that is not there ends the answers: those before it are given, with the error.
func TestHistory_Conflicts_missingCommit(t *testing.T) {
	f := gitstoretest.New(t)
	repo := f.Open()
	base := commitFiles(t, repo, gitstore.OID{}, map[string]string{"a": "1\n"})
	one := commitFiles(t, repo, base, map[string]string{"a": "2\n"})
	two := commitFiles(t, repo, base, map[string]string{"a": "3\n"})
	gone, err := gitstore.ParseOID(strings.Repeat("ab", 20))
	noError(t, err)
	said, err := repo.History.Conflicts(t.Context(), []history.Pair{{one, two}, {one, gone}, {one, base}})
	if err == nil || len(said) != 1 || !said[0].Is || !slices.Equal(said[0].Paths, []string{"a"}) {
		t.Errorf("said %v, %v", said, err)
	}
	left, err := filepath.Glob(filepath.Join(repo.CacheDir(), "aside-*"))
	noError(t, err)
	equal(t, "directories that stay", len(left), 0)
}

// randomPairs makes pairs of commits that have a history in common, in one fast-import.
func randomPairs(t *testing.T, f *gitstoretest.Fixture, r *rand.Rand, n int) []history.Pair {
	t.Helper()
	var in bytes.Buffer
	for i := range n {
		base := files{}
		for range 3 + r.IntN(5) {
			base[path(r)] = content(r)
		}
		one, two := maps.Clone(base), maps.Clone(base)
		for range 2 + r.IntN(4) {
			one.change(r)
		}
		if r.IntN(12) == 0 {
			two = maps.Clone(one) // it goes on from there
		}
		for range 1 + r.IntN(5) {
			two.change(r)
		}
		base.commit(&in, 3*i+1, 0)
		one.commit(&in, 3*i+2, 3*i+1)
		from := 3*i + 1
		if r.IntN(12) == 0 {
			from = 3*i + 2
		}
		two.commit(&in, 3*i+3, from)
	}
	cmd := exec.CommandContext(t.Context(), "git", "fast-import", "--quiet", "--force")
	cmd.Dir, cmd.Env, cmd.Stdin = f.Dir, f.Env, &in
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("fast-import: %v\n%s", err, out)
	}
	ids := map[string]gitstore.OID{}
	for line := range strings.Lines(f.Git("for-each-ref", "--format=%(refname:short) %(objectname)")) {
		name, id, _ := strings.Cut(strings.TrimSpace(line), " ")
		var err error
		ids[name], err = gitstore.ParseOID(id)
		noError(t, err)
	}
	tip := func(mark int) gitstore.OID { return ids[fmt.Sprintf("c%d", mark)] }
	pairs := make([]history.Pair, n)
	for i := range pairs {
		pairs[i] = history.Pair{tip(3*i + 2), tip(3*i + 3)}
	}
	return pairs
}

// files are a commit's, each with its mode in front of its text.
type files map[string]string

// path is one of few, so that they meet, some below what is a file elsewhere.
func path(r *rand.Rand) string {
	dirs := []string{"", "", "lib/", "lib/x/", "doc/", "a/", "b/"}
	return dirs[r.IntN(len(dirs))] + string(rune('a'+r.IntN(6)))
}

// content is the mode and the text of a new file.
func content(r *rand.Rand) string {
	switch r.IntN(12) {
	case 0:
		return "100644 "
	case 1:
		return fmt.Sprintf("100644 \x00binary\x00%d", r.IntN(3))
	case 2:
		return fmt.Sprintf("120000 to/%d", r.IntN(3))
	}
	var b strings.Builder
	kind := r.IntN(3)
	for i := range 8 + r.IntN(12) {
		fmt.Fprintf(&b, "line %d of kind %d\n", i, kind)
	}
	return "100644 " + b.String()
}

// put puts a file at a path, in place of what is there, or on the way there, or below.
func (f files) put(path, text string) {
	maps.DeleteFunc(f, func(other, _ string) bool {
		return strings.HasPrefix(other, path+"/") || strings.HasPrefix(path, other+"/")
	})
	f[path] = text
}

// change makes one of the changes that people make.
func (f files) change(r *rand.Rand) {
	names := slices.Sorted(maps.Keys(f))
	if len(names) == 0 {
		f.put(path(r), content(r))
		return
	}
	name := names[r.IntN(len(names))]
	text := f[name]
	lines := strings.SplitAfter(text, "\n")
	switch r.IntN(10) {
	case 0, 1, 2: // a line
		if at := r.IntN(len(lines)); at > 0 {
			lines[at] = fmt.Sprintf("changed to %d\n", r.IntN(1000))
			f[name] = strings.Join(lines, "")
		}
	case 3: // lines at the end
		f[name] += fmt.Sprintf("more %d\n", r.IntN(1000))
	case 4:
		delete(f, name)
	case 5: // a rename, perhaps with an edit
		delete(f, name)
		if r.IntN(2) == 0 && strings.HasPrefix(text, "100") {
			text += "moved\n"
		}
		f.put(path(r), text)
	case 6: // a rename of a directory
		dir, _, _ := strings.Cut(name, "/")
		to := "moved" + string(rune('0'+r.IntN(2)))
		for _, other := range names {
			if rest, is := strings.CutPrefix(other, dir+"/"); is {
				f.put(to+"/"+rest, f[other])
				delete(f, other)
			}
		}
	case 7: // the mode
		if rest, is := strings.CutPrefix(text, "100644"); is {
			f[name] = "100755" + rest
		}
	case 8: // a directory where the file was
		delete(f, name)
		f.put(name+"/in", content(r))
	case 9:
		f.put(path(r), content(r))
	}
}

// commit writes the files as a commit for git fast-import.
func (f files) commit(in *bytes.Buffer, mark, from int) {
	fmt.Fprintf(in, "commit refs/heads/c%d\nmark :%d\ncommitter A <a@example.com> %d +0000\ndata 1\nc\n", mark, mark,
		1_700_000_000+mark)
	if from > 0 {
		fmt.Fprintf(in, "from :%d\ndeleteall\n", from)
	}
	for _, path := range slices.Sorted(maps.Keys(f)) {
		mode, text, _ := strings.Cut(f[path], " ")
		fmt.Fprintf(in, "M %s inline %s\ndata %d\n%s\n", mode, path, len(text), text)
	}
}
