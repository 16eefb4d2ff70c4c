package ledger

import (
	"errors"
	"io/fs"
	"os"
	"reflect"

	"github.com/git-brew/git-brew/internal/gitstore"
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
func Alike(a, b any) bool { return alike(reflect.ValueOf(a), reflect.ValueOf(b)) }

func alike(a, b reflect.Value) bool {
	if a.Type() != b.Type() {
		return false
	}
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			if !skipped(a.Type().Field(i)) && !alike(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !alike(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		if a.Len() != b.Len() {
			return false
		}
		for _, key := range a.MapKeys() {
			other := b.MapIndex(key)
			if !other.IsValid() || !alike(a.MapIndex(key), other) {
				return false
			}
		}
		return true
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() && b.IsNil()
		}
		return alike(a.Elem(), b.Elem())
	default:
		return a.Equal(b)
	}
}

// DropSnapshot removes the snapshot of a ref; the next reader makes a new one.
func (l *Ledger) DropSnapshot(ref gitstore.RefName) error {
	delete(l.briefs, ref)
	if err := os.Remove(l.snapshotPath(ref)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
