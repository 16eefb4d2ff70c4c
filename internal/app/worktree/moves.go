package worktree

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

// BranchMove takes one repository to a branch: the user's own, or a service's.
type BranchMove struct {
	Path   string // of the service; "" for the repository itself
	Repo   *gitstore.Repo
	Branch string
	There  bool // the branch is
	// Start is the commit that the branch is made at where it is not there.
	Start gitstore.OID
	// rev is what git is given for Start, where a remote's branch is to be followed.
	rev string
	// Made is what Start is called, for people; Note why it is not the remote's, where
	// that was looked for, and what it lacks.
	Made, Note string
	// Stay makes the branch, and leaves the work tree where it is.
	Stay bool
	// Unborn: there is no commit yet that the branch could begin at.
	Unborn bool
	Before gitstore.Head
	// Recorded is the commit that the repository around has for a service.
	Recorded gitstore.OID
}

// where names the repository in a sentence: "services/api: ", or nothing.
func (m BranchMove) where() string {
	if m.Path == "" {
		return ""
	}
	return m.Path + ": "
}

// Done: there is nothing to do.
func (m BranchMove) Done() bool {
	return m.There && m.Stay || clone.HeadBranch(m.Before) == m.Branch
}

// check refuses what git would do without a word though something is lost by it: leave
// commits that no branch leads to, as they are easily made in a submodule.
func (m BranchMove) check(ctx context.Context) error {
	if m.Done() || m.Stay || m.Unborn || m.Before.Branch != "" || m.Before.OID == m.Start ||
		m.Before.OID == m.Recorded {
		return nil
	}
	named, err := m.Repo.Branches.Reachable(ctx, m.Before.OID)
	if err != nil || named {
		return err
	}
	return clone.Refuse("'git branch NAME' there keeps it", "%sHEAD is at %s, which no branch leads to", m.where(),
		m.Before.OID)
}

// named says of git's refusal where it was.
func (m BranchMove) named(err error) error {
	if git, ok := errors.AsType[*gitstore.CommandError](err); ok && git.Code > 0 {
		return clone.Refuse("", "%s%v", m.where(), git)
	}
	return err
}

func (m BranchMove) do(ctx context.Context) error {
	switch {
	case m.Done():
		return nil
	case m.Unborn:
		return m.named(m.Repo.Tree.SwitchUnborn(ctx, m.Branch))
	case m.There:
		return m.named(m.Repo.Tree.Switch(ctx, m.Branch))
	case m.Stay:
		return m.named(m.Repo.Branches.Create(ctx, m.Branch, cmp.Or(m.rev, m.Start.String())))
	}
	return m.named(m.Repo.Tree.SwitchNew(ctx, m.Branch, cmp.Or(m.rev, m.Start.String())))
}

// undo takes back what do did; what it can't, it says.
func (m BranchMove) undo(ctx context.Context) error {
	if m.Done() {
		return nil
	}
	var err error
	switch {
	case m.Unborn:
		err = m.Repo.Tree.SwitchUnborn(ctx, m.Before.Branch)
	case !m.Stay:
		err = goBack(ctx, m.Repo, m.Before)
	}
	if err == nil && !m.There && !m.Unborn {
		err = m.Repo.Branches.Delete(ctx, m.Branch, m.Start)
	}
	if err != nil {
		return fmt.Errorf("%s%s was not taken back: %w", m.where(), m.Branch, err)
	}
	return nil
}

// Moves are the moves that a switch to a task makes: in each of its services, or, where
// it has none, in this repository.
func (s *Place) Moves(ctx context.Context, t task.Task) ([]BranchMove, error) {
	if len(t.Services) == 0 {
		m, err := s.moveHere(ctx, t)
		return []BranchMove{m}, err
	}
	v, _, err := s.Services(ctx)
	if err != nil {
		return nil, err
	}
	var moves []BranchMove
	for _, service := range t.Services {
		m, err := v.Open(ctx, service.Path, t.Branch)
		if err == nil && !m.There {
			err = m.begin(ctx, service.BaseCommit, nil)
		}
		if err != nil {
			return nil, err
		}
		moves = append(moves, m)
	}
	return moves, nil
}

