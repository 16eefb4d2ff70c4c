package refsync

import (
	"context"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// sendable are the records that the remote lacks and that everybody else would
// take from there, by name. What nobody would take is set aside: once it is
// there, it is in everybody's way.
func (x *exchange) sendable(ctx context.Context) ([]*item, error) {
	var pending []*item
	for _, it := range x.sorted() {
		if it.pending && it.err == nil {
			pending = append(pending, it)
		}
	}
	x.done, x.total = 0, len(pending)
	sound := make([]*item, 0, len(pending))
	for some := range slices.Chunk(pending, together) {
		x.tell(Checking)
		var tips, known []gitstore.OID
		for _, it := range some {
			if !it.goes() && it.settled.There != it.sound {
				tips, known = append(tips, it.settled.There), append(known, it.theirs)
			}
		}
		x.repo.Objects.Preload(ctx, tips, known)
		for _, it := range some {
			err := x.look(ctx, it)
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			if err != nil {
				it.setAside(err)
				continue
			}
			sound = append(sound, it)
		}
		x.done += len(some)
	}
	return sound, nil
}

// together is how many records are read at once.
const together = 500

// look asks whether a record may be sent, once for each state of it.
func (x *exchange) look(ctx context.Context, it *item) error {
	there := it.settled.There
	switch {
	case there.IsZero(), there == it.sound:
		return nil
	case x.o.DryRun && there != it.ours: // a merge that was only tried
		return nil
	}
	if err := x.records.Sendable(ctx, it.ref, it.theirs, there); err != nil {
		return err
	}
	it.sound = there
	return nil
}
