package doctor

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/ledger/archive"
	"github.com/git-brew/git-brew/internal/ledger/cache"
	"github.com/git-brew/git-brew/internal/ledger/notes"
	"github.com/git-brew/git-brew/internal/task"
)

const tasksAtOnce = 100

func (d *doctor) tasks(ctx context.Context) error {
	refs, err := d.s.Clone.Ledger.Tasks(ctx)
	if err != nil {
		return err
	}
	done := 0
	for some := range slices.Chunk(refs, tasksAtOnce) {
		var tips []gitstore.OID
		for _, r := range some {
			if r.Err == nil {
				tips = append(tips, r.OID)
			}
		}
		d.s.Clone.Repo.Objects.Preload(ctx, tips, nil)
		for _, r := range some {
			if ctx.Err() == nil {
				d.progress(done, len(refs))
				d.task(ctx, r)
			}
			done++
		}
	}
	return nil
}

// task checks a task and its lock.
func (d *doctor) task(ctx context.Context, r gitstore.Ref) {
	id, _ := ledger.TaskOf(r.Name)
	if _, err := task.ParseID(id); err != nil {
		return // see names
	}
	if r.Err != nil {
		d.brokenRef(r.Name, r.Err)
		return
	}
	if _, good := verifyRecord(ctx, d, records.TaskLaw(), r.Name, r.OID); good {
		d.lock(ctx, task.ID(id))
	}
}

// verifyRecord folds a record anew, and reports whether it is readable. Where
// it can't be read, the last commit that can is named.
func verifyRecord[S any](ctx context.Context, d *doctor, law ledger.Law[S], ref gitstore.RefName,
	tip gitstore.OID,
) (state S, readable bool) {
	if tip.IsZero() {
		return law.Zero, true
	}
	state, loadErr := ledger.Load(ctx, d.s.Clone.Ledger, law, tip)
	if records.NewerFormat(loadErr) {
		// To compare it, or to name an older state, would call for a rollback.
		d.add(Problem, string(ref), "update git-brew; other records are not affected", "%v", loadErr)
		return state, false
	}
	err := ledger.Verify(ctx, d.s.Clone.Ledger, law, tip)
	if loadErr == nil && (err == nil || records.NewerFormat(err)) {
		d.snapshot(ref, tip, law.Brief(state))
	}
	switch {
	case ctx.Err() != nil:
		return state, false
	case loadErr != nil && records.NewerFormat(err):
		err = loadErr // a newer program may have made it, but no command here can read it
	case err == nil:
		d.sendable(string(ref), ledger.Sendable(ctx, d.s.Clone.Ledger, law, ref, tip))
		return state, true
	case records.NewerFormat(err):
		d.add(Remark, string(ref), "update git-brew", "it can't be checked: %v", err)
		return state, true
	}
	hint := "other records are not affected"
	if good, found := lastGood(ctx, d.s, law, tip); found {
		hint = "the last good state is " + good + "; " + hint
	}
	d.add(Problem, string(ref), hint, "%v", err)
	return state, false
}

// sendable tells of what every other clone would refuse.
func (d *doctor) sendable(what string, err error) {
	if err == nil || errors.Is(err, ledger.ErrShallow) {
		return
	}
	d.add(Problem, what, "no other clone takes what goes on from there; other records are not affected",
		"no other clone takes it: %v", err)
}

// lastGood names the latest commit that can be read, with every object at it, and
// says when it was made.
func lastGood[S any](ctx context.Context, s *Doctor, law ledger.Law[S], tip gitstore.OID) (good string, found bool) {
	_ = s.Clone.Repo.History.Walk(ctx, tip, func(oid gitstore.OID, c gitstore.Commit) (bool, error) {
		_, err := ledger.Load(ctx, s.Clone.Ledger, law, oid)
		if err == nil {
			err = s.Clone.Ledger.CheckObjects(ctx, oid)
		}
		if found = err == nil; found {
			good = oid.Short() + " of " + c.Committer.When.UTC().Format("2006-01-02 15:04:05Z")
		}
		return !found, nil
	})
	return good, found
}

// single verifies a record that there is one of.
func single[S any](law ledger.Law[S], ref gitstore.RefName) func(d *doctor, ctx context.Context) error {
	return func(d *doctor, ctx context.Context) error {
		tip, err := d.s.Clone.Ledger.Tip(ctx, ref)
		if err != nil {
			d.brokenRef(ref, err)
			return nil
		}
		verifyRecord(ctx, d, law, ref, tip)
		return nil
	}
}

func (d *doctor) archive(ctx context.Context) error {
	tip, err := d.s.Clone.Ledger.Tip(ctx, ledger.ArchiveRef)
	if err == nil && !tip.IsZero() {
		err = archive.Verify(ctx, d.s.Clone.Ledger, records.TaskLaw(), tip, func(id string, err error) {
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
	ref := d.s.Clone.Ref()
	tip, err := d.s.Clone.Ledger.Tip(ctx, ref)
	if err == nil && tip.IsZero() {
		return nil
	}
	if err == nil {
		err = d.s.Clone.Ledger.CheckObjects(ctx, tip)
	}
	var state clone.State
	if err == nil {
		state, err = d.s.Clone.Read(ctx, tip)
	}
	if err != nil {
		d.add(Problem, string(ref), "modes, sessions and events of this clone can't be read; tasks are not affected", "%v",
			err)
		return nil
	}
	// Sessions leave the snapshot as they age, those that it had stay in it
	// until somebody writes again.
	cached, ok := cache.Snapshot[clone.State](d.s.Clone.Ledger.Cache, ref, tip)
	if ok {
		cached.Forget(d.s.Clone.Now().Add(-clone.SessionsInSnapshot))
		state.Forget(d.s.Clone.Now().Add(-clone.SessionsInSnapshot))
		if !cache.Same(cached, state) {
			d.lying(ref)
		}
	}
	return nil
}

func (d *doctor) notes(ctx context.Context) error {
	tip, err := d.s.Clone.Ledger.Tip(ctx, ledger.NotesRef)
	if err == nil && !tip.IsZero() {
		err = d.s.Clone.Ledger.CheckObjects(ctx, tip)
	}
	if err != nil {
		d.add(Problem, string(ledger.NotesRef), "tasks are not affected", "%v", err)
		return nil
	}
	shown, err := notes.Shown(ctx, d.s.Clone.Repo)
	if tip.IsZero() || cmp.Or(err, nil) == nil && shown {
		return err
	}
	d.mend("notes", "arranges it", func() error {
		notes.Show(ctx, d.s.Clone.Repo)
		return nil
	}, "'git log --notes=brew' does not show them, or a rebase would not carry them")
	return nil
}
