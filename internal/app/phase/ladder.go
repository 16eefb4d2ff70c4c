package phase

import (
	"context"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// Spends reports whether work on p, which was rejected or failed just now, has
// had the iterations that the settings allow.
func (s *Phases) Spends(ctx context.Context, t task.Task, p task.Phase) (bool, error) {
	ladder, err := s.Ladder(ctx)
	return err == nil && ladder.Spends(t, t.WorkOf(p)), err
}

// mayRevise refuses a fix that nobody asked for of a phase that has had the
// iterations which the settings allow (BC-37). A rejection and a verification that
// failed asked them then: what they said stands, on every clone, and next leads by
// it.
func (s *Phases) mayRevise(ctx context.Context, t task.Task, p task.Phase) error {
	if p.Kind == task.KindVerification || p.Review == task.ReviewChanges || rules.VerificationFailed(t, p) {
		return nil
	}
	spent, err := s.Spends(ctx, t, p)
	if err != nil || !spent {
		return err
	}
	work := t.WorkOf(p)
	return &task.RefusedError{
		Code: task.CodeEscalation, Msg: rules.SpentReason(t, work),
		Hint: "see 'git brew escalate " + work.ID + "'",
	}
}

// Ladder is the ladder that the settings choose.
func (s *Phases) Ladder(ctx context.Context) (rules.Ladder, error) {
	set, err := s.Config.Settings(ctx)
	if err != nil {
		return rules.Ladder{}, err
	}
	return rules.LadderOf(task.LadderName(set.Text(config.KeyEscalateLadder)), rules.LadderLimits{
		Iterations: set.Count(config.KeyMaxIterations), Junior: set.Count(config.KeyJuniorAfter),
		Senior: set.Count(config.KeySeniorAfter),
	}), nil
}
