package ledger

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// lock adds a state to the lock of a task, and returns its tip.
func (r *rig) lock(id, event string) gitstore.OID {
	r.T.Helper()
	r.change(func(ctx context.Context, tx *Tx) error {
		_, err := tx.Put(ctx, LockRef(id), map[string][]byte{"lock.json": []byte(event)}, "lock: "+event+"\n")
		return err
	})
	return r.tip(LockRef(id))
}

// S-35: of two ends of one lock every clone chooses the same, however much of
// their chains it has; where that does not tell, it chooses none.
func TestLaterLock_S35(t *testing.T) {
	far := newRig(t)
	base := far.lock("a", `{"fence":1}`)
	ends := map[string]gitstore.OID{}
	for name, fences := range map[string][]int{"long": {1, 1, 1}, "short": {1}, "high": {2}} {
		far.branch(LockRef(name), base)
		for _, fence := range fences {
			ends[name] = far.lock(name, fmt.Sprintf(`{"fence":%d,"of":%q}`, fence, name))
		}
	}
	near := far.shallow(LockRef("*"))
	for _, row := range []struct {
		a, b, later string
		shallow     bool // it can be told there, too
	}{{"long", "high", "high", true}, {"short", "high", "high", true}, {"long", "short", "long", false}} {
		for name, r := range map[string]*rig{"whole": far, "shallow": near} {
			for _, pair := range [][2]string{{row.a, row.b}, {row.b, row.a}} {
				got, err := newTx(context.Background(), r.l).LaterLock(context.Background(), ends[pair[0]], ends[pair[1]])
				if r == near && !row.shallow {
					if !errors.Is(err, ErrShallow) {
						t.Errorf("%s: %v: %s, %v", name, pair, got.Short(), err)
					}
				} else if err != nil || got != ends[row.later] {
					t.Errorf("%s: %v: %s, %v; want %s", name, pair, got.Short(), err, row.later)
				}
			}
		}
	}
}
