package cli

import (
	"os"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/hooks"
)

// StoreName is our name under a repository's common directory.
const StoreName = "brew"

// OpenRequest says which repository to open, and for whom.
type OpenRequest struct {
	Place string       // a directory of it; "": the directory of the command line
	For   clone.Caller // who asks, beside what is the same for all who do
	// NoLazyFetch keeps git from the network, as a hook must.
	NoLazyFetch bool
}

// Service is the use cases on the repository here. It is opened on first use,
// so that what needs no repository asks for none.
func (e *Env) Service() (*app.App, error) {
	if e.Opened != nil {
		return e.Opened, nil
	}
	var err error
	e.Opened, err = e.Open(OpenRequest{For: clone.Caller{
		Session: e.Session(), Shell: e.ShellsSession(), Mark: hooks.AgentMark(e.Getenv), Above: e.Above,
		ProjectDir: e.Getenv("CLAUDE_PROJECT_DIR"), Worker: e.Worker(),
	}})
	if err == nil && e.opening != nil {
		e.opening(e.Opened)
	}
	return e.Opened, err
}

// Open opens a repository. Whoever asks closes it.
func (e *Env) Open(r OpenRequest) (*app.App, error) {
	dir, err := r.Place, error(nil)
	if dir == "" {
		if dir, err = e.WorkDir(); err != nil {
			return nil, err
		}
	}
	openRepo := func(dir string) (*gitstore.Repo, error) {
		return gitstore.Open(gitstore.Options{
			Dir: dir, Environ: e.Environ, Name: StoreName, NoLazyFetch: r.NoLazyFetch, Now: e.Now,
		})
	}
	repo, err := openRepo(dir)
	if err != nil {
		return nil, err
	}
	caller := r.For
	caller.User, caller.Host, caller.Machine = e.User, e.Host, e.Machine()
	caller.Terminal, caller.PID = e.Attended, os.Getpid()
	caller.AllowSecret = e.Flags.AllowSecret
	caller.InHook = e.Getenv(steps.HookVariable)
	caller.Unattended = r.NoLazyFetch || e.Getenv(SyncVariable) != "" // a hook, or what a sync started
	switch {
	case hooks.InCI(e.Getenv):
		caller.Off = clone.OffCI
	case hooks.Bypassed(e.Getenv):
		caller.Off = clone.OffEnvironment
	}
	options := app.Options{
		Repo: repo, Now: e.Now, Caller: caller, Open: openRepo,
		Asks: func(remote string) func() {
			return e.waiting("asking " + remote)
		}, Waits: e.waiting, Version: e.Version, Address: e.addressTo,
	}
	if e.Program != nil {
		options.Program = e.Program()
	}
	if !e.Flags.Quiet {
		e.hookOutput = newHookOutput(e.Err)
		options.Output = e.hookOutput
	}
	s := app.New(options)
	if outer := s.Outer(); outer != nil {
		s = outer
	}
	if e.Flags.DryRun {
		s.Clone.Rehearse()
	}
	return s, nil
}

// Close ends what service opened.
func (e *Env) Close() {
	if e.Opened != nil {
		_ = e.Opened.Clone.Repo.Close() // what it would tell came too late: the answer is out
	}
}
