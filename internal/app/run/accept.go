package run

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/app/trees"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// proveNext proves the work that waits longest, as merged onto the task's branch, where none is
// being proved.
func (r *run) proveNext(ctx context.Context, onto gitstore.OID) error {
	if r.first != nil && (r.jobs[r.first.phase.UID] != r.first || !r.first.working) {
		r.first = nil
	}
	if r.proving != nil || len(r.queue) == 0 || r.first != nil {
		return nil
	}
	if err := r.intact(); err != nil {
		return err
	}
	j := r.queue[0]
	before, err := r.provedBefore(ctx, j.phase)
	if err != nil {
		return err
	}
	r.queue, r.proving = r.queue[1:], j
	r.tell(Event{Kind: Proving, Phase: j.phase, Tier: j.tier, Text: r.workers.proves(j)})
	w, beside, may := r.workers, r.foreign, r.workers.ceiling(r.began, r.spent, j.phase.UID) // as they are now
	r.beside(ctx, j, func(ctx context.Context) result {
		p, err := w.prove(ctx, j, proof{onto: onto, beside: beside, before: before}, may)
		return result{proof: &p, err: err}
	})
	return nil
}

// provedBefore are the commands of the phases that workers completed before, but for those of a
// phase itself, and those that nobody trusts any more: they have to pass on what is merged next.
func (r *run) provedBefore(ctx context.Context, mine task.Phase) (all []passedCommand, err error) {
	for _, p := range worked(r.task) {
		if p.Status != task.PhaseCompleted || p.UID == mine.UID {
			continue
		}
		for _, text := range p.Verification {
			if slices.Contains(mine.Verification, text) ||
				slices.ContainsFunc(all, func(c passedCommand) bool { return c.text == text }) {
				continue
			}
			untrusted, err := r.s.Records.UntrustedOf(ctx, []string{text})
			if err != nil {
				return nil, err
			}
			if len(untrusted) == 0 {
				all = append(all, passedCommand{text: text, of: p.ID})
			}
		}
	}
	return all, nil
}

// afterProof merges and records what is proved; what is not goes back to a worker.
func (r *run) afterProof(ctx context.Context, j *job, p proof) error {
	if err := r.intact(); err != nil {
		return err
	}
	if p.why == "" && (p.by == task.ByReview || p.beside.text != "") {
		turn := task.Turn{
			By: cmp.Or(p.by, task.ByChecks), Client: p.client, Outcome: task.TurnPassed, Reason: p.beside.text,
			Commit: p.tip, Cost: p.cost,
		}
		if err := r.note(ctx, j, turn); err != nil {
			return err
		}
	}
	if p.why == "" {
		return r.accept(ctx, j, p)
	}
	if p.outcome == task.TurnStopped && p.client == "" { // nobody was asked
		r.isOver()
		r.postpone(j, p.why)
		return nil
	}
	turn := task.Turn{By: p.by, Client: p.client, Outcome: p.outcome, Reason: p.why, Commit: p.tip, Cost: p.cost}
	if p.outcome == task.TurnLimited {
		r.limited(&turn, p.until)
	}
	if err := r.note(ctx, j, turn); err != nil {
		return err
	}
	switch p.outcome {
	case task.TurnLimited:
		r.forget(j)
		return nil
	case task.TurnStopped:
		r.isOver()
		r.postpone(j, p.why)
		return nil
	case task.TurnConflict:
		return r.conflicted(ctx, j, p)
	default:
		return r.again(ctx, j)
	}
}

// conflicted gives a job back to its worker, with what to merge. One that did merge what it was
// told is not to blame that others were merged meanwhile: the next time they wait for it.
func (r *run) conflicted(ctx context.Context, j *job, p proof) error {
	told := j.onto
	j.onto = p.onto
	if j.conflicts++; j.conflicts > 1 {
		r.first = j
	}
	if !told.IsZero() {
		tip, err := gitstore.ParseOID(p.tip)
		if err != nil {
			return err
		}
		if merged, err := r.s.Clone.Repo.History.IsAncestor(ctx, told, tip); err != nil {
			return err
		} else if !merged {
			j.unmerged++
		}
	}
	if j.unmerged >= maxConflicts-1 {
		j.unmerged = 0
		return r.escalate(ctx, j, fmt.Sprintf("its work did not merge %d times", maxConflicts))
	}
	return r.again(ctx, j)
}

