package review

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// verdict is what somebody says of a phase; deviations are what they say of work that was
// not as planned.
type verdict struct {
	review     task.Review
	reason     string
	deviations []task.Deviation
}

// ReviewPhase approves a phase, or wants changes for a reason. The iteration's
// summary tells the verdict, for which nobody needs the lock. An agent's verdict is refused
// where the user decides.
func (s *Reviews) ReviewPhase(ctx context.Context, id task.ID, arg string, verdictOf task.Review, reason string,
	deviations ...task.Deviation,
) (r phase.PhaseResult, err error) {
	given := verdict{review: verdictOf, reason: reason, deviations: deviations}
	meant := phase.Meant{Arg: arg, Pick: s.Clone.DefaultPhase(task.Phase.InReview)}
	r.Task, err = s.Engine.Update(ctx, id, s.judging(&meant, given, &r))
	r.Phase, _ = r.Task.Phase(meant.UID)
	return r, err
}

// judging decides a verdict on the phase that is meant, as there is to see of it now. In r
// it gives remarks for who gave the verdict.
func (s *Reviews) judging(
	meant *phase.Meant, v verdict, r *phase.PhaseResult,
) func(ctx context.Context, c *change.Tx) error {
	return func(ctx context.Context, c *change.Tx) error {
		p, err := meant.In(c.Task)
		if err != nil {
			return err
		}
		review, notes, err := s.reviewOf(ctx, c, p, v)
		if err != nil {
			return s.orUntrusted(ctx, c.Task, p, err)
		}
		if err := takeBoard(ctx, c, p, review); err != nil {
			return err
		}
		if err := c.Do(ctx, change.Op(task.OpPhaseReview, review)); err != nil {
			return s.orUntrusted(ctx, c.Task, p, err)
		}
		if err := phase.Summarize(ctx, c, p.UID); err != nil {
			return err
		}
		if done, _ := c.Task.Phase(p.UID); done.Status == task.PhaseCompleted {
			unnoted, err := s.Phases.Marked(ctx, c, p.UID, review.Commit, codediff.NoteEnds)
			if err != nil {
				return err
			}
			notes = append(notes, unnoted...)
		}
		if r.Others = s.Locks.Allows(c.Lock) != nil; r.Others {
			notes = append(notes, c.Lock.HolderTo(s.Clone.Who())+" holds the lock, and goes on from here")
		}
		r.Notes = notes
		return nil
	}
}

// reviewOf is a verdict as it is recorded, with what was looked at; notes are remarks
// about that. An agent's is refused where the user decides.
func (s *Reviews) reviewOf(
	ctx context.Context, c *change.Tx, p task.Phase, v verdict,
) (review task.PhaseReviewPayload, notes []string, err error) {
	now, err := s.Code.HeldOf(ctx, c.Task, p)
	if err != nil {
		return review, nil, err
	}
	deviations, err := s.Code.Deviations(ctx, c.Task, p, v.deviations)
	if err != nil {
		return review, nil, err
	}
	review = task.PhaseReviewPayload{
		Phase: p.UID, Verdict: v.review, Iteration: p.Iteration, Reason: v.reason, Deviations: deviations,
		Commit: now.Commit, Services: now.Services, User: c.Heard || !s.Clone.Caller.Reached().Agent(),
	}
	if c.Heard {
		review.Heard = s.Clone.Caller.Session
	}
	if v.review == task.ReviewApproved {
		notes = s.unchanged(ctx, c.Task, p)
		review.Starts = s.Code.Starts(ctx, c.Task, p, now.Commit)
		if review.Verified = rules.PassedRun(c.Task, p); review.Verified != "" {
			notes = append(notes, sinceVerified(p, now)...)
		}
	} else if review.MustEscalate, err = s.Phases.Spends(ctx, c.Task, p); err != nil {
		return review, nil, err
	}
	if !review.User {
		err = s.mayJudge(ctx, c, p, review)
	}
	return review, notes, err
}

// takeBoard records with the user's word on a final review that they take its board as it
// is, where reviewers have not spoken: they were asked whether some are to. What reviewers
// found is in the way as ever.
func takeBoard(ctx context.Context, c *change.Tx, p task.Phase, review task.PhaseReviewPayload) error {
	if on := task.BoardOf(p.UID); c.Heard && review.Verdict == task.ReviewApproved && unspoken(c.Task, p) {
		return c.Do(ctx, change.Op(task.OpBoardReady,
			task.BoardReadyPayload{On: on, Seen: rules.SeenOn(c.Task, on), Reason: "they were asked, and approved it"}))
	}
	return nil
}

// unspoken reports a final review whose board waits for reviewers, and for nothing else.
func unspoken(t task.Task, p task.Phase) bool {
	return p.Kind == task.KindFinalReview && rules.TallyOf(t, task.BoardOf(p.UID)).Verdict == rules.VerdictReview
}

