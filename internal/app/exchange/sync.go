package exchange

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/git-brew/git-brew/internal/app/archive"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/trust"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
)

// SyncRequest says with whom to exchange records, and how.
type SyncRequest struct {
	// Remote is a configured remote; "": brew.remote, else the upstream's of
	// this branch, else origin.
	Remote string
	// Fetch and Push limit it to one way; neither, or both: both ways.
	Fetch, Push bool
	// DryRun fetches and tells what would be done; nothing of ours changes,
	// here or there.
	DryRun bool
	// Detached: nobody waits. It does nothing without a consent given before,
	// and leaves the work to a sync that is under way.
	Detached bool
	// Share arranges git's configuration when a person agrees to share with a
	// remote; nil: only brew.remote is set.
	Share func(ctx context.Context, remote refsync.Remote) error
	// Progress is told what is done, and how many of how many; see
	// refsync.Options.
	Progress func(step refsync.Step, done, total int)
}

// maxAgain bounds how often a detached sync goes on because others want one.
const maxAgain = 10

// Sync exchanges the records with a remote. What was done before an error is in
// the report. The errors are a *refsync.RemoteError (nothing here is lost), a
// *RefusedError where an agent would be the first to share, a *NotFoundError
// where there is no such remote, a *SyncBusyError where another sync takes too
// long. A report may name records that failed where the others went through: see
// Failed.
func (s *Exchange) Sync(ctx context.Context, r SyncRequest) (SyncReport, error) {
	if !r.Fetch && !r.Push {
		r.Fetch, r.Push = true, true
	}
	remote, err := s.Config.RemoteFor(ctx, r.Remote)
	if err != nil {
		return SyncReport{}, err
	}
	out := SyncReport{Remote: remote.Name}
	agreed, err := s.Clone.Consented(ctx, remote.Name)
	if err != nil || r.Detached && !agreed {
		return out, err
	}
	if r.Detached {
		return out, s.syncDetached(ctx, remote, r, &out)
	}
	if r.Push && !r.DryRun {
		if remote, err = s.arrange(ctx, remote, r, agreed, &out); err != nil {
			return out, err
		}
	}
	err = s.inTurn(ctx, remote.Name, remote.Silence, func() error {
		if decides, is, err := s.Config.Arbiter(ctx); err == nil && is && decides == remote && r.Fetch && r.Push &&
			!r.DryRun {
			s.Clone.WantedAgain() // this is it
		}
		return s.syncOnce(ctx, remote, r, &out)
	})
	out.Again = s.Clone.Waiting()
	return out, err
}

// syncDetached syncs unless somebody does, who is asked to do it again; and
// again for those who ask meanwhile. The error is the last one's.
func (s *Exchange) syncDetached(ctx context.Context, remote refsync.Remote, r SyncRequest, out *SyncReport) error {
	s.Clone.WantAgain()
	var err error
	for i := 0; i < maxAgain && s.Clone.Waiting() && ctx.Err() == nil; i++ {
		busy := s.Clone.Repo.Exclusive(ctx, clone.SyncLock, 0, func() error {
			for ; i < maxAgain && s.Clone.WantedAgain(); i++ {
				err = s.syncOnce(ctx, remote, r, out)
			}
			return nil
		})
		if errors.Is(busy, gitstore.ErrLocked) {
			return nil
		}
		if busy != nil {
			return busy
		}
		// Who came between the last look and the end of the lock left a note.
	}
	return err
}

// syncOnce is one sync, and records how it ended.
func (s *Exchange) syncOnce(ctx context.Context, remote refsync.Remote, r SyncRequest, out *SyncReport) error {
	set, err := s.Config.Settings(ctx)
	if err != nil {
		return err
	}
	events := set.Bool(config.KeySyncEvents)
	if r.Push && !r.DryRun {
		out.Notes = append(out.Notes, s.beforePush(ctx, events, r.Progress)...)
	}
	decides, is, err := s.Config.Arbiter(ctx)
	if err != nil {
		return err
	}
	o := refsync.Options{
		Remote: remote, Locks: is && decides == remote, Clones: events, Own: s.Clone.Ref(),
		Fetch: r.Fetch, Push: r.Push, DryRun: r.DryRun, Progress: r.Progress, Keeps: s.Clone.Keeps(remote.Name),
		Agreed: func(ctx context.Context) error { return s.agreeing(ctx, remote, out) }, Idle: s.IsApart(remote),
	}
	x, report, err := s.run(ctx, o)
	out.take(report, s.synced(ctx, x, report))
	if report.Kept > 0 {
		out.Notes = append(out.Notes, s.Clone.NoteKeeps(remote.Name))
	}
	if err == nil && !r.DryRun {
		out.Notes = append(out.Notes, s.cameOnTrust(ctx, out)...)
	}
	if !r.DryRun {
		s.Clone.NoteSync(remote.Name, failureOf(err, out))
	}
	if err == nil && r.Fetch && !r.DryRun && len(out.Records) >= manyRecords {
		s.TakeFetched(ctx, false) // finds nothing, and remembers that for the next command
	}
	return err
}

