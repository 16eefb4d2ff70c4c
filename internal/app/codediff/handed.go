package codediff

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

// Held is what a work tree holds of a task, as git says.
type Held struct {
	Commit   string       // HEAD, or what HeldOf means; "" in a repository without commits
	Services task.Commits // the task's branch in each of its services
	// Clean: there is nothing beside these commits, and they are what is checked
	// out. Where nobody can tell, it is not.
	Clean bool
	// Away: the commit is not what is checked out here.
	Away bool
}

// Held looks at the work tree. What is handed over, and what is verified, is told
// by it: never by the estimate that is good enough for a status line.
func (s *Code) Held(ctx context.Context, t task.Task) (Held, error) {
	h, err := s.holds(ctx, t)
	if err != nil {
		return h, err
	}
	if h.Clean, err = s.isClean(ctx, t, h.Services); err != nil && ctx.Err() == nil {
		return h, nil // git can't tell
	}
	return h, err
}

// HeldOf is what is handed over, or approved, of p: held where its commands ran, so
// that it matters what is beside; else holds, for git takes its time to look at a
// large work tree.
func (s *Code) HeldOf(ctx context.Context, t task.Task, p task.Phase) (Held, error) {
	look := s.Held
	if p.Verified == nil {
		look = s.holds
	}
	h, err := look(ctx, t)
	if err != nil {
		return h, err
	}
	at, err := s.endOf(ctx, t, p)
	if at != h.Commit {
		h.Commit, h.Clean, h.Away = at, false, true
	}
	return h, err
}

// endOf is the commit that ends the work on p: where the work on the task stands,
// but of one that is handed over what its review looks at.
func (s *Code) endOf(ctx context.Context, t task.Task, p task.Phase) (string, error) {
	if p.Status != task.PhaseInReview || p.EndCommit == "" || len(t.Services) > 0 {
		return s.CommitOf(ctx, t)
	}
	var err error
	if t.Branch, _, err = s.Place.BranchOf(ctx, t); err != nil {
		return "", err
	}
	end, _, err := s.upTo(ctx, t, p.EndCommit)
	return end, err
}

// CommitOf is where the work on a task stands, as seen from here: HEAD, but where
// that is not the task's the tip of its branch.
func (s *Code) CommitOf(ctx context.Context, t task.Task) (string, error) {
	tip, err := s.WorkedOnElsewhere(ctx, t)
	if err != nil || tip != "" {
		return tip, err
	}
	return s.Clone.Head(ctx)
}

// WorkedOnElsewhere is the tip of the task's branch where this work tree is not on
// the task, else "".
func (s *Code) WorkedOnElsewhere(ctx context.Context, t task.Task) (string, error) {
	if on, err := s.isOn(ctx, t); err != nil || on {
		return "", err
	}
	tip, err := s.BranchTip(ctx, t)
	if err != nil || tip.IsZero() {
		return "", err
	}
	return tip.String(), nil
}

// isOn reports whether this work tree is on a task: it has its branch checked out,
// or is on no branch and at what leads on from there, or the task is recorded for it.
func (s *Code) isOn(ctx context.Context, t task.Task) (bool, error) {
	if s.Clone.Repo.Bare() {
		return false, nil
	}
	head, err := s.Clone.Repo.Refs.Head(ctx)
	if err != nil && !errors.Is(err, gitstore.ErrNotExist) {
		return false, err
	}
	if clone.HeadBranch(head) == t.Branch {
		return true, nil
	}
	if here, err := s.Place.HereIn(ctx, s.Clone.Repo); err != nil || here == t.ID {
		return true, err
	}
	if clone.HeadBranch(head) != "" || head.OID.IsZero() {
		return false, nil
	}
	tip, err := s.BranchTip(ctx, t)
	if err != nil || tip.IsZero() {
		return false, err
	}
	return s.Clone.Repo.History.IsAncestor(ctx, tip, head.OID)
}

