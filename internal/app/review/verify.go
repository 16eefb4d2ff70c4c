package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/runner"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// VerifyResult is a phase, and how its commands came out.
type VerifyResult struct {
	phase.PhaseResult
	Verification
}

// Verification is how a phase's commands came out.
type Verification struct {
	Passed bool `json:"passed"`
	// Recorded: it stands in the task's state. Of a phase that nobody works on
	// it does not.
	Recorded bool `json:"recorded"`
	// Commit is HEAD then, "" in a repository without commits; Dirty: there was
	// something beside it, or it moved while the commands ran.
	Commit   string            `json:"commit"`
	Dirty    bool              `json:"dirty"`
	Commands []VerifiedCommand `json:"commands"`
}

// VerifiedCommand is a command, how it ended, and what it said, bounded.
type VerifiedCommand struct {
	task.CommandRun
	Passed bool   `json:"passed"`
	Output string `json:"output"`
}

// Verify runs the commands that verify a phase, in the work tree's root, without
// a shell, one after the other, and records how they came out. What is not
// trusted is not run. The phase is the current one where none is named. Began is told each
// command as it begins, and gives what takes what it says (nil: nobody looks); nil: nobody
// wants to know.
func (s *Reviews) Verify(ctx context.Context, id task.ID, arg string, began func(command string) io.Writer) (
	VerifyResult, error,
) {
	var out VerifyResult
	t, p, err := s.Phases.NamedPhase(ctx, id, arg, s.Clone.DefaultPhase(task.Phase.Verifiable))
	if err != nil {
		return out, err
	}
	out.Task, out.Phase = t, p
	commands, err := s.runnable(ctx, t, p)
	if err != nil {
		return out, err
	}
	if s.Clone.Repo.WorkTree == "" {
		return out, clone.Refuse("run it in a work tree of the repository", "commands run in a work tree, and here is none")
	}
	if err := s.Clone.Caller.CheckSession(); err != nil { // before something is run that could not be recorded
		return out, err
	}
	head, err := s.Clone.Repo.Refs.Head(ctx)
	if err != nil && !errors.Is(err, gitstore.ErrNotExist) {
		return out, err
	}
	if err := s.onItsBranch(ctx, t, p, head); err != nil {
		return out, err
	}
	of, err := s.Code.Held(ctx, t)
	if err != nil {
		return out, err
	}
	if err := s.runAll(ctx, &out, commands, began); err != nil {
		return out, err
	}
	then, err := s.Code.Held(ctx, t)
	if err != nil {
		return out, err
	}
	of.Clean = of.Clean && then.Clean && of.Same(then)
	out.Commit, out.Dirty = of.Commit, !of.Clean
	if t.Branch != head.Branch && len(t.Services) == 0 {
		out.Notes = append(out.Notes, "it ran on "+onBranch(head)+", not on the task's branch "+t.Branch)
	}
	if s.Clone.DryRun() {
		out.Passed = true
		return out, nil
	}
	return out, s.recordVerified(ctx, id, &out, of)
}

// onItsBranch refuses to run a phase's commands on what is not the task's: its branch
// is here, and this work tree is neither on it nor at its commit. Services have their
// own branches.
func (s *Reviews) onItsBranch(ctx context.Context, t task.Task, p task.Phase, head gitstore.Head) error {
	if len(t.Services) > 0 {
		return nil
	}
	tip, err := s.Code.WorkedOnElsewhere(ctx, t)
	if err != nil || tip == "" || tip == head.OID.String() {
		return err
	}
	goes := "'git brew switch " + t.ID.Slug() + "' goes there"
	if s.Clone.Caller.Task == t.ID { // a worker stays on its branch
		goes = "commit, and end the turn with <promise>COMPLETE</promise>: the run verifies it"
	}
	return clone.Refuse(goes,
		"phase %s is verified on %s, and %s is checked out", p.ID, t.Branch, onBranch(head))
}

func onBranch(head gitstore.Head) string {
	return cmp.Or(head.Branch, "a detached HEAD")
}

// runnable are a phase's commands, all of them trusted and none that needs a
// shell; else why not.
func (s *Reviews) runnable(ctx context.Context, t task.Task, p task.Phase) ([]string, error) {
	commands := rules.VerifyCommands(t, p)
	if len(commands) == 0 {
		return nil, clone.Refuse("'git brew phase edit "+p.ID+" --verify COMMAND' gives it one",
			"phase %s has no command that verifies it", p.ID)
	}
	untrusted, err := s.Records.UntrustedOf(ctx, commands)
	if err == nil {
		err = phase.CheckSimple(commands)
	}
	if err == nil && len(untrusted) > 0 {
		err = s.untrusted(p, untrusted)
	}
	return commands, err
}