// accept records that a phase is done and proved, moves the task's branch to what the
// merge made, and approves the phase. Each of the three can be gone on from.
func (r *run) accept(all context.Context, j *job, p proof) error {
	ctx := context.WithoutCancel(all) // it takes moments, and is not left half done
	t, err := r.s.Records.Task(ctx, r.id)
	if err != nil {
		return err
	}
	branch, tip, err := r.tip(ctx, t)
	if err != nil {
		return err
	}
	if tip != p.onto {
		r.queue = append([]*job{j}, r.queue...)
		return nil
	}
	if err := r.recordDone(ctx, j, p); err != nil {
		return err
	}
	moved, err := r.advance(all, branch, p.onto, p.merged)
	if err != nil {
		return err
	}
	if moved {
		r.queue = append([]*job{j}, r.queue...)
		return nil
	}
	r.at = p.merged
	if err := r.complete(ctx, j, p.merged); err != nil {
		return err
	}
	r.foreign = foreign{}
	r.forget(j)
	if looks, err := r.look(all, j, p); err != nil || looks {
		return err
	}
	r.clear(all, j, p.tip)
	return nil
}

// clear takes away the tree of a phase that is completed, and its branch, which is at tip.
func (r *record) clear(all context.Context, j *job, tip string) {
	ctx, stop := outlive(all)
	defer stop()
	at, err := gitstore.ParseOID(tip)
	if err == nil {
		err = r.trees.Remove(ctx, j.tree, at)
	}
	if err != nil {
		r.tell(Event{Kind: Noted, Phase: j.phase, Text: err.Error()})
	}
}

// recordDone hands the phase over at the commit that the merge made, with how its
// commands came out there.
func (r *record) recordDone(ctx context.Context, j *job, p proof) error {
	commit := p.merged.String()
	return r.change(ctx, j, func(ctx context.Context, c *change.Tx, q task.Phase) ([]string, error) {
		if err := c.Ledger.Keep(ctx, string(c.ID), p.merged); err != nil {
			return nil, err
		}
		if q.Status == task.PhaseInProgress {
			if err := c.Do(ctx, change.Op(task.OpPhaseDone,
				task.PhasePayload{Phase: q.UID, Commit: commit, Clean: true})); err != nil {
				return nil, err
			}
		}
		if len(p.runs) == 0 {
			return nil, nil
		}
		return nil, c.Do(ctx, change.Op(task.OpPhaseVerify, task.VerifyPayload{ // the approval sums it up
			Phase: q.UID, Iteration: q.Iteration, Commit: commit, Clean: true, Commands: p.runs,
		}))
	})
}

// wasMerged completes a phase that a run had proved and merged, here or on another clone,
// before it was ended.
func (r *target) wasMerged(ctx context.Context, t task.Task, j *job, tip gitstore.OID) (bool, error) {
	if j.phase.Status != task.PhaseInReview || j.phase.EndCommit == "" || rules.OwesVerification(t, j.phase) {
		return false, nil
	}
	merged, err := gitstore.ParseOID(j.phase.EndCommit)
	if err != nil {
		return false, err
	}
	if at, err := r.trees.Has(ctx, tip, merged); err != nil || at != trees.Contained {
		return false, err
	}
	if err := r.complete(ctx, j, merged); err != nil {
		return false, err
	}
	r.putAway(ctx, j.phase, tip)
	return true, nil
}

// complete approves a phase whose work is merged, and verified where it has commands.
func (r *record) complete(ctx context.Context, j *job, merged gitstore.OID) error {
	commit := merged.String()
	if err := r.change(ctx, j, func(ctx context.Context, c *change.Tx, q task.Phase) ([]string, error) {
		review := task.PhaseReviewPayload{
			Phase: q.UID, Verdict: task.ReviewApproved, Iteration: q.Iteration, Commit: commit,
			Reason: "it was merged; it has no command that verifies it",
		}
		if q.Verified != nil {
			review.Verified, review.Reason = q.Verified.UID, "its commands pass on what was merged"
		}
		if err := c.Do(ctx, change.Op(task.OpPhaseReview, review)); err != nil {
			return nil, err
		}
		if err := phase.Summarize(ctx, c, q.UID); err != nil {
			return nil, err
		}
		return r.s.Phases.Marked(ctx, c, q.UID, commit, codediff.NoteEnds)
	}); err != nil {
		return err
	}
	r.ended.Completed, r.skipped = append(r.ended.Completed, j.phase.ID), nil
	r.tell(Event{Kind: Completed, Phase: j.phase, Tier: j.tier, Text: commit})
	r.share()
	return nil
}
