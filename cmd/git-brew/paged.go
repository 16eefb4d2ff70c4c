package main

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/workflow"
)

// shownCommand makes this program the filter in front of a pager of git's. It is for
// git alone, and stands in no list.
const shownCommand = "--as-shown"

// shownPipe stands between the filter and the pager.
const shownPipe = " | "

// paged tells whether somebody looks at what is printed: at a terminal, or through a
// pager that a git around us has started.
func (e *env) paged() bool { return e.Terminal || e.Getenv("GIT_PAGER_IN_USE") == "true" }

// gitIn is git in a repository, for a person. What others wrote goes through a filter
// before a terminal or a pager, which passes colours and links on; a pipe gets git's
// bytes.
func (e *env) gitIn(ctx context.Context, repo *gitstore.Repo, args []string) error {
	if err := e.flush(); err != nil {
		return err
	}
	out, pager := e.Screen, ""
	switch {
	case e.Terminal:
		var err error
		if pager, err = e.pager(ctx, repo, args[0]); err != nil {
			return err
		}
	case e.paged():
		shown := ui.NewSafeWriter(e.Screen)
		defer func() { _ = shown.Close() }() // who has left sees no last line
		out = shown
	}
	if strings.Contains(pager, shownPipe) {
		// As git does, we wait for the pager: Ctrl-C is for that.
		ctx = context.WithoutCancel(ctx)
		e.IgnoreInterrupt()
	}
	code, err := repo.GitStream(ctx, e.In, out, e.Err, pager, args...)
	if err != nil || code == 0 {
		return err
	}
	if code == 2 { // never ours
		code = exitFailed
	}
	return exitWith(code)
}

// pager is what git is to show its output through: ourselves, and behind us the pager
// that it would have used.
func (e *env) pager(ctx context.Context, repo *gitstore.Repo, command string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	shown := workflow.ShellWord(self) + " " + shownCommand
	config, err := repo.Config(ctx)
	if err != nil {
		return "", err
	}
	key := "pager." + command
	if !config.Bool(key, true) {
		return shown, nil
	}
	behind, is := config.Get(key) // a pager of its own, or a truth
	if !is || config.Bool(key, false) || e.Getenv("GIT_PAGER") != "" {
		said, err := repo.Git(ctx, "var", "GIT_PAGER")
		if err != nil {
			return "", err
		}
		behind = strings.TrimSpace(string(said))
	}
	if behind == "" || behind == "cat" {
		return shown, nil
	}
	return shown + shownPipe + behind, nil
}

// runShown is the filter.
func runShown(_ context.Context, e *env, _ []string) int {
	out := ui.NewSafeWriter(e.Screen)
	_, err := io.Copy(out, e.In)
	if err == nil {
		err = out.Close()
	}
	if err != nil && !errors.Is(err, errBrokenPipe) {
		e.complain("%v", err)
		return exitFailed
	}
	return exitDone
}
