package app

import (
	"cmp"
	"context"
	"errors"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/learn"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/app/trust"
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/importer"
	"github.com/git-brew/git-brew/internal/task"
)

// CreateRequest asks for a task.
type CreateRequest struct {
	Title  string // a title or a slug
	Type   string // feature where empty
	Branch string // <type>/<slug> where empty
	From   string // revision; HEAD where empty
	Here   bool   // take the current branch instead of making one
	// NoSwitch makes the branch and stays where the work tree is.
	NoSwitch bool
	// Services are submodules, by their paths: the branch is made there, and this
	// work tree stays on its own.
	Services []string
	Issues   []string // links, beside those in the title
	Priority task.Priority
	Phases   []string
	// Texts of documents, nil where none was given; a PRD is a list of stories, each a phase.
	Plan, Spec, PRD []byte

	// An imported task may have a branch that exists, and needs none once it has ended.
	imported, ended bool
}

type given struct {
	name task.DocName
	text []byte
}

func (r CreateRequest) documents() []given {
	return []given{{"spec", r.Spec}, {"plan", r.Plan}}
}

// Create makes a task and its branch and, unless told otherwise, checks that
// branch out. The branch comes first: where git refuses it (local changes in
// the way, a name that is taken) nothing is made at all. Of several services all
// get the branch, or none.
func (s *Tasks) Create(ctx context.Context, r CreateRequest) (Result, error) {
	if err := checkTexts(r); err != nil {
		return Result{}, err
	}
	p, notes, err := readPRD(r.PRD)
	if err != nil {
		return Result{}, err
	}
	stories, lost := storiesOf(p)
	r.Branch, r.Title = cmp.Or(r.Branch, stories.Branch), cmp.Or(r.Title, stories.Title)
	return s.create(ctx, r, creation{Task: stories, notes: append(lost, notes...), dry: s.Clone.DryRun()})
}

// creation is what makes a task beside what is asked for: its phases, and what is done to
// it in the same step.
type creation struct {
	importer.Task
	notes []string
	dry   bool
	then  func(context.Context, *change.Tx, map[string]task.UID) error
}

func (s *Tasks) create(ctx context.Context, r CreateRequest, in creation) (result Result, err error) {
	if result.Notes, err = s.readFrontMatter(ctx, &r); err != nil {
		return result, err
	}
	result.Notes = append(result.Notes, in.notes...)
	if err := s.mayCreate(r); err != nil {
		return result, err
	}
	result.Notes = append(result.Notes, titleFromHeading(&r)...)
	head, err := s.Clone.Repo.Refs.Head(ctx)
	if err != nil {
		return result, err
	}
	p, err := s.plan(ctx, &r, in, head)
	if err != nil {
		return result, err
	}
	moves, err := s.newMoves(ctx, r, &p, head)
	if err != nil {
		return result, err
	}
	result.Notes = append(result.Notes, s.branchNotes(r, head)...)
	before, err := s.Place.Here(ctx)
	if err == nil && !r.NoSwitch {
		err = s.Locks.MayLeave(ctx, before)
	}
	if err != nil {
		return result, err
	}
	record := func(step recordStep) (task.Task, []string, error) { return s.record(ctx, step, p, r, in, before) }
	// What the rules refuse is refused before git has made a branch.
	if result.Task, _, err = record(s.Clone.Ledger.RunDry); err != nil {
		return result, err
	}
	if in.dry {
		return result, worktree.CheckAll(ctx, moves)
	}
	undo, err := worktree.MoveAll(ctx, moves)
	if err != nil {
		return Result{}, err
	}
	var ended []string
	if result.Task, ended, err = record(s.Clone.Ledger.Change); err != nil {
		return Result{}, errors.Join(err, undo(context.WithoutCancel(ctx)))
	}
	result.Notes = append(result.Notes, ended...)
	if r.ended {
		return result, nil
	}
	return result, s.Clone.Ledger.BindBranch(context.WithoutCancel(ctx), p.Branch, string(p.ID))
}

// mayCreate refuses to make a branch in the repository around a service where the
// caller is in that: git takes another repository there. With services of its own,
// a task leaves the one around on its branch.
func (s *Tasks) mayCreate(r CreateRequest) error {
	if s.Place.Inside == nil || len(r.Services) > 0 {
		return nil
	}
	return clone.Refuse(
		"run it at the top of that, give --service, or check out a branch here that is no task's",
		"%s is a service of the task here, and the branch would be made in the repository around it", s.Place.At,
	)
}

// plan decides everything about a new task, and refuses what can't be.
func (s *Tasks) plan(ctx context.Context, r *CreateRequest, in creation, head gitstore.Head,
) (task.CreatePayload, error) {
	var p task.CreatePayload
	typ, priority, slug, err := named(r)
	if err != nil {
		return p, err
	}
	id, err := task.NewID(slug, s.Clone.Random)
	if err != nil {
		return p, err
	}
	if s.Clone.Repo.Bare() && !r.NoSwitch {
		return p, clone.Refuse("use --no-switch", "a bare repository has no work tree to switch")
	}
	p = task.CreatePayload{
		ID: id, Title: r.Title, Type: cmp.Or(r.Type, typ, task.Types[0]), Base: head.Branch, Stage: task.StageClarify,
		Priority: cmp.Or(r.Priority, priority),
	}
	if p.Issues, err = issuesOf(r.Issues, r.Title); err != nil {
		return p, err
	}
	if err := knownType(p.Type); err != nil {
		return p, err
	}
	p.Branch = cmp.Or(r.Branch, p.Type+"/"+slug)
	if r.Here {
		if head.Branch == "" {
			return p, clone.Refuse("check a branch out, or leave --here away", "no branch is checked out here")
		}
		p.Branch, p.Base = head.Branch, ""
	}
	if _, err := gitstore.ParseRefName("refs/heads/" + p.Branch); err != nil {
		return p, clone.Invalid("git check-ref-format --branch tells what is allowed", "%q is no name for a branch", p.Branch)
	}
	switch {
	case r.From != "" && len(r.Services) == 0: // else it is theirs
		if p.Base, p.BaseCommit, err = worktree.Revision(ctx, s.Clone.Repo, r.From); err != nil {
			return p, err
		}
	case !head.OID.IsZero():
		p.BaseCommit = head.OID.String()
	}
	switch {
	case in.Stage != "":
		p.Stage = in.Stage
	case len(r.Phases) > 0 || len(in.Phases) > 0:
		p.Stage = task.StageExecute
	case len(r.Plan) > 0:
		p.Stage = task.StagePlan
	}
	return p, s.branchFree(ctx, p.Branch, r.Here || r.imported)
}

// named takes a type and a priority out of a title, and makes a slug of what is left.
func named(r *CreateRequest) (typ string, priority task.Priority, slug string, err error) {
	typ, priority, title := task.KindOfTitle(r.Title)
	if r.Type == "" || r.Type == typ { // else its word is no type here
		r.Title = title
	}
	slug, err = task.Slugify(r.Title)
	return typ, priority, slug, err
}

// Tasks creates, starts, pauses and finishes tasks, and says what comes next.
type Tasks struct {
	*change.Engine
	claims    *claim.Claims
	knowledge *learn.Knowledge
	sessions  *session.Sessions
	trust     *trust.Trust
}
