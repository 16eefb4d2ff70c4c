package trees

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/task"
)

// grown is a repository with commits one and two, and another, which goes on from one beside two.
type grown struct {
	*gitstoretest.Fixture
	Trees
	one, two, other gitstore.OID
}

func grow(t *testing.T) grown {
	t.Helper()
	f := gitstoretest.New(t)
	g := grown{Fixture: f}
	f.Write("file", "one\n")
	f.Git("add", "-A")
	g.one = f.Commit("one")
	f.Write("file", "two\n")
	f.Git("add", "-A")
	g.two = f.Commit("two")
	f.Git("checkout", "-q", "--detach", g.one.String())
	f.Write("file", "other\n")
	f.Git("add", "-A")
	g.other = f.Commit("other")
	f.Git("checkout", "-q", "main")
	g.Trees = Trees{Repo: f.Open(), ID: "shop-1234567"}
	return g
}

// BR-17: the task's branch moves by compare-and-swap: where somebody moved it since the work was
// looked at, it stays where they put it, whether anybody has it checked out or not.
func TestAdvance_BR17_comparesAndSwaps(t *testing.T) {
	one := func(g grown) gitstore.OID { return g.one }
	two := func(g grown) gitstore.OID { return g.two }
	other := func(g grown) gitstore.OID { return g.other }
	for name, c := range map[string]struct {
		out   bool
		at    func(grown) gitstore.OID // where the branch is by now
		moved bool
		want  func(grown) gitstore.OID
	}{
		"as it was":                 {false, one, false, two},
		"moved":                     {false, other, true, other},
		"where it is to be":         {false, two, false, two},
		"checked out, as it was":    {true, one, false, two},
		"checked out, and moved":    {true, other, true, other},
		"checked out, and it is so": {true, two, false, two},
	} {
		t.Run(name, func(t *testing.T) {
			g := grow(t)
			g.Git("branch", "feature", c.at(g).String())
			if c.out {
				g.Git("checkout", "-q", "feature")
			}
			moved, err := g.Advance(t.Context(), "feature", g.one, g.two)
			if err != nil || moved != c.moved {
				t.Errorf("moved %t: %v", moved, err)
			}
			if at := g.OID("feature"); at != c.want(g) {
				t.Errorf("it is at %s", at)
			}
			if c.out && g.Git("status", "--porcelain") != "" {
				t.Error("the work tree did not go along")
			}
		})
	}
}

// BR-17: the task's branch moves once nobody locks it any more, or the work tree that it is in.
func TestAdvance_BR17_waitsForLocks(t *testing.T) {
	for lock, out := range map[string]bool{"HEAD.lock": true, "index.lock": true, "refs/heads/feature.lock": false} {
		t.Run(lock, func(t *testing.T) {
			g := grow(t)
			g.Git("branch", "feature", g.one.String())
			if out {
				g.Git("checkout", "-q", "feature")
			}
			path := filepath.Join(g.Dir, ".git", lock)
			if err := os.WriteFile(path, nil, 0o666); err != nil {
				t.Fatal(err)
			}
			time.AfterFunc(300*time.Millisecond, func() { _ = os.Remove(path) })
			moved, err := g.Advance(t.Context(), "feature", g.one, g.two)
			if at := g.OID("feature"); err != nil || moved || at != g.two {
				t.Errorf("it is at %s, moved %t: %v", at, moved, err)
			}
		})
	}
}

// BR-17: a git that was killed while it merged found no conflict: that is an error, and no worker is
// told to resolve anything. So it is where git printed a part of what it says of one.
func TestMerge_BR17_aKilledGitIsNoConflict(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("no program can stand for git here")
	}
	g := grow(t)
	if _, conflicts, err := g.Main().Merge(t.Context(), g.other, g.two, "merge"); err != nil ||
		!strings.Contains(conflicts, "file") {
		t.Fatalf("both changed a line, which is %q: %v", conflicts, err)
	}
	for how, end := range map[string]string{"killed": "kill -9 $$", "failed": "exit 128"} {
		bin := t.TempDir()
		gitstoretest.WriteProgram(t, filepath.Join(bin, "git"), "#!/bin/sh\n"+
			"case \" $* \" in *' merge-tree '*) printf '"+g.two.String()+"\\nfile\\n'; "+end+" ;; esac\n"+
			"exec "+git+" \"$@\"\n")
		t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		merged, conflicts, err := g.Main().Merge(t.Context(), g.other, g.two, "merge")
		if err == nil || conflicts != "" || !merged.IsZero() {
			t.Errorf("%s: %s, %q, %v", how, merged, conflicts, err)
		}
	}
}

