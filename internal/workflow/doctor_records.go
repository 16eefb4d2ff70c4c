package workflow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/safego"
	"github.com/git-brew/git-brew/internal/task"
)

const (
	handful = 250 // how many tasks are worth a helper
	armful  = 100 // how many one takes at once
)

func (d *doctor) tasks(ctx context.Context) error {
	refs, err := d.s.ledger.Tasks(ctx)
	if err != nil {
		return err
	}
	hands := []*doctor{{s: d.s, fix: d.fix}}
	for len(hands) < min(runtime.GOMAXPROCS(0), len(refs)/handful) {
		other, err := d.s.beside()
		if err != nil {
			break // it takes longer
		}
		defer func() { _ = other.repo.Close() }()
		hands = append(hands, &doctor{s: other, fix: d.fix})
	}
	found := make([][]Finding, len(refs))
	var mu sync.Mutex
	var work safego.Group
	next := 0
	take := func() (from, to int) {
		mu.Lock()
		defer mu.Unlock()
		if ctx.Err() != nil {
			return 0, 0
		}
		d.progress(next, len(refs))
		from = next
		next = min(next+armful, len(refs))
		return from, next
	}
	for _, hand := range hands {
		work.Go(func() error {
			for from, to := take(); from < to; from, to = take() {
				hand.some(ctx, refs[from:to], found[from:to])
			}
			return nil
		})
	}
	err = work.Wait()
	d.report.Findings = append(d.report.Findings, slices.Concat(found...)...)
	return err
}

// some checks some tasks, which are read in one pass.
func (d *doctor) some(ctx context.Context, refs []gitstore.Ref, found [][]Finding) {
	var tips []gitstore.OID
	for _, r := range refs {
		if r.Err == nil {
			tips = append(tips, r.OID)
		}
	}
	d.s.repo.Preload(ctx, tips, nil)
	for i, r := range refs {
		if ctx.Err() != nil {
			return
		}
		d.report.Findings = nil
		d.task(ctx, r)
		found[i] = d.report.Findings
	}
}

// beside is the same service with a ledger, and processes of git, of its own.
// Whoever asks closes its repository.
func (s *Service) beside() (*Service, error) {
	if s.open == nil {
		return nil, errors.New("nobody can open it")
	}
	repo, err := s.open(s.repo.Dir())
	if err != nil {
		return nil, err
	}
	return s.on(repo), nil
}

// task checks a task and its lock.
func (d *doctor) task(ctx context.Context, r gitstore.Ref) {
	id, _ := ledger.TaskOf(r.Name)
	if _, err := task.ParseID(id); err != nil {
		return // see names
	}
	if r.Err != nil {
		d.brokenRef(ctx, r.Name, r.Err)
		return
	}
	if _, good := verifyRecord(ctx, d, taskLaw{}, r.Name, r.OID); good {
		d.lock(ctx, task.ID(id))
	}
}

// verifyRecord folds a record anew, and reports whether it is readable. Where
// it can't be read, the last commit that can is named.
func verifyRecord[S any](ctx context.Context, d *doctor, law ledger.Law[S], ref gitstore.RefName, tip gitstore.OID) (state S, readable bool) {
	if tip.IsZero() {
		return law.Zero(), true
	}
	state, loadErr := ledger.Load(ctx, d.s.ledger, law, tip)
	if newerFormat(loadErr) {
		// To compare it, or to name an older state, would call for a rollback.
		d.add(Problem, string(ref), "update git-brew; other records are not affected", "%v", loadErr)
		return state, false
	}
	err := ledger.Verify(ctx, d.s.ledger, law, tip)
	if loadErr == nil && (err == nil || newerFormat(err)) {
		d.snapshot(ref, tip, law.Brief(state))
	}
	switch {
	case ctx.Err() != nil:
		return state, false
	case loadErr != nil && newerFormat(err):
		err = loadErr // a newer program may have made it, but no command here can read it
	case err == nil:
		d.sendable(string(ref), ledger.Sendable(ctx, d.s.ledger, law, ref, tip))
		return state, true
	case newerFormat(err):
		d.add(Remark, string(ref), "update git-brew", "it can't be checked: %v", err)
		return state, true
	}
	hint := "other records are not affected"
	good, when := lastGood(ctx, d.s, law, tip)
	if good.IsZero() {
		good, when = d.s.lostGood(ctx, ref)
	}
	if !good.IsZero() {
		hint = fmt.Sprintf("the last good state is %s of %s; %s", good.Short(), when, hint)
	}
	d.add(Problem, string(ref), hint, "%v", err)
	return state, false
}

