package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/worker"
)

const (
	// lookEvery is after how many completed phases an executive looks at the whole (BR-19).
	lookEvery = 5
	// maxStories is how many phases such a look may add, maxRemediated how many looks of a run
	// may add some.
	maxStories    = 3
	maxRemediated = 2
	maxStat       = 60 // lines
)

type view struct {
	ended  worker.Ended
	client string
	tip    string // of the branch whose tree they looked in
}

// look has an executive look at the whole beside the loop, in the tree of the phase that was
// merged last. It reports whether one does. A run of some phases alone is not looked at, nor is
// one without reviews.
func (r *run) look(ctx context.Context, j *job, p proof) (bool, error) {
	t, err := r.s.Records.Task(ctx, r.id)
	if err != nil {
		return false, err
	}
	done := 0
	for _, q := range t.Phases {
		if q.Status == task.PhaseCompleted && len(q.Turns) > 0 {
			done++
		}
	}
	some := len(r.o.Only) > 0 || r.o.Until != ""
	if done%lookEvery != 0 || some || r.looking != nil || !r.workers.reviewsAny() || r.isOver() ||
		r.workers.usedTier(task.TierExecutive, r.spent) != "" {
		return false, nil
	}
	r.looking, j.tier = j, task.TierExecutive
	r.tell(Event{Kind: Noted, Text: fmt.Sprintf("%d phases are completed: an executive looks at the whole", done)})
	w := r.workers
	r.beside(ctx, j, func(ctx context.Context) result {
		e, client, err := w.wholeOf(ctx, t, j, p)
		return result{view: &view{ended: e, client: client, tip: p.tip}, err: err}
	})
	return true, nil
}

// wholeOf asks an executive about what is merged of a task.
func (w *workers) wholeOf(ctx context.Context, t task.Task, j *job, p proof) (worker.Ended, string, error) {
	to := p.merged.String()
	if _, err := j.tree.Fresh(ctx, to); err != nil {
		return worker.Ended{}, "", err
	}
	from, err := j.tree.Run(ctx, "merge-base", cmp.Or(t.BaseCommit, to), to)
	if err != nil {
		from = to // the task's history was rewritten: its log tells what there is
	}
	stat, err := j.tree.Run(ctx, "diff", "--stat=100", "--no-ext-diff", from, to, "--")
	if err != nil {
		return worker.Ended{}, "", err
	}
	phases := make([]string, 0, len(t.Phases))
	for _, q := range t.Phases {
		phases = append(phases, fmt.Sprintf("%s %s: %s", q.ID, q.Title, q.Status))
	}
	return w.executive(ctx, j, "BREW_LOOK", worker.Look(t.Title, from, to, phases, invisible.FirstLines(stat, maxStat)))
}

// afterLook records what was said of the whole, and adds the phases that it asks for. Nothing
// of it ends the run.
func (r *run) afterLook(ctx context.Context, j *job, res result) error {
	if err := r.noteLook(ctx, j, res); err != nil {
		r.tell(Event{Kind: Noted, Text: "the look at the whole came to nothing: " + err.Error()})
	}
	if res.view != nil {
		r.clear(ctx, j, res.view.tip)
	}
	return ctx.Err()
}

func (r *run) noteLook(ctx context.Context, j *job, res result) error {
	if res.err != nil {
		return res.err
	}
	e := res.view.ended
	turn := res.view.turn()
	if e.Limited {
		r.limited(&turn, e.LimitedUntil)
	}
	stories := e.Stories[:min(maxStories, len(e.Stories))]
	if turn.Outcome == task.TurnConcerns && e.Verdict == worker.Remediate && len(stories) > 0 &&
		r.remediated < maxRemediated {
		r.remediated++
		added, err := r.remediate(ctx, stories)
		if err != nil {
			turn.Reason = "no phase was added, " + err.Error() + ": " + turn.Reason
		} else {
			turn.Outcome, turn.Reason = task.TurnRemediated, "added "+strings.Join(added, ", ")+": "+turn.Reason
		}
	}
	r.learn(ctx, j, e)
	return r.note(ctx, j, turn)
}

// turn is a look that came to its end, as it is recorded where it adds no phase.
func (v *view) turn() task.Turn {
	e := v.ended
	turn := task.Turn{By: task.ByLook, Client: v.client, Cost: costOf(e), Reason: reasonIn(e.Text)}
	switch {
	case e.Failure != "" || e.Limited && e.Verdict == "":
		turn.Outcome, turn.Reason = outcomeOf(e)
	case e.Verdict == worker.OnTrack:
		turn.Outcome = task.TurnOnTrack
	case e.Verdict == worker.Concerns || e.Verdict == worker.Remediate:
		turn.Outcome = task.TurnConcerns
	default:
		turn.Outcome, turn.Reason = task.TurnSilent, "it did not say how the whole stands: "+lastLine(e.Text)
	}
	return turn
}

// remediate adds stories as phases. They have no commands of their own: nobody trusted those
// that a model would name.
func (r *record) remediate(ctx context.Context, stories []string) (added []string, err error) {
	err = patiently(ctx, func() error {
		added = nil
		_, err := r.s.Engine.Update(ctx, r.id, func(ctx context.Context, c *change.Tx) error {
			for _, story := range stories {
				p := r.storyPhase(story)
				if p.Title == "" || slices.ContainsFunc(c.Task.Phases, func(q task.Phase) bool {
					return knowledge.Normalize(q.Title) == knowledge.Normalize(p.Title)
				}) {
					continue
				}
				made, err := phase.Add(ctx, c, p)
				if err != nil {
					return err
				}
				added = append(added, made.ID)
			}
			if len(added) == 0 {
				return errors.New("the stories that it names are phases already")
			}
			return nil
		})
		return err
	})
	return added, err
}

// storyPhase is a story as a phase: its first line is the title, each other one a criterion.
func (r *record) storyPhase(story string) task.PhaseAddPayload {
	title, rest, _ := strings.Cut(r.s.said(story), "\n")
	p := phase.Worded(invisible.Line(title))
	p.Kind, p.Tier = task.KindExecution, task.TierSenior
	for line := range strings.Lines(rest) {
		if line = strings.TrimSpace(strings.TrimLeft(invisible.Line(line), "-*• ")); line != "" {
			p.Acceptance = append(p.Acceptance, line)
		}
	}
	return p
}
