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

// App offers the use cases on one repository, seen from one work tree.
type App struct {
	Clone     *clone.Clone
	Config    *config.Config
	Records   *records.Records
	Journal   *journal.Journal
	Place     *worktree.Place
	Code      *codediff.Code
	Locks     *lock.Locks
	Engine    *change.Engine
	Pipelines *steps.Pipelines
	Trust     *trust.Trust
	Archive   *archive.Archive
	Exchange  *exchange.Exchange
	Claims    *claim.Claims
	Doctor    *doctor.Doctor
	Sessions  *session.Sessions
	Next      *next.Next
	Knowledge *learn.Knowledge
	Documents *texts.Documents
	Phases    *phase.Phases
	Reviews   *review.Reviews
	Tasks     *Tasks
	Work      *Work
	Overview  *Overview
	Undo      *Undo
}

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

// New returns the use cases on a repository.
func New(o Options) *App {
	s := &App{Clone: &clone.Clone{
		Repo: o.Repo, Now: o.Now, Random: o.Random, Caller: o.Caller, Open: o.Open, Asks: o.Asks, Waits: o.Waits,
		Address: o.Address, Program: o.Program, Version: o.Version, ID: clone.CloneID(o.Caller, o.Repo.CommonDir()),
	}}
	if s.Clone.Asks == nil {
		s.Clone.Asks = func(string) func() { return func() {} }
	}
	if s.Clone.Waits == nil {
		s.Clone.Waits = func(string) func() { return func() {} }
	}
	s.makeGround()
	s.makeConsequences(o.Output)
	s.makeUseCases()
	return s
}

// makeGround makes what the others ask, and the engine of changes.
func (s *App) makeGround() {
	s.Config = &config.Config{Clone: s.Clone}
	s.Records = &records.Records{Clone: s.Clone}
	s.Journal = &journal.Journal{Clone: s.Clone, Config: s.Config}
	s.Clone.Ledger = s.newLedger(s.Clone.Repo)
	s.Place = &worktree.Place{Clone: s.Clone, Config: s.Config, Records: s.Records}
	s.Code = &codediff.Code{Clone: s.Clone, Config: s.Config, Place: s.Place, Records: s.Records}
	s.Locks = &lock.Locks{Clone: s.Clone, Config: s.Config, Journal: s.Journal, Records: s.Records}
	s.Engine = &change.Engine{
		Clone: s.Clone, Code: s.Code, Config: s.Config, Journal: s.Journal, Locks: s.Locks, Place: s.Place,
		Records: s.Records,
	}
}

// makeConsequences makes what follows from changes. What runs around the steps of tasks
// says so to output.
func (s *App) makeConsequences(output io.Writer) {
	s.Pipelines = &steps.Pipelines{
		Clone: s.Clone, Config: s.Config, Engine: s.Engine, Locks: s.Locks, Records: s.Records,
	}
	s.Pipelines.Output = output
	s.Engine.Observers = []change.Observer{steps.Runner{Pipelines: s.Pipelines}}
	s.Trust = &trust.Trust{Clone: s.Clone, Config: s.Config, Pipelines: s.Pipelines, Records: s.Records}
	s.Archive = &archive.Archive{Clone: s.Clone, Config: s.Config, Locks: s.Locks, Records: s.Records}
	s.Exchange = &exchange.Exchange{
		Archive: s.Archive, Clone: s.Clone, Code: s.Code, Config: s.Config, Journal: s.Journal, Locks: s.Locks,
		Pipelines: s.Pipelines, Records: s.Records, Trust: s.Trust, Engine: s.Engine,
		On: func(repo *gitstore.Repo) *exchange.Exchange { return s.on(repo).Exchange },
	}
	s.Claims = &claim.Claims{
		Clone: s.Clone, Config: s.Config, Engine: s.Engine, Exchange: s.Exchange, Locks: s.Locks,
		Records: s.Records,
	}
	s.Doctor = &doctor.Doctor{
		Claims: s.Claims, Clone: s.Clone, Config: s.Config, Exchange: s.Exchange, Journal: s.Journal,
		Locks: s.Locks, Place: s.Place, Records: s.Records, Trust: s.Trust,
	}
}

// makeUseCases makes what people and agents do.
func (s *App) makeUseCases() {
	s.Sessions = &session.Sessions{
		Claims: s.Claims, Clone: s.Clone, Code: s.Code, Config: s.Config, Engine: s.Engine, Journal: s.Journal,
		Locks: s.Locks, Place: s.Place, Records: s.Records,
	}
	s.Next = &next.Next{
		Clone: s.Clone, Config: s.Config, Locks: s.Locks, Pipelines: s.Pipelines, Place: s.Place,
		Records: s.Records, Sessions: s.Sessions,
	}
	s.Knowledge = &learn.Knowledge{
		Clone: s.Clone, Config: s.Config, Engine: s.Engine, Journal: s.Journal, Records: s.Records,
	}
	s.Documents = &texts.Documents{Clone: s.Clone, Code: s.Code, Engine: s.Engine, Records: s.Records, Trust: s.Trust}
	s.Phases = &phase.Phases{
		Clone: s.Clone, Code: s.Code, Config: s.Config, Documents: s.Documents, Engine: s.Engine,
		Journal: s.Journal, Knowledge: s.Knowledge, Place: s.Place, Records: s.Records, Next: s.Next,
	}
	s.Reviews = &review.Reviews{
		Claims: s.Claims, Clone: s.Clone, Code: s.Code, Config: s.Config, Engine: s.Engine, Journal: s.Journal,
		Knowledge: s.Knowledge, Locks: s.Locks, Phases: s.Phases, Pipelines: s.Pipelines, Records: s.Records,
		Sessions: s.Sessions, Next: s.Next,
	}
	s.Tasks = &Tasks{
		claims: s.Claims, clone: s.Clone, config: s.Config, engine: s.Engine, journal: s.Journal,
		knowledge: s.Knowledge, locks: s.Locks, place: s.Place, records: s.Records, sessions: s.Sessions,
		trust: s.Trust,
	}
	s.Work = &Work{
		claims: s.Claims, next: s.Next, clone: s.Clone, config: s.Config, documents: s.Documents, engine: s.Engine,
		exchange: s.Exchange, locks: s.Locks, phases: s.Phases, records: s.Records,
	}
	s.Overview = &Overview{
		claims: s.Claims, next: s.Next, clone: s.Clone, config: s.Config, locks: s.Locks, place: s.Place,
		records: s.Records, sessions: s.Sessions,
	}
	s.Undo = &Undo{clone: s.Clone, code: s.Code, engine: s.Engine, pipelines: s.Pipelines, tasks: s.Tasks}
}

// on is the same service on another repository, or on this one once more.
func (s *App) on(repo *gitstore.Repo) *App {
	return New(Options{
		Repo: repo, Now: s.Clone.Now, Random: s.Clone.Random, Caller: s.Clone.Caller,
		Program: s.Clone.Program, Version: s.Clone.Version,
		Open: s.Clone.Open, Asks: s.Clone.Asks, Waits: s.Clone.Waits, Output: s.Pipelines.Output,
	})
}

// newLedger is a ledger for this service's caller.
func (s *App) newLedger(repo *gitstore.Repo) *ledger.Ledger {
	records := ledger.New(repo, s.Clone.Now, s.Clone.Random)
	records.Cache.Program = s.Clone.Program
	records.May = s.Config.MayChange
	records.Screen = s.Journal.Screen
	if s.Clone.Caller.Unattended || s.Clone.Caller.Agent() {
		records.Patience = signPatience
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