// BR-16: what stands where a phase's tree is to be, and is none, is refused before anybody works
// there: git would be at work in whatever is around it.
func TestCheck_BR16_isThatTree(t *testing.T) {
	g := grow(t)
	p := task.Phase{ID: "1"}
	w, err := g.Make(t.Context(), p, g.one.String())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Check(t.Context()); err != nil {
		t.Errorf("a tree that was made: %v", err)
	}
	around := g.In(filepath.Dir(filepath.Dir(g.Dir)))
	beside := filepath.Dir(filepath.Dir(w.Dir))
	for name, dir := range map[string]string{"no repository": "", "another repository": beside} {
		if err := os.Remove(filepath.Join(w.Dir, ".git")); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if dir != "" {
			around.Git("init", "-q", dir)
		}
		if err := w.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "is no work tree") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// BR-24: a git that was killed in a phase's tree, a worker's perhaps, leaves no lock that keeps the next
// worker from its commits.
func TestMake_BR24_locksOfAKilledGit(t *testing.T) {
	g := grow(t)
	p := task.Phase{ID: "1"}
	w, err := g.Make(t.Context(), p, g.one.String())
	if err != nil {
		t.Fatal(err)
	}
	in := g.In(w.Dir)
	own := filepath.FromSlash(in.Git("rev-parse", "--absolute-git-dir"))
	ref := filepath.Join(g.Dir, ".git", filepath.FromSlash(string(w.Ref())))
	for _, name := range []string{filepath.Join(own, "index"), filepath.Join(own, "HEAD"), ref} {
		if err := os.WriteFile(strings.TrimSpace(name)+".lock", nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := g.Make(t.Context(), p, g.one.String()); err != nil {
		t.Fatal(err)
	}
	in.Write("more", "of it\n")
	in.Git("add", "-A")
	in.Commit("more")
}

// A tree goes only with the commit that was merged: what came to its branch since stays, and so does
// what was not committed, where the phase is not completed.
func TestRemove_BR16_onlyWhatIsMerged(t *testing.T) {
	g := grow(t)
	p := task.Phase{ID: "1", Status: task.PhaseFailed}
	w, err := g.Make(t.Context(), p, g.one.String())
	if err != nil {
		t.Fatal(err)
	}
	in := g.In(w.Dir)
	in.Write("more", "of it\n")
	if why := g.PutAway(t.Context(), p, g.two); !strings.Contains(why, "what is not committed stays in ") {
		t.Errorf("with a new file: %q", why)
	}
	in.Git("add", "-A")
	tip := in.Commit("more")
	if why := g.PutAway(t.Context(), p, g.two); !strings.Contains(why, "commits that are not merged stay on ") {
		t.Errorf("with a commit: %q", why)
	}
	if err := g.Remove(t.Context(), w, g.one); err == nil || !strings.Contains(err.Error(), "has moved since") {
		t.Errorf("it went, with a commit that nobody merged: %v", err)
	}
	if err := g.Remove(t.Context(), w, tip); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(w.Dir); !os.IsNotExist(err) {
		t.Errorf("%s is there yet: %v", w.Dir, err)
	}
}

// BR-24: a git that was killed while it took a tree away leaves the rest to the next one.
func TestRemove_BR24_killedHalfway(t *testing.T) {
	g := grow(t)
	w, err := g.Make(t.Context(), task.Phase{ID: "1"}, g.one.String())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(w.Dir); err != nil {
		t.Fatal(err)
	}
	if err := g.Remove(t.Context(), w, g.one); err != nil {
		t.Error(err)
	}
	if all, err := g.list(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("there are %v: %v", all, err)
	}
}

// BR-16: what proves work holds the commit, the whole of it, and nothing else: whatever a worker hid
// from git's looks, or set for this tree alone, is gone.
func TestFresh_BR16_theCommitAlone(t *testing.T) {
	g := grow(t)
	w, err := g.Make(t.Context(), task.Phase{ID: "1"}, g.two.String())
	if err != nil {
		t.Fatal(err)
	}
	in := g.In(w.Dir)
	in.Write("file", "forged\n")
	in.Git("update-index", "--skip-worktree", "file")
	in.Write("new", "beside\n")
	in.Write(".git-ignored", "built\n")
	own := in.Git("rev-parse", "--absolute-git-dir")
	for _, name := range []string{"config.worktree", "info/sparse-checkout"} {
		path := filepath.Join(own, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("[core]\n\tsparseCheckout = true\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	g.Git("config", "extensions.worktreeConfig", "true")
	if _, err := w.Fresh(t.Context(), g.two.String()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"config.worktree", "info/sparse-checkout"} {
		if _, err := os.Stat(filepath.Join(own, filepath.FromSlash(name))); !os.IsNotExist(err) {
			t.Errorf("%s is there yet: %v", name, err)
		}
	}
	if data, err := os.ReadFile(filepath.Join(w.Dir, "file")); err != nil || string(data) != "two\n" {
		t.Errorf("the file has %q: %v", data, err)
	}
	if all, err := os.ReadDir(w.Dir); err != nil || len(all) != 2 { // and .git
		t.Errorf("there are %v: %v", all, err)
	}
}
