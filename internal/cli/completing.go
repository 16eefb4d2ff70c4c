package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
)

// Completing is service for the line that is completed: cobra has read its
// options twice by then, and each -C adds to those before it.
func Completing(e *Env) (*app.App, error) {
	if e.Opened == nil {
		e.Flags.Dirs = e.Flags.Dirs[:len(e.Flags.Dirs)/2]
	}
	return e.Service()
}

func ListedNames(ctx context.Context, e *Env, r app.ListRequest) []string {
	service, err := Completing(e)
	if err != nil {
		return nil
	}
	listing, err := service.Overview.List(ctx, r)
	if err != nil {
		return nil
	}
	var names []string
	for _, view := range listing.Tasks {
		names = append(names, cobra.CompletionWithDesc(listing.Called(view.ID), ui.Safe(view.Title)))
	}
	return names
}

// EndedNames are the tasks that have ended.
func EndedNames(ctx context.Context, e *Env) []string {
	return ListedNames(ctx, e, app.ListRequest{Status: []task.Status{task.Finished, task.Failed, task.Cancelled}})
}
