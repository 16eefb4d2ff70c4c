package refsync

import (
	"context"

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
	sound := make([]*item, 0, len(pending))
	for i, it := range pending {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if i%together == 0 {
			x.tell(Checking, i, len(pending))
			x.preload(ctx, pending[i:min(i+together, len(pending))])
		}
		if err := x.look(ctx, it); err != nil {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			it.setAside(err)
			continue
		}
		sound = append(sound, it)
	}
	return sound, nil
}

// together is how many records are read at once.
const together = 500

// preload reads what is to be looked at.
func (x *exchange) preload(ctx context.Context, items []*item) {
	var tips, known []gitstore.OID
	for _, it := range items {
		if !it.settled.There.IsZero() && it.settled.There != it.sound {
			tips, known = append(tips, it.settled.There), append(known, it.theirs)
		}
	}
	x.repo.Objects.Preload(ctx, tips, known)
}

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
