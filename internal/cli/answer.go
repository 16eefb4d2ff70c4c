package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/hooks/gate"
	"github.com/git-brew/git-brew/internal/safego"
	"github.com/git-brew/git-brew/internal/setup"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
)

// MaxText bounds a text that comes from a file or standard input, in bytes.
const MaxText = 1 << 20

// Text reads a file that was named on the command line, relative to the
// working directory; "-" is standard input. An interrupt ends it: a pipe may never end.
func (c *Call) Text(name string) ([]byte, error) {
	text, err := safego.Await(c.Ctx, func() ([]byte, error) { return textOf(c.Env, name) })
	if ended := c.Ctx.Err(); ended != nil {
		return nil, fmt.Errorf("%s was not read to its end: %w", ui.Safe(name), ended)
	}
	return text, err
}

func textOf(e *Env, name string) ([]byte, error) {
	if name == "-" {
		return readText(e.In, "standard input")
	}
	path, err := OpenablePath(e, name)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, unreadable(name, err)
	}
	defer func() { _ = file.Close() }()
	data, err := readText(file, ui.Safe(name))
	return data, unreadable(name, err)
}

// unreadable says that a file is not there, is a directory, or may not be read, by the name
// that the command line has for it. Other errors stay what they are.
func unreadable(name string, err error) error {
	hint := "give the path of one, or - for standard input"
	if errors.Is(err, fs.ErrNotExist) {
		return &fileError{fmt.Errorf("there is no file %s", ui.Safe(name)), hint}
	}
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		return &fileError{fmt.Errorf("%s can't be read as a file: %w", ui.Safe(name), failed.Err), hint}
	}
	return err
}

func readText(from io.Reader, name string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(from, MaxText+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > MaxText:
		return nil, &fileError{fmt.Errorf("%s is larger than %d KiB", name, MaxText>>10), "shorten it"}
	}
	if len(data) == 0 {
		return data, nil // whether that will do is for what takes it to say
	}
	return data, task.CheckText(data)
}

// OpenablePath is a path of the command line as one that can be opened.
func OpenablePath(e *Env, name string) (string, error) {
	if filepath.IsAbs(name) {
		return name, nil
	}
	dir, err := e.WorkDir()
	return filepath.Join(dir, name), err
}

// advises reports whether somebody wants to be told what can be done.
func advises(e *Env, ctx context.Context, s *app.App) bool {
	if e.Flags.JSON || e.Flags.Porcelain || e.Flags.Quiet || e.Flags.DryRun {
		return false
	}
	set, err := s.Config.Settings(ctx)
	return err == nil && set.Bool(config.KeyAdvice)
}

// SayUndo is the last line of every command that wrote something: what takes it
// back, where a command does. One that can't be shown as it is typed is not shown.
func SayUndo(e *Env, ctx context.Context) {
	if undo := undoneBy(e, ctx); undo != "" && ui.Safe(undo) == undo && advises(e, ctx, e.Opened) {
		e.Say("  %s", e.Colours(e.Opened).Dim("undo: "+undo))
	}
}

// SayTookOut says from which texts something was taken out before they were stored.
func SayTookOut(e *Env) {
	if e.Opened == nil {
		return
	}
	if texts := e.Opened.Journal.TookOut(); len(texts) > 0 {
		e.Complain("[redacted] stands for what looked like a secret, in: %s", strings.Join(texts, ", "))
	}
}

// undoneBy is the command that takes back what was written, "" where none does, or
// where the gate keeps an agent from it.
func undoneBy(e *Env, ctx context.Context) string {
	if e.Opened == nil {
		return ""
	}
	undo := e.Opened.Engine.UndoHint(ctx)
	if undo != "" && e.IsAgent() && e.Opened.Sessions.Closed(ctx) && !gate.MayDiscuss(undo) {
		return ""
	}
	return undo
}

// FirstStep is the command that begins: it brings the state that is elsewhere,
// where there is some (S-34), and makes a task where there is none.
func FirstStep(e *Env) string {
	return ui.Either(e.Found != nil, Bringing(e), "git brew create TITLE")
}

// Colours is the style that git's configuration asks for.
func (e *Env) Colours(s *app.App) ui.Style {
	config, err := s.Clone.Repo.Config.Read(context.Background())
	if err != nil {
		return e.Style("")
	}
	setting, ok := config.Get("color.brew")
	if !ok {
		setting, _ = config.Get("color.ui")
	}
	return e.Style(setting)
}

// ReadTask is the task that a reading command is about; ok is false where none
// was named and there is none here.
func (e *Env) ReadTask(ctx context.Context, s *app.App, arg string) (id task.ID, ok bool, err error) {
	if arg == "" {
		id, err = s.Tasks.Discover(ctx)
		return id, id != "", err
	}
	id, err = s.Tasks.Resolve(ctx, arg)
	e.Mean(ctx, s, arg, id)
	return id, err == nil, err
}

// noTask is the answer of a reading command where there is no task.
func (c *Call) noTask() Answer {
	return Answer{JSON: ui.Object{"task", nil}, Records: Joined(), Text: func() {
		what, next := NoTaskWords(c.Env, c.Ctx, c.App)
		c.Say("%s.", what)
		c.Next("%s", next)
	}}
}

// NoTaskWords say that there is no task here, and what to do about it: where the one
// of the branch was archived or deleted, that brings it back.
func NoTaskWords(e *Env, ctx context.Context, s *app.App) (what, next string) {
	if gone, ok := s.Records.GoneHere(ctx); ok {
		return "No task here: " + ui.Safe(gone.What), ui.Safe(gone.Way)
	}
	next = FirstStep(e)
	if e.Found == nil {
		next += ", or git brew switch TASK ('git brew list' shows them)"
	}
	return "No task here", next
}

// PrintText prints a text as it is, or harmless where it goes to a terminal.
func PrintText(e *Env, text []byte) {
	if e.paged() {
		text = []byte(ui.SafeLines(string(text)))
	}
	_, _ = e.Out.Write(text) // the flush reports what can't be written
}

// ShowPlan prints what a plan would change, each file as a diff.
func ShowPlan(e *Env, p setup.Plan, refs []gitstore.RefName, style ui.Style) {
	if len(p.Visible()) == 0 && len(refs) == 0 {
		e.Say("Nothing would change")
	}
	for _, ref := range refs {
		fmt.Fprintf(e.Out, "remove %s\n", ui.Safe(string(ref)))
	}
	for _, c := range p.Visible() {
		fmt.Fprintf(e.Out, "%s %s\n", c.Kind(), ui.Safe(c.Name))
		if c.Text == "" || c.Kind() == "change" { // what is in a skill its file says
			fmt.Fprint(e.Out, ui.Diff(style, c.Diff()))
		}
	}
}

// ShowKept prints what a plan leaves alone, and what would change there.
func ShowKept(e *Env, p setup.Plan, style ui.Style) {
	for _, c := range p.Kept {
		fmt.Fprintf(e.Out, "%s differs from git brew's and stays; git brew has:\n", ui.Safe(c.Name))
		fmt.Fprint(e.Out, ui.Diff(style, c.Diff()))
	}
}