// BranchTip is where the task's branch is, whatever it is called here; zero where there
// is none.
func (s *Code) BranchTip(ctx context.Context, t task.Task) (gitstore.OID, error) {
	branch, exists, err := s.Place.BranchOf(ctx, t)
	if err != nil || !exists {
		return gitstore.OID{}, err
	}
	tip, err := s.Clone.Repo.Refs.Get(ctx, gitstore.RefName("refs/heads/"+branch))
	if errors.Is(err, gitstore.ErrNotExist) {
		return gitstore.OID{}, nil // it went meanwhile
	}
	return tip, err
}

// holds is held without a look at files.
func (s *Code) holds(ctx context.Context, t task.Task) (Held, error) {
	commit, err := s.Clone.Head(ctx)
	if err != nil {
		return Held{}, err
	}
	services, err := s.Place.ServiceCommits(ctx, t)
	return Held{Commit: commit, Services: services}, err
}

// Same reports whether two looks saw the same commits.
func (h Held) Same(o Held) bool { return h.Commit == o.Commit && maps.Equal(h.Services, o.Services) }

// isClean reports whether each service has its branch checked out and nothing beside it,
// and what is around them has nothing. A service that is not here has nothing to look at.
func (s *Code) isClean(ctx context.Context, t task.Task, services task.Commits) (bool, error) {
	clean, err := s.Clone.Repo.Tree.Clean(ctx, t.ServicePaths()...)
	for _, path := range t.ServicePaths() {
		if err != nil || !clean {
			break
		}
		clean, err = s.serviceIsClean(ctx, path, services[path])
	}
	return clean && err == nil, err
}

func (s *Code) serviceIsClean(ctx context.Context, path, commit string) (bool, error) {
	repo, err := s.Place.Service(path)
	if err != nil || repo == nil {
		return true, err
	}
	head, err := repo.Refs.Head(ctx)
	if err != nil || head.OID.String() != commit {
		return false, err
	}
	return repo.Tree.Clean(ctx)
}

// upTo is where a review ends that is still to come, and what its approval records
// (endOf): where the branch is by then, so what was committed since the hand-over
// belongs to it, and what was taken back does not. Where the branch is not here, is
// behind, or another line, it is the hand-over.
func (s *Code) upTo(ctx context.Context, t task.Task, end string) (to string, open bool, err error) {
	tip, err := s.BranchTip(ctx, t)
	if err != nil || tip.IsZero() || tip.String() == end {
		return end, false, err
	}
	oid, err := gitstore.ParseOID(end)
	if err != nil {
		return end, false, err
	}
	if has, err := s.Clone.Repo.Objects.Has(ctx, oid); err != nil || !has {
		return end, false, err
	}
	leads, err := s.Clone.Repo.History.IsAncestor(ctx, oid, tip)
	if err != nil || !leads && !s.hasBeen(ctx, t.Branch, end) {
		return end, false, err
	}
	return tip.String(), true, nil
}

// NotHandedOver notes that there are files which nobody has committed when a phase is
// handed over: what is reviewed, and approved, is what was. Where nobody can tell,
// nothing is said.
func (s *Code) NotHandedOver(ctx context.Context, t task.Task, p task.Phase) []string {
	files := s.uncommitted(ctx, t, p)
	if len(files) == 0 {
		return nil
	}
	return []string{"not committed, and no part of what is handed over: " + NameFiles(files)}
}

// uncommitted are the files in which this work tree differs from its HEAD, if it is
// on the task and work is done in the phase: changed ones, and those that git does not
// know yet. What services have is not looked at.
func (s *Code) uncommitted(ctx context.Context, t task.Task, p task.Phase) []string {
	if len(t.Services) > 0 || !slices.Contains(task.WorkKinds, p.Kind) {
		return nil
	}
	if on, err := s.isOn(ctx, t); err != nil || !on {
		return nil
	}
	files, err := s.Clone.Repo.Tree.Unclean(ctx)
	if err != nil {
		return nil
	}
	return files
}

const maxNamed = 5

// NameFiles names files in a sentence: the first of them, and how many more.
func NameFiles(files []string) string {
	if n := len(files); n > maxNamed+1 {
		return fmt.Sprintf("%s and %d more", strings.Join(files[:maxNamed], ", "), n-maxNamed)
	}
	return strings.Join(files, ", ")
}
