package exchange

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/ledger/notes"
	"github.com/git-brew/git-brew/internal/refsync"
)

// TakeFetched takes over what a plain `git fetch` has brought: records that are new
// here, and those that go on from what is here. What went on on both sides, the
// archive and the records of clones wait for a sync. It asks no remote, and
// while no tracking ref has changed it costs a look at some directories. A line
// each of what it returns says what was left alone, and why; where they are told to
// somebody, each is returned once, until it is another one.
//
// Locks come from the remote that decides about them alone. A repository that
// can't be written to stays as it is.
func (s *Exchange) TakeFetched(ctx context.Context, tells bool) []string {
	conf, err := s.Clone.Repo.Config.Read(ctx)
	if err != nil {
		return nil // the command itself says so
	}
	names := conf.Remotes()
	if len(names) == 0 {
		return nil
	}
	locksOf := ""
	if of, err := s.Config.RemoteFor(ctx, ""); err == nil {
		locksOf = of.Name
	}
	watch := s.Clone.Repo.Cache.WatchRefs(tracked(names)...)
	head := "locks of " + locksOf
	before, current := s.Clone.Repo.Cache.GetPiece(foldedIn, watch)
	known := strings.Split(before, "\n")
	if current && known[0] == head {
		return nil
	}
	at, done := s.offline(ctx)
	defer done()
	var aside []string
	certain := true
	at.Clone.Ledger.InNobodysName(func() {
		for _, name := range names {
			said, sure := at.takeFetched(ctx, name, name == locksOf)
			aside, certain = append(aside, said...), certain && sure
		}
	})
	if ctx.Err() == nil && !s.Clone.DryRun() && (tells || len(aside) == 0) {
		if !certain {
			watch.Distrust()
		}
		memo := strings.Join(append([]string{head}, aside...), "\n")
		s.Clone.Repo.Cache.PutPiece(foldedIn, watch, []byte(memo))
	}
	s.Config.Forget() // the shared ones may have come
	if tells {
		aside = slices.DeleteFunc(aside, func(line string) bool { return slices.Contains(known, line) })
	}
	return aside
}

// MaxLeft is how many records of a remote that were left alone are named one by
// one: each later command reads these lines.
const MaxLeft = 3

// foldedIn is the memo of the tracking refs whose records were taken over, with
// the lines about those that were not.
const foldedIn = "folded-in"

// tracked are the directories of the remotes' tracking refs.
func tracked(names []string) []string {
	var all []string
	for _, name := range names {
		top := strings.TrimSuffix(ledger.TrackingPrefix(name), "/")
		for _, ref := range []gitstore.RefName{ledger.TaskRef("x"), ledger.LockRef("x")} {
			all = append(all, strings.TrimSuffix(string(ledger.TrackingRef(name, ref)), "/x"))
		}
		all = append(all, top)
	}
	return all
}

// offline gives the service on a repository that asks no remote for missing objects,
// where that makes a difference.
func (s *Exchange) offline(ctx context.Context) (apart *Exchange, done func()) {
	if !s.Clone.Repo.Config.Partial(ctx) {
		return s, func() {}
	}
	apart = s.On(s.Clone.Repo.Offline())
	if s.Clone.DryRun() {
		apart.Clone.SetDryRun()
	}
	return apart, func() { _ = apart.Clone.Repo.Close() }
}

