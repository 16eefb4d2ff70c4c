package gitstoretest

import (
	"os"
	"path/filepath"
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
	build(f, kind)
	t.Cleanup(f.check)
	return f
}

func build(f *Fixture, kind Kind) {
	f.T.Helper()
	top := filepath.Join(f.Root, "repo")
	switch kind {
	case Plain:
		f.Dir = f.init("repo")
		f.Commit("first")
	case SHA256:
		f.Dir = f.init("repo", "--object-format=sha256")
		f.Git("commit", "-q", "--allow-empty", "-m", "first")
	case Reftable:
		if out, err := f.In(f.Root).TryGit("init", "-q", "--ref-format=reftable", "repo"); err != nil {
			f.T.Skipf("this git knows no reftable: %s", out)
		}
		f.Dir = top
		f.Commit("first")
	case Bare:
		f.In(f.source().Dir).Git("clone", "-q", "--bare", ".", top)
		f.Dir = top
	case Linked:
		f.Dir = top
		f.source().Git("worktree", "add", "-q", "-b", "side", top)
	case SeparateGitDir:
		f.In(f.Root).Git("clone", "-q", "--separate-git-dir", filepath.Join(f.Root, "elsewhere.git"), f.source().Dir, top)
		f.Dir = top
	case Submodule:
		from := f.source()
		super := f.In(f.init("repo"))
		super.Git("submodule", "--quiet", "add", from.Dir, "module")
		super.Commit("add module")
		f.Dir = filepath.Join(super.Dir, "module")
	case Shallow:
		f.In(f.Root).Git("clone", "-q", "--depth=2", "file://"+f.source().Dir, top)
		f.Dir = top
	case Partial:
		from := f.source()
		from.Git("config", "uploadpack.allowFilter", "true")
		from.Git("config", "uploadpack.allowAnySHA1InWant", "true")
		f.In(f.Root).Git("clone", "-q", "--no-checkout", "--filter=blob:none", "file://"+from.Dir, top)
		f.Dir = top
	case Alternates:
		f.In(f.Root).Git("clone", "-q", "--shared", f.source().Dir, top)
		f.Dir = top
	case WorktreeConfig:
		f.In(f.Root).Git("clone", "-q", f.source().Dir, top)
		f.Dir = top
		f.Git("config", "extensions.worktreeConfig", "true")
		f.Git("config", "--worktree", "store.private", "here")
	default:
		f.T.Fatalf("no such kind of repository: %q", kind)
	}
}

// source is a repository of three commits, to be cloned.
func (f *Fixture) source() *Fixture {
	f.T.Helper()
	from := f.In(f.init("source"))
	for _, text := range []string{"one\n", "two\n", "three\n"} {
		from.Write("file", text)
		from.Git("add", "file")
		from.Commit("write " + text[:len(text)-1])
	}
	return from
}

// init makes an empty repository below Root.
func (f *Fixture) init(name string, args ...string) string {
	f.T.Helper()
	dir := filepath.Join(f.Root, name)
	if err := os.Mkdir(dir, 0o777); err != nil {
		f.T.Fatal(err)
	}
	f.In(dir).Git(append([]string{"init", "-q"}, args...)...)
	return dir
}
