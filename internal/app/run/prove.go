package run

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/flaws"
	"github.com/git-brew/git-brew/internal/app/review"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/runner"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/worker"
)

// proof is what came of proving a phase's work. Nothing of it is recorded, or merged.
type proof struct {
	// why the work is not accepted, in sentences about the worker, as the person reads them; "":
	// it is. toWorker has them for the next one. outcome says what kind of a refusal that is.
	why     string
	outcome task.TurnOutcome
	by      task.TurnBy
	client  string    // the reviewer's
	until   time.Time // when its client may go on, after a limit
	cost    task.Cost
	// onto is the tip of the task's branch that it was proved on, merged what that becomes.
	onto, merged gitstore.OID
	beside       foreign         // on the task's branch, and never checked
	before       []passedCommand // of phases that were completed, which have to pass, too
	tip          string          // of the phase's branch
	runs         []task.CommandRun
}

type passedCommand struct {
	text string
	of   string // the phase's id
}

func (p proof) refused(outcome task.TurnOutcome, why string) proof {
	p.outcome, p.why, p.by = outcome, why, task.ByChecks
	return p
}

// proves says in a sentence what is done about work before it is merged.
func (w *workers) proves(j *job) string {
	verified, commits := len(j.phase.Verification) > 0, j.signal == worker.Complete
	reviewed := commits && w.reviews(j) || !commits && !verified && w.reviewsAny()
	switch {
	case verified && reviewed:
		return "its work is checked, verified and reviewed"
	case verified:
		return "its work is checked and verified"
	case reviewed:
		return "its work is checked and reviewed"
	}
	return "its work is checked"
}

// prove proves what a worker says is done: that it is committed, has none of the flaws
// that no command shows, merges with the task's branch, and passes its commands when it
// is merged. There has to be work where the worker said that it did it. What came to
// the task's branch beside it is checked with the work, whoever did that.
func (w *workers) prove(ctx context.Context, j *job, p proof, may ceiling) (proof, error) {
	commits := j.signal == worker.Complete
	began := w.now()
	done, why, err := flaws.Look(ctx, j.tree, p.onto)
	switch {
	case err != nil:
		return p, err
	case why != "":
		return p.refused(task.TurnRejected, why), nil
	case commits && done.Commits == 0:
		why, err := nothingNew(ctx, j, done.Tip)
		return p.refused(task.TurnRejected, why), err
	case commits && done.IsEmpty():
		return p.refused(task.TurnRejected, "It said COMPLETE, and what is committed on "+j.tree.Branch+
			" changes nothing. "+wordForDone), nil
	}
	p.tip = done.Tip.String()
	if before := refusedAt(j.phase, p.tip); before != "" {
		return p.refused(task.TurnRejected, unchanged+before), nil
	}
	wrong, err := flaws.Of(ctx, j.tree, done, p.onto, j.phase.Verification)
	if err != nil {
		return p, err
	}
	if len(wrong) > 0 {
		return p.refused(task.TurnRejected, "This can't be accepted as it is:\n- "+strings.Join(wrong, "\n- ")), nil
	}
	in, message := "", fmt.Sprintf("%s\n\nBrew-Task: %s\nBrew-Phase: %s\n", j.phase.Title, w.id, j.phase.ID)
	if p.merged, in, err = j.tree.Merge(ctx, done.Tip, p.onto, message); err != nil {
		return p, err
	}
	if in != "" {
		return p.refused(task.TurnConflict, conflicts+p.onto.String()+":\n"+in), nil
	}
	if p.beside.text != "" { // what the work puts right is not wrong
		wrong, err = flaws.Between(ctx, j.tree, p.beside.since, p.merged, j.phase.Verification)
	}
	if err != nil {
		return p, err
	}
	if len(wrong) > 0 {
		return p.refused(task.TurnRejected, "This can't be accepted as it is, with commits on the task's branch that no "+
			"worker handed over. 'git merge "+p.onto.String()+"' has them, to be put right:\n- "+
			strings.Join(wrong, "\n- ")), nil
	}
	defer func() {
		ctx, stop := outlive(ctx)
		defer stop()
		_ = j.tree.OnBranch(ctx) // else the next run does it
	}()
	if why, err = w.proveMerged(ctx, j, &p); err != nil {
		return p, err
	}
	p.cost.MS = max(w.now().Sub(began), 0).Milliseconds()
	if why != "" {
		return p.refused(task.TurnRejected, why), nil
	}
	return w.show(ctx, j, p, !commits && done.IsEmpty(), may)
}

const wordForDone = "The word for work that is done already is ALREADY_DONE."