// manyRecords is how many records a sync moves at least for the look through all
// that was fetched to be worth having behind it: the next command has it before
// it.
const manyRecords = 50

// beforePush makes ready what is to be pushed. What fails is a remark: the rest
// is shared all the same.
func (s *Exchange) beforePush(ctx context.Context, events bool, progress func(refsync.Step, int, int)) []string {
	var notes []string
	if events {
		if err := s.Journal.Seal(ctx); err != nil {
			notes = append(notes, fmt.Sprintf("the latest events are not shared yet: %v", err))
		}
	}
	archived, err := s.Archive.Archive(ctx, archive.ArchiveRequest{Due: true, Progress: progress})
	switch n := len(archived.Tasks); {
	case err != nil:
		notes = append(notes, fmt.Sprintf("tasks that are due for the archive stay for now: %v", err))
	case n > 0:
		notes = append(notes, clone.Counted(n, "task that ended long ago went", "tasks that ended long ago went")+
			" to the archive")
	}
	return notes
}

// run runs one exchange with a remote. Settings that came with it are in force
// from here on.
func (s *Exchange) run(ctx context.Context, o refsync.Options) (*Settler, refsync.Report, error) {
	x := &Settler{S: s, met: map[gitstore.RefName]sides{}}
	report, err := refsync.Run(ctx, s.Clone.Repo, s.Clone.Ledger, o, x)
	s.Config.Forget()
	return x, report, err
}

// SyncLater asks for a sync in the background, where a person agreed to share
// with brew.remote and brew.sync.auto is on. Start: nobody syncs now, so the
// caller starts one; else the one that is under way goes round again.
func (s *Exchange) SyncLater(ctx context.Context) (start bool, err error) {
	set, err := s.Config.Settings(ctx)
	if err != nil || !set.Bool(config.KeySyncAuto) {
		return false, err
	}
	if _, ok, err := s.Config.Arbiter(ctx); err != nil || !ok {
		return false, err
	}
	s.Clone.WantAgain() // before the look, so that whoever ends now sees it
	return s.Clone.Repo.Exclusive(ctx, clone.SyncLock, 0, func() error { return nil }) == nil, nil
}

// cameOnTrust says how much waits, and what is gone, where a sync brought something
// that may do so.
func (s *Exchange) cameOnTrust(ctx context.Context, report *SyncReport) []string {
	came := slices.ContainsFunc(report.Records, func(r SyncedRecord) bool {
		return (r.Kind == ledger.KindTask || r.Kind == ledger.KindConfig) && r.Err == nil &&
			(r.Outcome == refsync.New || r.Outcome == refsync.FastForwarded || r.Outcome == refsync.Merged)
	})
	if !came {
		return nil
	}
	s.Config.Forget()
	var notes []string
	if n, err := s.Trust.Untrusted(ctx); err == nil && n > 0 {
		notes = append(notes, trust.WaitingForTrust(n)+"; 'git brew trust list' shows them")
	}
	if p, err := s.Pipelines.PipelineTold(ctx); err == nil && p.TakenBack != "" {
		notes = append(notes, "the shared pipeline was taken back, and the built-in one is in force; 'git brew trust rm "+
			clone.ShortTrust(p.TakenBack)+"' once that is known")
	}
	return notes
}

// SyncBusyError says that another sync of this clone was still under way when this
// one had waited for as long as a remote may be silent.
type SyncBusyError struct{ Remote string }

func (e *SyncBusyError) Error() string {
	return e.Remote + " was not asked: another sync of this clone is still under way"
}

const (
	// syncPatience is how long a person waits for a sync whose remote may be silent
	// for ever.
	syncPatience = time.Minute
	// syncGrace is how much longer they wait: a sync that gives up has to end.
	syncGrace = 3 * time.Second
)

// inTurn runs f while no other sync of this clone does. It waits as long as another
// one can go on without a word from its remote, and a little longer: a *SyncBusyError.
func (s *Exchange) inTurn(ctx context.Context, remote string, silence time.Duration, f func() error) error {
	began := false
	once := func() error {
		began = true
		return f()
	}
	err := s.Clone.Repo.Exclusive(ctx, clone.SyncLock, 0, once)
	if !began && errors.Is(err, gitstore.ErrLocked) {
		done := s.Clone.Waits("waiting for another sync of this clone")
		err = s.Clone.Repo.Exclusive(ctx, clone.SyncLock, cmp.Or(silence, syncPatience)+syncGrace, once)
		done()
	}
	if !began && errors.Is(err, gitstore.ErrLocked) {
		return &SyncBusyError{Remote: remote}
	}
	return err
}
