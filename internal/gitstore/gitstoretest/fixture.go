// Package gitstoretest makes hermetic git repositories for tests: a home
// directory of their own, no system configuration, a fixed identity, the
// default branch "main". When a test ends, its repositories are checked:
// "git fsck --strict" finds nothing, and every ref resolves.
//
// By default nothing is synced to disk, for speed; Durable changes that.
package gitstoretest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
)

// Name is the private name under which Open opens repositories.
const Name = "store"

const globalConfig = `[user]
	name = Ada Example
	email = ada@example.com
[init]
	defaultBranch = main
[gc]
	auto = 0
[maintenance]
	auto = false
[protocol "file"]
	allow = always
[advice]
	detachedHead = false
`

// Fixture is a repository and the environment it is used in.
type Fixture struct {
	T testing.TB
	// Dir is where commands run: the work tree, or the bare repository.
	Dir string
	// Root is the temporary directory that holds everything.
	Root string
	// Home is the person's home directory.
	Home string
	// Env is the whole environment of every process.
	Env []string

	unchecked *bool // shared by all fixtures that share objects
}

// New makes a plain repository with one commit on branch main.
func New(t testing.TB) *Fixture { return NewKind(t, Plain) }

// Durable makes everything sync to disk as it does outside tests.
func (f *Fixture) Durable() *Fixture {
	f.Setenv("GIT_TEST_FSYNC", "")
	return f
}

// Setenv sets a variable for later commands and repositories; an empty value
// removes it.
func (f *Fixture) Setenv(name, value string) {
	f.Env = slices.DeleteFunc(slices.Clone(f.Env), func(pair string) bool {
		return strings.HasPrefix(pair, name+"=")
	})
	if value != "" {
		f.Env = append(f.Env, name+"="+value)
	}
}

// Getenv reads a variable.
func (f *Fixture) Getenv(name string) string {
	return gitcmd.Environ(f.Env).Get(name)
}

// Unchecked leaves out the check at the test's end, for tests that break the
// repository on purpose.
func (f *Fixture) Unchecked() *Fixture {
	*f.unchecked = true
	return f
}

// In is the same fixture with another directory to run in.
func (f *Fixture) In(dir string) *Fixture {
	other := *f
	other.Dir = dir
	return &other
}

// Open opens the repository, and closes it when the test ends.
func (f *Fixture) Open() *gitstore.Repo {
	f.T.Helper()
	repo, err := f.TryOpen(gitstore.Options{})
	if err != nil {
		f.T.Fatalf("open %s: %v", f.Dir, err)
	}
	return repo
}

// TryOpen opens the repository with what is missing in the options taken from
// the fixture.
func (f *Fixture) TryOpen(o gitstore.Options) (*gitstore.Repo, error) {
	if o.Dir == "" {
		o.Dir = f.Dir
	}
	if o.Environ == nil {
		o.Environ = f.Env
	}
	if o.Name == "" {
		o.Name = Name
	}
	repo, err := gitstore.Open(o)
	if err == nil {
		f.T.Cleanup(func() { _ = repo.Close() })
	}
	return repo, err
}

// Git runs git and gives its output without the last line's end. A failure
// ends the test.
func (f *Fixture) Git(args ...string) string {
	f.T.Helper()
	out, err := f.TryGit(args...)
	if err != nil {
		f.T.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// TryGit is Git for commands that may fail; on failure it gives what git said.
func (f *Fixture) TryGit(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = f.Dir
	cmd.Env = f.Env
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil {
		return out.String() + problems.String(), err
	}
	return strings.TrimRight(out.String(), "\n"), nil
}

// Write writes a file below Dir, with its directories.
func (f *Fixture) Write(path, content string) {
	f.T.Helper()
	full := filepath.Join(f.Dir, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
		f.T.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(content), 0o666); err != nil {
		f.T.Fatal(err)
	}
}

// Commit makes a commit on the branch checked out, and gives its id.
func (f *Fixture) Commit(subject string) gitstore.OID {
	f.T.Helper()
	f.Git("commit", "-q", "--allow-empty", "-m", subject)
	return f.OID("HEAD")
}

// OID resolves a revision.
func (f *Fixture) OID(rev string) gitstore.OID {
	f.T.Helper()
	id, err := gitstore.ParseOID(f.Git("rev-parse", "--verify", rev))
	if err != nil {
		f.T.Fatal(err)
	}
	return id
}

// Clone clones the repository, and checks the clone at the test's end too.
func (f *Fixture) Clone(args ...string) *Fixture {
	f.T.Helper()
	dir, err := os.MkdirTemp(f.Root, "clone-")
	if err != nil {
		f.T.Fatal(err)
	}
	args = append([]string{"clone", "-q"}, args...)
	f.In(f.Root).Git(append(args, f.Dir, dir)...)
	clone := f.In(dir)
	clone.unchecked = new(bool)
	f.T.Cleanup(clone.check)
	return clone
}

// check is the invariant of every repository, whatever was done to it.
func (f *Fixture) check() {
	if *f.unchecked || f.T.Failed() || f.T.Skipped() {
		return
	}
	if out, err := f.TryGit("fsck", "--strict", "--no-dangling"); err != nil {
		f.T.Errorf("git fsck --strict in %s: %v\n%s", f.Dir, err, out)
	}
	cmd := exec.Command("git", "for-each-ref", "--format=%(refname) %(objecttype)")
	cmd.Dir, cmd.Env = f.Dir, f.Env
	if out, err := cmd.CombinedOutput(); err != nil || bytes.Contains(out, []byte("warning:")) {
		f.T.Errorf("refs of %s: %v\n%s", f.Dir, err, out)
	}
}

func newEmpty(t testing.TB) *Fixture {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	f := &Fixture{T: t, Root: root, Home: filepath.Join(root, "home"), unchecked: new(bool)}
	if err := os.Mkdir(f.Home, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(f.Home, ".gitconfig"), []byte(globalConfig), 0o666); err != nil {
		t.Fatal(err)
	}
	f.Env = []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + f.Home,
		"TMPDIR=" + os.TempDir(),
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_CEILING_DIRECTORIES=" + root,
		"GIT_TERMINAL_PROMPT=0",
		"GIT_TEST_FSYNC=0",
		"LC_ALL=C",
		"TZ=UTC",
	}
	return f
}
