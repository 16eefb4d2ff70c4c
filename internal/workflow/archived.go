package workflow

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
)

// tipOf is the tip of a task's record: of its ref, else where the archive has
// it. Neither: a NotFoundError.
func (s *Service) tipOf(ctx context.Context, id task.ID) (tip gitstore.OID, archived bool, err error) {
	if tip, err = s.ledger.Tip(ctx, ledger.TaskRef(string(id))); err != nil {
		return tip, false, fmt.Errorf("read task %s: %w", id, err)
	}
	if !tip.IsZero() {
		return tip, false, nil
	}
	e, archived, err := s.ledger.Archived(ctx, string(id))
	if err == nil && !archived {
		err = &NotFoundError{Kind: task.ErrNoTask, Msg: fmt.Sprintf("no task %q", id), Hint: "see 'git brew list --all'"}
	}
	return e.Tip, archived, err
}

// archived reports whether a task stands in the archive, and only there.
func (s *Service) archived(ctx context.Context, id task.ID) (bool, error) {
	_, archived, err := s.tipOf(ctx, id)
	return archived, err
}

// Revision is what git calls a task's record: its ref, or the commit of an
// archived one.
func (s *Service) Revision(ctx context.Context, id task.ID) (string, error) {
	tip, archived, err := s.tipOf(ctx, id)
	if err != nil || archived {
		return tip.String(), err
	}
	return string(ledger.TaskRef(string(id))), nil
}

// lockOf reads a task's lock, an archived task's from the archive.
func (s *Service) lockOf(ctx context.Context, id task.ID, archived bool) (task.Lock, error) {
	if !archived {
		return s.lockBrief(ctx, id)
	}
	e, ok, err := s.ledger.Archived(ctx, string(id))
	if err != nil || !ok || e.Lock.IsZero() {
		return task.Lock{}, err
	}
	l, err := s.readLock(ctx, e.Lock)
	if err != nil {
		return l, fmt.Errorf("read the lock of %s: %w", id, err)
	}
	return l, nil
}

// resolveArchived is Resolve for what no live task is called: live says so.
func (s *Service) resolveArchived(ctx context.Context, arg string, live error) (task.ID, error) {
	names, err := s.ledger.ArchivedIDs(ctx)
	if err != nil {
		return "", err
	}
	ids := make([]task.ID, 0, len(names))
	for _, name := range names {
		ids = append(ids, task.ID(name))
	}
	id, err := task.Match(ids, arg)
	if ambiguous, ok := errors.AsType[*task.AmbiguousError](err); ok {
		if one, oerr := task.Match(s.undeleted(ctx, ambiguous.Candidates), arg); !errors.Is(oerr, task.ErrNoTask) {
			return one, oerr
		}
	}
	if errors.Is(err, task.ErrNoTask) {
		return "", live
	}
	return id, err
}
