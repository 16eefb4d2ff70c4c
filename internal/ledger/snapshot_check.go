package ledger

import (
	"errors"
	"io/fs"
	"os"
	"reflect"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger/compact"
)

// Snapshot is what the snapshot of the ref says, where it would be believed for
// the tip.
func Snapshot[T any](l *Ledger, ref gitstore.RefName, tip gitstore.OID) (state T, ok bool) {
	ok = l.readSnapshot(ref, tip, &state)
	return state, ok
}

// Disagrees reports that the snapshot of the ref would be believed for the tip,
// as a value of state's type, and says something else than state.
func (l *Ledger) Disagrees(ref gitstore.RefName, tip gitstore.OID, state any) bool {
	cached := reflect.New(reflect.TypeOf(state))
	return l.readSnapshot(ref, tip, cached.Interface()) && !Alike(cached.Elem().Interface(), state)
}

// Alike compares two values as snapshots hold them: what JSON leaves out does
// not count, and nothing is the same as an empty list.
func Alike(a, b any) bool { return compact.Same(a, b) }

// DropSnapshot removes the snapshot of a ref; the next reader makes a new one.
func (l *Ledger) DropSnapshot(ref gitstore.RefName) error {
	delete(l.briefs, ref)
	if err := os.Remove(l.snapshotPath(ref)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
