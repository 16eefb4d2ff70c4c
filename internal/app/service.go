package app

import (
	"context"
	"io"
	"time"

	"github.com/git-brew/git-brew/internal/app/archive"
	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/doctor"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/app/journal"
	"github.com/git-brew/git-brew/internal/app/learn"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/app/next"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/review"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/app/texts"
	"github.com/git-brew/git-brew/internal/app/trust"
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
)

// Options are what New needs.
type Options struct {
	Repo   *gitstore.Repo
	Now    func() time.Time
	Random io.Reader // crypto/rand where nil
	Caller clone.Caller
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

// signPatience is how long the signatures of one unattended command may take
// altogether, where the person signs commits: a hook is over in two seconds.
const signPatience = 400 * time.Millisecond

// New returns the service on a repository.
func New(o Options) *App {
	a := &App{Config: &config.Config{}, Records: &records.Records{}, Journal: &journal.Journal{}, Place: &worktree.Place{}, Code: &codediff.Code{}, Locks: &lock.Locks{}, Engine: &change.Engine{}, Pipelines: &steps.Pipelines{}, Trust: &trust.Trust{}, Archive: &archive.Archive{}, Exchange: &exchange.Exchange{}, Claims: &claim.Claims{}, Doctor: &doctor.Doctor{}, Sessions: &session.Sessions{}, Knowledge: &learn.Knowledge{}, Documents: &texts.Documents{}, Phases: &phase.Phases{}, Reviews: &review.Reviews{}, Tasks: &Tasks{}, Work: &Work{}, Overview: &Overview{}, Undo: &Undo{}, Next: &next.Next{}}
	a.Clone = &clone.Clone{
		Repo: o.Repo, Now: o.Now, Random: o.Random, Caller: o.Caller, Open: o.Open, Asks: o.Asks, Waits: o.Waits,
		Address: o.Address, Program: o.Program, Version: o.Version, ID: clone.CloneID(o.Caller, o.Repo.CommonDir()),
	}
	if a.Clone.Asks == nil {
		a.Clone.Asks = func(string) func() { return func() {} }
	}
	if a.Clone.Waits == nil {
		a.Clone.Waits = func(string) func() { return func() {} }
	}
	a.Pipelines.Output = o.Output
	a.Clone.Ledger = a.newLedger(o.Repo)
	a.wire()
	a.Engine.Observers = []change.Observer{steps.Runner{Pipelines: a.Pipelines}}
	return a
}

// on is the same service on another repository, or on this one once more.
func (s *App) on(repo *gitstore.Repo) *App {
	return New(Options{
		Repo: repo, Now: s.Clone.Now, Random: s.Clone.Random, Caller: s.Clone.Caller, Program: s.Clone.Program, Version: s.Clone.Version,
		Open: s.Clone.Open, Asks: s.Clone.Asks, Waits: s.Clone.Waits, Output: s.Pipelines.Output,
	})
}

// newLedger is a ledger for this service's caller.
func (s *App) newLedger(repo *gitstore.Repo) *ledger.Ledger {
	records := ledger.New(repo, s.Clone.Now, s.Clone.Random)
	records.MadeBy(s.Clone.Program)
	records.Asks(s.Config.MayChange)
	records.Screens(s.Journal.Screen)
	if s.Clone.Caller.Unattended || s.Clone.Caller.Agent() {
		records.Unattended(signPatience)
	}
	return records
}

// Around is the service on the repository around this one, where this one is a
// submodule that has the branch of a task there checked out, and is a service of
// that task: whoever works in a service works on that task, though the submodule
// is a repository of its own. It is nil anywhere else, and where the branch is
// that of a task of the submodule's own. It starts no process.
func (s *App) Around() *App {
	super, path, ok := s.Clone.Repo.Superproject()
	if !ok {
		return nil
	}
	ctx := context.Background() // some small files are read, no more
	own, err := s.Place.HereIn(ctx, s.Clone.Repo)
	if err == nil && own == "" {
		outer := s.on(super)
		outer.Place.Inside, outer.Place.At = s.Clone.Repo, path
		if id, err := outer.Place.HereInside(ctx); err == nil && id != "" {
			return outer
		}
	}
	_ = super.Close()
	return nil
}