// sendable tells of what every other clone would refuse.
func (d *doctor) sendable(what string, err error) {
	if err == nil || errors.Is(err, ledger.ErrShallow) {
		return
	}
	d.add(Problem, what, "no other clone takes what goes on from there; other records are not affected", "no other clone takes it: %v", err)
}

// newerFormat reports whether it takes a newer git-brew to read a record.
func newerFormat(err error) bool {
	_, other := errors.AsType[*operation.FormatError](err)
	return other || errors.Is(err, ledger.ErrUnknownLaw)
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
			found, when = oid, goodAt(c)
			return false, errFound
		}
		return true, nil
	})
	if err != nil && !errors.Is(err, errFound) {
		return found, when
	}
	return found, when
}

// single verifies a record that there is one of.
func single[S any](ctx context.Context, d *doctor, law ledger.Law[S], ref gitstore.RefName) error {
	tip, err := d.s.ledger.Tip(ctx, ref)
	if err != nil {
		d.brokenRef(ctx, ref, err)
		return nil
	}
	verifyRecord(ctx, d, law, ref, tip)
	return nil
}

func (d *doctor) project(ctx context.Context) error {
	return single(ctx, d, projectLaw{}, ledger.KnowledgeRef)
}

func (d *doctor) config(ctx context.Context) error {
	return single(ctx, d, configLaw{}, ledger.ConfigRef)
}

func (d *doctor) archive(ctx context.Context) error {
	tip, err := d.s.ledger.Tip(ctx, ledger.ArchiveRef)
	if err == nil && !tip.IsZero() {
		err = ledger.VerifyArchive(ctx, d.s.ledger, taskLaw{}, tip, func(id string, err error) {
			d.add(Problem, string(ledger.ArchiveRef), "other archived tasks are not affected", "%s: %v", id, err)
		})
	}
	if err != nil {
		d.add(Problem, string(ledger.ArchiveRef), "live tasks are not affected", "%v", err)
	}
	return nil
}

// clone reads this clone's own record.
func (d *doctor) clone(ctx context.Context) error {
	ref := d.s.cloneRef()
	tip, err := d.s.ledger.Tip(ctx, ref)
	if err == nil && tip.IsZero() {
		return nil
	}
	if err == nil {
		err = d.s.ledger.Whole(ctx, tip, map[gitstore.OID]bool{})
	}
	var state cloneState
	if err == nil {
		state, err = d.s.readClone(ctx, tip)
	}
	if err != nil {
		d.add(Problem, string(ref), "modes, sessions and events of this clone can't be read; tasks are not affected", "%v", err)
		return nil
	}
	// Sessions leave the snapshot as they age, those that it had stay in it
	// until somebody writes again.
	cached, ok := ledger.Snapshot[cloneState](d.s.ledger, ref, tip)
	if ok {
		cached.forget(d.s.now().Add(-sessionsInSnapshot))
		state.forget(d.s.now().Add(-sessionsInSnapshot))
		d.agrees(ref, cached, state)
	}
	return nil
}

func (d *doctor) notes(ctx context.Context) error {
	tip, err := d.s.ledger.Tip(ctx, ledger.NotesRef)
	if err == nil && !tip.IsZero() {
		err = d.s.ledger.Whole(ctx, tip, map[gitstore.OID]bool{})
	}
	if err != nil {
		d.add(Problem, string(ledger.NotesRef), "tasks are not affected", "%v", err)
		return nil
	}
	shown, err := d.s.ledger.NotesShown(ctx)
	if tip.IsZero() || cmp.Or(err, nil) == nil && shown {
		return err
	}
	d.mend("notes", "arranges it", func() error {
		d.s.ledger.ShowNotes(ctx)
		return nil
	}, "'git log --notes=brew' does not show them, or a rebase would not carry them")
	return nil
}
