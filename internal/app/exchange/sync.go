package exchange

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

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

// arrange makes a remote one that state is shared with, where it is not: by the
// first sync of a person, or the next one where brew.remote was taken away or
// the names there are others now. It gives the remote with the namespace in force.
func (s *Exchange) arrange(ctx context.Context, remote refsync.Remote, r SyncRequest, agreed bool,
	out *SyncReport,
) (refsync.Remote, error) {
	set, err := s.Config.Settings(ctx)
	if err != nil {
		return remote, err
	}
	named := r.Remote != "" || set.Text(config.KeyRemote) != ""
	if s.Clone.Caller.Agent() {
		if agreed && named {
			return remote, nil
		}
		agreed = false // nobody shares any more: an old word does not count
	} else if to := config.NamespaceOf(set); !agreed || to != remote.Namespace {
		before := remote
		var note string
		if remote, note, err = s.settleNamespace(ctx, remote, agreed, to); err != nil {
			return remote, err
		}
		if note != "" {
			out.Notes = append(out.Notes, note)
		}
		agreed = agreed && remote == before
	}
	out.First = !agreed
	if agreed && named {
		conf, err := s.Clone.Repo.Config.Read(ctx)
		if err != nil || fetchesFrom(conf.All("remote."+remote.Name+".fetch"), remote) {
			return remote, err
		}
	}
	return remote, agree(ctx, s, remote, r.Share)
}

// fetchesFrom reports that refspecs bring what is live on a remote, or nothing of ours.
func fetchesFrom(have []string, remote refsync.Remote) bool {
	ours := slices.ContainsFunc(have, func(spec string) bool {
		return strings.Contains(spec, ":"+ledger.TrackingPrefix(remote.Name))
	})
	return !ours || !slices.ContainsFunc(remote.FetchRefspecs(), func(spec string) bool {
		return !slices.Contains(have, spec)
	})
}

// agree records that the caller wants to share with a remote: a person does,
// by the first sync; an agent can't.
func agree(ctx context.Context, s *Exchange, remote refsync.Remote,
	share func(ctx context.Context, remote refsync.Remote) error,
) error {
	if c := s.Clone.Caller.Reached(); c.Agent() {
		return clone.Refuse(c.InTerminal("the user runs 'git brew sync' once"), "nothing is shared with %s yet", remote.Name)
	}
	if share != nil {
		if err := share(ctx, remote); err != nil {
			return err
		}
	}
	s.Config.Forget()
	set, err := s.Config.Settings(ctx)
	if err != nil {
		return err
	}
	if set.Text(config.KeyRemote) == "" {
		s.Config.Forget()
		if err := s.Clone.Repo.Config.Set(ctx, "brew."+string(config.KeyRemote), remote.Name); err != nil {
			return err
		}
	}
	return s.Clone.Consent(ctx, remote)
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
		out.Notes = append(out.Notes, beforePush(ctx, s, events, r.Progress)...)
	}
	decides, is, err := s.Config.Arbiter(ctx)
	if err != nil {
		return err
	}
	o := refsync.Options{
		Remote: remote, Locks: is && decides == remote, Clones: events, Own: s.Clone.Ref(),
		Fetch: r.Fetch, Push: r.Push, DryRun: r.DryRun, Progress: r.Progress, Kept: s.Clone.Kept(remote),
		Agreed: func(ctx context.Context) error { return s.agreeing(ctx, remote, out) }, Idle: s.IsApart(remote),
	}
	x := s.settler()
	report, err := s.run(ctx, x, o)
	out.take(report, s.synced(ctx, x, report))
	out.Notes = append(out.Notes, x.remarks...)
	out.Notes = append(out.Notes, s.Clone.Keep(remote, report.Kept)...)
	if err == nil && !r.DryRun {
		out.Notes = append(out.Notes, s.cameOnTrust(ctx, out)...)
	}
	if !r.DryRun {
		s.Clone.NoteSync(remote.Name, failureOf(err, out))
	}
	if err == nil && r.Fetch && !r.DryRun && len(out.Records) >= manyRecords {
		s.FoldIn(ctx) // finds nothing, and remembers that for the next command
	}
	return err
}

// manyRecords is how many records a sync moves at least for the look through all
// that was fetched to be worth having behind it: the next command has it before
// it.
const manyRecords = 50

// beforePush makes ready what is to be pushed. What fails is a remark: the rest
// is shared all the same.
func beforePush(ctx context.Context, s *Exchange, events bool, progress func(refsync.Step, int, int)) []string {
	var notes []string
	if events {
		if err := s.Journal.Seal(ctx); err != nil {
			notes = append(notes, fmt.Sprintf("the latest events are not shared yet: %v", err))
		}
	}
	switch n, err := s.Archive.ArchiveDue(ctx, progress); {
	case err != nil:
		notes = append(notes, fmt.Sprintf("tasks that are due for the archive stay for now: %v", err))
	case n == 1:
		notes = append(notes, "1 task that ended long ago went to the archive")
	case n > 1:
		notes = append(notes, fmt.Sprintf("%d tasks that ended long ago went to the archive", n))
	}
	return notes
}

// settler is the Records of one exchange.
func (s *Exchange) settler() *Settler {
	return &Settler{S: s, met: map[gitstore.RefName]sides{}}
}

// run runs one exchange with a remote. Settings that came with it are in force
// from here on.
func (s *Exchange) run(ctx context.Context, x *Settler, o refsync.Options) (refsync.Report, error) {
	defer func() { s.Config.Forget() }()
	return refsync.Run(ctx, s.Clone.Repo, s.Clone.Ledger, o, x)
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
