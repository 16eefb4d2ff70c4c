package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/runner"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/worker"
)

// proof is what came of looking at a phase's work. Nothing of it is recorded, or merged.
type proof struct {
	// why the work is not accepted, in sentences for the worker; "": it is. outcome says
	// what kind of a refusal that is.
	why     string
	outcome task.TurnOutcome
	by      task.TurnBy
	client  string    // the reviewer's
	until   time.Time // when its client may go on, after a limit
	cost    task.Cost
	// onto is the tip of the task's branch that was looked at, merged what it becomes.
	onto, merged gitstore.OID
	beside       foreign         // on the task's branch, and never looked at
	before       []passedCommand // of phases that were completed, which have to pass, too
	tip          string          // of the phase's branch
	runs         []task.CommandRun
}

// passedCommand verified a phase that was completed.
type passedCommand struct {
	text string
	of   string // the phase's id
}

func (p proof) refused(outcome task.TurnOutcome, why string) proof {
	p.outcome, p.why, p.by = outcome, why, task.ByChecks
	return p
}

// prove looks at what a worker says is done: that it is committed, has none of the flaws
// that no command shows, merges with the task's branch, and passes its commands when it
// is merged. There has to be work where the worker said that it did it. What came to
// the task's branch beside it is looked at with the work, whoever did that.
func (w *workers) prove(ctx context.Context, j *job, p proof, may ceiling) (proof, error) {
	commits := j.signal == worker.Complete
	began := w.now()
	done, why, err := j.tree.look(ctx, p.onto)
	switch {
	case err != nil:
		return p, err
	case why != "":
		return p.refused(task.TurnRejected, why), nil
	case commits && done.commits == 0:
		return p.refused(task.TurnRejected, "You said that the work is complete, and there is no commit of it on "+
			j.tree.branch+"."), nil
	case commits && len(done.files) == 0:
		return p.refused(task.TurnRejected, "You said that the work is complete, and the commits on "+j.tree.branch+
			" change nothing. Where there is nothing to do, say ALREADY_DONE."), nil
	}
	p.tip = done.tip.String()
	if before := refusedAt(j.phase, p.tip); before != "" {
		return p.refused(task.TurnRejected, unchanged+before), nil
	}
	flaws, err := j.tree.flaws(ctx, done, p.onto, j.phase.Verification)
	if err != nil {
		return p, err
	}
	if len(flaws) > 0 {
		return p.refused(task.TurnRejected, "This can't be accepted as it is:\n- "+strings.Join(flaws, "\n- ")), nil
	}
	conflicts := ""
	if p.merged, conflicts, err = j.tree.merge(ctx, done.tip, p.onto, w.mergeMessage(j)); err != nil {
		return p, err
	}
	if conflicts != "" {
		return p.refused(task.TurnConflict, "Your work conflicts with what was merged meanwhile. Merge it with 'git merge "+
			p.onto.String()+"', keep what both sides mean, and commit. The conflicts:\n"+conflicts), nil
	}
	if flaws, err = j.tree.flawsBeside(ctx, p.beside, p.merged, j.phase.Verification); err != nil {
		return p, err
	}
	if len(flaws) > 0 {
		return p.refused(task.TurnRejected, "This can't be accepted as it is, with commits on the task's branch that no "+
			"worker handed over. Merge it with 'git merge "+p.onto.String()+"', and put that right:\n- "+
			strings.Join(flaws, "\n- ")), nil
	}
	defer func() { _ = j.tree.onBranch(context.WithoutCancel(ctx)) }()
	if why, err = w.proveMerged(ctx, j, &p); err != nil {
		return p, err
	}
	p.cost.MS = max(w.now().Sub(began), 0).Milliseconds()
	if why != "" {
		return p.refused(task.TurnRejected, why), nil
	}
	return w.show(ctx, j, p, !commits && len(done.files) == 0, may)
}

// show has an executive look at work that passed its commands, where it is to, or where nothing
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

