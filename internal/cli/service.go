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
	Dir        string        // "": the directory of the command line
	From       string        // where the agent is, and its relative paths start; "": dir
	Session    string        // "": a person, or an agent that does not know its own
	Shell      string        // the session that the shell is of; "": it does not say
	mark       string        // what marks an agent's shell; "" in a hook, which runs for the user, too
	above      func() string // see Env.Above
	ProjectDir string        // where the agent's session started
	worker     string        // of several who share a session
	// noLazyFetch keeps git from the network, as a hook must.
	NoLazyFetch bool
}

// Service is the use cases on the repository here. It is opened on first use,
// so that what needs no repository asks for none.
func (e *Env) Service() (*app.App, error) {
	if e.Opened != nil {
		return e.Opened, nil
	}
	var err error
	e.Opened, err = e.Open(OpenRequest{
		Session: e.Session(), Shell: e.ShellsSession(), mark: hooks.AgentMark(e.Getenv),
		above: e.Above, ProjectDir: e.Getenv("CLAUDE_PROJECT_DIR"), worker: e.Worker(),
	})
	if err == nil && e.opening != nil {
		e.opening(e.Opened)
	}
	return e.Opened, err
}

// Open opens a repository. Whoever asks closes it.
func (e *Env) Open(r OpenRequest) (*app.App, error) {
	dir := r.Dir
	if dir == "" {
		var err error
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
	caller := clone.Caller{
		Session: r.Session, Shell: r.Shell, Mark: r.mark, Above: r.above, Worker: r.worker, Terminal: e.Attended, Dir: r.From,
		ProjectDir: r.ProjectDir,
		User:       e.User, Host: e.Host, Machine: e.Machine(), PID: os.Getpid(),
		AllowSecret: e.Flags.AllowSecret,
		InHook:      e.Getenv(steps.HookVariable),
		Unattended:  r.NoLazyFetch || e.Getenv(SyncVariable) != "", // a hook, or what a sync started
	}
	switch {
	case hooks.InCI(e.Getenv):
		caller.Off = clone.OffCI
	case hooks.Bypassed(e.Getenv):
		caller.Off = clone.OffEnvironment
	}
	options := app.Options{
		Repo: repo, Now: e.Now, Caller: caller, Open: openRepo, Asks: e.asking, Waits: e.waiting,
		Version: e.Version, Address: e.addressTo,
	}
	if e.Program != nil {
		options.Program = e.Program()
	}
	if !e.Flags.Quiet {
		e.hookOutput = newHookOutput(e.Err)
		options.Output = e.hookOutput
	}
	s := app.New(options)
	if around := s.Around(); around != nil {
		s = around
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
