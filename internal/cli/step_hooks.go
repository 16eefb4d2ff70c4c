package cli

import (
	"strings"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
)

// SayHooks tells what became of the hooks around the steps that a command began
// or ended, once.
func SayHooks(e *Env, s *app.App) {
	if e.Flags.JSON || e.Flags.Porcelain || e.hooksSaid {
		return
	}
	e.hooksSaid = true
	for _, h := range s.Pipelines.HooksDone() {
		e.Say("  %s", ui.Safe(e.Addressed(hookDoneWords(h))))
	}
}

func hookDoneWords(h steps.HookDone) string {
	name := string(h.When) + "-" + h.Step
	if h.Would {
		return "would run " + h.Hook + ", " + name
	}
	switch h.Outcome {
	case task.HookTold:
		first := h.Hook + " comes first: follow it, if you did not"
		words := ui.Either(h.When == pipeline.Pre, first, "now follow "+h.Hook)
		by := ui.Either(h.Mode == pipeline.Subagent, ", by a sub-agent", "")
		phase := ui.Either(h.Phase == "", "", " --phase "+h.Phase)
		return name + ": " + words + by + "; if it does not work out: git brew pipeline failed " + name + phase + " -m WHY"
	case task.HookUntrusted:
		return name + ": " + h.Words() + "; 'git brew trust list' shows it"
	case task.HookDue, task.HookPassed, task.HookFailed, task.HookMissing:
	}
	return name + ": " + h.Words()
}

// AfterSteps ends a command after which a required hook did not do its part: the
// state is saved, and the pipeline stops. What is still to say of hooks is said.
func AfterSteps(e *Env) error {
	if e.hookOutput != nil {
		_ = e.hookOutput.Close() // what can't be shown is no error of the step
	}
	if e.Opened == nil {
		return nil
	}
	SayHooks(e, e.Opened)
	h, stopped := e.Opened.Pipelines.HookStopped()
	if !stopped {
		return nil
	}
	e.Complain("%s", ui.Safe(e.Addressed("the state is saved, and the pipeline stops: "+hookDoneWords(h)+"; "+
		e.Opened.Pipelines.OpenHooksHint(false))))
	return ExitWith(ExitFailed)
}

// errOf writes to what is Err when something is written: a view of a run may stand there.
type errOf struct{ *Env }

func (e errOf) Write(p []byte) (int, error) { return e.Err.Write(p) }

// newHookOutput shows what programs around steps say, line by line, harmless.
func newHookOutput(e *Env) *ui.LineWriter {
	return ui.NewLineWriter(errOf{e}, func(line string) string {
		return "  | " + ui.Safe(strings.TrimRight(line, "\r\n")) + "\n"
	})
}
