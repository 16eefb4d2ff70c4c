package gitstore_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/gitstore/odb"
)

// signed writes two signed commits on a ref, the second on top of the first,
// neither of which is stored when it is signed.
func signed(t *testing.T, f *gitstoretest.Fixture) [2]gitstore.OID {
	t.Helper()
	repo := f.Open()
	w := repo.Objects.NewWriter()
	ada := gitstore.Signature{
		Name: "Ada Example", Email: "ada@example.com",
		When: time.Unix(1_700_000_000, 0).In(time.FixedZone("", 5400)),
	}
	var made [2]gitstore.OID
	var parents []gitstore.OID
	for i, text := range []string{"one", "two"} {
		tree := w.Tree([]gitstore.Entry{{Name: "text", Mode: gitstore.ModeFile, OID: w.Blob([]byte(text))}})
		c := gitstore.Commit{
			Tree: tree, Parents: parents, Author: ada, Committer: ada,
			Message: text + "\n\nBrew-Op: ünï\n",
		}
		oid, err := w.SignedCommit(t.Context(), c, 0)
		if err != nil {
			t.Fatal(err)
		}
		made[i], parents = oid, []gitstore.OID{oid}
	}
	noError(t, repo.Publish(t.Context(), w, gitstore.Update{Ref: "refs/brew/tasks/x", New: made[1]}))
	return made
}

func TestSignedCommit_gitAcceptsIt(t *testing.T) {
	f := gitstoretest.New(t)
	f.Sign()
	made := signed(t, f)
	for i, oid := range made {
		f.Git("verify-commit", oid.String())
		got, err := f.Open().Objects.Commit(t.Context(), oid)
		if err != nil || got.Message != []string{"one", "two"}[i]+"\n\nBrew-Op: ünï\n" ||
			got.Author.Email != "ada@example.com" || got.Author.When.Unix() != 1_700_000_000 {
			t.Errorf("%s is read as %+v, %v", oid, got, err)
		}
	}
	if got := f.Git("log", "-1", "--format=%G? %GS %aI",
		made[1].String()); got != "G ada@example.com 2023-11-14T23:43:20+01:30" {
		t.Errorf("git says %q", got)
	}
}

// The person's encoding of commit messages is not ours, and a directory's name
// may hold what parts directories in lists of them.
func TestSignedCommit_oddSurroundings(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such names")
	}
	f := gitstoretest.New(t)
	f.Sign()
	f.Git("config", "--global", "i18n.commitEncoding", "ISO-8859-1")
	odd := f.In(filepath.Join(f.Root, `a:"b\`))
	noError(t, os.Mkdir(odd.Dir, 0o777))
	odd.Git("init", "-q")
	odd.Git("commit", "-q", "--allow-empty", "-m", "first")
	repo := odd.Open()
	w := repo.Objects.NewWriter()
	ada := gitstore.Signature{Name: "Ada", Email: "ada@example.com", When: time.Unix(1_700_000_000, 0)}
	head := odd.OID("HEAD")
	c, err := repo.Objects.Commit(t.Context(), head)
	noError(t, err)
	oid, err := w.SignedCommit(t.Context(),
		gitstore.Commit{Tree: c.Tree, Parents: []gitstore.OID{head}, Author: ada, Committer: ada, Message: "ü\n"}, 0)
	noError(t, err)
	noError(t, repo.Publish(t.Context(), w, gitstore.Update{Ref: "refs/brew/tasks/x", New: oid}))
	odd.Git("verify-commit", oid.String())
	odd.Git("fsck", "--strict")
}

// Where git can't sign, nothing is made, and its words are told.
func TestSignedCommit_fails(t *testing.T) {
	f := gitstoretest.New(t)
	s := f.Sign()
	repo := f.Open()
	try := func(patience time.Duration) error {
		w := repo.Objects.NewWriter()
		_, err := w.SignedCommit(t.Context(), gitstore.Commit{
			Tree: w.Tree(nil), Author: gitstore.Signature{Name: "Ada", Email: "a@b", When: time.Unix(1, 0)},
			Committer: gitstore.Signature{Name: "Ada", Email: "a@b", When: time.Unix(1, 0)}, Message: "x\n",
		}, patience)
		return err
	}
	noError(t, try(0))
	noError(t, os.Rename(s.Key, s.Key+".gone"))
	if err := try(0); !errors.Is(err, odb.ErrNotSigned) || strings.Contains(err.Error(), "\n") {
		t.Errorf("without the key: %v", err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	// Nobody is there: what takes long is ended, with all that it started.
	saw := filepath.Join(f.Root, "saw")
	s.Program("sleep 61.7\n")
	if err := try(200 * time.Millisecond); !errors.Is(err, odb.ErrNotSigned) ||
		!strings.Contains(err.Error(), "longer than 200ms") {
		t.Errorf("what takes long: %v", err)
	}
	for n := 0; strings.Contains(commandLines(t), "sleep 61.7"); n++ {
		if n > 100 {
			t.Fatal("it goes on")
		}
		time.Sleep(20 * time.Millisecond)
	}
	// And nothing can ask.
	s.Program("{ echo \"$DISPLAY$GPG_TTY$SSH_ASKPASS\"; : </dev/tty && echo terminal; } >" + saw +
		" 2>/dev/null\nexit 5\n")
	for _, pair := range []string{"DISPLAY", "GPG_TTY", "SSH_ASKPASS"} {
		f.Setenv(pair, "something")
	}
	repo = f.Open()
	if err := try(10 * time.Second); !errors.Is(err, odb.ErrNotSigned) {
		t.Errorf("what asks: %v", err)
	}
	if text, err := os.ReadFile(saw); err != nil || string(text) != "\n" {
		t.Errorf("it could ask: %q, %v", text, err)
	}
	left, err := filepath.Glob(filepath.Join(os.TempDir(), gitstoretest.Name+"-sign-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

// commandLines lists the command lines of what runs here.
func commandLines(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("ps", "-A", "-o", "args").Output()
	if err != nil {
		t.Skip(err)
	}
	return string(out)
}

// With OpenPGP it is the same, through git.
func TestSignedCommit_openPGP(t *testing.T) {
	if _, err := exec.LookPath("gpg"); err != nil {
		t.Skip("no gpg to sign with")
	}
	f := gitstoretest.New(t)
	home, err := os.MkdirTemp("", "gpg") //nolint:usetesting // its sockets want short names
	noError(t, err)
	f.Setenv("GNUPGHOME", home)
	gpg := func(args ...string) {
		t.Helper()
		cmd := exec.Command("gpg", append([]string{"--batch", "--quiet"}, args...)...)
		cmd.Env = f.Env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("gpg %s: %v\n%s", args, err, out)
		}
	}
	t.Cleanup(func() {
		stop := exec.Command("gpgconf", "--kill", "all")
		stop.Env = f.Env
		_ = stop.Run()
		_ = os.RemoveAll(home)
	})
	gpg("--passphrase", "", "--quick-gen-key", "Ada Example <ada@example.com>", "ed25519", "sign", "never")
	f.Git("config", "--global", "commit.gpgSign", "true")
	for _, oid := range signed(t, f) {
		f.Git("verify-commit", oid.String())
	}
}
