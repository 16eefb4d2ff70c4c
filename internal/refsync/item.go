package refsync

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
)

// item is a record that is not the same here and there, and what became of it.
type item struct {
	ref    gitstore.RefName
	kind   ledger.Kind
	id     string
	ours   gitstore.OID // when it was listed
	theirs gitstore.OID // what the remote has, as far as is known

	settled Settlement
	notes   []string
	pushed  bool
	deleted bool
	later   bool         // it is new, and enough of its kind came
	pending bool         // the remote is to have something else
	again   bool         // the next round has to look at it
	sound   gitstore.OID // what was found fit to be sent
	// backward: what the remote is to have does not follow from what it has,
	// so that it needs a lease.
	backward bool
	cuts     int   // how often the connection broke while it was pushed alone
	large    bool  // it is more than the remote takes at once
	err      error // why it was set aside, or refused
}

// goes reports that the remote is to have it no more.
func (it *item) goes() bool { return it.settled.There.IsZero() }

// isNew tells whether only the remote had it.
func (it *item) isNew() bool { return it.ours.IsZero() && !it.theirs.IsZero() }

// counted tells whether nothing had to be done about it.
func (it *item) counted() bool {
	return it.settled.Outcome == Unchanged && !it.pushed && !it.deleted && !it.pending && it.err == nil
}

// take notes what was decided. An outcome of an earlier round stays where the
// later one tells less.
func (it *item) take(s Settlement) {
	before := it.settled.Outcome
	it.settled, it.err = s, nil
	for _, note := range s.Notes {
		if !slices.Contains(it.notes, note) {
			it.notes = append(it.notes, note)
		}
	}
	switch {
	case s.Outcome == Unchanged && before != "" && before != SetAside:
		// What we wanted there is there: a push whose answer was lost.
		it.settled.Outcome = before
		it.pushed = it.pushed || it.pending
	case before == Merged && (s.Outcome == Ahead || s.Outcome == FastForwarded):
		it.settled.Outcome = Merged
	}
	it.pending, it.again = s.There != it.theirs, false
}

// vanished notes that the record is neither here nor there any more.
func (it *item) vanished() {
	it.deleted = it.deleted || it.pending
	it.ours, it.theirs, it.settled.There = gitstore.OID{}, gitstore.OID{}, gitstore.OID{}
	it.pending, it.again = false, false
}

// setAside leaves the record alone, here and there, and says why.
func (it *item) setAside(err error) {
	it.settled = Settlement{Outcome: SetAside, There: it.theirs}
	it.err, it.pending, it.again = err, false, false
}

func (it *item) report() RefReport {
	r := RefReport{
		Ref: it.ref, Outcome: it.settled.Outcome, Pushed: it.pushed, Deleted: it.deleted, Pending: it.pending,
		Notes: it.notes, Err: it.err,
	}
	if r.Outcome == LockConfirmed && r.Pending {
		r.Outcome = Ahead // only the remote's own answer confirms a lock
	}
	return r
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
	x.unchanged, x.foreign = 0, nil
	listed := map[gitstore.RefName]bool{}
	var work []*item
	for _, ref := range names {
		kind, id, shared := ledger.KindOf(ref)
		ours, theirs, it := here[ref], there[ref], x.items[ref]
		x.shown = x.shown || shared && theirs.Name != ""
		switch listed[ref] = true; {
		case !shared && x.asked(ref):
			x.foreign = append(x.foreign, ref)
			continue
		case !shared, !x.o.wants(kind), it != nil && it.settledOn(ours.OID, theirs.OID):
			continue
		case it == nil && ours.Err == nil && theirs.Err == nil && ours.OID == theirs.OID:
			x.unchanged++
			continue
		case it == nil:
			it = &item{ref: ref, kind: kind, id: id}
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
		case it.settled.Outcome == "": // it went with the archive
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
	return it.settled.Outcome != "" && !it.again && it.theirs == theirs &&
		(ours == it.ours || ours == it.settled.There)
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

// asked tells whether a name may have come with a fetch: others below ours are
// of another namespace, or another remote's.
func (x *exchange) asked(ref gitstore.RefName) bool {
	return slices.ContainsFunc(x.o.patterns(), func(p gitstore.RefName) bool {
		return strings.HasPrefix(string(ref), strings.TrimSuffix(string(p), anything))
	})
}

// bothSides lists the refs here, and what the remote had when it was last asked, both
// by their names here.
func (x *exchange) bothSides(ctx context.Context) (here, there map[gitstore.RefName]gitstore.Ref, err error) {
	var ours, seen []gitstore.Ref
	if x.o.Tasks != nil {
		names := x.o.names()
		if ours, err = x.each(ctx, names); err == nil {
			for i, name := range names {
				names[i] = x.o.Remote.Seen(name)
			}
			seen, err = x.each(ctx, names)
		}
	} else {
		ours, err = x.each(ctx, singles())
		for _, prefix := range x.o.prefixes() {
			if err == nil {
				var list []gitstore.Ref
				list, err = x.repo.Refs.List(ctx, string(prefix))
				ours = append(ours, list...)
			}
		}
		if err == nil {
			seen, err = x.repo.Refs.List(ctx, ledger.TrackingPrefix(x.o.Remote.Name))
		}
	}
	here, there = make(map[gitstore.RefName]gitstore.Ref, len(ours)), make(map[gitstore.RefName]gitstore.Ref, len(seen))
	for _, r := range ours {
		here[r.Name] = r
	}
	for _, r := range seen {
		if ref, ok := ledger.Tracked(x.o.Remote.Name, r.Name); ok {
			there[ref] = r
		}
	}
	return here, there, err
}

// each reads refs one by one, those that are there.
func (x *exchange) each(ctx context.Context, names []gitstore.RefName) ([]gitstore.Ref, error) {
	var refs []gitstore.Ref
	for _, name := range names {
		oid, err := x.repo.Refs.Get(ctx, name)
		broken, is := errors.AsType[*gitstore.BrokenRefError](err)
		switch {
		case is:
			refs = append(refs, gitstore.Ref{Name: name, Err: broken})
		case err == nil:
			refs = append(refs, gitstore.Ref{Name: name, OID: oid})
		case !errors.Is(err, gitstore.ErrNotExist):
			return nil, fmt.Errorf("read ref %q: %w", name, err)
		}
	}
	return refs, nil
}
