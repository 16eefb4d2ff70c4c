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
	Work      *Work
	Overview  *Overview
	Undo      *Undo
}

// wire has each part know those that it asks.
func (s *App) wire() {
	s.Config.Clone = s.Clone
	s.Records.Clone = s.Clone
	s.Journal.Clone = s.Clone
	s.Journal.Config = s.Config
	s.Place.Clone = s.Clone
	s.Place.Config = s.Config
	s.Place.Records = s.Records
	s.Code.Clone = s.Clone
	s.Code.Config = s.Config
	s.Code.Place = s.Place
	s.Code.Records = s.Records
	s.Locks.Clone = s.Clone
	s.Locks.Config = s.Config
	s.Locks.Journal = s.Journal
	s.Locks.Records = s.Records
	s.Engine.Clone = s.Clone
	s.Engine.Code = s.Code
	s.Engine.Config = s.Config
	s.Engine.Journal = s.Journal
	s.Engine.Locks = s.Locks
	s.Engine.Place = s.Place
	s.Engine.Records = s.Records
	s.Pipelines.Clone = s.Clone
	s.Pipelines.Config = s.Config
	s.Pipelines.Engine = s.Engine
	s.Pipelines.Locks = s.Locks
	s.Pipelines.Records = s.Records
	s.Trust.Clone = s.Clone
	s.Trust.Config = s.Config
	s.Trust.Pipelines = s.Pipelines
	s.Trust.Records = s.Records
	s.Archive.Clone = s.Clone
	s.Archive.Config = s.Config
	s.Archive.Locks = s.Locks
	s.Archive.Records = s.Records
	s.Exchange.On = func(repo *gitstore.Repo) *exchange.Exchange { return s.on(repo).Exchange }
	s.Exchange.Archive = s.Archive
	s.Exchange.Clone = s.Clone
	s.Exchange.Code = s.Code
	s.Exchange.Config = s.Config
	s.Exchange.Journal = s.Journal
	s.Exchange.Locks = s.Locks
	s.Exchange.Pipelines = s.Pipelines
	s.Exchange.Records = s.Records
	s.Exchange.Trust = s.Trust
	s.Exchange.Engine = s.Engine
	s.Claims.Clone = s.Clone
	s.Claims.Config = s.Config
	s.Claims.Engine = s.Engine
	s.Claims.Exchange = s.Exchange
	s.Claims.Locks = s.Locks
	s.Claims.Records = s.Records
	s.Doctor.Claims = s.Claims
	s.Doctor.Clone = s.Clone
	s.Doctor.Config = s.Config
	s.Doctor.Exchange = s.Exchange
	s.Doctor.Journal = s.Journal
	s.Doctor.Locks = s.Locks
	s.Doctor.Place = s.Place
	s.Doctor.Records = s.Records
	s.Doctor.Trust = s.Trust
	s.Sessions.Claims = s.Claims
	s.Sessions.Clone = s.Clone
	s.Sessions.Code = s.Code
	s.Sessions.Config = s.Config
	s.Sessions.Engine = s.Engine
	s.Sessions.Journal = s.Journal
	s.Sessions.Locks = s.Locks
	s.Sessions.Place = s.Place
	s.Sessions.Records = s.Records
	s.Knowledge.Clone = s.Clone
	s.Knowledge.Config = s.Config
	s.Knowledge.Engine = s.Engine
	s.Knowledge.Journal = s.Journal
	s.Knowledge.Records = s.Records
	s.Documents.Clone = s.Clone
	s.Documents.Code = s.Code
	s.Documents.Engine = s.Engine
	s.Documents.Records = s.Records
	s.Documents.Trust = s.Trust
	s.Phases.Clone = s.Clone
	s.Phases.Code = s.Code
	s.Phases.Config = s.Config
	s.Phases.Documents = s.Documents
	s.Phases.Engine = s.Engine
	s.Phases.Journal = s.Journal
	s.Phases.Knowledge = s.Knowledge
	s.Phases.Place = s.Place
	s.Phases.Records = s.Records
	s.Reviews.Claims = s.Claims
	s.Reviews.Clone = s.Clone
	s.Reviews.Code = s.Code
	s.Reviews.Config = s.Config
	s.Reviews.Engine = s.Engine
	s.Reviews.Journal = s.Journal
	s.Reviews.Knowledge = s.Knowledge
	s.Reviews.Locks = s.Locks
	s.Reviews.Phases = s.Phases
	s.Reviews.Pipelines = s.Pipelines
	s.Reviews.Records = s.Records
	s.Reviews.Sessions = s.Sessions
	s.Tasks.claims = s.Claims
	s.Next.Clone = s.Clone
	s.Next.Config = s.Config
	s.Next.Locks = s.Locks
	s.Next.Pipelines = s.Pipelines
	s.Next.Place = s.Place
	s.Next.Records = s.Records
	s.Next.Sessions = s.Sessions
	s.Phases.Next = s.Next
	s.Reviews.Next = s.Next
	s.Tasks.clone = s.Clone
	s.Tasks.config = s.Config
	s.Tasks.engine = s.Engine
	s.Tasks.journal = s.Journal
	s.Tasks.knowledge = s.Knowledge
	s.Tasks.locks = s.Locks
	s.Tasks.place = s.Place
	s.Tasks.records = s.Records
	s.Tasks.sessions = s.Sessions
	s.Tasks.trust = s.Trust
	s.Work.claims = s.Claims
	s.Work.next = s.Next
	s.Work.clone = s.Clone
	s.Work.config = s.Config
	s.Work.documents = s.Documents
	s.Work.engine = s.Engine
	s.Work.exchange = s.Exchange
	s.Work.locks = s.Locks
	s.Work.phases = s.Phases
	s.Work.records = s.Records
	s.Overview.claims = s.Claims
	s.Overview.next = s.Next
	s.Overview.clone = s.Clone
	s.Overview.config = s.Config
	s.Overview.locks = s.Locks
	s.Overview.place = s.Place
	s.Overview.records = s.Records
	s.Overview.sessions = s.Sessions
	s.Undo.clone = s.Clone
	s.Undo.code = s.Code
	s.Undo.engine = s.Engine
	s.Undo.pipelines = s.Pipelines
	s.Undo.tasks = s.Tasks
}
