package workflow

import (
	"context"
	"io"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/redact"
	"github.com/git-brew/git-brew/internal/task"
)

// Options are what New needs.
type Options struct {
	Repo   *gitstore.Repo
	Now    func() time.Time
	Random io.Reader // crypto/rand where nil
	Caller Caller
	// Program tells this build of the program from others, in one word: what another
	// one derived and kept is derived anew.
	Program string
	// Version says which release this build is of, if of one; nil: nobody knows.
	Version func() string
	// Open opens the repository of another directory, for the work tree that
	// a session started in.
	Open func(dir string) (*gitstore.Repo, error)
	// Asks is told that a remote is asked who holds a lock, for which somebody
	// may have to wait, and gives what is to be called when it has answered; nil:
	// nobody wants to know.
	Asks func(remote string) (done func())
	// Waits is told what else somebody may have to wait for, likewise.
	Waits func(what string) (done func())
	// Address makes the commands in a text act on the task of that name; nil: they
	// act on the one here.
	Address func(text, name string) string
	// Output gets what programs around steps say, as they say it; nil: nobody
	// does.
	Output io.Writer
}

// Service offers the use cases on one repository, seen from one work tree.
type Service struct {
	repo   *gitstore.Repo
	ledger *ledger.Ledger
	now    func() time.Time
	random io.Reader
	caller Caller
	open   func(dir string) (*gitstore.Repo, error)
	asks   func(remote string) (done func())
	waits  func(what string) (done func())
	// address is Options.Address.
	address func(text, name string) string
	clone   string
	// program and version are as in Options.
	program string
	version func() string

	// inside is the service that the caller is in, a submodule of this
	// repository, and at its path here; nil: none. See Around.
	inside *gitstore.Repo
	at     string

	settings *Settings // read on first use
	claiming task.ID   // the task whose lock is being claimed; see decide
	observed *observed // read on first use
	last     lastChange
	secrets  redact.Redactor
	tookOut  []string // see TookOut

	output    io.Writer  // see Options.Output
	hooksDone []HookDone // what ran around steps so far
	observers []observer // of changes
}

// signPatience is how long the signatures of one unattended command may take
// altogether, where the person signs commits: a hook is over in two seconds.
const signPatience = 400 * time.Millisecond

// New returns the service on a repository.
func New(o Options) *Service {
	s := &Service{
		repo: o.Repo, now: o.Now, random: o.Random,
		caller: o.Caller, open: o.Open, asks: o.Asks, waits: o.Waits, address: o.Address, output: o.Output, clone: cloneID(o.Caller, o.Repo.CommonDir()),
	}
	if s.asks == nil {
		s.asks = func(string) func() { return func() {} }
	}
	if s.waits == nil {
		s.waits = func(string) func() { return func() {} }
	}
	s.program, s.version = o.Program, o.Version
	s.ledger = s.newLedger(o.Repo)
	s.observers = []observer{hookRunner{s}}
	return s
}

// on is the same service on another repository, or on this one once more.
func (s *Service) on(repo *gitstore.Repo) *Service {
	return New(Options{
		Repo: repo, Now: s.now, Random: s.random, Caller: s.caller, Program: s.program, Version: s.version,
		Open: s.open, Asks: s.asks, Waits: s.waits, Output: s.output,
	})
}

// newLedger is a ledger for this service's caller.
func (s *Service) newLedger(repo *gitstore.Repo) *ledger.Ledger {
	records := ledger.New(repo, s.now, s.random)
	records.MadeBy(s.program)
	records.Asks(s.mayChange)
	records.Screens(s.screen)
	if s.caller.Unattended || s.caller.agent() {
		records.Unattended(signPatience)
	}
	return records
}

// Around is the service on the repository around this one, where this one is a
// submodule that has the branch of a task there checked out, and is a service of
// that task: whoever works in a service works on that task, though the submodule
// is a repository of its own. It is nil anywhere else, and where the branch is
// that of a task of the submodule's own. It starts no process.
func (s *Service) Around() *Service {
	super, path, ok := s.repo.Superproject()
	if !ok {
		return nil
	}
	ctx := context.Background() // some small files are read, no more
	own, err := s.hereIn(ctx, s.repo)
	if err == nil && own == "" {
		outer := s.on(super)
		outer.inside, outer.at = s.repo, path
		if id, err := outer.hereInside(ctx); err == nil && id != "" {
			return outer
		}
	}
	_ = super.Close()
	return nil
}
