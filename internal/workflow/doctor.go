package workflow

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
)

// Severity says how bad a finding is.
type Severity string

// The severities. Problem: something is broken or lost. Remark: something is
// untidy, and mended by --fix where that costs nothing.
const (
	Problem Severity = "problem"
	Remark  Severity = "remark"
)

// Finding is something that a check found.
type Finding struct {
	Severity Severity `json:"severity"`
	What     string   `json:"what"`
	Message  string   `json:"message"`
	Hint     string   `json:"hint,omitempty"`
	Fixed    bool     `json:"fixed,omitempty"`
}

// doctor collects findings.
type doctor struct {
	s     *Service
	fix   bool
	found []Finding
}

func (d *doctor) add(sev Severity, what, hint, format string, args ...any) {
	d.found = append(d.found, Finding{Severity: sev, What: what, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// Doctor checks what this clone keeps: every record can be read and is what its
// history says, branches mean tasks that exist, locks are alive, git shows the
// notes and fetches what it should. Fix mends what can be mended without loss.
func (s *Service) Doctor(ctx context.Context, fix bool) ([]Finding, error) {
	d := &doctor{s: s, fix: fix}
	for _, check := range []func(context.Context) error{
		d.tasks, d.project, d.config, d.clone, d.heads, d.settings, d.refspecs, d.notes, d.caches,
	} {
		if err := check(ctx); err != nil {
			return d.found, err
		}
	}
	return d.found, nil
}

func (d *doctor) tasks(ctx context.Context) error {
	refs, err := d.s.ledger.Tasks(ctx)
	if err != nil {
		return err
	}
	for _, r := range refs {
		id, _ := ledger.TaskOf(r.Name)
		if r.Err != nil {
			d.add(Problem, string(r.Name), "other tasks are not affected", "the ref can't be read: %v", r.Err)
			continue
		}
		if good := verifyRecord(ctx, d, taskLaw{}, r.Name, r.OID); !good {
			continue
		}
		l, err := d.s.lockBrief(ctx, task.ID(id))
		if err != nil {
			d.add(Problem, string(ledger.LockRef(id)), "other tasks are not affected", "%v", err)
			continue
		}
		if l.Unread == "" {
			if err := d.whole(ctx, ledger.LockRef(id)); err != nil {
				l.Unread = err.Error()
			}
		}
		if l.Unread != "" {
			d.unreadLock(ctx, task.ID(id), l)
			continue
		}
		if d.s.lockState(l) == LockStale {
			d.add(Remark, string(ledger.LockRef(id)), "'git brew start' takes it over", "the lock is stale: last renewed %s by %s@%s", l.RenewedAt, l.User, l.Host)
		}
	}
	return nil
}

// unreadLock tells of a lock that can't be read, and puts a free one there: it
// counts as that already.
func (d *doctor) unreadLock(ctx context.Context, id task.ID, l task.Lock) {
	d.add(Problem, string(ledger.LockRef(string(id))),
		"it counts as free; 'git brew start' takes it, 'git brew doctor --fix' puts a free one there", "the lock can't be read: %s", l.Unread)
	if d.fix && d.s.mendLock(ctx, id) == nil {
		d.found[len(d.found)-1].Fixed = true
	}
}

// verifyRecord folds a record anew, and reports whether it is readable. Where it can't be read, the last commit
// that can is named.
func verifyRecord[S any](ctx context.Context, d *doctor, law ledger.Law[S], ref gitstore.RefName, tip gitstore.OID) bool {
	if tip.IsZero() {
		return true
	}
	if _, err := ledger.Load(ctx, d.s.ledger, law, tip); newerFormat(err) {
		// To compare it, or to name an older state, would call for a rollback.
		d.add(Problem, string(ref), "update git-brew; other records are not affected", "%v", err)
		return false
	}
	err := ledger.Verify(ctx, d.s.ledger, law, tip)
	if err == nil {
		return true
	}
	if newerFormat(err) {
		d.add(Remark, string(ref), "update git-brew", "it can't be checked: %v", err)
		return true
	}
	hint := "other records are not affected"
	if good, when := lastGood(ctx, d.s, law, tip); !good.IsZero() {
		hint = fmt.Sprintf("the last good state is %s of %s; %s", good.Short(), when, hint)
	}
	d.add(Problem, string(ref), hint, "%v", err)
	return false
}

// newerFormat reports whether it takes a newer git-brew to read a record.
func newerFormat(err error) bool {
	_, ofTask := errors.AsType[*task.SchemaError](err)
	_, ofRecord := errors.AsType[*ledger.SchemaError](err)
	return ofTask || ofRecord || errors.Is(err, knowledge.ErrSchema) || errors.Is(err, ledger.ErrUnknownLaw)
}

// whole reads every object at a ref's tip.
func (d *doctor) whole(ctx context.Context, ref gitstore.RefName) error {
	tip, err := d.s.ledger.Tip(ctx, ref)
	if err != nil || tip.IsZero() {
		return err
	}
	return d.s.ledger.Whole(ctx, tip, map[gitstore.OID]bool{})
}

// lastGood finds the latest commit that can be read, and every object at it.
func lastGood[S any](ctx context.Context, s *Service, law ledger.Law[S], tip gitstore.OID) (found gitstore.OID, when string) {
	seen := map[gitstore.OID]bool{}
	err := s.repo.History(ctx, tip, func(oid gitstore.OID, c gitstore.Commit) (bool, error) {
		_, err := ledger.Load(ctx, s.ledger, law, oid)
		if err == nil {
			err = s.ledger.Whole(ctx, oid, seen)
		}
		if err == nil {
			found, when = oid, c.Committer.When.UTC().Format("2006-01-02 15:04:05Z")
			return false, errFound
		}
		return true, nil
	})
	if err != nil && !errors.Is(err, errFound) {
		return found, when
	}
	return found, when
}

func (d *doctor) project(ctx context.Context) error {
	tip, err := d.s.ledger.Tip(ctx, ledger.KnowledgeRef)
	if err != nil {
		d.add(Problem, string(ledger.KnowledgeRef), "", "%v", err)
		return nil
	}
	verifyRecord(ctx, d, projectLaw{}, ledger.KnowledgeRef, tip)
	return nil
}

func (d *doctor) config(ctx context.Context) error {
	tip, err := d.s.ledger.Tip(ctx, ledger.ConfigRef)
	if err != nil {
		d.add(Problem, string(ledger.ConfigRef), "", "%v", err)
		return nil
	}
	verifyRecord(ctx, d, configLaw{}, ledger.ConfigRef, tip)
	return nil
}

func (d *doctor) clone(ctx context.Context) error {
	if err := d.whole(ctx, d.s.cloneRef()); err != nil {
		d.add(Problem, string(d.s.cloneRef()), "modes, sessions and events of this clone can't be read; tasks are not affected", "%v", err)
	}
	return nil
}

// heads checks what branches mean here.
func (d *doctor) heads(ctx context.Context) error {
	for branch, id := range d.s.ledger.Claims(ctx) {
		tip, err := d.s.ledger.Tip(ctx, ledger.TaskRef(id))
		if err != nil || !tip.IsZero() {
			continue // a ref that can't be read is there, and was told of
		}
		d.add(Remark, "branch "+branch, "'git brew doctor --fix' forgets it", "it is recorded as the branch of %s, which is not here", id)
		if d.fix && d.s.ledger.Unclaim(ctx, branch) == nil {
			d.found[len(d.found)-1].Fixed = true
		}
	}
	return nil
}

func (d *doctor) settings(ctx context.Context) error {
	set, err := d.s.Settings(ctx)
	if err != nil {
		d.add(Problem, "settings", "", "%v", err)
		return nil
	}
	for _, w := range set.Warnings {
		d.add(Remark, "settings", "the default is used; correct it with 'git brew config set'", "%s", w)
	}
	return nil
}

// refspecs checks that what `init` arranged is still there.
func (d *doctor) refspecs(ctx context.Context) error {
	config, err := d.s.repo.Config(ctx)
	if err != nil {
		return err
	}
	for _, remote := range remotes(config) {
		have := config.All("remote." + remote + ".fetch")
		some := slices.ContainsFunc(have, func(r string) bool { return strings.Contains(r, ledger.Prefix) })
		for _, want := range ledger.FetchRefspecs(remote) {
			if !some || slices.Contains(have, want) {
				continue
			}
			d.add(Remark, "remote "+remote, "'git brew doctor --fix' adds it", "the fetch refspec %s is missing", want)
			if d.fix && d.s.repo.AddConfig(ctx, "remote."+remote+".fetch", want) == nil {
				d.found[len(d.found)-1].Fixed = true
			}
		}
	}
	return nil
}

func (d *doctor) notes(ctx context.Context) error {
	tip, err := d.s.ledger.Tip(ctx, ledger.NotesRef)
	if err != nil {
		d.add(Problem, string(ledger.NotesRef), "tasks are not affected", "%v", err)
		return nil
	}
	if err := d.whole(ctx, ledger.NotesRef); err != nil {
		d.add(Problem, string(ledger.NotesRef), "tasks are not affected", "%v", err)
		return nil
	}
	shown, err := d.s.ledger.NotesShown(ctx)
	if tip.IsZero() || (err == nil && shown) {
		return err
	}
	d.add(Remark, "notes", "'git brew doctor --fix' arranges it", "'git log --notes=brew' does not show them, or a rebase would not carry them")
	if d.fix {
		d.s.ledger.ShowNotes(ctx)
		d.found[len(d.found)-1].Fixed = true
	}
	return nil
}

// caches finds what nothing reads any more.
func (d *doctor) caches(ctx context.Context) error {
	left, err := d.s.ledger.Leftovers(ctx)
	if err != nil || len(left) == 0 {
		return err
	}
	d.add(Remark, "caches", "'git brew doctor --fix' removes what nothing reads", "left over: %d, such as %s", len(left), left[0])
	if d.fix {
		var failed error
		for _, path := range left {
			failed = errors.Join(failed, os.Remove(path))
		}
		d.found[len(d.found)-1].Fixed = failed == nil
	}
	return nil
}

// remotes are the names of the configured remotes.
func remotes(config *gitstore.Config) []string {
	var names []string
	for key := range config.WithPrefix("remote.") {
		if name, ok := strings.CutSuffix(strings.TrimPrefix(key, "remote."), ".url"); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
