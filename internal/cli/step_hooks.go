package cli

import (
	"bytes"
	"fmt"
	"io"
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
		words := name + ": now follow " + h.Hook
		if h.When == pipeline.Pre {
			words = name + ": " + h.Hook + " comes first: follow it, if you did not"
		}
		if h.Mode == pipeline.Subagent {
			words += ", by a sub-agent"
		}
		return words + "; if it does not work out: git brew pipeline failed " + name + phaseOption(h.Phase) + " -m WHY"
	case task.HookUntrusted:
		return name + ": " + h.Words() + "; 'git brew trust list' shows it"
	case task.HookDue, task.HookPassed, task.HookFailed, task.HookMissing:
	}
	return name + ": " + h.Words()
}

func phaseOption(phase string) string {
	if phase == "" {
		return ""
	}
	return " --phase " + phase
}

// AfterSteps ends a command after which a required hook did not do its part: the
// state is saved, and the pipeline stops. What is still to say of hooks is said.
func AfterSteps(e *Env) error {
	if e.hookOutput != nil {
		e.hookOutput.end()
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
		e.Opened.Pipelines.OpenHooksHint())))
	return ExitWith(ExitFailed)
}

// hookOutput shows what programs around steps say, line by line, harmless.
type hookOutput struct {
	to   io.Writer
	line []byte
	safe bytes.Buffer // lines to be shown
}

// maxShownLine is how much of a line that does not end is held back.
const maxShownLine = 4096

func (o *hookOutput) Write(p []byte) (int, error) {
	n := len(p)
	defer o.flush() // one write for all the lines: a program waits for it
	for len(p) > 0 {
		at := bytes.IndexByte(p, '\n')
		if at < 0 {
			o.line = append(o.line, p...)
			if len(o.line) > maxShownLine {
				o.show()
			}
			break
		}
		o.line = append(o.line, p[:at]...)
		o.show()
		p = p[at+1:]
	}
	return n, nil
}

// end shows what has no end of its line.
func (o *hookOutput) end() {
	if len(o.line) > 0 {
		o.show()
	}
	o.flush()
}

func (o *hookOutput) show() {
	fmt.Fprintf(&o.safe, "  | %s\n", ui.Safe(strings.TrimRight(string(o.line), "\r")))
	o.line = o.line[:0]
}

func (o *hookOutput) flush() {
	_, _ = o.to.Write(o.safe.Bytes())
	o.safe.Reset()
}
