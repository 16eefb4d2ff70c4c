package app

import (
	"context"
	"slices"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

// EditRequest changes what a task is called, and what it has to do with; empty
// fields stay.
type EditRequest struct {
	Title, Branch, Type string
	// Services are named as in CreateRequest; issues as links.
	Services, NoServices []string
	Issues, NoIssues     []string
	Priority             task.Priority
}

// EditTask changes a task's title, branch, type, services, issues or priority. A
// new branch name is taken as it is: the branch itself is renamed with git. A new
// service gets the branch with the next switch to the task.
func (s *Tasks) EditTask(ctx context.Context, id task.ID, r EditRequest) (task.Task, error) {
	if r.Type != "" {
		if err := knownType(r.Type); err != nil {
			return task.Task{}, err
		}
	}
	if _, err := gitstore.BranchRef(r.Branch); err == nil { // else it is none, or the rules refuse it
		if err := s.knownBranch(ctx, id, r.Branch); err != nil {
			return task.Task{}, err
		}
	}
	p, err := s.editPayload(ctx, r)
	if err != nil {
		return task.Task{}, err
	}
	var was task.Task
	t, err := s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) error {
		was = c.Task
		now, err := newIn(p, c.Task)
		if err != nil || now.Empty() {
			return err
		}
		if now.Branch != "" || len(now.AddServices)+len(now.DropServices) > 0 {
			if err := s.Locks.Allows(c.Lock); err != nil { // where it is worked on is the holder's
				return err
			}
		}
		if err := c.Do(ctx, change.Op(task.OpEdit, now)); err != nil {
			return err
		}
		return s.meanEdited(ctx, c)
	})
	if err != nil {
		return t, err
	}
	return t, s.followed(ctx, was, t)
}

// knownBranch refuses to give a task a branch that is nowhere: neither here, nor
// in a service of the task, nor on a remote as it was last fetched. The branch that it has may stay.
func (s *Tasks) knownBranch(ctx context.Context, id task.ID, branch string) error {
	t, err := s.Records.Task(ctx, id)
	if err != nil || t.Branch == branch {
		return err
	}
	if head, err := s.Clone.Repo.Refs.Head(ctx); err == nil && head.Branch == branch {
		return nil // with no commit yet, perhaps
	}
	if exists, err := s.Clone.Repo.Branches.Exists(ctx, branch); err != nil || exists {
		return err
	}
	for _, service := range t.Services {
		if repo, _ := s.Place.Service(service.Path); repo != nil {
			if exists, err := repo.Branches.Exists(ctx, branch); err == nil && exists {
				return nil
			}
		}
	}
	found, err := s.Clone.Repo.Branches.Remote(ctx, branch)
	if err != nil || len(found) > 0 {
		return err
	}
	return clone.NotFound("'git branch "+branch+"' makes it, 'git fetch' brings it from a remote",
		"there is no branch %s here", branch)
}

func (s *Tasks) editPayload(ctx context.Context, r EditRequest) (task.EditPayload, error) {
	p := task.EditPayload{Title: r.Title, Branch: r.Branch, Type: r.Type, Priority: r.Priority}
	var err error
	if p.AddIssues, err = issuesOf(r.Issues, ""); err != nil {
		return p, err
	}
	if p.DropIssues, err = issuesOf(r.NoIssues, ""); err != nil {
		return p, err
	}
	for _, arg := range r.NoServices { // it need not be here any more
		p.DropServices = append(p.DropServices, worktree.ServicePath(arg))
	}
	if len(r.Services) == 0 {
		return p, nil
	}
	v, paths, err := s.Place.Services(ctx, r.Services...)
	if err != nil {
		return p, err
	}
	for _, path := range paths {
		m, err := v.Open(ctx, path, "")
		if err != nil {
			return p, err
		}
		service, err := m.Begin(ctx, "")
		if err != nil {
			return p, err
		}
		p.AddServices = append(p.AddServices, service)
	}
	return p, nil
}

// newIn is what of an edit a task does not have yet. What it is to lose it must
// have.
func newIn(p task.EditPayload, t task.Task) (task.EditPayload, error) {
	p.Title, p.Branch, p.Type = other(p.Title, t.Title), other(p.Branch, t.Branch), other(p.Type, t.Type)
	if p.Priority == t.Priority || p.Priority == task.PriorityNone && t.Priority == "" {
		p.Priority = ""
	}
	for _, path := range p.DropServices {
		if _, ok := t.Service(path); !ok {
			return p, clone.NotFound("see 'git brew show "+string(t.ID)+"'", "%s has no service %q", t.ID, path)
		}
	}
	for _, link := range p.DropIssues {
		if !slices.Contains(t.Issues, link) {
			return p, clone.NotFound("see 'git brew show "+string(t.ID)+"'", "%s has no issue %q", t.ID, link)
		}
	}
	p.AddServices = slices.DeleteFunc(slices.Clone(p.AddServices), func(n task.Service) bool {
		_, has := t.Service(n.Path)
		return has
	})
	p.AddIssues = slices.DeleteFunc(slices.Clone(p.AddIssues), func(link string) bool {
		return slices.Contains(t.Issues, link)
	})
	return p, nil
}

// meanEdited keeps what this work tree means where the task here got its first
// service, or lost its last.
func (s *Tasks) meanEdited(ctx context.Context, c *change.Tx) error {
	here, err := s.Place.Here(ctx)
	if err != nil || here != c.ID {
		return err
	}
	_, err = s.Place.MeanHere(ctx, c.Ledger, c.Task, here)
	return err
}

// other is want where it differs from have.
func other(want, have string) string {
	if want == have {
		return ""
	}
	return want
}

// followed has branches mean a task as it is after a change: the one that it has, unless
// it is deleted, and no other. A task that comes back takes no branch from another.
func (s *Tasks) followed(ctx context.Context, was, after task.Task) error {
	moved, ctx := was.Branch != after.Branch, context.WithoutCancel(ctx)
	if !moved && was.Deleted == after.Deleted {
		return nil
	}
	if claimed, err := s.Clone.Ledger.TaskOfBranch(was.Branch); err == nil && claimed == string(after.ID) {
		if err := s.Clone.Ledger.UnbindBranch(ctx, was.Branch); err != nil {
			return err
		}
	}
	if after.Deleted {
		return nil
	}
	if claimed, err := s.Clone.Ledger.TaskOfBranch(after.Branch); !moved && (err != nil || claimed != "") {
		return err
	}
	return s.Clone.Ledger.BindBranch(ctx, after.Branch, string(after.ID))
}

// DeleteTask deletes a task, by an operation: an edit that somebody made
// elsewhere meanwhile revives it.
func (s *Tasks) DeleteTask(ctx context.Context, id task.ID) (task.Task, error) {
	var was task.Task
	t, err := s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) error {
		was = c.Task
		return s.deleteIn(ctx, c)
	})
	if err != nil {
		return t, err
	}
	return t, s.followed(ctx, was, t)
}

func (s *Tasks) deleteIn(ctx context.Context, c *change.Tx) error {
	if err := c.Do(ctx, change.Op(task.OpDelete, task.EmptyPayload{})); err != nil {
		return err
	}
	if err := s.Place.ForgetHere(ctx, c.Ledger, c.ID); err != nil {
		return err
	}
	return s.claims.Release(ctx, c)
}
