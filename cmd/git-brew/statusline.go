package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/gitstore"
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
}

func newStatusLineCmd(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "statusline",
		Short: "print the agent's status line",
		Long: `Prints one line for the status line of an agent's client, which calls it with a
JSON object on standard input: the task here, its phase, and the mode. Where
there is nothing to say it prints nothing.`,
		Args: between(0, 0),
		RunE: func(cmd *cobra.Command, args []string) error {
			return exitWith(runStatusLine(cmd.Context(), e, args))
		},
	}
}

// runStatusLine prints the status line. The client calls it again and again:
// like a hook, it is answered from snapshots and never waits for the network.
func runStatusLine(ctx context.Context, e *env, _ []string) int {
	ctx, cancel := context.WithTimeoutCause(ctx, hookLimit, errHookLimit)
	defer cancel()
	line, err := statusLine(ctx, e)
	if err != nil {
		return e.report(err)
	}
	if line != "" {
		fmt.Fprintln(e.Out, line)
	}
	return exitDone
}

func statusLine(ctx context.Context, e *env) (string, error) {
	var in statusInput
	if err := json.NewDecoder(io.LimitReader(e.In, maxStatusInput)).Decode(&in); err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read standard input: %w", err)
	}
	service, err := e.open(openRequest{
		dir: cmp.Or(in.Workspace.Current, in.Cwd), session: in.Session, projectDir: in.Workspace.Project, noLazyFetch: true,
	})
	if errors.Is(err, gitstore.ErrNotRepository) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer func() { _ = service.Repo().Close() }()
	if !service.Used() {
		return "", nil
	}
	view, err := service.Status(ctx, "")
	if err != nil {
		return "", err
	}
	style := ui.NewStyle(e.Getenv("NO_COLOR") == "") // the client shows colours, though it is no terminal
	return statusText(view, style), nil
}

// statusText is the line: task, phase, mode; what matters most comes first,
// for the client cuts its end off.
func statusText(v workflow.View, style ui.Style) string {
	mode := string(v.Mode)
	if v.Mode == workflow.ModeDiscussion {
		mode = style.Warn(mode)
	} else {
		mode = style.Good(mode)
	}
	if v.Task == nil {
		if v.Gated {
			return mode
		}
		return ""
	}
	parts := []string{style.Bright(ui.Safe(v.Task.ID.Slug()))}
	if n, phase := currentPhase(v.Task); phase != nil {
		mark := style.Mark(ui.MarkOf(phase.Status))
		parts = append(parts, fmt.Sprintf("%s %d/%d %s", mark, n, len(v.Task.Phases), ui.Truncate(ui.Safe(phase.Title), 30)))
	} else {
		parts = append(parts, strings.ReplaceAll(string(v.Task.Status), "_", " "))
	}
	return strings.Join(append(parts, mode), " · ")
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
