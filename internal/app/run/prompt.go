package run

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/worker"
)

// prompt is what a worker is told of its phase.
func (r *run) prompt(ctx context.Context, j *job) ([]byte, error) {
	t, err := r.s.Records.Task(ctx, r.id)
	if err != nil {
		return nil, err
	}
	about := append([]string{j.phase.Title}, j.phase.Acceptance...)
	known, err := r.s.Knowledge.Fitting(ctx, t, strings.Join(about, "\n"))
	if err != nil {
		return nil, err
	}
	if j.plan, err = r.planOf(ctx, t, j.phase); err != nil {
		return nil, err
	}
	return []byte(worker.Prompt{
		Task: t.Title, Phase: j.phase.ID, Title: j.phase.Title, Branch: j.tree.Branch, Plan: j.plan,
		Acceptance: j.phase.Acceptance, Commands: j.phase.Verification, Rejected: rejection(j.phase), Known: known,
		Files: r.others(j),
	}.Text()), nil
}

// planOf is the plan of a phase, "" for none.
func (r *record) planOf(ctx context.Context, t task.Task, p task.Phase) (string, error) {
	name := task.PlanOf(p.UID)
	if !t.HasDoc(name) {
		return "", nil
	}
	doc, err := r.s.Records.Document(ctx, t, name)
	return string(doc.Text), err
}

// lastRefusal is what the last turn of a phase came to that says why it did not succeed.
func lastRefusal(p task.Phase) string {
	for _, turn := range slices.Backward(p.Turns) {
		if turn.Reason != "" && (turn.By.Worker() || turn.Outcome == task.TurnRejected || turn.Outcome == task.TurnConflict) {
			return turn.Reason
		}
	}
	return ""
}

// rejection is why the work is not accepted yet: what was refused last, and how the turn
// after that ended, whose work was not checked; "" for none.
func rejection(p task.Phase) string {
	why, guidance := "", ""
	for _, turn := range p.Turns {
		switch turn.Outcome {
		case task.TurnRejected:
			why = toWorker(turn.Reason)
		case task.TurnConflict:
			_, onto, _ := strings.Cut(turn.Reason, conflicts)
			onto, _, _ = strings.Cut(onto, ":")
			why = toWorker(turn.Reason) + "\n\nMerge that with 'git merge " + onto + "', keep what both sides mean, and commit."
		case task.TurnRetried:
			guidance = turn.Reason
		default:
		}
	}
	if guidance != "" {
		why = strings.TrimSpace("It is tried again, and this was said to that: " + guidance + "\n\n" + why)
	}
	end, last := "", p.LastTurn()
	if !last.By.Worker() {
		return why
	}
	switch last.Outcome {
	case task.TurnFailed, task.TurnBlocked:
		end = fmt.Sprintf("The worker before you ended: %s.", strings.TrimRight(last.Reason, "."))
	case task.TurnSilent:
		end = "The worker before you did not say how the work stands."
	case task.TurnStopped:
		end = "The worker before you was interrupted."
	default:
		return why
	}
	return strings.TrimSpace(end + " What it committed is on the branch.\n\n" + why)
}

// conflicts begins the refusal of work that has to be merged with a commit, which it names.
const conflicts = "Its work conflicts with what was merged meanwhile, up to "

// toWorker says a refusal to the worker that it is about.
func toWorker(reason string) string {
	reason, again := strings.CutPrefix(reason, unchanged)
	for it, you := range map[string]string{"It said ": "You said ", "Its work ": "Your work "} {
		if rest, is := strings.CutPrefix(reason, it); is {
			reason = you + rest
		}
	}
	if again {
		return unchanged + reason
	}
	return reason
}

// others names the phases that others work on at the same time.
func (r *crew) others(j *job) []string {
	var all []string
	for _, other := range r.jobs {
		if other != j {
			line := other.phase.ID + " " + other.phase.Title
			if in := j.met[other.phase.UID]; in != "" {
				line += ": what is committed there conflicts with your branch in " + in
			}
			all = append(all, line)
		}
	}
	return all
}
