package workflow

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/task"
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
	Share func(ctx context.Context, remote string) error
	// Progress is told what is done, and how many of how many; see
	// refsync.Options.
	Progress func(step refsync.Step, done, total int)
}

// SyncReport is what a sync did.
type SyncReport struct {
	Remote string
	// First: with this sync the person agreed to share with the remote.
	First bool
	// Records that were not the same here and there, by ref; Unchanged counts
	// the others.
	Records   []SyncedRecord
	Unchanged int
	Rounds    int
	// Notes are remarks that are about no record.
	Notes []string
	// Again: somebody wanted a sync in the background meanwhile.
	Again bool
}

// SyncedRecord is what became of one record.
type SyncedRecord struct {
	refsync.RefReport
	Kind ledger.Kind
	// ID is the task's, or the clone's; "" for what there is one of.
	ID string
	// Ours and Theirs are how many operations each side of a merge had that the
	// other had not.
	Ours, Theirs int
	// Conflicts are the documents of a task with texts that could not be
	// merged.
	Conflicts []string
}

// Failed are the records that were set aside, or refused there.
func (r SyncReport) Failed() []SyncedRecord {
	return slices.DeleteFunc(slices.Clone(r.Records), func(of SyncedRecord) bool { return of.Err == nil })
}

// syncPatience is how long a person waits for a sync that is under way.
const syncPatience = time.Minute

// maxAgain bounds how often a detached sync goes on because others want one.
const maxAgain = 10

// Sync exchanges the records with a remote. What was done before an error is in
// the report. The errors are a *refsync.RemoteError (nothing here is lost), a
// *RefusedError where an agent would be the first to share, a *NotFoundError
// where there is no such remote. A report may name records that failed where
// the others went through: see Failed.
func (s *Service) Sync(ctx context.Context, r SyncRequest) (SyncReport, error) {
	if !r.Fetch && !r.Push {
		r.Fetch, r.Push = true, true
	}
	remote, err := s.remoteFor(ctx, r.Remote)
	if err != nil {
		return SyncReport{}, err
	}
	out := SyncReport{Remote: remote.Name}
	agreed, err := s.Consented(ctx, remote.Name)
	if err != nil || r.Detached && !agreed {
		return out, err
	}
	if r.Push && !r.DryRun && !r.Detached {
		if err := s.arrange(ctx, remote, r, agreed); err != nil {
			return out, err
		}
		out.First = !agreed
	}
	if r.Detached {
		return out, s.syncDetached(ctx, remote, r, &out)
	}
	err = s.repo.Exclusive(ctx, syncLock, syncPatience, func() error {
		if decides, is, err := s.arbiter(ctx); err == nil && is && decides == remote && r.Fetch && r.Push && !r.DryRun {
			s.wantedAgain() // this is it
		}
		return s.syncOnce(ctx, remote, r, &out)
	})
	out.Again = s.waiting()
	if errors.Is(err, gitstore.ErrLocked) && len(out.Records) == 0 {
		err = fmt.Errorf("another sync is still under way: %w", ledger.ErrBusy)
	}
	return out, err
}

// arrange makes a remote one that state is shared with, where it is not: by the
// first sync of a person, or the next one where brew.remote was taken away or
// the names there are others now.
func (s *Service) arrange(ctx context.Context, remote refsync.Remote, r SyncRequest, agreed bool) error {
	if !agreed {
		return s.agree(ctx, remote.Name, r.Share)
	}
	set, err := s.Settings(ctx)
	if err != nil || s.caller.Session != "" {
		return err
	}
	config, err := s.repo.Config(ctx)
	if err != nil {
		return err
	}
	have, want := config.All("remote."+remote.Name+".fetch"), remote.FetchRefspecs()
	elsewhere := slices.ContainsFunc(have, func(spec string) bool { return strings.Contains(spec, ":"+ledger.TrackingPrefix(remote.Name)) }) &&
		slices.ContainsFunc(want, func(spec string) bool { return !slices.Contains(have, spec) })
	if elsewhere || r.Remote == "" && set.Text(KeyRemote) == "" {
		return s.agree(ctx, remote.Name, r.Share)
	}
	return nil
}

