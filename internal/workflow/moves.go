package workflow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
)

// branchMove takes one repository to a branch: the user's own, or a service's.
type branchMove struct {
	path   string // of the service; "" for the repository itself
	repo   *gitstore.Repo
	branch string
	// start is the commit that the branch is made at; zero where it is there.
	start gitstore.OID
	// rev is what git is given for start, where a remote's branch is to be
	// followed; made is what it is called, for people.
	rev, made string
	// stay makes the branch, and leaves the work tree where it is.
	stay bool
	// unborn: there is no commit yet that the branch could begin at.
	unborn bool
	before gitstore.Head
	// recorded is the commit that the repository around has for a service.
	recorded gitstore.OID
}

// where names the repository in a sentence: "services/api: ", or nothing.
func (m branchMove) where() string {
	if m.path == "" {
		return ""
	}
	return m.path + ": "
}

// done: there is nothing to do.
func (m branchMove) done() bool {
	return m.start.IsZero() && !m.unborn && (m.stay || clone.HeadBranch(m.before) == m.branch)
}

// check finds what git would refuse, and what it would do without a word though
// something is lost by it, before any repository has moved.
func (m branchMove) check(ctx context.Context) error {
	if m.done() || m.stay || m.unborn {
		return nil
	}
	if m.before.Rebasing != "" {
		return clone.Refuse("finish it first", "%sa rebase of %s is under way", m.where(), m.before.Rebasing)
	}
	to := m.start
	if to.IsZero() {
		trees, err := m.repo.Tree.List(ctx)
		if err != nil {
			return err
		}
		for _, t := range trees[min(1, len(trees)):] {
			if t.Branch == m.branch && !t.Prunable {
				return clone.Refuse("", "%sbranch %s is checked out in %s", m.where(), m.branch, t.Path)
			}
		}
		if to, err = m.repo.Refs.Get(ctx, gitstore.RefName("refs/heads/"+m.branch)); err != nil {
			return err
		}
	}
	if m.before.Branch == "" && m.before.OID != to && m.before.OID != m.recorded {
		named, err := m.repo.Branches.Reachable(ctx, m.before.OID)
		if err != nil {
			return err
		}
		if !named {
			return clone.Refuse("'git branch NAME' there keeps it", "%sHEAD is at %s, which no branch leads to", m.where(), m.before.OID)
		}
	}
	if to == m.before.OID {
		return nil
	}
	err := m.repo.Tree.WouldSwitch(ctx, to)
	if git, ok := errors.AsType[*gitstore.CommandError](err); ok && git.Code > 0 {
		if files := quotedIn(git.Stderr); len(files) > 0 {
			return clone.Refuse("commit or stash that there", "%slocal changes are in the way of %s: %s", m.where(), m.branch, strings.Join(files, ", "))
		}
	}
	return m.named(err)
}

// quotedIn are the names that git's words have in quotes, some of them.
func quotedIn(words string) []string {
	var found []string
	for line := range strings.Lines(words) {
		_, rest, ok := strings.Cut(line, "'")
		end := strings.LastIndexByte(rest, '\'')
		if ok && end > 0 && len(found) < 5 {
			found = append(found, rest[:end])
		}
	}
	return found
}

// named says of git's refusal where it was.
func (m branchMove) named(err error) error {
	if git, ok := errors.AsType[*gitstore.CommandError](err); ok && git.Code > 0 {
		return clone.Refuse("", "%s%v", m.where(), git)
	}
	return err
}

func (m branchMove) do(ctx context.Context) error {
	switch {
	case m.done():
		return nil
	case m.unborn:
		return m.named(m.repo.Tree.SwitchUnborn(ctx, m.branch))
	case m.start.IsZero():
		return m.named(m.repo.Tree.Switch(ctx, m.branch))
	case m.stay:
		return m.named(m.repo.Branches.Create(ctx, m.branch, cmp.Or(m.rev, m.start.String())))
	}
	return m.named(m.repo.Tree.SwitchNew(ctx, m.branch, cmp.Or(m.rev, m.start.String())))
}

// undo takes back what do did; what it can't, it says.
func (m branchMove) undo(ctx context.Context) error {
	if m.done() {
		return nil
	}
	var err error
	switch {
	case m.unborn:
		err = m.repo.Tree.SwitchUnborn(ctx, m.before.Branch)
	case !m.stay:
		err = goBack(ctx, m.repo, m.before)
	}
	if err == nil && !m.start.IsZero() {
		err = m.repo.Branches.Delete(ctx, m.branch, m.start)
	}
	if err != nil {
		return fmt.Errorf("%s%s was not taken back: %w", m.where(), m.branch, err)
	}
	return nil
}

// checkAll finds what can be foreseen to stop any of the moves.
// One repository alone is left to git, which refuses in words that people know.
func checkAll(ctx context.Context, moves []branchMove) error {
	if len(moves) == 1 && moves[0].path == "" {
		return nil
	}
	for _, m := range moves {
		if err := m.check(ctx); err != nil {
			return err
		}
	}
	return nil
}

// moveAll takes all repositories to their branches, or none: what can be foreseen
// is asked of each before the first one moves, and where one fails all the same
// those before it go back. So does undo.
func moveAll(ctx context.Context, moves []branchMove) (undo func(context.Context) error, err error) {
	if err := checkAll(ctx, moves); err != nil {
		return nil, err
	}
	var moved []branchMove
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
