package refsync

import (
	"context"
	"errors"
	"fmt"
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
	pending bool         // the remote is to have something else
	again   bool         // the next round has to look at it
	given   bool         // the remote said that it has it as it is here
	sound   gitstore.OID // what was found fit to be sent
	// backward: what the remote is to have does not follow from what it has,
	// so that it needs a lease.
	backward bool
	// stale is what the remote was believed to have when it last said that it
	// has something else, and stuck how often a fetch showed that very value
	// since.
	stale want
	stuck int
	cuts  int   // how often the connection broke while it was pushed alone
	err   error // why it was set aside, or refused
}

// maxStuck is how often a fetch may show what a push was made on, and was not
// taken for: then the remote shows its pushers something else.
const maxStuck = 2

// moved notes that the remote had something else than a push was made on, and
// reports whether it will say so forever, whatever a fetch shows.
func (it *item) moved(w want, r reply) (forever bool) {
	if r.reason == nonForward {
		it.stuck = 0
		return false
	}
	if it.stale.ref == w.ref && it.stale.old == w.old {
		it.stuck++
	} else {
		it.stale, it.stuck = w, 0
	}
	return it.stuck >= maxStuck
}

// goes reports that the remote is to have it no more.
func (it *item) goes() bool { return it.settled.There.IsZero() }

// hides reports that the remote has what it does not show to a fetch: it took it
// before, in this exchange, and now the fetch that followed showed nothing.
func (it *item) hides(w want, a Answer) bool { return it.given && a == UpToDate && w.old.IsZero() }

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

// listing is what stands here and there.
type listing struct {
	items     []*item // those that differ, or did in an earlier round; by name
	unchanged int
	foreign   []gitstore.RefName
}

// list compares the refs here with what the remote had when it was last asked:
// those named, or all.
func (x *exchange) list(ctx context.Context, names []gitstore.RefName, ours []gitstore.Ref) (listing, error) {
	seen, err := x.seen(ctx, names)
	if err != nil {
		return listing{}, fmt.Errorf("list what %s has: %w", x.o.Remote.Name, err)
	}
	x.shows(seen)
	var l listing
	here := make(map[gitstore.RefName]gitstore.Ref, len(ours))
	for _, r := range ours {
		here[r.Name] = r
	}
	for _, r := range seen {
		ref, ok := ledger.Tracked(x.o.Remote.Name, r.Name)
		if !ok {
			continue
		}
		mine := here[ref]
		delete(here, ref)
		x.compare(&l, ref, mine, r)
	}
	for ref, mine := range here {
		if !x.o.Seen {
			x.compare(&l, ref, mine, gitstore.Ref{})
		}
	}
	slices.SortFunc(l.items, byName)
	return l, nil
}

// shows notes whether the remote has anything of ours.
func (x *exchange) shows(seen []gitstore.Ref) {
	for _, r := range seen {
		if ref, ok := ledger.Tracked(x.o.Remote.Name, r.Name); ok {
			_, _, shared := ledger.KindOf(ref)
			x.shown = x.shown || shared
		}
	}
}

// compare adds a record to the listing, where it is one that is exchanged.
func (x *exchange) compare(l *listing, ref gitstore.RefName, mine, seen gitstore.Ref) {
	kind, id, shared := ledger.KindOf(ref)
	switch {
	case !shared:
		if x.asked(ref) {
			l.foreign = append(l.foreign, ref)
		}
		return
	case !x.o.wants(kind):
		return
	case mine.Err == nil && seen.Err == nil && mine.OID == seen.OID && x.items[ref] == nil:
		l.unchanged++
		return
	}
	it := &item{ref: ref, kind: kind, id: id, ours: mine.OID, theirs: seen.OID}
	switch {
	case mine.Err != nil:
		it.setAside(fmt.Errorf("%w; 'git brew doctor --fix' mends it, or says what can be done", mine.Err))
	case mine.Symbolic != "":
		it.setAside(fmt.Errorf("ref %q leads to %q: a record's ref is no symbolic ref", ref, mine.Symbolic))
	case seen.Err != nil:
		it.setAside(fmt.Errorf("%w; 'git brew doctor --fix' mends it, or says what can be done", seen.Err))
	}
	l.items = append(l.items, it)
}

// asked tells whether a name may have come with a fetch: others below ours are
// of another namespace, or another remote's.
func (x *exchange) asked(ref gitstore.RefName) bool {
	return slices.ContainsFunc(x.o.patterns(), func(p gitstore.RefName) bool {
		return strings.HasPrefix(string(ref), strings.TrimSuffix(string(p), anything))
	})
}

// ours reads the refs here: those named, or all.
func (x *exchange) ours(ctx context.Context, names []gitstore.RefName) ([]gitstore.Ref, error) {
	if named := x.named(names); named != nil {
		return x.each(ctx, named)
	}
	below := []gitstore.RefName{ledger.TaskRef("")}
	if x.o.Locks {
		below = append(below, ledger.LockRef(""))
	}
	if x.o.Clones {
		below = append(below, ledger.CloneRef(""))
	}
	ours, err := x.each(ctx, singles())
	for _, prefix := range below {
		if err != nil {
			break
		}
		var list []gitstore.Ref
		list, err = x.repo.Refs.List(ctx, string(prefix))
		ours = append(ours, list...)
	}
	return ours, err
}

// seen reads the tracking refs.
func (x *exchange) seen(ctx context.Context, names []gitstore.RefName) ([]gitstore.Ref, error) {
	named := x.named(names)
	if named == nil {
		return x.repo.Refs.List(ctx, ledger.TrackingPrefix(x.o.Remote.Name))
	}
	tracking := make([]gitstore.RefName, len(named))
	for i, name := range named {
		tracking[i] = x.o.Remote.Seen(name)
	}
	return x.each(ctx, tracking)
}

// named are the names that an exchange, or a round of it, is limited to; nil
// where it is not.
func (x *exchange) named(names []gitstore.RefName) []gitstore.RefName {
	if names == nil && x.o.Tasks != nil {
		return x.o.names()
	}
	return names
}

func (x *exchange) each(ctx context.Context, names []gitstore.RefName) ([]gitstore.Ref, error) {
	refs := make([]gitstore.Ref, 0, len(names))
	var err error
	for _, name := range names {
		if refs, err = x.addRef(ctx, refs, name); err != nil {
			break
		}
	}
	return refs, err
}

// addRef reads one ref, if it is there.
func (x *exchange) addRef(ctx context.Context, refs []gitstore.Ref, name gitstore.RefName) ([]gitstore.Ref, error) {
	oid, err := x.repo.Refs.Get(ctx, name)
	var broken *gitstore.BrokenRefError
	switch {
	case errors.Is(err, gitstore.ErrNotExist):
		return refs, nil
	case errors.As(err, &broken):
		return append(refs, gitstore.Ref{Name: name, Err: broken}), nil
	case err != nil:
		return refs, err
	}
	return append(refs, gitstore.Ref{Name: name, OID: oid}), nil
}
