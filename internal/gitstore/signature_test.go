package gitstore_test

import (
	"os"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

func TestHeads_everyCommitOnce(t *testing.T) {
	f := gitstoretest.New(t)
	f.Sign()
	made := signed(t, f)
	repo := f.Open()
	w := repo.NewWriter()
	c, err := repo.Commit(t.Context(), made[1])
	noError(t, err)
	c.Parents, c.Message = made[:], "merge\n\ngpgsig of nothing\n\x01\n"
	merge := w.Commit(c)
	noError(t, repo.Publish(t.Context(), w, gitstore.Update{Ref: "refs/brew/tasks/x", Old: made[1], New: merge}))
	seen := map[gitstore.OID]gitstore.CommitHead{}
	noError(t, repo.Heads(t.Context(), []gitstore.OID{merge, made[0], merge}, func(h gitstore.CommitHead) {
		if _, twice := seen[h.OID]; twice {
			t.Errorf("%s is visited twice", h.OID)
		}
		seen[h.OID] = h
	}))
	for oid, want := range map[gitstore.OID]gitstore.CommitHead{
		made[0]: {Signed: true}, made[1]: {Signed: true, Parents: 1}, merge: {Parents: 2},
	} {
		got := seen[oid]
		if got.Signed != want.Signed || got.Parents != want.Parents || got.Email != "ada@example.com" || got.Committed.Unix() != 1_700_000_000 {
			t.Errorf("%s: %+v", oid, got)
		}
	}
	if len(seen) != 3 {
		t.Errorf("%d commits, want 3", len(seen))
	}
	if err := repo.Heads(t.Context(), []gitstore.OID{gitstore.HashBlob([]byte("nothing"))}, func(gitstore.CommitHead) {}); err == nil {
		t.Error("a commit that is not there is passed over")
	}
}

func TestSignatures_asGitSays(t *testing.T) {
	f := gitstoretest.New(t)
	s := f.Sign()
	made := signed(t, f)
	plain := f.OID(f.Git("commit-tree", "-m", "plain", made[0].String()+"^{tree}"))
	repo := f.Open()
	state := func(when string, oid gitstore.OID, want gitstore.SignatureState, signer string) {
		t.Helper()
		got, err := repo.Signatures(t.Context(), []gitstore.OID{oid, made[0]})
		if err != nil || len(got) != 2 || got[0] != (gitstore.Signed{OID: oid, State: want, Signer: signer}) {
			t.Errorf("%s: %+v, %v; want %s", when, got, err, want)
		}
	}
	state("allowed", made[1], gitstore.SignatureGood, "ada@example.com")
	state("unsigned", plain, gitstore.SignatureNone, "")
	// The same signature under another text.
	raw := f.Git("cat-file", "commit", made[1].String())
	path := f.Root + "/forged"
	noError(t, os.WriteFile(path, []byte(raw+" forged\n"), 0o666))
	state("forged", f.OID(f.Git("hash-object", "-t", "commit", "-w", path)), gitstore.SignatureBad, "")
	s.UseKey("another")
	s.Allow()
	state("another's key", made[1], gitstore.SignatureUnknown, "")
	f.Git("config", "--global", "--unset", "gpg.ssh.allowedSignersFile")
	state("no list", made[1], gitstore.SignatureNone, "")
}
