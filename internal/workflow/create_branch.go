package workflow

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

func (s *Service) base(ctx context.Context, from string, head gitstore.Head) (string, error) {
	if from == "" {
		if head.OID.IsZero() {
			return "", nil
		}
		return head.OID.String(), nil
	}
	return commitOf(ctx, s.repo, from)
}

// commitOf resolves a revision in a repository.
func commitOf(ctx context.Context, repo *gitstore.Repo, rev string) (string, error) {
	out, err := repo.Git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil {
		return "", &NotFoundError{Kind: ErrNotFound, Msg: fmt.Sprintf("no commit %q", rev), Hint: "give --from a branch, tag or commit"}
	}
	return string(bytes.TrimSpace(out)), nil
}

// branchNamed is the branch that a revision names in a repository, by its name
// without the remote's; "" where it names none, as a tag or a commit.
func branchNamed(ctx context.Context, repo *gitstore.Repo, rev string) (string, error) {
	out, err := repo.Git(ctx, "rev-parse", "--symbolic-full-name", "--verify", "--quiet", "--end-of-options", rev)
	if _, failed := errors.AsType[*gitstore.CommandError](err); failed {
		return "", nil // a name that means several things, or an expression
	}
	if err != nil {
		return "", err
	}
	full := gitstore.RefName(bytes.TrimSpace(out))
	if branch := full.Branch(); branch != "" {
		return branch, nil
	}
	rest, remote := strings.CutPrefix(string(full), "refs/remotes/")
	for remote {
		if _, rest, remote = strings.Cut(rest, "/"); !remote {
			break
		}
		found, err := repo.RemoteBranch(ctx, rest)
		if err != nil {
			return "", err
		}
		if slices.ContainsFunc(found, func(r gitstore.Ref) bool { return r.Name == full }) {
			return rest, nil
		}
	}
	return "", nil
}

// branchFree refuses a branch that exists, or that a live task claims.
func (s *Service) branchFree(ctx context.Context, branch string, here bool) error {
	id, err := s.liveOf(ctx, branch)
	switch {
	case err != nil:
		return err
	case id != "" && here:
		return refuse("'git brew switch "+string(id)+"' goes there", "branch %s belongs to %s", branch, id)
	case id != "":
		return refuse("'git brew switch "+string(id)+"' goes on with it, --branch makes another one", "branch %s belongs to %s", branch, id)
	}
	exists, err := s.repo.BranchExists(ctx, branch)
	if err != nil || !exists || here {
		return err
	}
	if g, ok := s.goneOf(ctx, branch); ok {
		return refuse(g.hint()+", --branch makes another one", "branch %s exists, and %s", branch, g.What)
	}
	return refuse("choose another with --branch, or check it out and use --here", "branch %s exists", branch)
}

// liveOf is the task under way that a branch means here; "" for none.
func (s *Service) liveOf(ctx context.Context, branch string) (task.ID, error) {
	t, ok, err := s.meant(ctx, branch)
	if err != nil || !ok || t.Status.Terminal() {
		return "", err
	}
	return t.ID, nil
}

// newMoves are what making a task's branch moves: the repository itself, or the
// services that were asked for, and nothing where the branch is there already.
// The services are recorded in p.
func (s *Service) newMoves(ctx context.Context, v *services, r CreateRequest, p *task.CreatePayload, head gitstore.Head) ([]branchMove, error) {
	switch {
	case len(r.Services) > 0:
		moves, made, err := s.newServiceMoves(ctx, v, r, p.Branch)
		p.Services = made
		if err != nil || r.NoSwitch {
			return moves, err
		}
		return moves, s.mayStay(ctx, head)
	case r.Here:
		return nil, nil
	case p.BaseCommit == "" && r.NoSwitch:
		return nil, refuse("leave --no-switch away, or commit something first", "a branch can't be made in a repository without commits")
	}
	m := branchMove{repo: s.repo, branch: p.Branch, stay: r.NoSwitch, before: head, unborn: p.BaseCommit == ""}
	if m.unborn {
		return []branchMove{m}, nil
	}
	at, err := gitstore.ParseOID(p.BaseCommit)
	m.start = at
	return []branchMove{m}, err
}
