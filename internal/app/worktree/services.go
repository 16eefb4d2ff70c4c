package worktree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/worktree"
	"github.com/git-brew/git-brew/internal/task"
)

// Services are submodules of this work tree, each opened in its own repository.
type Services struct {
	known []worktree.Submodule
	repos map[string]*gitstore.Repo
}

func (s *Place) Services(ctx context.Context) (*Services, error) {
	known, err := s.Clone.Repo.Tree.Submodules(ctx)
	return &Services{known: known, repos: map[string]*gitstore.Repo{}}, err
}

// ServicesFor is services where any are wanted; else it looks for none.
func (s *Place) ServicesFor(ctx context.Context, wanted []string) (*Services, error) {
	if len(wanted) == 0 {
		return &Services{}, nil
	}
	return s.Services(ctx)
}

// Close ends what was started in the services.
func (v *Services) Close() {
	for _, repo := range v.repos {
		_ = repo.Close()
	}
}

// names are the paths of those that are checked out.
func (v *Services) names() []string {
	var paths []string
	for _, m := range v.known {
		if m.CheckedOut {
			paths = append(paths, m.Path)
		}
	}
	return paths
}

func (v *Services) Find(path string) (worktree.Submodule, bool) {
	i := slices.IndexFunc(v.known, func(m worktree.Submodule) bool { return m.Path == path })
	if i < 0 {
		return worktree.Submodule{}, false
	}
	return v.known[i], true
}

// Open opens a service by its path; what is no submodule here, or not checked
// out, is refused with those that are.
func (v *Services) Open(s *Place, path string) (*gitstore.Repo, worktree.Submodule, error) {
	found, ok := v.Find(path)
	if !ok {
		return nil, found, v.unknown(path)
	}
	if repo := v.repos[path]; repo != nil {
		return repo, found, nil
	}
	repo, err := s.Clone.Repo.Submodule(path)
	if errors.Is(err, gitstore.ErrNotExist) {
		return nil, found, clone.Refuse("'git submodule update --init "+path+"' brings it", "service %s is not checked out",
			path)
	}
	if err == nil {
		v.repos[path] = repo
	}
	return repo, found, err
}

func (v *Services) unknown(path string) error {
	names := v.names()
	if len(names) == 0 {
		return clone.NotFound("services are submodules; see 'git help submodule'",
			"no service %q: no submodule is checked out here", path)
	}
	shown := strings.Join(names[:min(len(names), 10)], ", ")
	if more := len(names) - 10; more > 0 {
		shown += fmt.Sprintf(" and %d more", more)
	}
	return clone.NotFound("there is "+shown, "no service %q", path)
}

// Resolve finds the submodules that a person named: from the directory they are
// in, else from the top of the work tree. Each is named once.
func (v *Services) Resolve(s *Place, args []string) ([]string, error) {
	below, err := filepath.Rel(s.Clone.Repo.WorkTree(), s.Clone.Repo.Dir())
	if err != nil || !filepath.IsLocal(below) {
		below = "."
	}
	var found []string
	for _, arg := range args {
		name := strings.TrimRight(strings.TrimPrefix(arg, "./"), "/")
		if name == "" {
			name = arg
		}
		if err := task.CheckServicePath(name); err != nil {
			return nil, err
		}
		at := path.Join(filepath.ToSlash(below), name)
		if _, ok := v.Find(at); !ok {
			at = name
		}
		if _, ok := v.Find(at); !ok {
			return nil, v.unknown(name)
		}
		if !slices.Contains(found, at) {
			found = append(found, at)
		}
	}
	return found, nil
}

// Trunks are the branches that work begins from (BW-20, BW-23), the likeliest
// first.
var Trunks = []string{"main", "master", "develop", "dev"}

// ServiceStart is where a task's branch begins in a service: at from, where a
// revision is given; at the branch checked out there; or, where HEAD is detached
// as git leaves submodules, at the first of main, master and develop, if that has
// all that HEAD has, else at HEAD itself, so that nothing is left behind.
func ServiceStart(ctx context.Context, repo *gitstore.Repo, path, from string) (task.Service, error) {
	out := task.Service{Path: path}
	head, err := repo.Refs.Head(ctx)
	if err != nil {
		return out, fmt.Errorf("%s: %w", path, err)
	}
	if from != "" {
		if out.BaseCommit, err = CommitOf(ctx, repo, from); err != nil {
			return out, fmt.Errorf("%s: %w", path, err)
		}
		if out.Base, err = BranchNamed(ctx, repo, from); err != nil {
			return out, fmt.Errorf("%s: %w", path, err)
		}
		return out, nil
	}
	if head.OID.IsZero() {
		return out, clone.Refuse("commit something there first", "service %s has no commits", path)
	}
	out.Base, out.BaseCommit = clone.HeadBranch(head), head.OID.String()
	if head.Branch != "" || head.Rebasing != "" {
		return out, nil
	}
	branch, at, err := trunkOf(ctx, repo)
	if err != nil || branch == "" {
		return out, err
	}
	if has, err := repo.History.IsAncestor(ctx, head.OID, at); err != nil || !has {
		return out, err
	}
	out.Base, out.BaseCommit = branch, at.String()
	return out, nil
}

