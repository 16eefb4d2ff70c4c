package notes

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/ledger"
)

func TestMain(m *testing.M) {
	gitstoretest.InMemory()
	os.Exit(m.Run())
}

// rig is a repository with a ledger whose clock moves a second at each look.
type rig struct {
	*gitstoretest.Fixture
	l *ledger.Ledger
}

func newRig(t *testing.T) *rig {
	f := gitstoretest.New(t)
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	return &rig{f, ledger.New(f.Open(), func() time.Time { at = at.Add(time.Second); return at }, nil)}
}

// byHand is a ref that keeps what a test made.
const byHand gitstore.RefName = ledger.Prefix + "by-hand"

// change runs fn as a change, which must succeed.
func (r *rig) change(fn func(ctx context.Context, tx *ledger.Tx) error) {
	r.T.Helper()
	if err := r.l.Change(context.Background(), fn); err != nil {
		r.T.Fatal(err)
	}
}

func (r *rig) tip(ref gitstore.RefName) gitstore.OID {
	r.T.Helper()
	oid, err := r.l.Tip(context.Background(), ref)
	if err != nil {
		r.T.Fatal(err)
	}
	return oid
}

// damage garbles the blob of a path at a commit.
func (r *rig) damage(path string, at gitstore.OID) {
	r.T.Helper()
	r.Unchecked()
	name := r.Git("rev-parse", at.String()+":"+path)
	file := filepath.Join(r.Dir, ".git", "objects", name[:2], name[2:])
	if err := os.Chmod(file, 0o666); err != nil {
		r.T.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("garbled"), 0o666); err != nil {
		r.T.Fatal(err)
	}
}
