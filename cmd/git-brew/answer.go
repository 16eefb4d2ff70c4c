package main

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
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/hooks"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
)

// maxText bounds a text that comes from a file or standard input, in bytes.
const maxText = 1 << 20

// text reads a file that was named on the command line, relative to the
// working directory; "-" is standard input.
func (e *env) text(name string) ([]byte, error) {
	return e.textUpTo(name, maxText, "shorten it")
}

// textUpTo is text of at most so many bytes; hint says what to do about more.
func (e *env) textUpTo(name string, most int, hint string) ([]byte, error) {
	if name == "-" {
		return readText(e.In, "standard input", most, hint)
	}
	path, err := e.path(name)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if info, serr := os.Stat(path); serr == nil && info.IsDir() {
		_ = file.Close()
		return nil, &fileError{fmt.Errorf("%s is a directory", ui.Safe(name)), "give the path of a file, or - for standard input"}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &fileError{fmt.Errorf("there is no file %s", ui.Safe(name)), "give the path of one, or - for standard input"}
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return readText(file, ui.Safe(name), most, hint)
}

func readText(from io.Reader, name string, most int, hint string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(from, int64(most)+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", name, err)
	case len(data) > most:
		return nil, &fileError{fmt.Errorf("%s is larger than %d KiB", name, most>>10), hint}
	}
	if len(data) == 0 {
		return data, nil // whether that will do is for what takes it to say
	}
	return data, task.CheckText(data)
}

// path is a path of the command line as one that can be opened.
func (e *env) path(name string) (string, error) {
	if filepath.IsAbs(name) {
		return name, nil
	}
	dir, err := e.dir()
	return filepath.Join(dir, name), err
}

// advises reports whether somebody wants to be told what can be done.
func (e *env) advises(ctx context.Context, s *app.App) bool {
	if e.Flags.JSON || e.Flags.Porcelain || e.Flags.Quiet || e.Flags.DryRun {
		return false
	}
	set, err := s.Config.Settings(ctx)
	return err == nil && set.Bool(config.KeyAdvice)
}

// sayUndo is the last line of every command that wrote something: what takes it
// back, where a command does. One that can't be shown as it is typed is not shown.
func (e *env) sayUndo(ctx context.Context) {
	if undo := e.undoneBy(ctx); undo != "" && ui.Safe(undo) == undo && e.advises(ctx, e.opened) {
		e.say("  %s", e.colours(e.opened).Dim("undo: "+undo))
	}
}

// sayTookOut says from which texts something was taken out before they were stored.
func (e *env) sayTookOut() {
	if e.opened == nil {
		return
	}
	if texts := e.opened.Journal.TookOut(); len(texts) > 0 {
		e.complain("[redacted] stands for what looked like a secret, in: %s", strings.Join(texts, ", "))
	}
}

// undoneBy is the command that takes back what was written, "" where none does, or
// where the gate keeps an agent from it.
func (e *env) undoneBy(ctx context.Context) string {
	if e.opened == nil {
		return ""
	}
	undo := e.opened.Engine.UndoHint(ctx)
	if undo != "" && e.isAgent() && e.opened.Sessions.Closed(ctx) && !hooks.MayDiscuss(undo) {
		return ""
	}
	return undo
}

// afterNoTask says what to do where there is no task.
func (e *env) afterNoTask() string {
	if e.found != nil {
		return e.firstStep()
	}
	return "git brew create TITLE, or git brew switch TASK ('git brew list' shows them)"
}

// firstStep is the command that begins: it brings the state that is elsewhere,
// where there is some (S-34), and makes a task where there is none.
func (e *env) firstStep() string {
	if e.found != nil {
		return e.bringing()
	}
	return "git brew create TITLE"
}

// colours is the style that git's configuration asks for.
func (e *env) colours(s *app.App) ui.Style {
	config, err := s.Clone.Repo.Config.Read(context.Background())
	if err != nil {
		return e.style("")
	}
	setting, ok := config.Get("color.brew")
	if !ok {
		setting, _ = config.Get("color.ui")
	}
	return e.style(setting)
}

// readTask is the task that a reading command is about; ok is false where none
// was named and there is none here.
func (e *env) readTask(ctx context.Context, s *app.App, arg string) (id task.ID, ok bool, err error) {
	if arg == "" {
		id, err = s.Tasks.Discover(ctx)
		return id, id != "", err
	}
	id, err = s.Tasks.Resolve(ctx, arg)
	e.mean(ctx, s, arg, id)
	return id, err == nil, err
}

// several is the answer of a reading command where several tasks claim the branch, and
// nobody has said which one is meant. Other errors stay what they are.
func (c *call) several(err error) (answer, bool) {
	of, ok := errors.AsType[*worktree.BranchError](err)
	return answer{
		JSON: struct {
			Task       *string   `json:"task"`
			Candidates []task.ID `json:"candidates"`
		}{Candidates: candidateIDs(of)},
		Records: candidates(of),
		Text: func() {
			c.say("%s.", severalWords(of))
			c.next("%s", afterSeveral)
		},
	}, ok
}

// severalWords says whose a branch is.
func severalWords(of *worktree.BranchError) string {
	text, _, _ := strings.Cut(of.Error(), ";")
	return ui.Safe(sentence(text))
}

// afterSeveral is what to do about it.
const afterSeveral = "git brew switch TASK, with the one that is meant here"

// candidates are records of the tasks that a branch may mean.
func candidates(of *worktree.BranchError) porcelain {
	return each(candidateIDs(of), func(id task.ID) []string { return []string{"candidate", string(id)} })
}

// candidateIDs are the tasks that a branch may mean; none where it is clear.
func candidateIDs(of *worktree.BranchError) []task.ID {
	if of == nil {
		return nil
	}
	return of.Candidates
}

// noTask is the answer of a reading command where there is no task.
func (c *call) noTask() answer {
	return answer{
		JSON: struct {
			Task *string `json:"task"`
		}{},
		Records: each[string](nil, nil),
		Text: func() {
			what, next := c.noTaskWords(c.ctx, c.s)
			c.say("%s.", what)
			c.next("%s", next)
		},
	}
}

// noTaskWords say that there is no task here, and what to do about it: where the one
// of the branch was archived or deleted, that brings it back.
func (e *env) noTaskWords(ctx context.Context, s *app.App) (what, next string) {
	if gone, ok := s.Records.GoneHere(ctx); ok {
		return "No task here: " + ui.Safe(gone.What), ui.Safe(gone.Way)
	}
	return "No task here", e.afterNoTask()
}
