package worktree

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

// BranchMove takes one repository to a branch: the user's own, or a service's.
type BranchMove struct {
	Path   string // of the service; "" for the repository itself
	Repo   *gitstore.Repo
	Branch string
	// start is the commit that the branch is made at; zero where it is there.
	Start gitstore.OID
	// rev is what git is given for start, where a remote's branch is to be
	// followed; made is what it is called, for people.
	rev, Made string
	// stay makes the branch, and leaves the work tree where it is.
	Stay bool
	// unborn: there is no commit yet that the branch could begin at.
	Unborn bool
	Before gitstore.Head
	// recorded is the commit that the repository around has for a service.
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
	return m.Start.IsZero() && !m.Unborn && (m.Stay || clone.HeadBranch(m.Before) == m.Branch)
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
	case m.Start.IsZero():
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
	if err == nil && !m.Start.IsZero() {
		err = m.Repo.Branches.Delete(ctx, m.Branch, m.Start)
	}
	if err != nil {
		return fmt.Errorf("%s%s was not taken back: %w", m.where(), m.Branch, err)
	}
	return nil
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
		for i := len(moved) - 1; i >= 0; i-- {
			left = errors.Join(left, moved[i].undo(ctx))
		}
		return left
	}
	for _, m := range moves {
		if err := m.do(ctx); err != nil {
			return nil, errors.Join(err, undo(clone.Background(ctx)))
		}
		moved = append(moved, m)
	}
	return undo, nil
}

// goBack checks out what was checked out before.
func goBack(ctx context.Context, repo *gitstore.Repo, to gitstore.Head) error {
	switch {
	case to.Branch == "":
		return repo.Tree.SwitchDetached(ctx, to.OID)
	case to.OID.IsZero():
		return repo.Tree.SwitchOrphan(ctx, to.Branch)
	}
	return repo.Tree.Switch(ctx, to.Branch)
}

// ServiceState is where a service of a task stands in this work tree.
type ServiceState struct {
	task.Service
	There bool   // it is checked out
	On    string // the branch that is; "" where HEAD is detached
	// Ahead counts the commits of the task's branch since its base there; -1:
	// nobody can tell.
	Ahead int
	// Behind counts the commits of the base's branch there that the task's has
	// not, as far as anybody can tell.
	Behind int
}

// ServiceStates looks at the services of a task; what can't be read there is not
// told, for a status has to be told anyway.
func (s *Place) ServiceStates(ctx context.Context, t task.Task) []ServiceState {
	return s.lookInto(ctx, t, func(v *ServiceState, repo *gitstore.Repo) { v.count(ctx, repo, t.Branch) })
}

// ServiceHeads are the services of a task without what git would have to count.
func (s *Place) ServiceHeads(ctx context.Context, t task.Task) []ServiceState {
	return s.lookInto(ctx, t, func(*ServiceState, *gitstore.Repo) {})
}

func (s *Place) lookInto(ctx context.Context, t task.Task, more func(*ServiceState, *gitstore.Repo)) []ServiceState {
	var all []ServiceState
	for _, service := range t.Services {
		state := ServiceState{Service: service, Ahead: -1}
		_, _ = s.InService(service.Path, func(repo *gitstore.Repo) error { // what can't be read is not there
			head, err := repo.Refs.Head(ctx)
			if err == nil || errors.Is(err, gitstore.ErrNotExist) {
				state.There, state.On = true, clone.HeadBranch(head)
				more(&state, repo)
			}
			return err
		})
		all = append(all, state)
	}
	return all
}

func (v *ServiceState) count(ctx context.Context, repo *gitstore.Repo, branch string) {
	tip, err := repo.Refs.Get(ctx, gitstore.RefName("refs/heads/"+branch))
	if err != nil || v.BaseCommit == "" {
		return
	}
	if n, err := clone.CountIn(ctx, repo, tip.String(), "^"+v.BaseCommit); err == nil {
		v.Ahead = n
	}
	if v.Base == "" {
		return
	}
	base, err := repo.Refs.Get(ctx, gitstore.RefName("refs/heads/"+v.Base))
	if err != nil || base == tip {
		return
	}
	if n, err := clone.CountIn(ctx, repo, base.String(), "^"+tip.String()); err == nil {
		v.Behind = n
	}
}