// mayJudge refuses an agent's verdict where the user decides. What else is in its way
// is said first: there is no need to ask the user before that is done.
func (s *Reviews) mayJudge(ctx context.Context, c *change.Tx, p task.Phase, review task.PhaseReviewPayload) error {
	set, err := s.Config.Settings(ctx)
	if err != nil || set.Text(config.KeyReviewBy) == config.ReviewByAgent &&
		s.setHereOrShared(ctx, set, config.KeyReviewBy) {
		return err
	}
	if err := cmp.Or(s.Pipelines.HeldUp(c.Task), claim.May(c.Task, task.OpPhaseReview, review)); err != nil {
		return err
	}
	way := "ask them: \"Phase " + p.ID + " is in review. Do you approve it?\""
	if agree := set.List(config.KeyTriggerApprove); len(agree) > 0 {
		way += " They agree with '" + agree[0] + "'"
	}
	return clone.Refuse(way+"; 'git brew phase revise "+p.ID+"' begins what they want changed",
		"the user decides about phase %s", p.ID)
}

// setHereOrShared reports whether a setting stands in this repository's own file, which
// the gate guards, or is shared and trusted: what an agent puts into its environment or
// on its command line lets it do nothing.
func (s *Reviews) setHereOrShared(ctx context.Context, set *config.Settings, key config.Key) bool {
	if strings.HasPrefix(set.From(key), "shared") {
		return true
	}
	_, err := s.Clone.Repo.Git.Run(ctx, "config", "--local", "--get", "brew."+string(key))
	return err == nil
}

// ApproveByWord records that the user approved what is in review of a task by what they
// said in the caller's session: the phase, or why none could be, nothing where none is in
// review. It is their own word, which the session passes on, and there has to be one phase
// that it can mean, of which where they named some. What a pipeline runs after a review is
// recorded as due; what it runs before one, a prompt does not wait for.
func (s *Reviews) ApproveByWord(ctx context.Context, id task.ID, which []task.UID) (task.Phase, string, error) {
	var why string
	meant := phase.Meant{Pick: func(t task.Task) (p task.Phase, err error) {
		if p, why = s.toApprove(ctx, t, which); p.UID == "" {
			return p, errNothingToApprove
		}
		return p, nil
	}}
	var r phase.PhaseResult
	judge := s.judging(&meant, verdict{review: task.ReviewApproved}, &r)
	after, err := s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) error {
		meant.UID = "" // somebody may have been faster, such as the same hook twice
		return judge(ctx, c)
	}, change.Heard)
	if errors.Is(err, errNothingToApprove) {
		return task.Phase{}, why, nil
	}
	_, byRules := errors.AsType[*task.RefusedError](err)
	_, byUse := errors.AsType[*clone.RefusedError](err)
	if byRules || byUse {
		return task.Phase{}, err.Error(), nil
	}
	done, _ := after.Phase(meant.UID)
	return done, "", err
}

// errNothingToApprove ends a change that approves what nobody has in review any more.
var errNothingToApprove = errors.New("nothing to approve")

// unchanged notes that a phase which is approved changed no file since it was
// started: that may be as it should, and nobody should learn it from the diff alone.
// What looks or finds out changes none; where nobody can tell, nothing is said.
func (s *Reviews) unchanged(ctx context.Context, t task.Task, p task.Phase) []string {
	if p.StartCommit == "" || !slices.Contains(task.WorkKinds, p.Kind) {
		return nil
	}
	r, err := s.Code.ReviewRange(ctx, t, p)
	if err != nil || len(r.Missing) > 0 || slices.ContainsFunc(r.Files,
		func(f codediff.ReviewFile) bool { return f.Status != "" }) {
		return nil
	}
	return []string{"phase " + p.ID + " changed no file since it was started"}
}

// toApprove is the one phase that a user's approval can mean, of which where they
// named some; else why there is none.
func (s *Reviews) toApprove(ctx context.Context, t task.Task, which []task.UID) (task.Phase, string) {
	var ready []task.Phase
	var ids []string
	why := ""
	for _, p := range t.Phases {
		if p.Status != task.PhaseInReview || len(which) > 0 && !slices.Contains(which, p.UID) {
			continue
		}
		err := claim.May(t, task.OpPhaseReview, task.PhaseReviewPayload{
			Phase: p.UID, Verdict: task.ReviewApproved, Iteration: p.Iteration, User: true, Verified: rules.PassedRun(t, p),
		})
		if err != nil && !unspoken(t, p) {
			why = s.orUntrusted(ctx, t, p, err).Error()
			continue
		}
		ready, ids = append(ready, p), append(ids, p.ID)
	}
	switch len(ready) {
	case 0:
		return task.Phase{}, why
	case 1:
		return ready[0], ""
	}
	return task.Phase{}, "phases " + strings.Join(ids, ", ") + " are in review; the user says which (\"approved phase " +
		ids[0] + "\")"
}