func (s *Place) moveHere(ctx context.Context, t task.Task) (BranchMove, error) {
	m := BranchMove{Repo: s.Clone.Repo}
	var err error
	if m.Branch, m.There, err = s.BranchOf(ctx, t); err != nil {
		return m, err
	}
	if m.Before, err = m.Repo.Refs.Head(ctx); err != nil || m.There || m.Done() {
		return m, err
	}
	err = m.begin(ctx, t.BaseCommit, func() string { return s.fetchBranch(ctx, t.Branch) })
	if err == nil && m.rev == "" {
		m.Note = strings.TrimPrefix(m.Note+"; "+s.withoutWork(ctx, t, m.Start), "; ")
	}
	return m, err
}

// begin finds where a branch begins that is not there: where a remote has it, which
// fetch, if any, asks and says why it did not come, else at the task's base. A branch of
// a service that git renamed is neither.
func (m *BranchMove) begin(ctx context.Context, base string, fetch func() (note string)) error {
	if now, err := m.Repo.Branches.RenamedTo(ctx, m.Branch); err == nil && m.Path != "" {
		return clone.Refuse("rename it back, or 'git brew edit --branch "+now+"' once all services have that",
			"%sbranch %s is called %s now", m.where(), m.Branch, now)
	}
	found, err := m.Repo.Branches.Remote(ctx, m.Branch)
	if err == nil && len(found) == 0 && fetch != nil {
		m.Note = fetch()
		found, err = m.Repo.Branches.Remote(ctx, m.Branch)
	}
	if err != nil {
		return err
	}
	if len(found) > 0 {
		m.Start, m.rev, m.Note = found[0].OID, string(found[0].Name), "" // in full: a local branch may have the short name
		m.Made = strings.TrimPrefix(m.rev, "refs/remotes/")
		return nil
	}
	lost := "it has no commit to begin at"
	if m.Start, err = gitstore.ParseOID(base); err == nil {
		if has, err := m.Repo.Objects.Has(ctx, m.Start); err != nil || has {
			m.Made = "its base " + base[:7]
			return err
		}
		lost = "commit " + base[:7] + ", where it would begin, is not here"
	}
	return clone.Refuse("push it from where it is, or fetch that commit, with 'git fetch'",
		"%sbranch %s is not here: %s, and %s", m.where(), m.Branch, cmp.Or(m.Note, "no remote has it"), lost)
}

// CheckAll finds what must not be left by any of the moves. The user's own repository,
// where it moves alone, is left to git, which warns of that.
func CheckAll(ctx context.Context, moves []BranchMove) error {
	if len(moves) == 1 && moves[0].Path == "" {
		return nil
	}
	for _, m := range moves {
		if err := m.check(ctx); err != nil {
			return err
		}
	}
	return nil
}

// MoveAll takes all repositories to their branches, or none: where one fails those
// before it go back. So does undo.
func MoveAll(ctx context.Context, moves []BranchMove) (undo func(context.Context) error, err error) {
	if err := CheckAll(ctx, moves); err != nil {
		return nil, err
	}
	var moved []BranchMove
	undo = func(ctx context.Context) error {
		var left error
		for _, m := range slices.Backward(moved) {
			left = errors.Join(left, m.undo(ctx))
		}
		return left
	}
	for _, m := range moves {
		if err := m.do(ctx); err != nil {
			return nil, errors.Join(err, undo(context.WithoutCancel(ctx)))
		}
		moved = append(moved, m)
	}
	return undo, nil
}

func goBack(ctx context.Context, repo *gitstore.Repo, to gitstore.Head) error {
	switch {
	case to.Branch == "":
		return repo.Tree.SwitchDetached(ctx, to.OID)
	case to.OID.IsZero():
		return repo.Tree.SwitchOrphan(ctx, to.Branch)
	}
	return repo.Tree.Switch(ctx, to.Branch)
}
