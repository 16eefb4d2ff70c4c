package app

import (
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
}

// wire has each part know those that it asks.
func (a *App) wire() {
	a.Config.Clone = a.Clone
	a.Records.Clone = a.Clone
	a.Journal.Clone = a.Clone
	a.Journal.Config = a.Config
	a.Place.Clone = a.Clone
	a.Place.Config = a.Config
	a.Place.Records = a.Records
	a.Code.Clone = a.Clone
	a.Code.Config = a.Config
	a.Code.Place = a.Place
	a.Code.Records = a.Records
	a.Locks.Clone = a.Clone
	a.Locks.Config = a.Config
	a.Locks.Journal = a.Journal
	a.Locks.Records = a.Records
	a.Engine.Clone = a.Clone
	a.Engine.Code = a.Code
	a.Engine.Config = a.Config
	a.Engine.Journal = a.Journal
	a.Engine.Locks = a.Locks
	a.Engine.Place = a.Place
	a.Engine.Records = a.Records
	a.Pipelines.Clone = a.Clone
	a.Pipelines.Config = a.Config
	a.Pipelines.Engine = a.Engine
	a.Pipelines.Locks = a.Locks
	a.Pipelines.Records = a.Records
	a.Trust.Clone = a.Clone
	a.Trust.Config = a.Config
	a.Trust.Pipelines = a.Pipelines
	a.Trust.Records = a.Records
	a.Archive.Clone = a.Clone
	a.Archive.Config = a.Config
	a.Archive.Locks = a.Locks
	a.Archive.Records = a.Records
	a.Exchange.On = func(repo *gitstore.Repo) *exchange.Exchange { return a.on(repo).Exchange }
	a.Exchange.Archive = a.Archive
	a.Exchange.Clone = a.Clone
	a.Exchange.Code = a.Code
	a.Exchange.Config = a.Config
	a.Exchange.Journal = a.Journal
	a.Exchange.Locks = a.Locks
	a.Exchange.Pipelines = a.Pipelines
	a.Exchange.Records = a.Records
	a.Exchange.Trust = a.Trust
	a.Exchange.Engine = a.Engine
	a.Claims.Clone = a.Clone
	a.Claims.Config = a.Config
	a.Claims.Engine = a.Engine
	a.Claims.Exchange = a.Exchange
	a.Claims.Locks = a.Locks
	a.Claims.Records = a.Records
	a.Doctor.Claims = a.Claims
	a.Doctor.Clone = a.Clone
	a.Doctor.Config = a.Config
	a.Doctor.Exchange = a.Exchange
	a.Doctor.Journal = a.Journal
	a.Doctor.Locks = a.Locks
	a.Doctor.Place = a.Place
	a.Doctor.Records = a.Records
	a.Doctor.Trust = a.Trust
	a.Sessions.Claims = a.Claims
	a.Sessions.Clone = a.Clone
	a.Sessions.Code = a.Code
	a.Sessions.Config = a.Config
	a.Sessions.Engine = a.Engine
	a.Sessions.Journal = a.Journal
	a.Sessions.Locks = a.Locks
	a.Sessions.Place = a.Place
	a.Sessions.Records = a.Records
	a.Knowledge.Clone = a.Clone
	a.Knowledge.Config = a.Config
	a.Knowledge.Engine = a.Engine
	a.Knowledge.Journal = a.Journal
	a.Knowledge.Records = a.Records
	a.Documents.Clone = a.Clone
	a.Documents.Code = a.Code
	a.Documents.Engine = a.Engine
	a.Documents.Records = a.Records
	a.Documents.Trust = a.Trust
	a.Phases.Clone = a.Clone
	a.Phases.Code = a.Code
	a.Phases.Config = a.Config
	a.Phases.Documents = a.Documents
	a.Phases.Engine = a.Engine
	a.Phases.Journal = a.Journal
	a.Phases.Knowledge = a.Knowledge
	a.Phases.Place = a.Place
	a.Phases.Records = a.Records
	a.Reviews.Claims = a.Claims
	a.Reviews.Clone = a.Clone
	a.Reviews.Code = a.Code
	a.Reviews.Config = a.Config
	a.Reviews.Engine = a.Engine
	a.Reviews.Journal = a.Journal
	a.Reviews.Knowledge = a.Knowledge
	a.Reviews.Locks = a.Locks
	a.Reviews.Phases = a.Phases
	a.Reviews.Pipelines = a.Pipelines
	a.Reviews.Records = a.Records
	a.Reviews.Sessions = a.Sessions
	a.Tasks.claims = a.Claims
	a.Next.Clone = a.Clone
	a.Next.Config = a.Config
	a.Next.Locks = a.Locks
	a.Next.Pipelines = a.Pipelines
	a.Next.Place = a.Place
	a.Next.Records = a.Records
	a.Next.Sessions = a.Sessions
	a.Tasks.next = a.Next
	a.Phases.Next = a.Next
	a.Reviews.Next = a.Next
	a.Tasks.clone = a.Clone
	a.Tasks.code = a.Code
	a.Tasks.config = a.Config
	a.Tasks.documents = a.Documents
	a.Tasks.engine = a.Engine
	a.Tasks.exchange = a.Exchange
	a.Tasks.journal = a.Journal
	a.Tasks.knowledge = a.Knowledge
	a.Tasks.locks = a.Locks
	a.Tasks.phases = a.Phases
	a.Tasks.pipelines = a.Pipelines
	a.Tasks.place = a.Place
	a.Tasks.records = a.Records
	a.Tasks.reviews = a.Reviews
	a.Tasks.sessions = a.Sessions
	a.Tasks.trust = a.Trust
}
