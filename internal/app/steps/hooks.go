package steps

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/redact"
	"github.com/git-brew/git-brew/internal/runner"
	"github.com/git-brew/git-brew/internal/task"
)

// HookDone is a hook around a step that a command met, and what became of it.
type HookDone struct {
	Step, Phase string // Phase by its shown id, "" for none
	When        pipeline.When
	Mode        pipeline.Mode
	task.HookRun
	// Would: it is a dry run, and this one would have been next.
	Would bool
}

// HooksDone are the hooks that this service ran, told, or could not run, in
// their order.
func (s *Pipelines) HooksDone() []HookDone { return s.hooksDone }

// HookStopped is the first required hook behind a step that did not do its part;
// false where there is none.
func (s *Pipelines) HookStopped() (HookDone, bool) {
	i := slices.IndexFunc(s.hooksDone, func(h HookDone) bool { return !h.Would && h.When == pipeline.Post && h.Stops() })
	if i < 0 {
		return HookDone{}, false
	}
	return s.hooksDone[i], true
}

// noteHook keeps what became of a hook, for who called.
func (s *Pipelines) noteHook(p hookPoint, mode pipeline.Mode, run task.HookRun, would bool) {
	done := HookDone{Step: p.row.Step, Phase: p.phase.ID, When: p.when, Mode: mode, HookRun: run, Would: would}
	if !would || !slices.Contains(s.hooksDone, done) { // a change may be decided twice
		s.hooksDone = append(s.hooksDone, done)
	}
}

// hookHash begins the detail of a hook that is not trusted.
const hookHash = "its hash is "

// runHook runs a program that is trusted, or says that a text is to be followed, and
// notes what became of it.
func (s *Pipelines) runHook(ctx context.Context, id task.ID, p hookPoint, h pipeline.Around) (task.HookRun, error) {
	run := task.HookRun{Hook: h.Path, Kind: string(h.Kind), Optional: h.Optional}
	u, err := s.useHook(ctx, h, p.row.Step)
	switch {
	case err != nil:
		return run, err
	case u.waits:
		run.Outcome, run.Detail = task.HookUntrusted, hookHash+clone.ShortTrust(u.content.Hash())
	case u.Problem != "":
		run.Outcome, run.Detail = task.HookMissing, "it "+u.Problem
	case h.Kind == pipeline.KindWorkflow:
		run.Outcome = task.HookTold
	default:
		if run, err = s.runProgram(ctx, id, p, run, u); err != nil {
			return run, err
		}
	}
	s.noteHook(p, h.Mode, run, false)
	return run, nil
}

// runProgram runs the bytes of a file that were found to be trusted, from a copy:
// the file may be another one by now.
func (s *Pipelines) runProgram(
	ctx context.Context, id task.ID, p hookPoint, run task.HookRun, f usedFile,
) (task.HookRun, error) {
	set, err := s.Config.Settings(ctx)
	if err != nil {
		return run, err
	}
	program, remove, err := s.Clone.Repo.ScratchProgram(filepath.Base(f.path), f.data)
	if err != nil {
		return run, err
	}
	defer remove()
	limit := set.Period(config.KeyHookTimeout)
	result, err := runner.Run(ctx, runner.Command{
		Args: []string{program}, Dir: s.workTree(), Env: hookEnviron(s, id, p, f), Limit: limit, Show: s.Clone.Output,
	})
	switch {
	case ctx.Err() != nil:
		return run, err
	case err != nil:
		run.Outcome, run.Detail = task.HookFailed, "the system can't run it: does its first line name an interpreter that "+
			"is there, as #!/bin/sh does, and end without a carriage return?"
	case result.TimedOut:
		run.Outcome, run.Detail = task.HookFailed,
			withOutput("it took longer than "+limit.String()+", brew.pipeline.hookTimeout", result.Output)
	case result.Failed():
		run.Outcome, run.Detail = task.HookFailed, withOutput(fmt.Sprintf("exit status %d", result.Code), result.Output)
	default:
		run.Outcome = task.HookPassed
	}
	return run, nil
}

// maxHookSaid is how much of the end of what a program said is recorded where it
// failed, in bytes.
const maxHookSaid = 1500

// withOutput adds to a text what a program said at last, without what looks like
// a secret and what steers a terminal.
func withOutput(text, said string) string {
	said = redact.Text(strings.TrimSpace(invisible.Lines(said)))
	if over := len(said) - maxHookSaid; over > 0 {
		said = invisible.Ellipsis + strings.ToValidUTF8(said[over:], "")
	}
	return strings.TrimRight(text+"\n"+said, "\n")
}

// Variables that a program around a step has in its environment.
const (
	hookFile     = "BREW_HOOK"
	hookTask     = "BREW_TASK"
	hookPhase    = "BREW_PHASE"
	hookStep     = "BREW_STEP"
	hookWhen     = "BREW_WHEN"
	hookPipeline = "BREW_PIPELINE"
	// HookVariable says that a hook runs, and which: what it starts can't begin
	// or end steps with hooks.
	HookVariable = "GIT_BREW_STEP_HOOK"
)

// hookEnviron is the environment of a program around a step, which is that file
// of the project.
func hookEnviron(s *Pipelines, id task.ID, p hookPoint, f usedFile) []string {
	return append(s.Clone.Repo.PlacedEnviron(),
		hookFile+"="+filepath.Join(s.workTree(), filepath.FromSlash(f.path)),
		hookTask+"="+string(id), hookPhase+"="+p.phase.ID, hookStep+"="+p.row.Step,
		hookWhen+"="+string(p.when), hookPipeline+"="+p.row.Pipeline, HookVariable+"="+p.name(),
	)
}

func hookWords(r task.HookRun) string {
	text, lines := r.Words(), strings.Split(r.Detail, "\n")
	if last := strings.TrimSpace(lines[len(lines)-1]); len(lines) > 1 && last != "" {
		text += ": " + last
	}
	return text
}

func hookHint(r task.HookRun) string {
	switch r.Outcome {
	case task.HookUntrusted:
		return "'git brew trust list' shows it, 'git brew trust add " + strings.TrimPrefix(r.Detail, hookHash) + "' trusts it"
	case task.HookMissing:
		return "mend that, or take it out of the pipeline"
	case task.HookFailed, task.HookPassed, task.HookTold, task.HookDue:
	}
	return "mend what it says, and try again"
}
