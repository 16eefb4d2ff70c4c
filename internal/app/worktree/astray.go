package worktree

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

// Astray says that a file lies elsewhere than where the caller's task is worked on.
type Astray struct {
	// What is wrong, as the end of a sentence.
	What string
	// Way is what to do about it, with its command, as a sentence without its end.
	Way string
}

// Astray reports whether writing a file, by an absolute path or one relative to
// here, would leave the branch or the work tree of the caller's task; nil: no, or
// nobody can tell. People and files outside of this repository are free; for a run's
// worker, those in no work tree.
func (s *Place) Astray(ctx context.Context, path string) (*Astray, error) {
	set, err := s.Config.Settings(ctx)
	if err != nil || s.Clone.Caller.Session == "" || !set.Bool(config.KeyGateBranch) {
		return nil, err
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.Clone.CallerDir(), path)
	}
	file, err := ResolvePath(path)
	if err != nil {
		return nil, nil //nolint:nilerr // nothing can be written there either
	}
	if s.ofRun(ctx) != "" {
		return s.leaves(file), nil
	}
	t, err := s.worksOn(ctx)
	if err != nil || t == nil {
		return nil, err
	}
	return s.strayed(ctx, *t, workTreeOf(file))
}

// worksOn is the live task that the caller's session works on: the one whose lock
// it holds, of the task that it was last seen on and the one here.
func (s *Place) worksOn(ctx context.Context) (*task.Task, error) {
	c, err := s.Clone.State(ctx)
	if err != nil {
		return nil, err
	}
	here, err := s.Here(ctx)
	if err != nil {
		return nil, err
	}
	for _, id := range []task.ID{here, c.Session(s.Clone.Caller.Session).Task} {
		if id == "" || !s.Clone.Ledger.HasTask(ctx, string(id)) {
			continue
		}
		b, _, err := s.Records.Brief(ctx, id)
		if err != nil {
			return nil, err
		}
		if b.Task.Deleted || b.Task.Status.Terminal() {
			continue
		}
		l, err := s.Records.LockBrief(ctx, id)
		if err != nil {
			return nil, err
		}
		if l.Held && l.Session == s.Clone.Caller.Session {
			return &b.Task, nil
		}
	}
	return nil, nil
}

// strayed compares where a file lies, by the top of its work tree, with where a task is
// worked on: in any work tree of this repository that is about the task, or in its
// services, on its branch.
func (s *Place) strayed(ctx context.Context, t task.Task, top string) (*Astray, error) {
	mine := s.Clone.Repo.WorkTree
	if top == "" || mine == "" {
		return nil, nil
	}
	if sameFile(top, mine) {
		here, err := s.Here(ctx)
		if err != nil {
			return nil, err
		}
		on, err := branchIn(ctx, s.Clone.Repo)
		if err != nil || here == t.ID && (len(t.Services) == 0 || on == t.Branch) {
			return nil, err
		}
		return elsewhere(t, "this work tree", on), nil
	}
	if s.Clone.Open == nil {
		return nil, nil
	}
	other, err := s.Clone.Open(top)
	if err != nil {
		return nil, nil // no repository, or none of ours
	}
	defer func() { _ = other.Close() }()
	on, err := branchIn(ctx, other)
	if err != nil {
		return nil, err
	}
	rel, inside := Within(mine, other.WorkTree)
	switch {
	case other.CommonDir == s.Clone.Repo.CommonDir:
		there, err := s.HereIn(ctx, other)
		if err != nil || there == t.ID {
			return nil, err
		}
		a := elsewhere(t, "the work tree "+other.WorkTree, on)
		a.Way = fmt.Sprintf("the work tree of this session is %s, 'git brew lock release %s' ends its work", mine,
			t.ID.Slug())
		return a, nil
	case !inside || !below(other.CommonDir, s.Clone.Repo.CommonDir) || len(t.Services) == 0:
		return nil, nil // a task that knows no services says nothing about them
	}
	_, known := t.Service(rel)
	if known && on == t.Branch {
		return nil, nil
	}
	a := elsewhere(t, rel, on)
	if !known {
		a.Way = fmt.Sprintf("'git brew edit %s --service %s' makes it one of its services", t.ID.Slug(), rel)
	}
	return a, nil
}

// elsewhere says of a place, which has the branch on checked out, that the task is
// worked on elsewhere.
func elsewhere(t task.Task, where, on string) *Astray {
	name, in := t.ID.Slug(), ""
	if len(t.Services) > 0 {
		in = " in " + strings.Join(t.ServicePaths(), ", ")
	}
	return &Astray{
		What: fmt.Sprintf("%s is on %s, and this session works on %s, on %s%s", where, cmp.Or(on, "no branch"), name,
			t.Branch, in),
		Way: fmt.Sprintf("'git brew switch %s' goes there, 'git brew lock release %[1]s' ends this session's work on it",
			name),
	}
}

// branchIn is the branch that is checked out in a repository, or being rebased; "" for none.
func branchIn(ctx context.Context, repo *gitstore.Repo) (string, error) {
	head, err := repo.Refs.Head(ctx)
	return clone.HeadBranch(head), err
}

// workTreeOf is the innermost directory around a file that has a git directory,
// "" for none.
func workTreeOf(file string) string {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}
