package gitstore_test

import (
	"os"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/gitstore/history"
)

func TestSignatures_asGitSays(t *testing.T) {
	f := gitstoretest.New(t)
	s := f.Sign()
	made := signed(t, f)
	plain := f.OID(f.Git("commit-tree", "-m", "plain\n\ngpgsig of nothing", made[0].String()+"^{tree}"))
	repo := f.Open()
	state := func(when string, oid gitstore.OID, want history.SignatureState, signer string) {
		t.Helper()
		got, err := repo.History.Signatures(t.Context(), 1, oid)
		if err != nil || len(got) != 1 || got[0] != (history.Signed{OID: oid, State: want, Signer: signer}) {
			t.Errorf("%s: %+v, %v; want %s", when, got, err, want)
		}
	}
	state("allowed", made[1], history.SignatureGood, "ada@example.com")
	state("unsigned", plain, history.SignatureNone, "")
	// The same signature under another text.
	raw := f.Git("cat-file", "commit", made[1].String())
	path := f.Root + "/forged"
	noError(t, os.WriteFile(path, []byte(raw+" forged\n"), 0o666))
	state("forged", f.OID(f.Git("hash-object", "-t", "commit", "-w", path)), history.SignatureBad, "")
	s.UseKey("another")
	s.Allow()
	state("another's key", made[1], history.SignatureUnknown, "")
	f.Git("config", "--global", "--unset", "gpg.ssh.allowedSignersFile")
	state("no list", made[1], history.SignatureNoKey, "")
}

func TestSignatures_whatWasMadeLast(t *testing.T) {
	f := gitstoretest.New(t)
	f.Sign()
	made := signed(t, f)
	repo := f.Open()
	merge := f.OID(f.Git("commit-tree", "-m", "merge", "-p", made[0].String(), "-p", made[1].String(),
		made[0].String()+"^{tree}"))
	for most, want := range map[int]int{2: 2, 10: 3} {
		got, err := repo.History.Signatures(t.Context(), most, merge, made[0], merge)
		if err != nil || len(got) != want || got[0].OID != merge {
			t.Errorf("of %d: %+v, %v", most, got, err)
		}
	}
	if _, err := repo.History.Signatures(t.Context(), 1, gitstore.HashBlob([]byte("nothing"))); err == nil {
		t.Error("a commit that is not there is passed over")
	}
}
