package refsync

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
)

// item is a record that is not the same here and there, and what became of it.
type item struct {
	RefReport
	kind   ledger.Kind
	id     string
	ours   gitstore.OID // when it was listed
	theirs gitstore.OID // what the remote has, as far as is known

	there gitstore.OID // what the remote is to have; see Settlement
	late  bool         // it is pushed behind everything else
	left  bool         // it is new, and enough of its kind came
	again bool         // the next round has to look at it
	sound gitstore.OID // what was found fit to be sent
	// backward: what the remote is to have does not follow from what it has,
	// so that it needs a lease.
	backward bool
	cuts     int  // how often the connection broke while it was pushed alone
	large    bool // it is more than the remote takes at once
}

// goes reports that the remote is to have it no more.
func (it *item) goes() bool { return it.there.IsZero() }

// isNew tells whether only the remote had it.
func (it *item) isNew() bool { return it.ours.IsZero() && !it.theirs.IsZero() }

// counted tells whether nothing had to be done about it.
func (it *item) counted() bool {
	return it.Outcome == Unchanged && !it.Pushed && !it.Deleted && !it.Pending && it.Err == nil
}

// take notes what was decided. An outcome of an earlier round stays where the
// later one tells less.
func (it *item) take(s Settlement) {
	before := it.Outcome
	it.Outcome, it.there, it.late, it.Err = s.Outcome, s.There, s.Late, nil
	for _, note := range s.Notes {
		if !slices.Contains(it.Notes, note) {
			it.Notes = append(it.Notes, note)
		}
	}
	switch {
	case s.Outcome == Unchanged && before != "" && before != SetAside:
		// What we wanted there is there: a push whose answer was lost.
		it.Outcome = before
		it.Pushed = it.Pushed || it.Pending
	case before == Merged && (s.Outcome == Ahead || s.Outcome == FastForwarded):
		it.Outcome = Merged
	}
	it.Pending, it.again = it.there != it.theirs, false
}

// vanished notes that the record is neither here nor there any more.
func (it *item) vanished() {
	it.Deleted = it.Deleted || it.Pending
	it.ours, it.theirs, it.there = gitstore.OID{}, gitstore.OID{}, gitstore.OID{}
	it.Pending, it.again = false, false
}

// setAside leaves the record alone, here and there, and says why.
func (it *item) setAside(err error) {
	it.Outcome, it.there, it.late = SetAside, it.theirs, false
	it.Err, it.Pending, it.again = err, false, false
}

// differing are the records that are to be settled: those that are not the same here
// and there, and were not settled before as they are there now.
func (x *exchange) differing(ctx context.Context) ([]*item, error) {
	here, there, err := x.bothSides(ctx)
	if err != nil {
		return nil, err
	}
	names := slices.Collect(maps.Keys(there))
	for ref := range here {
		if _, both := there[ref]; !both && !x.o.Seen {
			names = append(names, ref)
		}
	}
	slices.Sort(names)
	x.Unchanged, x.Foreign = 0, nil
	listed := map[gitstore.RefName]bool{}
	var work []*item
	for _, ref := range names {
		kind, id, shared := ledger.KindOf(ref)
		ours, theirs, it := here[ref], there[ref], x.items[ref]
		x.shown = x.shown || shared && theirs.Name != ""
		switch listed[ref] = true; {
		case !shared:
			x.Foreign = append(x.Foreign, ref)
			continue
		case !x.o.wants(kind), it != nil && it.settledOn(ours.OID, theirs.OID):
			continue
		case it == nil && ours.Err == nil && theirs.Err == nil && ours.OID == theirs.OID:
			x.Unchanged++
			continue
		case it == nil:
			it = &item{RefReport: RefReport{Ref: ref}, kind: kind, id: id}
			x.items[ref] = it
		}
		it.ours, it.theirs = ours.OID, theirs.OID
		if err := unfit(ours, theirs); err != nil {
			it.setAside(err)
			continue
		}
		work = append(work, it)
	}
	for ref, it := range x.items {
		switch {
		case listed[ref]:
		case it.Outcome == "": // it went with the archive
			delete(x.items, ref)
		case it.again:
			it.vanished()
		}
	}
	return work, nil
}

// settledOn reports whether nothing is to be done about what is here and what the
// remote has: neither is another one than when it was settled.
func (it *item) settledOn(ours, theirs gitstore.OID) bool {
	return it.Outcome != "" && !it.again && it.theirs == theirs &&
		(ours == it.ours || ours == it.there)
}

// unfit says why a ref, here or there, is none that can be settled.
func unfit(ours, theirs gitstore.Ref) error {
	if err := cmp.Or(ours.Err, theirs.Err); err != nil {
		return fmt.Errorf("%w; 'git brew doctor --fix' mends it, or says what can be done", err)
	}
	if ours.Symbolic != "" {
		return fmt.Errorf("ref %q leads to %q: a record's ref is no symbolic ref", ours.Name, ours.Symbolic)
	}
	return nil
}

// bothSides lists the refs here, and what the remote had when it was last asked, both
// by their names here.
func (x *exchange) bothSides(ctx context.Context) (here, there map[gitstore.RefName]gitstore.Ref, err error) {
	here, there = map[gitstore.RefName]gitstore.Ref{}, map[gitstore.RefName]gitstore.Ref{}
	for _, prefix := range x.o.prefixes() {
		ours, err := x.repo.Refs.List(ctx, string(prefix))
		if err != nil {
			return nil, nil, err
		}
		for _, r := range ours {
			here[r.Name] = r
		}
		seen, err := x.repo.Refs.List(ctx, string(x.o.Remote.Seen(prefix)))
		if err != nil {
			return nil, nil, err
		}
		for _, r := range seen {
			if ref, ok := ledger.Tracked(x.o.Remote.Name, r.Name); ok {
				there[ref] = r
			}
		}
	}
	return here, there, nil
}
