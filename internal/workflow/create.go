package workflow

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
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
	Phases   []string
	// Texts of documents, nil where none was given; a PRD is a list of stories, each a phase.
	Plan, Spec, PRD []byte
}

// CreateResult is what was made.
type CreateResult struct {
	Task       task.Task
	BaseCommit string
	Switched   bool
}

// Create makes a task and its branch and, unless told otherwise, checks that
// branch out. The branch comes first: where git refuses it (local changes in
// the way, a name that is taken) nothing is made at all.
func (s *Service) Create(ctx context.Context, r CreateRequest) (CreateResult, error) {
	if err := checkTexts(r); err != nil {
		return CreateResult{}, err
	}
	prd, err := parsePRD(r.PRD)
	if err != nil {
		return CreateResult{}, err
	}
	r.Title = cmp.Or(r.Title, prd.FeatureName)
	p, err := s.plan(ctx, &r, prd)
	if err != nil {
		return CreateResult{}, err
	}
	result := CreateResult{BaseCommit: p.BaseCommit, Switched: !r.Here && !r.NoSwitch}
	// What the rules refuse is refused before git has made a branch.
	if result.Task, err = s.record(ctx, s.ledger.Rehearse, p, r, prd); err != nil || s.Rehearses() {
		return result, err
	}
	undo := func(context.Context) {}
	if !r.Here {
		if undo, err = s.makeBranch(ctx, r, p); err != nil {
			return CreateResult{}, inTheWay(err)
		}
	}
	if result.Task, err = s.record(ctx, s.ledger.Change, p, r, prd); err != nil {
		undo(background(ctx))
		return CreateResult{}, err
	}
	if err := s.ledger.Claim(background(ctx), p.Branch, string(p.ID)); err != nil {
		return CreateResult{}, err
	}
	return result, nil
}

// checkTexts refuses a text that was given and is none.
func checkTexts(r CreateRequest) error {
	for _, given := range []struct {
		what string
		text []byte
	}{{"plan", r.Plan}, {"spec", r.Spec}, {"PRD", r.PRD}} {
		if given.text == nil {
			continue
		}
		if err := task.CheckText(given.text); err != nil {
			return fmt.Errorf("the %s: %w", given.what, err)
		}
	}
	return nil
}

// plan decides everything about a new task, and refuses what can't be.
func (s *Service) plan(ctx context.Context, r *CreateRequest, prd prd) (task.CreatePayload, error) {
	var p task.CreatePayload
	slug, err := task.Slugify(r.Title)
	if err != nil {
		return p, err
	}
	id, err := task.NewID(slug, s.random)
	if err != nil {
		return p, err
	}
	head, err := s.repo.Head(ctx)
	if err != nil && !errors.Is(err, gitstore.ErrNotExist) {
		return p, err
	}
	if s.repo.Bare() && !r.NoSwitch {
		return p, refuse("use --no-switch", "a bare repository has no work tree to switch")
	}
	p = task.CreatePayload{ID: id, Title: r.Title, Type: cmp.Or(r.Type, "feature"), Base: head.Branch, Stage: task.Discussion}
	if err := knownType(p.Type); err != nil {
		return p, err
	}
	p.Branch = cmp.Or(r.Branch, prd.BranchName, task.BranchName(p.Type, slug))
	if r.Here {
		if head.Branch == "" {
			return p, refuse("check a branch out, or leave --here away", "no branch is checked out here")
		}
		p.Branch, p.Base = head.Branch, ""
	}
	if _, err := gitstore.ParseRefName("refs/heads/" + p.Branch); err != nil {
		return p, invalid("git check-ref-format --branch tells what is allowed", "%q is no name for a branch", p.Branch)
	}
	if p.BaseCommit, err = s.base(ctx, r.From, head); err != nil {
		return p, err
	}
	switch {
	case len(r.Phases) > 0 || len(prd.Tasks) > 0:
		p.Stage = task.Execution
	case len(r.Plan) > 0:
		p.Stage = task.Planning
	}
	return p, s.branchFree(ctx, p.Branch, r.Here)
}

