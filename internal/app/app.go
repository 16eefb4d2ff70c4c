// Package app holds the use cases: the only place where a task changes. Commands and
// hooks call the same methods, so a task started by a hook and one started by hand
// cannot differ.
//
// Every change is: take the writers' lock, read, decide by the domain's rules
// (packages task and knowledge), stage operations, move all refs at once. A method
// takes a request, returns a result, and prints nothing. Records under refs/brew are
// reached through package ledger only; the user's own repository (HEAD, branches,
// diffs) through gitstore.
//
// Here is the task of this work tree (worktree.Place.Here); the caller is who asks, a
// person or an agent's session; a view is everything that a status or a hook looks at,
// read from snapshots; the clone is this copy of the repository on this machine.
package app

import (
	"context"
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
	"github.com/git-brew/git-brew/internal/app/overlap"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/review"
	"github.com/git-brew/git-brew/internal/app/run"
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
	*change.Engine
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
	Runs      *run.Runs
	Radar     *overlap.Radar
	Tasks     *Tasks
	Work      *Work
}

// Options are what New needs: a clone that has no ledger yet.
type Options = clone.Clone

// signPatience is how long the signatures of one unattended command may take
// altogether, where the person signs commits: a hook is over in two seconds.
const signPatience = 400 * time.Millisecond

// New returns the use cases on a repository.
func New(o Options) *App {
	c := &o
	c.ID = clone.CloneID(c.Caller, c.Repo.CommonDir)
	if c.Asks == nil {
		c.Asks = func(string) func() { return func() {} }
	}
	if c.Waits == nil {
		c.Waits = func(string) func() { return func() {} }
	}
	s := &App{Engine: newEngine(c)}
	s.makeConsequences()
	s.makeUseCases()
	return s
}

// newEngine makes what the others ask, and the engine of changes.
func newEngine(c *clone.Clone) *change.Engine {
	e := &change.Engine{Clone: c, Config: &config.Config{Clone: c}, Records: &records.Records{Clone: c}}
	e.Journal = &journal.Journal{Clone: c, Config: e.Config}
	c.Ledger = ledger.New(c.Repo, c.Now, c.Random)
	c.Ledger.Cache.Program = c.Program
	c.Ledger.May = e.Config.MayChange
	c.Ledger.Screen = e.Journal.Screen
	if c.Caller.Unattended || c.Caller.Agent() {
		c.Ledger.Patience = signPatience
	}
	e.Place = &worktree.Place{Clone: c, Config: e.Config, Records: e.Records}
	e.Code = &codediff.Code{Clone: c, Config: e.Config, Place: e.Place, Records: e.Records}
	e.Locks = &lock.Locks{Clone: c, Config: e.Config, Journal: e.Journal, Records: e.Records}
	return e
}

func (s *App) makeConsequences() {
	s.Pipelines = &steps.Pipelines{Engine: s.Engine}
	s.Observers = []change.Observer{steps.Runner{Pipelines: s.Pipelines}}
	s.Trust = &trust.Trust{Engine: s.Engine, Pipelines: s.Pipelines}
	s.Archive = &archive.Archive{Clone: s.Clone, Config: s.Config, Locks: s.Locks, Records: s.Records}
	s.Exchange = &exchange.Exchange{
		Engine: s.Engine, Archive: s.Archive, Pipelines: s.Pipelines, Trust: s.Trust,
		On: func(repo *gitstore.Repo) *exchange.Exchange { return s.on(repo).Exchange },
	}
	s.Claims = &claim.Claims{Engine: s.Engine, Exchange: s.Exchange}
	s.Doctor = &doctor.Doctor{Engine: s.Engine, Claims: s.Claims, Exchange: s.Exchange, Trust: s.Trust}
}

func (s *App) makeUseCases() {
	s.Radar = &overlap.Radar{Clone: s.Clone, Records: s.Records}
	s.Sessions = &session.Sessions{Engine: s.Engine, Claims: s.Claims}
	s.Next = &next.Next{Engine: s.Engine, Pipelines: s.Pipelines, Sessions: s.Sessions}
	s.Knowledge = &learn.Knowledge{Engine: s.Engine}
	s.Documents = &texts.Documents{Engine: s.Engine, Trust: s.Trust}
	s.Phases = &phase.Phases{Engine: s.Engine, Documents: s.Documents, Knowledge: s.Knowledge, Next: s.Next}
	s.Reviews = &review.Reviews{
		Engine: s.Engine, Claims: s.Claims, Knowledge: s.Knowledge, Phases: s.Phases, Pipelines: s.Pipelines,
		Sessions: s.Sessions, Next: s.Next,
	}
	s.Runs = &run.Runs{Engine: s.Engine, Claims: s.Claims, Knowledge: s.Knowledge, Phases: s.Phases}
	s.Tasks = &Tasks{
		Engine: s.Engine, claims: s.Claims, knowledge: s.Knowledge, sessions: s.Sessions, trust: s.Trust,
	}
	s.Work = &Work{
		Engine: s.Engine, next: s.Next, claims: s.Claims, documents: s.Documents, exchange: s.Exchange, phases: s.Phases,
	}
}

// on is the same service on another repository, or on this one once more.
func (s *App) on(repo *gitstore.Repo) *App {
	o := *s.Clone
	o.Repo = repo
	return New(o)
}

// Outer is the service on the repository around this one, where this one is a
// submodule that has the branch of a task there checked out, and is a service of
// that task: whoever works in a service works on that task, though the submodule
// is a repository of its own. It is nil anywhere else, and where the branch is
// that of a task of the submodule's own. It starts no process.
func (s *App) Outer() *App {
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