// trunkOf is the branch that work begins from in a repository, here or on a
// remote; "" where it has none of the usual names.
func trunkOf(ctx context.Context, repo *gitstore.Repo) (string, gitstore.OID, error) {
	for _, name := range Trunks {
		at, err := repo.Refs.Get(ctx, gitstore.RefName("refs/heads/"+name))
		if err == nil {
			return name, at, nil
		}
		if !errors.Is(err, gitstore.ErrNotExist) {
			return "", at, err
		}
		found, err := repo.Branches.Remote(ctx, name)
		if err != nil {
			return "", at, err
		}
		if len(found) > 0 {
			return name, found[0].OID, nil
		}
	}
	return "", gitstore.OID{}, nil
}

// ServiceMoves are the moves that a switch to a task makes in its services.
func (s *Place) ServiceMoves(ctx context.Context, v *Services, t task.Task) ([]BranchMove, error) {
	var moves []BranchMove
	for _, service := range t.Services {
		repo, sub, err := v.Open(s, service.Path)
		if err != nil {
			return nil, err
		}
		m := BranchMove{Path: service.Path, Repo: repo, Branch: t.Branch, Recorded: sub.Commit}
		if m.Before, err = repo.Refs.Head(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", service.Path, err)
		}
		exists, err := repo.Branches.Exists(ctx, t.Branch)
		if err != nil {
			return nil, err
		}
		if !exists {
			if err := m.begin(ctx, service); err != nil {
				return nil, err
			}
		}
		moves = append(moves, m)
	}
	return moves, nil
}

// begin finds where a branch begins that is not in a service: where a remote of
// it has it, else where the task recorded. A branch that git renamed is neither.
func (m *BranchMove) begin(ctx context.Context, service task.Service) error {
	if now, err := m.Repo.Branches.RenamedTo(ctx, m.Branch); err == nil {
		return clone.Refuse("rename it back, or 'git brew edit --branch "+now+"' once all services have that",
			"%sbranch %s is called %s now", m.where(), m.Branch, now)
	}
	found, err := m.Repo.Branches.Remote(ctx, m.Branch)
	if err != nil {
		return err
	}
	if len(found) > 0 {
		m.Start, m.rev = found[0].OID, string(found[0].Name) // in full: a local branch may have the short name
		m.Made = strings.TrimPrefix(string(found[0].Name), "refs/remotes/")
		return nil
	}
	base, err := gitstore.ParseOID(service.BaseCommit)
	if err != nil {
		return clone.Refuse("fetch the branch there first", "%sbranch %s is not there", m.where(), m.Branch)
	}
	if has, err := m.Repo.Objects.Has(ctx, base); err != nil || !has {
		return clone.Refuse("'git -C "+m.Path+" fetch' first", "%sneither branch %s nor commit %s is there", m.where(),
			m.Branch, base)
	}
	m.Start, m.Made = base, "its base "+base.String()[:7]
	return nil
}

// ServiceCommits are the commits that the task's branch has now in its services;
// one that is not checked out, or has no such branch, is left out.
func (s *Place) ServiceCommits(ctx context.Context, t task.Task) (task.Commits, error) {
	commits := task.Commits{}
	for _, service := range t.Services {
		_, err := s.InService(service.Path, func(repo *gitstore.Repo) error {
			at, err := repo.Refs.Get(ctx, gitstore.RefName("refs/heads/"+t.Branch))
			if errors.Is(err, gitstore.ErrNotExist) {
				return nil
			}
			commits[service.Path] = at.String()
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if len(commits) == 0 {
		return nil, nil
	}
	return commits, nil
}

// InService looks into the repository of a service; false where none is checked out.
func (s *Place) InService(path string, look func(repo *gitstore.Repo) error) (bool, error) {
	repo, err := s.Clone.Repo.Submodule(path)
	if errors.Is(err, gitstore.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { _ = repo.Close() }()
	return true, look(repo)
}

// ServiceNames are the submodules that are checked out here: what a task's
// services can be.
func (s *Place) ServiceNames(ctx context.Context) ([]string, error) {
	v, err := s.Services(ctx)
	return v.names(), err
}

// CommitOf resolves a revision in a repository.
func CommitOf(ctx context.Context, repo *gitstore.Repo, rev string) (string, error) {
	out, err := repo.Git.Run(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil {
		return "", clone.NotFound("give --from a branch, tag or commit", "no commit %q", rev)
	}
	return string(bytes.TrimSpace(out)), nil
}

// BranchNamed is the branch that a revision names in a repository, by its name
// without the remote's; "" where it names none, as a tag or a commit.
func BranchNamed(ctx context.Context, repo *gitstore.Repo, rev string) (string, error) {
	out, err := repo.Git.Run(ctx, "rev-parse", "--symbolic-full-name", "--verify", "--quiet", "--end-of-options", rev)
	if _, failed := errors.AsType[*gitstore.CommandError](err); failed {
		return "", nil // a name that means several things, or an expression
	}
	if err != nil {
		return "", err
	}
	full := gitstore.RefName(bytes.TrimSpace(out))
	if branch := full.Branch(); branch != "" || !strings.HasPrefix(string(full), "refs/remotes/") {
		return branch, nil
	}
	_, branch, _ := strings.Cut(strings.TrimPrefix(string(full), "refs/remotes/"), "/")
	return branch, nil
}
