package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
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

func entryNamed(entries []gitstore.Entry, name string) (e gitstore.Entry, ok bool) {
	i := slices.IndexFunc(entries, func(e gitstore.Entry) bool { return e.Name == name })
	if i < 0 {
		return e, false
	}
	return entries[i], true
}

// readOperation reads the operation of a commit, where it has one.
func (l *Ledger) readOperation(ctx context.Context, s *Step) error {
	entries, err := l.repo.Objects.Tree(ctx, s.tree)
	if err != nil {
		return err
	}
	e, ok := entryNamed(entries, opFile)
	if !ok {
		return nil
	}
	s.opBlob = e.OID
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

// Tasks lists the refs of all tasks.
func (l *Ledger) Tasks(ctx context.Context) ([]gitstore.Ref, error) {
	return l.repo.Refs.List(ctx, TasksPrefix)
}

// TaskIDs returns the ids of all tasks, in their order, without a look at any.
func (l *Ledger) TaskIDs(ctx context.Context) ([]string, error) {
	refs, err := l.repo.Refs.Names(ctx, TasksPrefix)
	ids := make([]string, 0, len(refs))
	for _, ref := range refs {
		if kind, id, record := KindOf(ref); kind == KindTask && record {
			ids = append(ids, id)
		}
	}
	return ids, err
}

// Locks lists the refs of the locks that were ever taken, by the task's id.
func (l *Ledger) Locks(ctx context.Context) (map[string]gitstore.Ref, error) {
	refs, err := l.repo.Refs.List(ctx, LocksPrefix)
	if err != nil {
		return nil, err
	}
	locks := make(map[string]gitstore.Ref, len(refs))
	for _, r := range refs {
		if id, ok := strings.CutPrefix(string(r.Name), LocksPrefix); ok {
			locks[id] = r
		}
	}
	return locks, nil
}

// Contains reports whether the record at in has all operations of the one at
// tip. Of a history that a shallow clone has only a part of, it sees no more
// than which commits follow from which.
func (l *Ledger) Contains(ctx context.Context, in, tip gitstore.OID) (bool, error) {
	c, err := l.commitGraph(ctx, in, tip)
	if err != nil {
		return false, err
	}
	at := [2]int{c.at[in], c.at[tip]}
	if follows := c.leads(at[0], at[1]); follows || c.cut[at[0]] || c.cut[at[1]] {
		return follows, nil
	}
	base, _ := c.fork(at[:]...)
	_, has, err := newReader(l, c, unlimited()).compare(ctx, at, base)
	return has, err
}

// height is the highest that the operations up to a commit say.
type height struct {
	clock, fence uint64
	law          int
}

func (h height) join(o height) height {
	return height{max(h.clock, o.clock), max(h.fence, o.fence), max(h.law, o.law)}
}

// heightAt is the height at a commit of ours, without its fence: that of its
// operation, for a merge the highest of those it joins. A clock is above every
// one before it, and a law not below.
func (l *Ledger) heightAt(ctx context.Context, commit gitstore.OID) (height, error) {
	var highest height
	seen := map[gitstore.OID]bool{}
	for left := []gitstore.OID{commit}; len(left) > 0; {
		at := left[len(left)-1]
		if left = left[:len(left)-1]; seen[at] {
			continue
		}
		seen[at] = true
		s, err := readStep(ctx, l.repo.Objects.UpTo(gitstore.MaxObjectSize), at)
		if err == nil {
			err = l.readOperation(ctx, &s)
		}
		switch {
		case err != nil:
			return height{}, err
		case s.Op != nil:
			highest = highest.join(height{clock: s.Op.Clock, law: s.Op.Law})
		default:
			left = append(left, s.Parents...)
		}
	}
	return highest, nil
}

// KnownLaw refuses a record some of whose operations were made under rules that are
// not known here (ErrUnknownLaw): what a fold of ours made of it would be a guess.
func (l *Ledger) KnownLaw(ctx context.Context, tip gitstore.OID) error {
	if tip.IsZero() {
		return nil
	}
	h, err := l.heightAt(ctx, tip)
	if err != nil || h.law <= operation.Law {
		return err
	}
	return fmt.Errorf("its operations have law %d, this git-brew knows %d: %w", h.law, operation.Law, ErrUnknownLaw)
}

// newerFormat says which newer format, by however little, the state in a tree has;
// nil for none.
func newerFormat(ctx context.Context, l *Ledger, tree gitstore.OID, needs func(path string) bool) error {
	entries, err := l.repo.Objects.Tree(ctx, tree)
	if err != nil {
		return nil //nolint:nilerr // nothing excuses it
	}
	for _, e := range entries {
		if e.Mode != gitstore.ModeFile || !strings.HasSuffix(e.Name, ".json") || e.Name == opFile || !needs(e.Name) {
			continue
		}
		var state struct {
			Schema string `json:"schema"`
		}
		data, err := l.repo.Objects.Blob(ctx, e.OID)
		if err != nil || json.Unmarshal(data, &state) != nil || !operation.NewerFormat(state.Schema) {
			continue // what is no state has no format
		}
		if err := operation.CheckFormat(state.Schema); err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
		return fmt.Errorf("%s: it has format %q, this git-brew writes %s: %w",
			e.Name, state.Schema, operation.Format, ErrUnknownLaw)
	}
	return nil
}
