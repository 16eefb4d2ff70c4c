// Package phase plans the phases of a task and moves them: added, begun, done, reported.
package phase

import (
	"context"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/learn"
	"github.com/git-brew/git-brew/internal/app/next"
	"github.com/git-brew/git-brew/internal/app/texts"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// Phases plans and moves the phases of a task.
type Phases struct {
	*change.Engine
	Next      *next.Next
	Documents *texts.Documents
	Knowledge *learn.Knowledge
}

// PhaseResult is a phase after a change.
type PhaseResult struct {
	Task  task.Task
	Phase task.Phase
	// Notes are remarks for the person: planning skipped, a phase failed too,
	// the parts that a split made.
	Notes []string
	// Others: somebody else holds the lock, and goes on from here; Notes says who.
	Others bool
}

// Meant is the phase that a command means: the one that Arg names, else what Pick
// chooses. Once found it is the same phase ever after, whatever its number becomes.
type Meant struct {
	Arg  string
	Pick func(task.Task) (task.Phase, error)
	UID  task.UID // of the one that is meant, where it is known
}

// In finds the phase in a task.
func (m *Meant) In(t task.Task) (p task.Phase, err error) {
	switch {
	case m.UID != "":
		p, _ = t.Phase(m.UID) // the one that decide adds is not there yet
		return p, nil
	case m.Arg == "":
		p, err = m.Pick(t)
	default:
		p, err = t.FindPhase(m.Arg)
	}
	m.UID = p.UID
	return p, err
}

// Change runs decide on the phase that is meant.
func (s *Phases) Change(
	ctx context.Context, id task.ID, meant Meant,
	decide func(ctx context.Context, c *change.Tx, p task.Phase) ([]string, error),
) (PhaseResult, error) {
	var r PhaseResult
	after, err := s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) error {
		p, err := meant.In(c.Task)
		if err != nil {
			return err
		}
		r.Notes, err = decide(ctx, c, p)
		return err
	})
	if err != nil {
		return r, err
	}
	r.Task = after
	r.Phase, _ = after.Phase(meant.UID)
	return r, nil
}

// NamedPhase is the phase that was named, or what pick chooses.
func (s *Phases) NamedPhase(ctx context.Context, id task.ID, arg string,
	pick func(task.Task) (task.Phase, error),
) (task.Task, task.Phase, error) {
	t, err := s.Records.Task(ctx, id)
	if err != nil {
		return t, task.Phase{}, err
	}
	p, err := (&Meant{Arg: arg, Pick: pick}).In(t)
	return t, p, err
}

// begun means the phase that was named, else the one that is worked on.
func (s *Phases) begun(arg string) Meant {
	return Meant{Arg: arg, Pick: s.Clone.DefaultPhase(task.Phase.InProgress)}
}

// CompactedNotes says that compaction took n entries out.
func CompactedNotes(n int) []string {
	if n == 0 {
		return nil
	}
	return []string{clone.Counted(n, "entry", "entries") + " of knowledge compacted"}
}

// MayPass refuses an agent that leaves a step behind without a word; of a person it is
// recorded. Who may not change the task at all is told that first.
func MayPass(c *change.Tx, passed []task.Passed) error {
	if len(passed) == 0 || !c.Engine.Clone.Caller.Agent() {
		return nil
	}
	if err := c.Engine.Locks.Allows(c.Lock); err != nil {
		return err
	}
	first, hint := passed[0], "'git brew next' leads there"
	switch p, ofPhase := c.Task.Phase(first.Phase); {
	case !route.Plans(c.Task): // whose next step is to work on it as it is
		hint = "'git brew stage research' begins the planning"
	case route.PassedNext(c.Task) == first:
		hint += "; 'git brew next --skip " + first.Step + " -m WHY' goes on without"
	case ofPhase: // another phase comes first, and this one beside it
		hint = "git brew doc set phases/" + p.ID + "/plan -"
	}
	return clone.Refuse(hint, "this leaves out %s", c.Task.ShownStep(first))
}

// PassedNotes tell a person which steps a change left behind.
func PassedNotes(t task.Task, passed []task.Passed) []string {
	var notes []string
	for _, p := range passed {
		if phase, ok := t.Phase(p.Phase); ok {
			notes = append(notes, "phase "+phase.ID+" has no plan of its own; planning was skipped")
			continue
		}
		notes = append(notes, "skipped: "+t.ShownStep(p))
	}
	return notes
}

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
	return task.Refuse(task.CodeEscalation, rules.SpentReason(t, work), "see 'git brew escalate "+work.ID+"'")
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