// runAll runs commands; in a dry run it only names them.
func (s *Reviews) runAll(ctx context.Context, out *VerifyResult, commands []string,
	began func(string) io.Writer,
) error {
	set, err := s.Config.Settings(ctx)
	if err != nil {
		return err
	}
	env := append(s.Clone.Repo.PlacedEnviron(), "BREW_TASK="+string(out.Task.ID), "BREW_PHASE="+out.Phase.ID)
	out.Passed, out.Commands = true, []VerifiedCommand{}
	for _, text := range commands {
		var show io.Writer
		if began != nil {
			show = began(text)
		}
		run := VerifiedCommand{CommandRun: task.CommandRun{Text: text}, Passed: true}
		if !s.Clone.DryRun() {
			run, err = RunCommand(ctx, text, runner.Command{
				Dir: s.Clone.Repo.WorkTree, Env: env, Limit: set.Period(config.KeyVerifyTimeout), Show: show,
			}, s.Clone.Now)
			if ctx.Err() != nil {
				return fmt.Errorf("%q was interrupted, nothing is recorded: %w", invisible.Cut(text, 80), ctx.Err())
			}
			if err != nil {
				return err
			}
		}
		out.Passed = out.Passed && run.Passed
		out.Commands = append(out.Commands, run)
	}
	return nil
}

// RunCommand runs a command that verifies a phase, in the place that c describes, and says how it
// ended. A program that is not there is one that failed.
func RunCommand(ctx context.Context, text string, c runner.Command, now func() time.Time) (VerifiedCommand, error) {
	run := VerifiedCommand{CommandRun: task.CommandRun{Text: text}}
	program, err := phase.SimpleCommand(text)
	if err != nil {
		return run, err
	}
	c.Args, c.Env = program.Args, slices.Concat(c.Env, program.Env)
	start := now()
	r, err := runner.Run(ctx, c)
	run.MS = max(now().Sub(start), 0).Milliseconds()
	run.Exit, run.TimedOut, run.Output = r.Code, r.TimedOut, r.Output
	if r.Output != "" {
		run.Said = gitstore.HashBlob([]byte(r.Output)).String()
	}
	if errors.Is(err, runner.ErrNotFound) {
		run.Exit, run.Output, err = -1, err.Error(), nil
	}
	run.Passed = run.CommandRun.Passed()
	return run, err
}

// recordVerified records how a phase's commands came out, and what they ran on,
// where that counts.
func (s *Reviews) recordVerified(ctx context.Context, id task.ID, out *VerifyResult, of codediff.Held) error {
	seen, notes := out.Task, out.Notes
	uid := out.Phase.UID
	r, err := s.Phases.Change(ctx, id, phase.Meant{UID: uid},
		func(ctx context.Context, c *change.Tx, p task.Phase) ([]string, error) {
			if !p.Verifiable() || c.Task.Status.Terminal() {
				return append(notes, "it is not recorded: nobody works on phase "+p.ID+", which is "+p.Status.String()), nil
			}
			if changed := rules.WorkChanged(seen, c.Task, p); changed != "" {
				return nil, clone.Refuse("git brew verify "+p.ID, "phase %s was worked on while its commands ran: %s", p.ID,
					changed)
			}
			payload := task.VerifyPayload{
				Phase: p.UID, Iteration: p.Iteration, Commit: of.Commit, Services: of.Services, Clean: of.Clean,
			}
			for _, run := range out.Commands {
				payload.Commands = append(payload.Commands, run.CommandRun)
			}
			if !out.Passed && p.Status == task.PhaseInReview {
				var err error
				if payload.MustEscalate, err = s.Phases.Spends(ctx, c.Task, p); err != nil {
					return nil, err
				}
			}
			out.Recorded = true
			if out.Passed && out.Dirty && p.Status != task.PhaseInReview {
				return append(notes, "there are changes that are not committed: it runs again after 'git brew phase done "+p.ID+
					"'"), c.Do(ctx, change.Op(task.OpPhaseVerify, payload))
			}
			return notes, c.Do(ctx, change.Op(task.OpPhaseVerify, payload))
		})
	if err == nil {
		out.PhaseResult = r
	}
	return err
}

// sinceVerified tells that what is approved differs from what was verified: now is
// what the work tree holds.
func sinceVerified(p task.Phase, now codediff.Held) []string {
	v := p.Verified
	if v == nil || v.Clean && v.Commit == now.Commit && maps.Equal(v.Services, now.Services) && (now.Clean || now.Away) {
		return nil
	}
	beside := ""
	if !v.Clean {
		beside = " with changes that were not committed"
	}
	return []string{"it was verified at " + v.Commit[:min(len(v.Commit), 7)] + beside + ", and this is not the same"}
}
