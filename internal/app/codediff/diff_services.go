package codediff

import (
	"bytes"
	"context"
	"errors"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

// ServiceRange is what a phase, or the whole task, changed in a service; From and
// To are as in DiffRange, in the service's own repository.
type ServiceRange struct {
	Path string `json:"path"`
	From string `json:"from"`
	To   string `json:"to"` // "" for its work tree
	// Rewritten: the branch does not lead to the commit that was recorded; From is
	// where the two part.
	Rewritten bool `json:"rewritten"`
}

// diffServices finds what was changed in each service of a task. A service that
// is not checked out here is left out, and named in away.
func (s *Code) diffServices(ctx context.Context, t task.Task,
	p task.Phase,
) (ranges []ServiceRange, away []string, err error) {
	ended := p.Status.Over() || p.Status == task.PhaseInReview
	for _, service := range t.Services {
		r := ServiceRange{Path: service.Path, From: service.BaseCommit}
		if from := p.ServiceStarts[service.Path]; from != "" {
			r.From = from
		}
		if ended {
			r.To = p.ServiceEnds[service.Path]
		}
		there, err := s.Place.InService(service.Path, func(repo *gitstore.Repo) error {
			return r.complete(ctx, repo, t.Branch)
		})
		if err != nil {
			return nil, nil, err
		}
		if !there {
			away = append(away, service.Path)
			continue
		}
		ranges = append(ranges, r)
	}
	return ranges, away, nil
}

// complete finds the end of a range that is open, and what became of its start
// where the branch was rewritten.
func (r *ServiceRange) complete(ctx context.Context, repo *gitstore.Repo, branch string) error {
	from, err := gitstore.ParseOID(r.From)
	if err != nil {
		return clone.Refuse("'git brew edit --no-service "+r.Path+"' takes it out",
			"it is not recorded where the task began in %s", r.Path)
	}
	if has, err := repo.Objects.Has(ctx, from); err != nil || !has {
		return clone.NotFound("'git -C "+r.Path+" fetch' may bring it", "commit %s is not in %s", from, r.Path)
	}
	if r.To != "" {
		return nil // both as they were recorded
	}
	tip, err := repo.Refs.Get(ctx, gitstore.RefName("refs/heads/"+branch))
	if errors.Is(err, gitstore.ErrNotExist) {
		r.To = r.From // no branch, no change
		return nil
	}
	if err != nil {
		return err
	}
	head, err := repo.Refs.Head(ctx)
	if err != nil {
		return err
	}
	if clone.HeadBranch(head) != branch {
		r.To = tip.String()
	}
	if leads, err := repo.History.IsAncestor(ctx, from, tip); err != nil || leads {
		return err
	}
	out, err := repo.Git.Run(ctx, "merge-base", from.String(), tip.String())
	if err != nil {
		return clone.Refuse("", "%s of %s has nothing in common any more with %s, where it began", branch, r.Path, from)
	}
	r.From, r.Rewritten = string(bytes.TrimSpace(out)), true
	return nil
}
