package ledger

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
)

// Step is one commit of a record's history.
type Step struct {
	Commit  gitstore.OID
	Parents []gitstore.OID
	Subject string
	Author  string
	When    time.Time
	// Op is nil for a merge.
	Op *operation.Operation

	tree, opBlob gitstore.OID // of the commit; opBlob is zero for a merge
	cut          bool         // its parents are not here
	made         *gitstore.Commit
}

// History returns the commits of a record from its tip to its root, children
// before parents.
func (l *Ledger) History(ctx context.Context, tip gitstore.OID) ([]Step, error) {
	var steps []Step
	err := l.repo.History.Walk(ctx, tip, func(oid gitstore.OID, c gitstore.Commit) (bool, error) {
		s := stepOf(oid, c)
		if err := l.readOperation(ctx, &s); err != nil {
			return false, fmt.Errorf("read the operation of %s: %w", oid.Short(), err)
		}
		steps = append(steps, s)
		return true, nil
	})
	return steps, err
}

func (l *Ledger) readOperation(ctx context.Context, s *Step) error {
	entries, err := l.repo.Objects.Tree(ctx, s.tree)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(entries, func(e gitstore.Entry) bool { return e.Name == opFile })
	if i < 0 {
		return nil
	}
	s.opBlob = entries[i].OID
	data, err := l.repo.Objects.Blob(ctx, s.opBlob)
	if err != nil {
		return err
	}
	op, err := operation.Decode(data)
	if err != nil {
		return err
	}
	s.Op = &op
	return nil
}

func firstLine(message string) string {
	for i, c := range message {
		if c == '\n' {
			return message[:i]
		}
	}
	return message
}

// Tasks lists the refs of all tasks.
func (l *Ledger) Tasks(ctx context.Context) ([]gitstore.Ref, error) {
	return l.repo.Refs.List(ctx, tasksPrefix)
}

// Locks lists the refs of the locks that were ever taken, by the task's id.
func (l *Ledger) Locks(ctx context.Context) (map[string]gitstore.Ref, error) {
	refs, err := l.repo.Refs.List(ctx, locksPrefix)
	if err != nil {
		return nil, err
	}
	locks := make(map[string]gitstore.Ref, len(refs))
	for _, r := range refs {
		if id, ok := LockOf(r.Name); ok {
			locks[id] = r
		}
	}
	return locks, nil
}
