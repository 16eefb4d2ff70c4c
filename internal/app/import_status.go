package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/importer"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
)

// onward takes an imported task and its phases to where they were, by the steps that
// anybody takes, so that history shows them. What the rules refuse stays undone, and is
// lost.
type onward struct {
	*change.Tx
	in     importer.Task
	uids   map[string]task.UID
	reason string
	lost   []importer.Lost
}

func (o *onward) goOn(ctx context.Context) error {
	for _, p := range o.in.Phases {
		if n := len(p.Reports); n > 0 && p.Status == task.PhasePending {
			o.lose("phase %s is pending, and comes without its %s", p.ID, task.Counted(n, "report"))
		}
	}
	begun := func(p importer.Phase) bool { return p.Status != task.PhasePending }
	if o.in.Status == task.Pending && !slices.ContainsFunc(o.in.Phases, begun) {
		return nil
	}
	if _, err := o.try(ctx, "the task", change.Op(task.OpStart, task.StartPayload{})); err != nil {
		return err
	}
	for _, p := range o.in.Phases {
		if err := o.phase(ctx, p); err != nil {
			return err
		}
	}
	for _, p := range o.in.Phases { // what followed from another phase
		now, _ := o.Task.Phase(o.uids[p.ID])
		told := func(l importer.Lost) bool { return strings.HasPrefix(l.What, "phase "+p.ID+" is not ") }
		if now.Status != p.Status && !slices.ContainsFunc(o.lost, told) {
			o.lose("phase %s is not %s here: it is %s", p.ID, p.Status, now.Status)
		}
	}
	if o.in.Status.Terminal() {
		end := task.FinishPayload{Status: o.in.Status, Reason: o.reason}
		if ended, err := o.try(ctx, "the task", change.Op(task.OpFinish, end)); err != nil || ended {
			return err
		}
	}
	_, err := o.try(ctx, "the task", change.Op(task.OpPause,
		task.PausePayload{Cause: task.CauseWaiting, Reason: o.reason}))
	return err
}

// phase takes a phase where it was. One that has a verification is completed by that.
func (o *onward) phase(ctx context.Context, p importer.Phase) error {
	uid := o.uids[p.ID]
	step := task.PhasePayload{Phase: uid, Commit: o.Task.BaseCommit}
	why := task.PhaseReasonPayload{Phase: uid, Reason: o.reason}
	start, done := change.Op(task.OpPhaseStart, step), change.Op(task.OpPhaseDone, step)
	var steps []ledger.Draft
	switch p.Status {
	case task.PhasePending:
		return nil
	case task.PhaseInProgress:
		steps = []ledger.Draft{start}
	case task.PhaseInReview:
		steps = []ledger.Draft{start, done}
	case task.PhaseCompleted:
		steps = []ledger.Draft{start, done}
		if len(o.Task.Children(uid, task.KindVerification)) == 0 {
			steps = append(steps, change.Op(task.OpPhaseReview, task.PhaseReviewPayload{
				Phase: uid, Verdict: task.ReviewApproved, Reason: o.reason, Commit: o.Task.BaseCommit,
			}))
		}
	case task.PhaseFailed:
		steps = []ledger.Draft{change.Op(task.OpPhaseFail, why)}
	case task.PhaseDropped:
		steps = []ledger.Draft{change.Op(task.OpPhaseDrop, why)}
	}
	for i, d := range steps {
		ok, err := o.try(ctx, "phase "+p.ID+" is not "+p.Status.String()+" here", d)
		if err != nil || !ok {
			return err
		}
		if i > 0 {
			continue
		}
		now, _ := o.Task.Phase(uid)
		for _, r := range p.Reports {
			if err := phase.KeepReport(ctx, o.Tx, now, r.Agent, r.Text); err != nil {
				return err
			}
		}
	}
	return nil
}

func (o *onward) lose(format string, args ...any) {
	o.lost = append(o.lost, importer.Lost{Path: o.in.Source, What: fmt.Sprintf(format, args...)})
}

// try does a step that the rules may refuse, which is told as lost.
func (o *onward) try(ctx context.Context, what string, d ledger.Draft) (bool, error) {
	err := o.Do(ctx, d)
	if refused, is := errors.AsType[*task.RefusedError](err); is {
		o.lose("%s: %s", what, refused.Msg)
		return false, nil
	}
	return err == nil, err
}
