package records

import (
	"context"
	"errors"
	"slices"

	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/ledger/archive"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// Name is what people call a task: its slug, where a command that is given the
// slug takes it for this task, else its id. It is for what is printed, and no
// hook's to ask: all tasks' ids may be read for it.
func (s *Records) Name(ctx context.Context, id task.ID) string {
	slug := id.Slug()
	if shared, ok := s.Clone.Ledger.Cache.Names(s.Clone.Now()); ok && slug != "" && !slices.Contains(shared, slug) {
		if tip, err := s.Clone.Ledger.Tip(ctx, ledger.TaskRef(string(id))); err == nil && !tip.IsZero() {
			return slug
		}
	}
	return s.Names(ctx)(id)
}

// Names is Name for many tasks, whose ids are read once, when the first is asked
// for.
func (s *Records) Names(ctx context.Context) func(id task.ID) string {
	var name func(id task.ID) string
	return func(id task.ID) string {
		if name == nil {
			ids, err := s.Clone.Ledger.TaskIDs(ctx)
			if err != nil {
				ids = nil // then they go by their ids
			}
			name = s.NamesAmong(ctx, ids)
			if err == nil {
				s.Clone.Ledger.Cache.PutNames(sharedSlugs(ids))
			}
		}
		return name(id)
	}
}

// NamesAmong is Names where the ids of the tasks that are not archived are known.
func (s *Records) NamesAmong(ctx context.Context, ids []string) func(id task.ID) string {
	same := make(map[string]int, len(ids))
	live := make(map[task.ID]bool, len(ids))
	meant := map[string]task.ID{} // by a slug that is not one live task's
	for _, id := range ids {
		id := task.ID(id)
		same[id.Slug()]++
		live[id] = true
	}
	return func(id task.ID) string {
		slug := id.Slug()
		if slug == "" {
			return ""
		}
		if same[slug] == 1 && live[id] {
			return slug
		}
		found, known := meant[slug]
		if !known {
			found, _ = s.Match(ctx, ids, slug) // "" where it is nobody's alone
			meant[slug] = found
		}
		if found == id {
			return slug
		}
		return string(id)
	}
}

// sharedSlugs are the slugs that more than one of the tasks have.
func sharedSlugs(ids []string) []string {
	count := make(map[string]int, len(ids))
	var shared []string
	for _, id := range ids {
		slug := task.ID(id).Slug()
		if count[slug]++; count[slug] == 2 {
			shared = append(shared, slug)
		}
	}
	return shared
}

// Named has an error that says who holds a lock call the task as people do.
func (s *Records) Named(ctx context.Context, err error) error {
	if held, ok := errors.AsType[*lease.HeldError](err); ok && held.Name == "" {
		held.Name = s.Name(ctx, held.Lock.Task)
	}
	return err
}

// Match finds the one task that is called so, where the ids of the tasks that are not
// archived are known: among these, else in the archive.
func (s *Records) Match(ctx context.Context, known []string, arg string) (task.ID, error) {
	id, live := s.matchAmong(ctx, known, arg)
	if !errors.Is(live, task.ErrNoTask) {
		return id, live
	}
	archived, err := archive.IDs(ctx, s.Clone.Ledger.Reading(ctx))
	if err != nil {
		return "", err
	}
	if id, err = s.matchAmong(ctx, archived, arg); errors.Is(err, task.ErrNoTask) {
		return "", live
	}
	return id, err
}

// matchAmong finds the one of some tasks that is called so. Of several the deleted ones
// are left out, so that their names are free again; what can't be read stays.
func (s *Records) matchAmong(ctx context.Context, names []string, arg string) (task.ID, error) {
	ids := make([]task.ID, len(names))
	for i, name := range names {
		ids[i] = task.ID(name)
	}
	id, err := task.Match(ids, arg)
	ambiguous, ok := errors.AsType[*task.AmbiguousError](err)
	if !ok {
		return id, err
	}
	left := slices.DeleteFunc(slices.Clone(ambiguous.Candidates), func(id task.ID) bool {
		b, _, err := s.Brief(ctx, id)
		return err == nil && b.Task.Deleted
	})
	if one, err := task.Match(left, arg); !errors.Is(err, task.ErrNoTask) {
		return one, err
	}
	return id, err
}