// takeFetched takes over what was fetched from one remote. Certain: what was left
// alone would be left alone again.
func (s *Exchange) takeFetched(ctx context.Context, name string, locks bool) (aside []string, certain bool) {
	remote, err := s.Config.Remote(ctx, name)
	if err != nil {
		return nil, true // a name that no remote of ours can have
	}
	seen, err := s.Clone.Repo.Refs.List(ctx, ledger.TrackingPrefix(name))
	if err != nil || len(seen) == 0 {
		return nil, err == nil
	}
	x := &folding{Settler: &Settler{S: s}, forward: map[gitstore.RefName]sides{}}
	report, err := refsync.Run(ctx, s.Clone.Repo, s.Clone.Ledger,
		refsync.Options{Remote: remote, Locks: locks, Seen: true}, x)
	certain = err == nil
	readOnly := errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
	if err != nil && !readOnly && ctx.Err() == nil {
		aside = append(aside, fmt.Sprintf("what was fetched from %s could not be taken over: %v", name, err))
	}
	leave := func(what string, why string) {
		aside = append(aside, "what "+name+" has as "+what+" is left alone: "+why)
	}
	partial, missing, left := s.Clone.Repo.Config.Partial(ctx), 0, 0
	for _, r := range report.Refs {
		if r.Err == nil {
			continue
		}
		certain = certain && !MayMend(r.Err)
		if partial && errors.Is(r.Err, gitstore.ErrPromised) {
			missing++
			continue
		}
		if left++; left > MaxLeft {
			continue
		}
		tip, _ := s.Clone.Ledger.Tip(ctx, remote.Seen(r.Ref)) // what can't be read has none
		leave(string(r.Ref), fmt.Sprintf("%v (at %s)", r.Err, tip.Short()))
	}
	if left > MaxLeft {
		leave(fmt.Sprintf("%d other refs", left-MaxLeft), "'git brew sync --porcelain' lists them")
	}
	if report.Left > 0 {
		leave(fmt.Sprintf("%d new records", report.Left), "'git brew sync' takes so many, some at a time")
	}
	if missing > 0 {
		aside = append(aside, fmt.Sprintf("%d that were fetched from %s are not whole in this partial clone; 'git brew "+
			"sync' brings the rest", missing, name))
	}
	if slices.ContainsFunc(report.Refs, func(r refsync.RefReport) bool {
		return r.Ref == ledger.NotesRef && r.Err == nil
	}) {
		notes.Show(ctx, s.Clone.Repo)
	}
	return aside, certain
}

// MayMend: what was in the way may go without any ref moving.
func MayMend(err error) bool {
	if _, broken := errors.AsType[*gitstore.BrokenRefError](err); broken {
		return true // of ours, too
	}
	return errors.Is(err, gitstore.ErrNotExist) || errors.Is(err, gitstore.ErrPromised) ||
		errors.Is(err, ledger.ErrShallow)
}

// folding is an exchange that takes over what goes on from here, and no more.
type folding struct {
	*Settler
	forward map[gitstore.RefName]sides // records whose other side goes on from ours
}

var _ refsync.Records = (*folding)(nil)

// Accept is refsync.Records's. Whether one side goes on from the other is found
// out here, outside the writers' lock.
func (x *folding) Accept(ctx context.Context, ref gitstore.RefName, ours, theirs gitstore.OID) error {
	if !ours.IsZero() {
		follows, err := x.S.Clone.Ledger.Follows(ctx, ours, theirs)
		if err != nil || !follows {
			return err
		}
	}
	x.forward[ref] = sides{Ref: ref, Ours: ours, Theirs: theirs}
	return x.Settler.Accept(ctx, ref, ours, theirs)
}

// Settle is refsync.Records's.
func (x *folding) Settle(ctx context.Context, tx *ledger.Tx, remote refsync.Remote, ref gitstore.RefName, ours,
	theirs gitstore.OID,
) (refsync.Settlement, error) {
	f, ok := x.forward[ref]
	if !ok || f.Ours != ours || f.Theirs != theirs {
		return refsync.Settlement{Outcome: refsync.Ahead, There: ours}, nil
	}
	// What a lock or a note becomes is not told by which side goes on from which.
	if kind, _, _ := ledger.KindOf(ref); ours.IsZero() || kind == ledger.KindLock || kind == ledger.KindNotes {
		return x.Settler.Settle(ctx, tx, remote, ref, ours, theirs)
	}
	return refsync.Settlement{Outcome: refsync.FastForwarded, There: theirs}, tx.Move(ctx, ref, theirs)
}
