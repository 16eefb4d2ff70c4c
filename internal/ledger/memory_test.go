package ledger

import (
	"context"
	"reflect"
	"testing"
)

// A ledger that remembers gives what one that reads gives, and what it writes is whole: also
// where somebody else went on meanwhile, and where a change failed.
func TestLedger_remembers(t *testing.T) {
	r := newRig(t)
	reader := *r.l
	r.l.Remember = true
	same := func() {
		t.Helper()
		ctx, tip := context.Background(), r.tip(refA)
		for range 2 { // what it wrote, and what it read
			have, err := Load(ctx, r.l, tallyLaw(), tip)
			want, rerr := Load(ctx, &reader, tallyLaw(), tip)
			if err != nil || rerr != nil || !reflect.DeepEqual(have, want) {
				t.Fatalf("%+v, %v; read it is %+v, %v", have, err, want, rerr)
			}
		}
	}
	first := r.add(refA, Stamp{}, words("one", "two")...)
	same()
	r.add(refA, Stamp{}, words("three")...)
	same()
	err := r.l.Change(context.Background(), func(ctx context.Context, tx *Tx) error {
		_, err := Append(ctx, tx, tallyLaw(), refA, r.state(r.tip(refA)), Stamp{}, words("never")...)
		if err == nil {
			err = errRefused
		}
		return err
	})
	if err == nil {
		t.Fatal("the change was made")
	}
	same()
	r.Git("update-ref", string(refA), first.String())
	same()
	r.add(refA, Stamp{}, words("four")...)
	same()
	r.add(refB, Stamp{}, words("one", "two")...)
	r.Git("fsck", "--strict", "--full")
}