// refusedAt is why a review refused a phase's work last, where that was at a commit; "" where it was
// not.
func refusedAt(p task.Phase, commit string) string {
	for _, turn := range slices.Backward(p.Turns) {
		if turn.Outcome == task.TurnRejected {
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
	index, err := j.tree.fresh(ctx, merged)
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
	changed, err := j.tree.unlike(ctx, index, merged, func() (err error) {
		why, err = w.verify(ctx, j, p, before)
		return err
	})
	if err == nil && why == "" && changed != "" {
		why = "While its commands ran, files of what is merged were changed, so they prove nothing. Leave no process " +
			"behind that writes here:\n" + firstLines(changed, 20)
	}
	return why, err
}

// mergeMessage is that of the commit which merges a phase's work.
func (w *workers) mergeMessage(j *job) string {
	return fmt.Sprintf("%s\n\nBrew-Task: %s\nBrew-Phase: %s\n", j.phase.Title, w.id, j.phase.ID)
}

// merge makes the commit that has both sides, without a work tree: tip itself where it
// leads on from onto. Where they conflict, it tells the files. A git that was killed is an
// error, and no conflict.
func (w tree) merge(ctx context.Context, tip, onto gitstore.OID, message string) (gitstore.OID, string, error) {
	base, err := w.run(ctx, "merge-base", onto.String(), tip.String())
	switch {
	case err != nil:
		return gitstore.OID{}, "", err
	case base == onto.String():
		return tip, "", nil
	case base == tip.String():
		return onto, "", nil
	}
	out, err := w.run(ctx, "merge-tree", "--write-tree", "--name-only", "--messages", onto.String(), tip.String())
	if failed, is := errors.AsType[*gitstore.CommandError](err); is && failed.Code == 1 && out != "" {
		_, named, _ := strings.Cut(out, "\n")
		return gitstore.OID{}, firstLines(named, 40), nil
	}
	if err != nil {
		return gitstore.OID{}, "", err
	}
	merged, _, _ := strings.Cut(out, "\n")
	commit, err := w.git.Input(ctx, []byte(message), "commit-tree", merged, "-p", onto.String(), "-p", tip.String(),
		"-F", "-")
	if err != nil {
		return gitstore.OID{}, "", err
	}
	oid, err := gitstore.ParseOID(strings.TrimSpace(string(commit)))
	return oid, "", err
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
		return "After the merge with the task's branch, what verifies the work does not pass:\n" +
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
		return "After the merge with the task's branch, what was done before does not pass any more:\n" +
			strings.Join(failed, "\n"), nil
	}
	return "", nil
}

// verifyOne runs a command in a job's tree, and gives the first lines that it printed.
func (w *workers) verifyOne(ctx context.Context, j *job, text string) (task.CommandRun, string, error) {
	done := task.CommandRun{Text: text}
	simple, err := runner.ReadSimple(text)
	if err != nil {
		return done, "", err
	}
	began := w.now()
	res, err := runner.Run(ctx, runner.Command{
		Args: simple.Args, Dir: j.tree.dir, Env: append(w.environ(j, j.tier), simple.Env...), Limit: w.limits.verify,
		Keeper: w.keeper,
	})
	done.Exit, done.TimedOut, done.MS = res.Code, res.TimedOut, max(w.now().Sub(began), 0).Milliseconds()
	switch {
	case errors.Is(err, runner.ErrNotFound):
		done.Exit, res.Output = -1, err.Error()
	case err != nil:
		return done, "", err
	}
	return done, firstLines(strings.TrimSpace(res.Output), 40), nil
}

// advance moves the task's branch to a commit that leads on from where it was. A work tree
// that has the branch checked out goes along; changes there that are in the way keep it
// from moving. moved: the branch was elsewhere by now.
func (a *trees) advance(ctx context.Context, branch string, from, to gitstore.OID) (moved bool, err error) {
	if from == to {
		return false, nil
	}
	dir, err := a.checkedOut(ctx, branch)
	if err != nil {
		return false, err
	}
	if dir != "" {
		git := a.repo.GitIn(dir)
		git.Env = git.Env.With(asStored)
		_, err = git.Run(ctx, "merge", "-q", "--ff-only", "--no-stat", "--no-autostash", "--end-of-options", to.String())
	} else {
		_, err = a.repo.Git.Run(ctx, "update-ref", "-m", "brew run", "refs/heads/"+branch, to.String(), from.String())
	}
	if err == nil {
		return false, nil
	}
	if tip, terr := a.repo.Refs.Get(ctx, gitstore.RefName("refs/heads/"+branch)); terr == nil && tip != from {
		return tip != to, nil
	}
	if dir != "" {
		return false, clone.Refuse("commit or move them, then 'git brew run' goes on",
			"changes in %s are in the way of what is merged: %v", dir, err)
	}
	return false, err
}
