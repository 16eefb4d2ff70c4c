package worktree

import (
	"cmp"
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
	place *Place
	known []worktree.Submodule
}

// Services are the submodules here, and the paths of those that a person named, from the
// directory they are in, else from the top of the work tree. Each is named once.
func (s *Place) Services(ctx context.Context, names ...string) (v *Services, paths []string, err error) {
	v = &Services{place: s}
	if v.known, err = s.Clone.Repo.Tree.Submodules(ctx); err != nil {
		return v, nil, err
	}
	below, err := filepath.Rel(s.Clone.Repo.WorkTree, s.Clone.Repo.Git.Dir)
	if err != nil || !filepath.IsLocal(below) {
		below = "."
	}
	for _, arg := range names {
		name := cmp.Or(ServicePath(arg), arg)
		if err := task.CheckServicePath(name); err != nil {
			return v, nil, err
		}
		at := path.Join(filepath.ToSlash(below), name)
		if _, here := v.find(at); !here {
			at = name
		}
		if _, known := v.find(at); !known {
			return v, nil, v.unknown(name)
		}
		if !slices.Contains(paths, at) {
			paths = append(paths, at)
		}
	}
	return v, paths, nil
}

// ServicePath is the path of a service as a person may type it.
func ServicePath(arg string) string { return strings.TrimRight(strings.TrimPrefix(arg, "./"), "/") }

func (v *Services) find(path string) (worktree.Submodule, bool) {
	i := slices.IndexFunc(v.known, func(m worktree.Submodule) bool { return m.Path == path })
	if i < 0 {
		return worktree.Submodule{}, false
	}
	return v.known[i], true
}

// CheckedOut are the paths of those that are checked out.
func (v *Services) CheckedOut() []string {
	var paths []string
	for _, m := range v.known {
		if m.CheckedOut {
			paths = append(paths, m.Path)
		}
	}
	return paths
}

// Open begins a move in a service, to a branch that may be there or not, or to none yet;
// what is no submodule here, or not checked out, is refused with those that are.
func (v *Services) Open(ctx context.Context, path, branch string) (BranchMove, error) {
	found, ok := v.find(path)
	if !ok {
		return BranchMove{}, v.unknown(path)
	}
	m := BranchMove{Path: path, Branch: branch, Recorded: found.Commit}
	var err error
	m.Repo, err = v.place.Clone.Repo.Submodule(path)
	if errors.Is(err, gitstore.ErrNotExist) {
		return m, clone.Refuse("'git submodule update --init "+path+"' brings it", "service %s is not checked out", path)
	}
	if err != nil {
		return m, err
	}
	if m.Before, err = m.Repo.Refs.Head(ctx); err != nil {
		return m, fmt.Errorf("%s: %w", path, err)
	}
	if branch != "" {
		m.There, err = m.Repo.Branches.Exists(ctx, branch)
	}
	return m, err
}

func (v *Services) unknown(path string) error {
	names := v.CheckedOut()
	if len(names) == 0 {
		return clone.NotFound("services are submodules; see 'git help submodule'",
			"no service %q: no submodule is checked out here", path)
	}
	return clone.NotFound("there is "+strings.Join(names, ", "), "no service %q", path)
}

// Begin has the branch of a move begin anew: at from, where a revision is given; at the
// branch checked out there; or, where HEAD is detached as git leaves submodules, at the
// first of main, master and develop that has all that HEAD has, else at HEAD itself, so
// that nothing is left behind. It returns what a task records of its service.
func (m *BranchMove) Begin(ctx context.Context, from string) (task.Service, error) {
	out, head := task.Service{Path: m.Path}, m.Before
	var err error
	switch {
	case from != "":
		if out.Base, out.BaseCommit, err = Revision(ctx, m.Repo, from); err != nil {
			return out, fmt.Errorf("%s%w", m.where(), err)
		}
	case head.OID.IsZero():
		return out, clone.Refuse("commit something there first", "service %s has no commits", m.Path)
	default:
		out.Base, out.BaseCommit = clone.HeadBranch(head), head.OID.String()
		if out.Base != "" {
			break
		}
		branch, at, err := trunkWith(ctx, m.Repo, head.OID)
		if err != nil {
			return out, err
		}
		out.Base, out.BaseCommit = branch, at.String()
	}
	m.Start, err = gitstore.ParseOID(out.BaseCommit)
	return out, err
}

// ServiceCommits are the commits that the task's branch has now in its services;
// one that is not checked out, or has no such branch, is left out.
func (s *Place) ServiceCommits(ctx context.Context, t task.Task) (task.Commits, error) {
	commits := task.Commits{}
	for _, service := range t.Services {
		repo, err := s.Service(service.Path)
		if err != nil {
			return nil, err
		}
		if repo == nil {
			continue
		}
		at, err := repo.Refs.Get(ctx, gitstore.RefName("refs/heads/"+t.Branch))
		if err == nil {
			commits[service.Path] = at.String()
		} else if !errors.Is(err, gitstore.ErrNotExist) {
			return nil, err
		}
	}
	if len(commits) == 0 {
		return nil, nil
	}
	return commits, nil
}

// Service is the repository of a service; nil where none is checked out.
func (s *Place) Service(path string) (*gitstore.Repo, error) {
	repo, err := s.Clone.Repo.Submodule(path)
	if errors.Is(err, gitstore.ErrNotExist) {
		return nil, nil
	}
	return repo, err
}

// ServiceState is where a service of a task stands in this work tree.
type ServiceState struct {
	task.Service
	There bool   // it is checked out
	On    string // the branch that is; "" where HEAD is detached
	// Ahead and Behind are what AgainstBase counts there.
	Ahead, Behind int
}

// ServiceStates looks at the services of a task, and has git count their commits where
// that is wanted. What can't be read there is not told, for a status has to be told anyway.
func (s *Place) ServiceStates(ctx context.Context, t task.Task, counted bool) []ServiceState {
	var all []ServiceState
	for _, service := range t.Services {
		state := ServiceState{Service: service, Ahead: -1}
		if repo, _ := s.Service(service.Path); repo != nil {
			var err error
			state.On, err = branchIn(ctx, repo)
			state.There = err == nil
			if counted {
				state.Ahead, state.Behind = AgainstBase(ctx, repo, t.Branch, service.Base, service.BaseCommit,
					func(ctx context.Context, revs ...string) (int, error) { return clone.CountIn(ctx, repo, revs...) })
			}
		}
		all = append(all, state)
	}
	return all
}

// AgainstBase counts the commits of a branch since the branch that it came from, or, where
// that is gone, since the commit, and what that branch has beyond it. Ahead is -1 where
// nobody can tell.
func AgainstBase(ctx context.Context, repo *gitstore.Repo, branch, base, commit string,
	count func(ctx context.Context, revs ...string) (int, error),
) (ahead, behind int) {
	tip, err := repo.Refs.Get(ctx, gitstore.RefName("refs/heads/"+branch))
	from, berr := repo.Refs.Get(ctx, gitstore.RefName("refs/heads/"+base))
	if berr == nil {
		commit = from.String()
	}
	if err != nil || commit == "" {
		return -1, 0
	}
	if ahead, err = count(ctx, tip.String(), "^"+commit); err == nil && berr == nil {
		behind, err = count(ctx, commit, "^"+tip.String())
	}
	if err != nil {
		return -1, 0
	}
	return ahead, behind
}