// knownType refuses what is probably a slip: records hold any word, since other
// programs have types of their own.
func knownType(typ string) error {
	if slices.Contains(task.Types, typ) {
		return nil
	}
	return invalid("one of "+strings.Join(task.Types, ", "), "%q is no type of task", typ)
}

func (s *Service) base(ctx context.Context, from string, head gitstore.Head) (string, error) {
	if from == "" {
		if head.OID.IsZero() {
			return "", nil
		}
		return head.OID.String(), nil
	}
	out, err := s.repo.Git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", from+"^{commit}")
	if err != nil {
		return "", &NotFoundError{Kind: ErrNotFound, Msg: fmt.Sprintf("no commit %q", from), Hint: "give --from a branch, tag or commit"}
	}
	return string(bytes.TrimSpace(out)), nil
}

// branchFree refuses a branch that exists, or that a live task claims.
func (s *Service) branchFree(ctx context.Context, branch string, here bool) error {
	exists, err := s.repo.BranchExists(ctx, branch)
	if err != nil {
		return err
	}
	if exists && !here {
		return refuse("choose another with --branch, or check it out and use --here", "branch %s exists", branch)
	}
	id, err := s.ledger.Claimed(branch)
	if err != nil || id == "" {
		return err
	}
	b, _, err := s.taskBrief(ctx, task.ID(id))
	if errors.Is(err, task.ErrNoTask) {
		return nil
	}
	if err != nil {
		return err
	}
	if !b.Task.Deleted && !b.Task.Status.Terminal() {
		return refuse("'git brew switch "+id+"' goes there", "branch %s belongs to %s", branch, id)
	}
	return nil
}

// makeBranch makes the branch and checks it out; undo takes both back.
func (s *Service) makeBranch(ctx context.Context, r CreateRequest, p task.CreatePayload) (undo func(context.Context), err error) {
	if p.BaseCommit == "" {
		if r.NoSwitch {
			return nil, refuse("leave --no-switch away, or commit something first", "a branch can't be made in a repository without commits")
		}
		return func(ctx context.Context) { _ = s.repo.CheckoutUnborn(ctx, p.Base) }, s.repo.CheckoutUnborn(ctx, p.Branch)
	}
	at, err := gitstore.ParseOID(p.BaseCommit)
	if err != nil {
		return nil, err
	}
	if r.NoSwitch {
		return func(ctx context.Context) { _ = s.repo.DeleteBranch(ctx, p.Branch, at) },
			s.repo.CreateBranch(ctx, p.Branch, p.BaseCommit)
	}
	head, err := s.repo.Head(ctx)
	if err != nil && !errors.Is(err, gitstore.ErrNotExist) {
		return nil, err
	}
	return func(ctx context.Context) {
		if s.goBack(ctx, head) == nil {
			_ = s.repo.DeleteBranch(ctx, p.Branch, at)
		}
	}, s.repo.CheckoutNew(ctx, p.Branch, p.BaseCommit)
}

// goBack checks out what was checked out before.
func (s *Service) goBack(ctx context.Context, to gitstore.Head) error {
	switch {
	case to.Branch == "":
		return s.repo.CheckoutDetached(ctx, to.OID)
	case to.OID.IsZero():
		return s.repo.CheckoutOrphan(ctx, to.Branch)
	}
	return s.repo.Checkout(ctx, to.Branch)
}