// nothingNew says of a worker that said COMPLETE that nothing is there to be merged.
func nothingNew(ctx context.Context, j *job, tip gitstore.OID) (string, error) {
	since, err := j.tree.Run(ctx, "rev-list", "--count", tip.String(), "^"+j.from.String(), "--")
	why := "It said COMPLETE, and committed nothing on " + j.tree.Branch + ". "
	if since != "0" {
		why = "It said COMPLETE, and what is committed on " + j.tree.Branch + " is on the task's branch already, where " +
			"somebody moved that. "
	}
	return why + wordForDone, err
}

// show has an executive review work that passed its commands, where it is to, or where nothing
// else shows that earlier work did it: there is none of its own, and no command.
func (w *workers) show(ctx context.Context, j *job, p proof, earlier bool, may ceiling) (proof, error) {
	unshown := earlier && len(p.runs) == 0
	switch {
	case unshown && !w.reviewsAny():
		return p.refused(task.TurnRejected, "Nothing shows it: the phase has no command that verifies it, nothing was "+
			"committed for it, and run.review is off."), nil
	case p.beside.text != "" && w.reviewsAny():
	case passed(j.phase, p.tip), earlier && !unshown, !unshown && !w.reviews(j):
		return p, nil
	}
	return w.review(ctx, j, p, may)
}

// unchanged begins the refusal of work that is as it was when it was refused.
const unchanged = "Nothing was committed since that was refused:\n"

// refusedAt is why a phase's work was refused when it was looked at last, where that was at a
// commit; "" where it was not. What a worker said wrongly is no look at its work.
func refusedAt(p task.Phase, commit string) string {
	for _, turn := range slices.Backward(p.Turns) {
		if turn.Outcome == task.TurnRejected && (turn.By == task.ByReview || turn.By == task.ByChecks) {
			if turn.Commit != commit {
				return ""
			}
			return cmp.Or(strings.TrimPrefix(turn.Reason, unchanged), "its reason is in the log")
		}
	}
	return ""
}

// proveMerged runs the commands on what the merge made, first the phase's, then those of phases
// that were completed before, where anything changed. It says what did not pass.
func (w *workers) proveMerged(ctx context.Context, j *job, p *proof) (why string, err error) {
	merged := p.merged.String()
	index, err := j.tree.Fresh(ctx, merged)
	if err != nil {
		return "", err
	}
	before := p.before
	if p.merged == p.onto {
		before = nil
	}
	if len(j.phase.Verification)+len(before) == 0 {
		return "", nil
	}
	changed, err := j.tree.Unlike(ctx, index, merged, func() (err error) {
		why, err = w.verify(ctx, j, p, before)
		return err
	})
	if err == nil && why == "" && changed != "" {
		why = "While its commands ran, files of what is merged were changed, so they prove nothing. No process may " +
			"stay behind that writes there:\n" + invisible.FirstLines(changed, 20)
	}
	return why, err
}

// verify runs the phase's commands on what the merge made, which is checked out in the
// phase's tree, and, where they pass, others that passed before. It says what did not pass.
func (w *workers) verify(ctx context.Context, j *job, p *proof, before []passedCommand) (string, error) {
	var failed []string
	for _, text := range j.phase.Verification {
		done, output, err := w.verifyOne(ctx, j, text)
		if err != nil {
			return "", err
		}
		p.runs = append(p.runs, done)
		if !done.Passed() {
			failed = append(failed, fmt.Sprintf("%s: %s\n%s", text, done.How(), output))
		}
	}
	if len(failed) > 0 {
		return "What verifies it fails once it is merged with the task's branch:\n" +
			strings.Join(failed, "\n"), nil
	}
	for _, c := range before {
		done, output, err := w.verifyOne(ctx, j, c.text)
		if err != nil {
			return "", err
		}
		if !done.Passed() {
			failed = append(failed, fmt.Sprintf("it undoes phase %s: %s: %s\n%s", c.of, c.text, done.How(), output))
		}
	}
	if len(failed) > 0 {
		return "What was done before fails once it is merged with the task's branch:\n" +
			strings.Join(failed, "\n"), nil
	}
	return "", nil
}

// verifyOne runs a command in a job's tree, keeps what it printed beside what workers do, and gives
// the first lines of it.
func (w *workers) verifyOne(ctx context.Context, j *job, text string) (task.CommandRun, string, error) {
	done, err := review.RunCommand(ctx, text, runner.Command{
		Dir: j.tree.Dir, Env: w.environ(j, j.tier), Limit: w.limits.verify, Keeper: w.keeper,
	}, w.now)
	if err != nil {
		return done.CommandRun, "", err
	}
	log := w.open(j, "verify")
	_, _ = log.Write([]byte(done.Output)) // it never fails
	log.close()
	return done.CommandRun, invisible.FirstLines(strings.TrimSpace(done.Output), 40), nil
}
