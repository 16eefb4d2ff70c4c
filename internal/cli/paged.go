package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ui"
)

// ShownCommand makes this program the filter in front of a pager of git's. It is for
// git alone, and stands in no list.
const ShownCommand = "--as-shown"

// shownPipe stands between the filter and the pager.
const shownPipe = " | "

// paged tells whether somebody looks at what is printed: at a terminal, or through a
// pager that a git around us has started.
func (e *Env) paged() bool { return e.Terminal || e.Getenv("GIT_PAGER_IN_USE") == "true" }

// RunGit is git in a repository, for a person. What others wrote goes through a filter
// before a terminal or a pager, which passes colours and links on; a pipe gets git's
// bytes. In a log in our own format the lines of some commits are marked as void.
func RunGit(e *Env, ctx context.Context, repo *gitstore.Repo, void []string, args []string) error {
	if err := e.Flush(); err != nil {
		return err
	}
	out, pager := e.Screen, ""
	switch {
	case e.Terminal:
		var err error
		if pager, err = pagerOf(e, ctx, repo, args[0], void); err != nil {
			return err
		}
	case e.paged(), len(void) > 0:
		shown := ui.NewLineWriter(e.Screen, func(line string) string {
			line = markVoid(void, line)
			return ui.Either(e.paged(), ui.SafeColoured(line), line)
		})
		defer func() { _ = shown.Close() }() // who has left sees no last line
		out = shown
	}
	if strings.Contains(pager, shownPipe) {
		// As git does, we wait for the pager: Ctrl-C is for that.
		ctx = context.WithoutCancel(ctx)
		e.IgnoreInterrupt()
	}
	code, err := repo.Git.Stream(ctx, e.In, out, e.Err, pager, args...)
	if err != nil || code == 0 {
		return err
	}
	if code == 2 { // never ours
		code = ExitFailed
	}
	return ExitWith(code)
}

// pagerOf is what git is to show its output through: ourselves, and behind us the pager
// that it would have used.
func pagerOf(e *Env, ctx context.Context, repo *gitstore.Repo, command string, void []string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	shown := strings.Join(append([]string{change.ShellWord(self), ShownCommand}, void...), " ")
	config, err := repo.Config.Read(ctx)
	if err != nil {
		return "", err
	}
	key := "pager." + command
	if !config.Bool(key, true) {
		return shown, nil
	}
	behind, is := config.Get(key) // a pager of its own, or a truth
	if !is || config.Bool(key, false) || e.Getenv("GIT_PAGER") != "" {
		said, err := repo.Git.Run(ctx, "var", "GIT_PAGER")
		if err != nil {
			return "", err
		}
		behind = strings.TrimSpace(string(said))
	}
	return shown + ui.Either(behind == "" || behind == "cat", "", shownPipe+behind), nil
}

// markVoid marks the line of a commit that is void: behind its id, in front of what it
// says.
func markVoid(void []string, line string) string {
	plain := strings.TrimLeft(ui.Plain(line), "*|/\\_ ")
	id, _, found := strings.Cut(plain, "  ")
	if !found || id == "" || !slices.ContainsFunc(void, func(v string) bool { return strings.HasPrefix(v, id) }) {
		return line
	}
	at := strings.Index(line, id)
	at += strings.Index(line[at:], "  ") + len("  ")
	return line[:at] + VoidMark + line[at:]
}

// VoidMark stands in front of what a void operation said.
const VoidMark = "void: "

// RunShown is the filter; its arguments are the commits that are void.
func RunShown(_ context.Context, e *Env, void []string) int {
	out := ui.NewLineWriter(e.Screen, func(line string) string { return ui.SafeColoured(markVoid(void, line)) })
	_, err := io.Copy(out, e.In)
	if err == nil {
		err = out.Close()
	}
	if err != nil && !errors.Is(err, ErrBrokenPipe) {
		e.Complain("%v", err)
		return ExitFailed
	}
	return ExitDone
}
