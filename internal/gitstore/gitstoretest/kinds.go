package gitstoretest

import (
	"path/filepath"
	"slices"
	"testing"
)

// Kind is a form in which a repository can come.
type Kind string

const (
	Plain          Kind = "plain"
	Bare           Kind = "bare"
	Linked         Kind = "linked work tree"
	SeparateGitDir Kind = "separate git dir"
	Submodule      Kind = "submodule"
	Shallow        Kind = "shallow"
	Partial        Kind = "partial"
	Alternates     Kind = "alternates"
	WorktreeConfig Kind = "worktree config"
	SHA256         Kind = "sha256"
	Reftable       Kind = "reftable"
)

// Kinds are those that must work. SHA256 must be refused in one clear line.
func Kinds() []Kind {
	return []Kind{Plain, Bare, Linked, SeparateGitDir, Submodule, Shallow, Partial, Alternates, WorktreeConfig, Reftable}
}

// NewKind makes a repository of a kind, with three commits of one file on
// branch main (in Plain and SHA256: one). Reftable skips the test where git is
// too old.
func NewKind(t testing.TB, kind Kind) *Fixture {
	t.Helper()
	f := newEmpty(t)
	f.Dir = filepath.Join(f.Root, "repo")
	from, root := "", f.In(f.Root)
	if kind != Plain && kind != SHA256 && kind != Reftable {
		from = f.source()
	}
	clone := func(from string, how ...string) {
		root.Git(slices.Concat([]string{"clone", "-q"}, how, []string{from, f.Dir})...)
	}
	switch kind {
	case Plain:
		root.Git("init", "-q", "repo")
		f.Commit("first")
	case SHA256:
		root.Git("init", "-q", "--object-format=sha256", "repo")
		f.Git("commit", "-q", "--allow-empty", "-m", "first")
	case Reftable:
		if out, err := root.TryGit("init", "-q", "--ref-format=reftable", "repo"); err != nil {
			t.Skipf("this git knows no reftable: %s", out)
		}
		f.Commit("first")
	case Bare:
		clone(from, "--bare")
	case Linked:
		f.In(from).Git("worktree", "add", "-q", "-b", "side", f.Dir)
	case SeparateGitDir:
		clone(from, "--separate-git-dir="+filepath.Join(f.Root, "elsewhere.git"))
	case Submodule:
		root.Git("init", "-q", "repo")
		f.Git("submodule", "--quiet", "add", from, "module")
		f.Commit("add module")
		f.Dir = filepath.Join(f.Dir, "module")
	case Shallow:
		clone("file://"+from, "--depth=2")
	case Partial:
		f.In(from).Git("config", "uploadpack.allowFilter", "true")
		f.In(from).Git("config", "uploadpack.allowAnySHA1InWant", "true")
		clone("file://"+from, "--no-checkout", "--filter=blob:none")
	case Alternates:
		clone(from, "--shared")
	case WorktreeConfig:
		clone(from)
		f.Git("config", "extensions.worktreeConfig", "true")
		f.Git("config", "--worktree", "store.private", "here")
	default:
		t.Fatalf("no such kind of repository: %q", kind)
	}
	t.Cleanup(f.check)
	return f
}

// source is the directory of a repository of three commits, to be cloned.
func (f *Fixture) source() string {
	f.T.Helper()
	f.In(f.Root).Git("init", "-q", "source")
	from := f.In(filepath.Join(f.Root, "source"))
	for _, text := range []string{"one\n", "two\n", "three\n"} {
		from.Write("file", text)
		from.Git("add", "file")
		from.Commit("write " + text[:len(text)-1])
	}
	return from.Dir
}
