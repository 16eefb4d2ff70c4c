package ledger

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/odb"
)

// Where the person signs commits, operations are signed, whoever folds and
// merges them; a merge is not, nor what is no operation.
func TestSigned_operationsAlone(t *testing.T) {
	r := newRig(t)
	s := r.Sign()
	first := r.add(refA, Stamp{}, words("one", "two")...)
	r.branch(refB, first)
	b := r.add(refB, Stamp{}, words("mine")...)
	a := r.add(refA, Stamp{}, words("yours")...)
	for _, oid := range []gitstore.OID{first, a, b} {
		r.Git("verify-commit", oid.String(), oid.String()+"^")
	}
	merged, how, err := r.merge(a, b)
	if err != nil || how != OutcomeMerged {
		t.Fatal(how, err)
	}
	r.change(func(ctx context.Context, tx *Tx) error {
		_, err := tx.Put(ctx, prefix+"locks/x", map[string][]byte{"lock.json": []byte("{}")}, "lock\n")
		return err
	})
	for _, oid := range []gitstore.OID{merged, r.tip(prefix + "locks/x")} {
		if text := r.Git("cat-file", "commit", oid.String()); strings.Contains(text, "gpgsig") {
			t.Errorf("%s is signed:\n%s", oid.Short(), text)
		}
	}
	// Whoever reads on keeps the commits as they are: their ids are their
	// signatures' too.
	if err := Verify(context.Background(), r.l, tallyLaw(), merged); err != nil {
		t.Error(err)
	}
	top := r.add("refs/brew/merged", Stamp{}, words("more")...)
	if got := r.Git("log", "--format=%G?", top.String()); got != "G\nN\nG\nG\nG\nG" {
		t.Errorf("signatures of the history:\n%s", got)
	}
	s.Program("exit 1\n")
	if err := r.tryAdd(refA, Stamp{}, words("unsigned")...); !errors.Is(err, odb.ErrNotSigned) || r.tip(refA) != a {
		t.Errorf("where git can't sign: %v", err)
	}
	// What is refused, or only tried, asks for no signature.
	if err := r.tryAdd(refA, Stamp{}, words("forbidden")...); !errors.Is(err, errRefused) {
		t.Errorf("refused: %v", err)
	}
}

// Nobody is there: what can't be signed at once is not, and not tried again for
// a while, unless a person did.
func TestSigned_unattended(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the signing program is a shell script")
	}
	r := newRig(t)
	s := r.Sign()
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	add := func(word string, patience time.Duration) string {
		t.Helper()
		other := rigOn(r.Fixture)
		other.l.now = func() time.Time { return at }
		if patience > 0 {
			other.l.Patience = patience
		}
		tip := other.add(refA, Stamp{}, words(word, word+"2")...)
		return strings.ReplaceAll(r.Git("log", "-2", "--format=%G?", tip.String()), "\n", "")
	}
	expect := func(when, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: signatures %s, want %s", when, got, want)
		}
	}
	tries := filepath.Join(r.Root, "tries")
	const long = time.Minute // on a machine that does much else
	expect("a key at hand", add("a", long), "GG")
	s.Program("sleep 600\n")
	expect("one that asks", add("b", 50*time.Millisecond), "NN")
	s.Program("echo x >>" + tries + "\nexec ssh-keygen \"$@\"\n")
	expect("soon after", add("c", long), "NN")
	if _, err := os.Stat(tries); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it was tried again: %v", err)
	}
	at = at.Add(unsignedFor)
	expect("later", add("d", long), "GG")
	s.Program("exit 1\n")
	expect("it fails", add("e", long), "NN")
	r.Git("config", "--global", "user.signingKey", s.Key)
	s.Program("exec ssh-keygen \"$@\"\n")
	expect("a person", add("f", 0), "GG")
	expect("after the person", add("g", long), "GG")
	// A time far ahead is no time that was written here.
	path := filepath.Join(r.l.repo.CacheDir(), unsignedFile)
	if err := os.WriteFile(path, []byte("2036-01-01T00:00:00Z"), 0o666); err != nil {
		t.Fatal(err)
	}
	expect("a clock that was ahead", add("h", long), "GG")
}
