package worktree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

// Astray says that a file lies elsewhere than where the caller's task is worked
// on. There are five cases: this work tree went elsewhere, or is around the task's
// services; it is another work tree; it is a service on another branch, or none of
// the task's.
type Astray struct {
	// What is wrong, as the end of a sentence.
	What string
	// Way is what to do about it, with its command, as a sentence without its end.
	Way string
}

// Astray reports whether writing a file, by an absolute path or one relative to
// here, would leave the branch or the work tree of the caller's task; nil: no, or
// nobody can tell. People and files outside of this repository are free.
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

// strayed compares where a file lies with where a task is worked on.
func (s *Place) strayed(ctx context.Context, t task.Task, top string) (*Astray, error) {
	mine := s.Clone.Repo.WorkTree()
	if top == "" || mine == "" {
		return nil, nil
	}
	if sameFile(top, mine) {
		return s.strayedHere(ctx, t)
	}
	if s.Clone.Open == nil {
		return nil, nil
	}
	other, err := s.Clone.Open(top)
	if err != nil {
		return nil, nil // no repository, or none of ours
	}
	defer func() { _ = other.Close() }()
	if other.CommonDir() == s.Clone.Repo.CommonDir() {
		return s.strayedTo(ctx, t, other)
	}
	if rel, ok := Within(mine, other.WorkTree()); ok && below(other.CommonDir(), s.Clone.Repo.CommonDir()) {
		return strayedIntoService(ctx, t, other, rel)
	}
	return nil, nil
}

// strayedHere: this work tree is not, or no longer, where the task is worked on.
func (s *Place) strayedHere(ctx context.Context, t task.Task) (*Astray, error) {
	name := t.ID.Slug()
	here, err := s.Here(ctx)
	if err != nil {
		return nil, err
	}
	head, err := s.Clone.Repo.Refs.Head(ctx)
	if err != nil && !errors.Is(err, gitstore.ErrNotExist) {
		return nil, err
	}
	switch {
	case here == t.ID && len(t.Services) > 0 && clone.HeadBranch(head) != t.Branch:
		return &Astray{
			name + " is worked on in " + servicesOf(t) + ", and not in the repository around",
			"'git brew create TITLE' makes a task for that",
		}, nil
	case here == t.ID:
		return nil, nil
	}
	return &Astray{
		fmt.Sprintf("this work tree is on %s, and this session works on %s, on %s", headWords(head), name, t.Branch),
		fmt.Sprintf("'git brew switch %s' goes there, 'git brew lock release %[1]s' ends this session's work on it", name),
	}, nil
}

// strayedTo: the file lies in another work tree of this repository, which is
// fine where that is on the same task.
func (s *Place) strayedTo(ctx context.Context, t task.Task, other *gitstore.Repo) (*Astray, error) {
	there, err := s.HereIn(ctx, other)
	if err != nil || there == t.ID {
		return nil, err
	}
	on := "no task"
	if there != "" {
		on = there.Slug()
	}
	name := t.ID.Slug()
	return &Astray{
		fmt.Sprintf("that is another work tree, %s, which is on %s; this session works on %s", other.WorkTree(), on, name),
		fmt.Sprintf("the work tree of this session is %s; 'git brew lock release %s' ends its work on the task",
			s.Clone.Repo.WorkTree(), name),
	}, nil
}

// strayedIntoService: the file lies in a submodule, which has to be one of the
// task's services, and on the task's branch.
func strayedIntoService(ctx context.Context, t task.Task, other *gitstore.Repo, rel string) (*Astray, error) {
	if len(t.Services) == 0 {
		return nil, nil // a task that knows no services says nothing about them
	}
	name := t.ID.Slug()
	if !slices.Contains(t.ServicePaths(), rel) {
		return &Astray{
			fmt.Sprintf("%s is none of the services of %s, which is worked on in %s", rel, name, servicesOf(t)),
			fmt.Sprintf("'git brew edit %s --service %s' makes it one", name, rel),
		}, nil
	}
	head, err := other.Refs.Head(ctx)
	if err != nil && !errors.Is(err, gitstore.ErrNotExist) {
		return nil, err
	}
	if clone.HeadBranch(head) == t.Branch {
		return nil, nil
	}
	return &Astray{
		fmt.Sprintf("%s is on %s, and %s is worked on there on %s", rel, headWords(head), name, t.Branch),
		fmt.Sprintf("'git brew switch %s' moves each of its services", name),
	}, nil
}

func servicesOf(t task.Task) string { return strings.Join(t.ServicePaths(), ", ") }

// headWords names what is checked out.
func headWords(h gitstore.Head) string {
	if branch := clone.HeadBranch(h); branch != "" {
		return branch
	}
	return "no branch"
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
