package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/hooks"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/workflow"
)

// maxStatusInput bounds what the agent's client tells about itself, in bytes.
const maxStatusInput = 1 << 20

// statusInput is what is read of it.
type statusInput struct {
	Session   string `json:"session_id"`
	Cwd       string `json:"cwd"`
	Workspace struct {
		Current string `json:"current_dir"`
		Project string `json:"project_dir"`
	} `json:"workspace"`
	Context struct {
		// Used is how full the model's context is, in percent; nil before the
		// first reply.
		Used *float64 `json:"used_percentage"`
	} `json:"context_window"`
}

func newStatusLineCmd(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "statusline",
		Short: "print the agent's status line",
		Long: `Prints one line for the status line of an agent's client, which calls it with
a JSON object on standard input: the task here, its phase, the mode, who holds
the lock, how full the model's context is, the branch. It prints nothing
outside of git and where git brew was never used, and always exits with 0.`,
		Args: between(0, 0),
		RunE: func(cmd *cobra.Command, args []string) error {
			return exitWith(runStatusLine(cmd.Context(), e, args))
		},
	}
}

// statusInputLimit is how long the client may take to say where it is: the rest
// of the time is for the answer.
const statusInputLimit = time.Second

// runStatusLine prints the status line. The client calls it again and again:
// like a hook, it is answered from snapshots, never waits for the network, and
// is over in time: what does not answer is left behind.
func runStatusLine(ctx context.Context, e *env, _ []string) int {
	ctx, cancel := context.WithTimeoutCause(ctx, hookLimit, errHookLimit)
	defer cancel()
	style := ui.NewStyle(e.Getenv("NO_COLOR") == "") // the client shows colours, though it is no terminal
	type answer struct {
		line string
		err  error
	}
	done := make(chan answer, 1)
	go func() {
		line, err := statusLine(ctx, e, readStatusInput(ctx, e.In), style)
		done <- answer{line, err}
	}()
	var got answer
	select {
	case got = <-done:
	case <-ctx.Done():
		got.err = context.Cause(ctx)
	}
	if got.err != nil {
		got.line = style.Bad("git brew: " + ui.Truncate(oneLine(got.err.Error()), maxStatusError))
	}
	if got.line != "" {
		fmt.Fprintln(e.Out, got.line)
	}
	return exitDone
}

// readStatusInput reads what the client tells. What can't be read is as good as
// empty: the client changes weekly, and the line must not go away with it. A
// person at a terminal is not waited for.
func readStatusInput(ctx context.Context, r io.Reader) statusInput {
	var in statusInput
	if file, ok := r.(*os.File); ok {
		if _, terminal := terminalSize(file); terminal {
			return in
		}
	}
	ctx, cancel := context.WithTimeout(ctx, statusInputLimit)
	defer cancel()
	data, err := hooks.Read(ctx, r, maxStatusInput)
	if err == nil {
		_ = json.NewDecoder(bytes.NewReader(data)).Decode(&in)
	}
	in.Session = task.SessionName(in.Session)
	return in
}

// maxStatusError is how much of an error fits into a status line, in columns.
const maxStatusError = 70

func statusLine(ctx context.Context, e *env, in statusInput, style ui.Style) (string, error) {
	service, err := e.openForAgent(openRequest{dir: statusDir(in), session: in.Session, projectDir: in.Workspace.Project})
	if errors.Is(err, hooks.ErrNothingHere) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer func() { _ = service.Repo().Close() }()
	view, err := service.Status(ctx, "")
	if err != nil {
		return "", err
	}
	branch := ""
	if head, err := service.Repo().Head(ctx); err == nil {
		branch = cmp.Or(head.Branch, head.Rebasing, head.OID.Short())
	}
	return statusText(view, in, branch, style), nil
}

// statusDir is where the session works; "" is the directory of the command line.
func statusDir(in statusInput) string {
	for _, dir := range []string{in.Workspace.Current, in.Cwd} {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir
		}
	}
	return ""
}

// statusText is the line: task, phase, mode; what matters most comes first,
// for the client cuts its end off.
func statusText(v workflow.View, in statusInput, branch string, style ui.Style) string {
	var parts []string
	if v.Task == nil {
		parts = append(parts, "no task")
	} else {
		parts = append(parts, style.Bright(ui.Safe(v.Task.ID.Slug())), statusPhase(v.Task, style))
	}
	mode := style.Good(string(v.Mode))
	if v.Mode == workflow.ModeDiscussion {
		mode = style.Warn(string(v.Mode))
	}
	if !v.Gated {
		mode = style.Dim(string(v.Mode)) // it restricts nothing here
	}
	parts = append(parts, mode)
	if lock := statusLock(v, in.Session, style); lock != "" {
		parts = append(parts, lock)
	}
	if in.Context.Used != nil {
		parts = append(parts, contextUsed(*in.Context.Used, style))
	}
	if branch != "" {
		parts = append(parts, style.Dim(ui.Truncate(ui.Safe(branch), 40)))
	}
	return strings.Join(parts, " · ")
}

// statusPhase is the phase that is worked on, or the task's status.
func statusPhase(t *task.Task, style ui.Style) string {
	n, phase := currentPhase(t)
	if phase == nil {
		return ui.Words(string(t.Status))
	}
	return fmt.Sprintf("%s %d/%d %s", style.Mark(ui.MarkOf(phase.Status)), n, len(t.Phases), ui.Truncate(ui.Safe(phase.Title), 30))
}

// statusLock says who holds the lock, where that is not this session.
func statusLock(v workflow.View, session string, style ui.Style) string {
	switch {
	case v.LockState == workflow.LockStale:
		return style.Warn("stale lock")
	case v.LockState != workflow.LockHeld:
		return ""
	case v.Holder && v.Lock.Session == session:
		return "locked here"
	case v.Holder:
		return "locked by you"
	}
	return style.Bad("locked by " + ui.Truncate(ui.Safe(v.Lock.User+"@"+v.Lock.Host), 30))
}

// contextUsed is how full the model's context is: fine, getting full, nearly so.
func contextUsed(percent float64, style ui.Style) string {
	text := fmt.Sprintf("context %.0f%%", min(max(percent, 0), 100))
	switch {
	case percent >= 80:
		return style.Bad(text)
	case percent >= 50:
		return style.Warn(text)
	}
	return style.Good(text)
}

// currentPhase is the phase that was started last and is not completed, and
// which one of all it is.
func currentPhase(t *task.Task) (int, *task.Phase) {
	for i := range t.Phases {
		if t.Current != "" && t.Phases[i].UID == t.Current {
			return i + 1, &t.Phases[i]
		}
	}
	return 0, nil
}
