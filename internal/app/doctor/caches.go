package doctor

import (
	"context"
	"errors"
	"os"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger/cache"
)

// snapshot checks that what every command believes of a record is what its
// objects say.
func (d *doctor) snapshot(ref gitstore.RefName, tip gitstore.OID, state any) {
	if d.s.Clone.Ledger.Cache.Disagrees(ref, tip, state) {
		d.lying(ref)
	}
}

// agrees is snapshot for a state that has to be made comparable first.
func (d *doctor) agrees(ref gitstore.RefName, cached, state any) {
	if !cache.Same(cached, state) {
		d.lying(ref)
	}
}

func (d *doctor) lying(ref gitstore.RefName) {
	d.mend(string(ref), "removes it, and the next command makes it anew", func() error {
		return d.s.Clone.Ledger.Cache.Drop(ref)
	},
		"its snapshot says something else than its objects")
	d.worst()
}

// caches finds what nothing reads any more.
func (d *doctor) caches(ctx context.Context) error {
	left, err := d.s.Clone.Ledger.Cache.Leftovers(ctx)
	if err != nil || len(left) == 0 {
		return err
	}
	d.mend("caches", "removes what nothing reads", func() error {
		var failed error
		for _, path := range left {
			failed = errors.Join(failed, os.RemoveAll(path))
		}
		return failed
	}, "left over: %d, such as %s", len(left), left[0])
	return nil
}
