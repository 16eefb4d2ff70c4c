package agent

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/adapter"
	"github.com/git-brew/git-brew/internal/cli/terminal"
	"github.com/git-brew/git-brew/internal/hooks"
	"github.com/git-brew/git-brew/internal/hooks/place"
	"github.com/git-brew/git-brew/internal/safego"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
)

// maxStatusInput bounds what the agent's client tells about itself, in bytes.
const maxStatusInput = 1 << 20

// statusInput is what is read of it.
type statusInput struct {
	Session    string `json:"session_id"`
	Cwd        string `json:"cwd"`
	Transcript string `json:"transcript_path"`
	Model      struct {
		ID string `json:"id"`
	} `json:"model"`
	Workspace struct {
		Current string `json:"current_dir"`
		Project string `json:"project_dir"`
	} `json:"workspace"`
	Context struct {
		// Used is how full the model's context is, in percent; nil before the
		// first reply.
		Used  *float64 `json:"used_percentage"`
		Size  int64    `json:"context_window_size"`
		Input int64    `json:"total_input_tokens"`
	} `json:"context_window"`
}

func StatusLine() cli.Command {
	var form string
	return cli.Command{
		Use: "statusline [--form <form>]", Short: "print the agent's status line",
		Flags: []cli.Flag{cli.Opt("form", &form, "how much to show, a `form`: full, compact, minimal")},
		Bare: func(c *cli.Call) (cli.Answer, error) {
			if form != "" && !slices.Contains(statusForms, form) {
				hint := "it is one of " + strings.Join(statusForms, ", ")
				return cli.Answer{}, cli.Misused(fmt.Sprintf("no form %q", form), hint)
			}
			return cli.Answer{End: cli.ExitWith(RunStatusLine(c.Ctx, c.Env, []string{form}))}, nil
		},
	}
}

var statusForms = []string{config.FormFull, config.FormCompact, config.FormMinimal}

// statusInputLimit is how long the client may take to say where it is: the rest
// of the time is for the answer.
const statusInputLimit = time.Second

// RunStatusLine prints the status line. The client calls it again and again:
// like a hook, it is answered from snapshots, never waits for the network, and
// is over in time: what does not answer is left behind.
func RunStatusLine(ctx context.Context, e *cli.Env, args []string) int {
	ctx, cancel := context.WithTimeoutCause(ctx, hookLimit, errHookLimit)
	defer cancel()
	style := ui.NewStyle(e.Getenv("NO_COLOR") == "") // the client shows colours, though it is no terminal
	form := cli.FirstArg(args)
	line, err := safego.Await(ctx, func() (string, error) {
		return statusLine(ctx, e, readStatusInput(ctx, e.In), form, style)
	})
	if err != nil {
		line = style.Bad("git brew: " + ui.Truncate(cli.OneLine(err.Error()), maxStatusError))
	}
	if line != "" {
		fmt.Fprintln(e.Out, line)
	}
	return cli.ExitDone
}

// readStatusInput reads what the client tells. What can't be read is as good as
// empty: the client changes weekly, and the line must not go away with it. A
// person at a terminal is not waited for.
func readStatusInput(ctx context.Context, r io.Reader) statusInput {
	var in statusInput
	if file, ok := r.(*os.File); ok {
		if _, _, terminal := terminal.Size(file); terminal {
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

// statusLine is the text to print, "" for none.
func statusLine(ctx context.Context, e *cli.Env, in statusInput, form string, style ui.Style) (string, error) {
	service, err := adapter.Open(e, cli.OpenRequest{
		Place: statusDir(in), For: clone.Caller{Session: in.Session, ProjectDir: in.Workspace.Project},
	})
	if errors.Is(err, place.ErrNothingHere) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer func() { _ = service.Clone.Repo.Close() }()
	line, err := service.Sessions.StatusLine(ctx)
	if err != nil {
		return "", err
	}
	v := statusLineView{
		StatusLine: line, session: in.Session, dir: cmp.Or(in.Workspace.Current, in.Cwd), home: e.Getenv("HOME"),
		style: style,
	}
	v.width, _ = strconv.Atoi(e.Getenv("COLUMNS"))
	v.context, v.full = contextOf(ctx, service, in)
	return v.text(cmp.Or(form, line.Settings.Text(config.KeyStatusForm))), nil
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

// contextOf is how much of the model's context is used, in tokens and in percent (nil:
// nobody knows), by the client, else by the end of the transcript. What the client says
// of the model's context is kept for hooks, which are not told.
func contextOf(ctx context.Context, s *app.App, in statusInput) (use session.ContextUse, percent *float64) {
	use, percent = session.ContextUse{Tokens: max(in.Context.Input, 0), Window: max(in.Context.Size, 0)}, in.Context.Used
	if use.Window > 0 {
		s.Sessions.NoteWindow(in.Model.ID, use.Window)
	}
	if percent == nil && (use.Window == 0 || use.Tokens == 0) {
		use = s.Sessions.ContextUse(ctx, in.Transcript)
	}
	if percent == nil && use.Window > 0 {
		share := 100 * float64(use.Tokens) / float64(use.Window)
		percent = &share
	}
	if percent != nil {
		*percent = min(max(*percent, 0), 100)
	}
	return use, percent
}
