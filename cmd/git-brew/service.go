package main

import (
	"os"
	"os/user"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/hooks"
)

// storeName is our name under a repository's common directory.
const storeName = "brew"

// openRequest says which repository to open, and for whom.
type openRequest struct {
	dir        string        // "": the directory of the command line
	from       string        // where the agent is, and its relative paths start; "": dir
	session    string        // "": a person, or an agent that does not know its own
	shell      string        // the session that the shell is of; "": it does not say
	mark       string        // what marks an agent's shell; "" in a hook, which runs for the user, too
	above      func() string // see env.Above
	projectDir string        // where the agent's session started
	worker     string        // of several who share a session
	// noLazyFetch keeps git from the network, as a hook must.
	noLazyFetch bool
}

// service is the use cases on the repository here. It is opened on first use,
// so that what needs no repository asks for none.
func (e *env) service() (*app.App, error) {
	if e.opened != nil {
		return e.opened, nil
	}
	var err error
	e.opened, err = e.open(openRequest{session: e.session(), shell: e.shellsSession(), mark: hooks.AgentMark(e.Getenv), above: e.Above, projectDir: e.Getenv("CLAUDE_PROJECT_DIR"), worker: e.worker()})
	if err == nil && e.opening != nil {
		e.opening(e.opened)
	}
	return e.opened, err
}

// open opens a repository. Whoever asks closes it.
func (e *env) open(r openRequest) (*app.App, error) {
	dir := r.dir
	if dir == "" {
		var err error
		if dir, err = e.dir(); err != nil {
			return nil, err
		}
	}
	openRepo := func(dir string) (*gitstore.Repo, error) {
		return gitstore.Open(gitstore.Options{
			Dir: dir, Environ: e.Environ, Name: storeName, NoLazyFetch: r.noLazyFetch, Now: e.Now,
		})
	}
	repo, err := openRepo(dir)
	if err != nil {
		return nil, err
	}
	caller := clone.Caller{
		Session: r.session, Shell: r.shell, Mark: r.mark, Above: r.above, Worker: r.worker, Terminal: e.Attended, Dir: r.from, ProjectDir: r.projectDir,
		User: e.User, Host: e.Host, Machine: e.Machine(), PID: os.Getpid(),
		AllowSecret: e.Flags.AllowSecret,
		InHook:      e.Getenv(steps.HookVariable),
		Unattended:  r.noLazyFetch || e.Getenv(syncing) != "", // a hook, or what a sync started
	}
	switch {
	case hooks.InCI(e.Getenv):
		caller.Off = clone.OffCI
	case hooks.Bypassed(e.Getenv):
		caller.Off = clone.OffEnvironment
	}
	options := app.Options{Repo: repo, Now: e.Now, Caller: caller, Open: openRepo, Asks: e.asking, Waits: e.waiting, Version: e.Version, Address: e.addressTo}
	if e.Program != nil {
		options.Program = e.Program()
	}
	if !e.Flags.Quiet {
		e.hookOutput = &hookOutput{to: e.Err}
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

// close ends what service opened.
func (e *env) close() {
	if e.opened != nil {
		_ = e.opened.Clone.Repo.Close() // what it would tell came too late: the answer is out
	}
}

// userName is the login name of whoever runs this. The system says it, not the
// environment: an agent's hooks and its shell may differ in that, and a lock's
// holder is compared by it.
func userName() string {
	if name := nameOf(passwdFile, strconv.Itoa(os.Getuid())); name != "" {
		return name
	}
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return "user " + strconv.Itoa(os.Getuid())
}

// passwdFile is where package os/user looks first, too; ReadFile takes a fourth of
// the time.
const passwdFile = "/etc/passwd"

// nameOf is the login name that a file in the form of passwd(5) has for a user id; ""
// where it has none.
func nameOf(file, uid string) string {
	data, err := gitfile.ReadFile(file)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(data)) {
		if fields := strings.SplitN(line, ":", 4); len(fields) == 4 && fields[2] == uid && !strings.ContainsAny(fields[0][:min(1, len(fields[0]))], "+-#") {
			return fields[0]
		}
	}
	return ""
}