// record makes the task: its creation, documents and phases, in one step, which
// is written or rehearsed.
func (s *Service) record(ctx context.Context, step func(context.Context, func(context.Context, *ledger.Tx) error) error, p task.CreatePayload, r CreateRequest, prd prd) (task.Task, error) {
	var made task.Task
	err := step(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		c := &change{s: s, tx: tx, id: p.ID, bare: true}
		if err := c.do(ctx, task.OpCreate, p); err != nil {
			return err
		}
		for _, d := range []struct {
			name task.DocName
			text []byte
		}{{"spec", r.Spec}, {"plan", r.Plan}} {
			if len(d.text) == 0 {
				continue
			}
			if err := c.setText(ctx, d.name, d.text); err != nil {
				return err
			}
		}
		for _, title := range r.Phases {
			if err := c.do(ctx, task.OpPhaseAdd, task.PhaseAddPayload{Title: title, Kind: task.KindExecution}); err != nil {
				return err
			}
		}
		if err := c.addStories(ctx, prd); err != nil {
			return err
		}
		if err := s.setHere(ctx, tx, commandsOf(c.Task.Phases)...); err != nil {
			return err
		}
		made = c.Task
		return nil
	})
	return made, err
}

// prd is Brigade's list of stories, as much of it as a task takes.
type prd struct {
	FeatureName string  `json:"featureName"`
	BranchName  string  `json:"branchName"`
	Tasks       []story `json:"tasks"`
}

type story struct {
	ID           string            `json:"id"`
	Title        string            `json:"title"`
	Acceptance   []string          `json:"acceptanceCriteria"`
	Verification []json.RawMessage `json:"verification"`
	DependsOn    []string          `json:"dependsOn"`
	Complexity   string            `json:"complexity"`
}

func parsePRD(data []byte) (prd, error) {
	var p prd
	if len(data) == 0 {
		return p, nil
	}
	if err := json.Unmarshal(data, &p); err != nil {
		return p, invalid("it is a JSON object with featureName and tasks", "the PRD is not readable: %v", err)
	}
	if p.FeatureName == "" || len(p.Tasks) == 0 {
		return p, invalid("correct the file", "the PRD has no featureName or no tasks")
	}
	for i, t := range p.Tasks {
		if t.ID == "" || t.Title == "" {
			return p, invalid("correct the file", "story %d of the PRD has no id or no title", i+1)
		}
		if slices.IndexFunc(p.Tasks, func(o story) bool { return o.ID == t.ID }) != i {
			return p, invalid("correct the file", "the PRD has two stories %s", t.ID)
		}
	}
	return p, nil
}

// commands returns a story's verification: each a plain text or {type, cmd}.
func (t story) commands() []string {
	var out []string
	for _, raw := range t.Verification {
		var text string
		var object struct {
			Cmd string `json:"cmd"`
		}
		if json.Unmarshal(raw, &text) == nil || (json.Unmarshal(raw, &object) == nil && object.Cmd != "") {
			out = append(out, cmp.Or(text, object.Cmd))
		}
	}
	return out
}

// addStories adds a phase for each story, in an order in which every story
// comes after those that it depends on.
func (c *change) addStories(ctx context.Context, p prd) error {
	uids := map[string]task.UID{}
	left := p.Tasks
	for len(left) > 0 {
		var later []story
		for _, t := range left {
			var deps []task.UID
			for _, d := range t.DependsOn {
				if uid, ok := uids[d]; ok {
					deps = append(deps, uid)
				}
			}
			if len(deps) < len(t.DependsOn) {
				later = append(later, t)
				continue
			}
			uid, err := operation.NewID(c.s.random)
			if err != nil {
				return err
			}
			tier := task.Tier(cmp.Or(t.Complexity, string(task.TierAuto)))
			if err := c.Do(ctx, ledger.Draft{ID: uid, Kind: task.OpPhaseAdd, Payload: task.PhaseAddPayload{
				Title: t.Title, Kind: task.KindExecution, ShownID: t.ID, DependsOn: deps,
				Acceptance: t.Acceptance, Verification: t.commands(), Tier: tier,
			}}); err != nil {
				return err
			}
			uids[t.ID] = uid
		}
		if len(later) == len(left) {
			return invalid("correct the file", "story %s of the PRD depends on itself, or on a story that is not there", later[0].ID)
		}
		left = later
	}
	return nil
}