// agree records that the caller wants to share with a remote: a person does,
// by the first sync; an agent can't.
func (s *Service) agree(ctx context.Context, remote string, share func(ctx context.Context, remote string) error) error {
	if s.caller.Session != "" {
		return refuse("the user runs 'git brew sync' once, by hand", "nothing is shared with %s yet", remote)
	}
	if share != nil {
		if err := share(ctx, remote); err != nil {
			return err
		}
	}
	s.settings = nil
	set, err := s.Settings(ctx)
	if err != nil {
		return err
	}
	if set.Text(KeyRemote) == "" {
		s.settings = nil
		if err := s.repo.SetConfig(ctx, "brew."+string(KeyRemote), remote); err != nil {
			return err
		}
	}
	return s.consent(ctx, remote)
}

// syncDetached syncs unless somebody does, who is asked to do it again; and
// again for those who ask meanwhile. The error is the last one's.
func (s *Service) syncDetached(ctx context.Context, remote refsync.Remote, r SyncRequest, out *SyncReport) error {
	s.wantAgain()
	var err error
	for i := 0; i < maxAgain && s.waiting() && ctx.Err() == nil; i++ {
		busy := s.repo.Exclusive(ctx, syncLock, 0, func() error {
			for ; i < maxAgain && s.wantedAgain(); i++ {
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
func (s *Service) syncOnce(ctx context.Context, remote refsync.Remote, r SyncRequest, out *SyncReport) error {
	set, err := s.Settings(ctx)
	if err != nil {
		return err
	}
	events := set.Bool(KeySyncEvents)
	if r.Push && !r.DryRun {
		out.Notes = append(out.Notes, s.beforePush(ctx, events)...)
	}
	decides, is, err := s.arbiter(ctx)
	if err != nil {
		return err
	}
	o := refsync.Options{
		Remote: remote, Locks: is && decides == remote, Clones: events, Own: s.cloneRef(),
		Fetch: r.Fetch, Push: r.Push, DryRun: r.DryRun, Progress: r.Progress,
	}
	x := s.newExchange()
	report, err := s.run(ctx, x, o)
	out.take(report, s.synced(ctx, x, report))
	if err == nil && !r.DryRun {
		err = s.notesToo(ctx, x, o, out)
		out.Notes = append(out.Notes, s.cameOnTrust(ctx, out)...)
	}
	if !r.DryRun {
		s.noteSync(remote.Name, cmpError(err, out))
	}
	return err
}

// take adds what an exchange did.
func (r *SyncReport) take(report refsync.Report, records []SyncedRecord) {
	r.Rounds += report.Rounds
	r.Unchanged = report.Unchanged
	r.Notes = append(r.Notes, report.Notes...)
	if n := len(report.Foreign); n > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("left alone, since no record can have such a name: %.200q%s", string(report.Foreign[0]), more(n-1)))
	}
	if len(r.Records) == 0 {
		r.Records = records
		return
	}
	for _, of := range records { // of another run: some notes
		i := slices.IndexFunc(r.Records, func(known SyncedRecord) bool { return known.Ref == of.Ref })
		if i < 0 {
			r.Records = append(r.Records, of)
			continue
		}
		r.Records[i].Pushed = r.Records[i].Pushed || of.Pushed
		r.Records[i].Pending, r.Records[i].Err = of.Pending, of.Err
	}
}

func more(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", and %d more", n)
}

// notesToo makes the notes again that tell of merged tasks, and shares them.
func (s *Service) notesToo(ctx context.Context, x *exchange, o refsync.Options, out *SyncReport) error {
	var merged []task.ID
	for ref := range x.met {
		if id, ok := ledger.TaskOf(ref); ok {
			merged = append(merged, task.ID(id))
		}
	}
	if len(merged) == 0 {
		return nil
	}
	made, err := s.noteAgain(ctx, merged)
	if err != nil {
		out.Notes = append(out.Notes, fmt.Sprintf("notes on commits may tell old numbers of phases: %v", err))
		return nil
	}
	if !made || !o.Push {
		return nil
	}
	report, err := s.run(ctx, x, o)
	out.take(report, s.synced(ctx, x, report))
	return err
}

// cmpError is what a sync is said to have failed of: its error, else the first
// record that was set aside.
func cmpError(err error, out *SyncReport) error {
	if failed := out.Failed(); err == nil && len(failed) > 0 {
		return fmt.Errorf("%s: %w", failed[0].Ref, failed[0].Err)
	}
	return err
}

// beforePush makes ready what is to be pushed. What fails is a remark: the rest
// is shared all the same.
func (s *Service) beforePush(ctx context.Context, events bool) []string {
	var notes []string
	if events {
		if err := s.Seal(ctx); err != nil {
			notes = append(notes, fmt.Sprintf("the latest events are not shared yet: %v", err))
		}
	}
	switch n, err := s.archiveDue(ctx); {
	case err != nil:
		notes = append(notes, fmt.Sprintf("tasks that are due for the archive stay for now: %v", err))
	case n == 1:
		notes = append(notes, "1 task that ended long ago went to the archive")
	case n > 1:
		notes = append(notes, fmt.Sprintf("%d tasks that ended long ago went to the archive", n))
	}
	return notes
}

// newExchange is the Records of one exchange.
func (s *Service) newExchange() *exchange { return &exchange{s: s, met: map[gitstore.RefName]sides{}} }

// run runs one exchange with a remote. Settings that came with it are in force
// from here on.
func (s *Service) run(ctx context.Context, x *exchange, o refsync.Options) (refsync.Report, error) {
	defer func() { s.settings = nil }()
	return refsync.Run(ctx, s.repo, s.ledger, o, x)
}

// maxLooked bounds how many records are looked at only to tell more of them.
const maxLooked = 100

// synced tells of each record what an exchange of refs does not know.
func (s *Service) synced(ctx context.Context, x *exchange, report refsync.Report) []SyncedRecord {
	var all []SyncedRecord
	looked := 0
	for _, ref := range report.Refs {
		r := SyncedRecord{RefReport: ref}
		r.Kind, r.ID, _ = ledger.KindOf(ref.Ref)
		if met, ok := x.met[ref.Ref]; ok && r.Outcome == refsync.Merged && looked < maxLooked {
			r.Ours, r.Theirs = s.apart(ctx, met.ours, met.theirs)
		}
		if r.Kind == ledger.KindTask && (r.Outcome == refsync.Merged || r.Outcome == refsync.FastForwarded) && looked < maxLooked {
			looked++
			r.Conflicts = s.conflicts(ctx, task.ID(r.ID))
		}
		all = append(all, r)
	}
	return all
}

// apart counts the operations that each of two histories has alone; 0 where git
// can't tell.
func (s *Service) apart(ctx context.Context, ours, theirs gitstore.OID) (mine, other int) {
	text, err := s.repo.Git(ctx, "rev-list", "--left-right", "--count", "--no-merges", ours.String()+"..."+theirs.String(), "--")
	if err != nil {
		return 0, 0
	}
	left, right, _ := strings.Cut(strings.TrimSpace(string(text)), "\t")
	mine, _ = strconv.Atoi(left)
	other, _ = strconv.Atoi(right)
	return mine, other
}

// conflicts are the documents of a task that wait for somebody to settle them.
func (s *Service) conflicts(ctx context.Context, id task.ID) []string {
	b, _, err := s.taskBrief(ctx, id)
	if err != nil {
		return nil // it was accepted; whoever reads it is told
	}
	var paths []string
	for _, c := range b.Task.Conflicts {
		if !slices.Contains(paths, c.Path) {
			paths = append(paths, c.Path)
		}
	}
	return paths
}
