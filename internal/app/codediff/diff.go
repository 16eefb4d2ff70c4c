// Package codediff looks at the commits of a task: its range, diffs, what was rewritten,
// and what is handed over for review.
package codediff

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/statcache"
	"github.com/git-brew/git-brew/internal/task"
)

// Code looks at the commits of a task: ranges, diffs, hand-over.
type Code struct {
	Clone   *clone.Clone
	Config  *config.Config
	Place   *worktree.Place
	Records *records.Records
}

// DiffRange is what a phase, or the whole task, changed in the user's code: from a
// commit to another; "" for the work tree as it is.
type DiffRange struct {
	From  string `json:"from"`
	To    string `json:"to"`    // "" for the work tree
	Phase string `json:"phase"` // "" for the whole task
	// Rewritten: history is not as it was when the range was recorded. From and
	// To are what became of it, by the notes that git carried along, else by
	// patch id; Moved says what gave way, and names From with a %s.
	Rewritten bool   `json:"rewritten"`
	Moved     string `json:"-"`
	// Services are the ranges of a task that has its branch in services: then
	// these alone tell what it changed. Missing are those not checked out here.
	Services []ServiceRange `json:"services,omitempty"`
	Missing  []string       `json:"missing_services,omitempty"`
}

// What a rewritten history moved: From is what became of the start, or where the branch
// leaves its base now.
const (
	MovedStart = "the start was rewritten; comparing with %s, its successor"
	MovedBase  = "the branch moved along its base; comparing with %s, where it leaves that now"
)

// Diff finds what a phase changed; the whole task where arg is "".
func (s *Code) Diff(ctx context.Context, id task.ID, arg string) (DiffRange, error) {
	t, err := s.Records.Task(ctx, id)
	if err != nil {
		return DiffRange{}, err
	}
	if t.Branch, _, err = s.Place.BranchOf(ctx, t); err != nil {
		return DiffRange{}, err
	}
	r := DiffRange{From: t.BaseCommit}
	var p task.Phase
	if arg != "" {
		if p, err = t.FindPhase(arg); err != nil {
			return r, err
		}
		r = DiffRange{From: p.StartCommit, Phase: p.ID}
		if p.Status.Over() || p.Status == task.PhaseInReview {
			r.To = p.EndCommit
		}
		switch none := r.From == "" && len(p.ServiceStarts) == 0; {
		case none && p.Status == task.PhaseDropped:
			return r, clone.Refuse("'git brew diff' shows the whole task", "phase %s was dropped before it was started", p.ID)
		case none && (p.Status == task.PhasePending || p.Iteration == 0):
			return r, clone.Refuse("'git brew phase start "+p.ID+"' begins it", "phase %s was not started", p.ID)
		}
	}
	if len(t.Services) > 0 {
		r.Services, r.Missing, err = s.diffServices(ctx, t, p)
		return r, err
	}
	open := r.To == ""
	switch {
	case open:
		r.To, err = s.WorkedOnElsewhere(ctx, t)
	case p.Status == task.PhaseInReview:
		r.To, open, err = s.upTo(ctx, t, r.To)
	}
	if err != nil {
		return r, err
	}
	if r.From == "" { // it began in a repository without commits
		r.From, err = s.emptyTree(ctx)
		return r, err
	}
	if r, err = s.followRewrite(ctx, t, r, open); err != nil || r.Rewritten {
		return r, err
	}
	return r, s.isHere(ctx, t, r)
}

// isHere refuses a range whose recorded commits are not in this clone, and says
// what may bring them.
func (s *Code) isHere(ctx context.Context, t task.Task, r DiffRange) error {
	for _, commit := range []string{r.From, r.To} {
		oid, err := gitstore.ParseOID(commit)
		if err != nil {
			continue // there is none
		}
		if has, err := s.Clone.Repo.Objects.Has(ctx, oid); err != nil || has {
			continue // git says what else is wrong
		}
		hint := "fetch " + t.Branch + " from where it was made"
		if remote, err := s.Config.RemoteFor(ctx, ""); err == nil {
			hint = "'git fetch " + remote.Name + " " + t.Branch + "' brings it, once it was pushed"
		}
		return clone.NotFound(hint, "commit %s is not in this clone", oid.Short())
	}
	return nil
}

// counts is the memo of what was counted, maxCounts how many it keeps: some for
// every task that is looked at.
const (
	counts    = "counts"
	maxCounts = 200
)

// Count counts the commits in a range of commits named by their ids. The answer
// can't change, so it is kept: git takes as long for it as a whole command of
// ours.
func (s *Code) Count(ctx context.Context, revs ...string) (int, error) {
	if len(revs) == 2 && revs[1] == "^"+revs[0] {
		return 0, nil
	}
	if s.Clone.Repo.Shallow() {
		return clone.CountIn(ctx, s.Clone.Repo, revs...)
	}
	span := strings.Join(revs, " ")
	kept := map[string]int{}
	piece, _ := s.Clone.Repo.Cache.GetPiece(counts, statcache.Watch{})
	_ = json.Unmarshal([]byte(piece), &kept) // it is only a cache
	if n, known := kept[span]; known {
		return n, nil
	}
	n, err := clone.CountIn(ctx, s.Clone.Repo, revs...)
	if err != nil {
		return 0, err
	}
	if kept == nil || len(kept) >= maxCounts {
		kept = map[string]int{}
	}
	kept[span] = n
	if data, err := json.Marshal(kept); err == nil {
		s.Clone.Repo.Cache.PutPiece(counts, statcache.Watch{}, data)
	}
	return n, nil
}

// Apart counts the commits that only the first of two has, and only the second.
func (s *Code) Apart(ctx context.Context, ours, theirs string) (ahead, behind int, err error) {
	if ahead, err = s.Count(ctx, ours, "^"+theirs); err != nil {
		return 0, 0, err
	}
	behind, err = s.Count(ctx, theirs, "^"+ours)
	return ahead, behind, err
}

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
		repo, err := s.Place.Service(service.Path)
		if err == nil && repo == nil {
			away = append(away, service.Path)
			continue
		}
		if err == nil {
			err = r.complete(ctx, repo, t.Branch)
		}
		if err != nil {
			return nil, nil, err
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
