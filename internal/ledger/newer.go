package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
)

// Plain is implemented by laws whose states say of themselves what does not
// depend on the rules of the fold: it can be checked of a newer program's, too.
type Plain[S any] interface {
	// Fence is the highest fence of all operations.
	Fence(state S) uint64
	// Names reports why a state can't be that of the record at ref.
	Names(ref gitstore.RefName, state S) error
}

// fenceOf reads the highest fence up to a commit of ours from its state; none
// where the law knows of none, or the state can't be read.
func fenceOf[S any](l *Ledger, law Law[S]) func(context.Context, gitstore.OID) (uint64, error) {
	return func(ctx context.Context, commit gitstore.OID) (uint64, error) {
		p, ok := any(law).(Plain[S])
		if !ok {
			return 0, nil
		}
		state, err := Load(ctx, l, law, commit)
		if err != nil {
			return 0, ctx.Err()
		}
		return p.Fence(state), nil
	}
}

// mark is the highest that the operations up to a commit say.
type mark struct {
	clock, fence uint64
	law          int
}

func (m mark) join(o mark) mark {
	return mark{max(m.clock, o.clock), max(m.fence, o.fence), max(m.law, o.law)}
}

// markAt is the mark at a commit of ours, without its fence: that of its
// operation, for a merge the highest of those it joins. A clock is above every
// one before it, and a law not below.
func (l *Ledger) markAt(ctx context.Context, commit gitstore.OID) (mark, error) {
	var highest mark
	seen := map[gitstore.OID]bool{}
	for left := []gitstore.OID{commit}; len(left) > 0; {
		at := left[len(left)-1]
		if left = left[:len(left)-1]; seen[at] {
			continue
		}
		seen[at] = true
		s, err := readStep(ctx, l.repo.UpTo(gitstore.MaxObjectSize), at)
		if err == nil {
			err = l.readOperation(ctx, &s)
		}
		switch {
		case err != nil:
			return mark{}, err
		case s.Op != nil:
			highest = highest.join(mark{clock: s.Op.Clock, law: s.Op.Law})
		default:
			left = append(left, s.Parents...)
		}
	}
	return highest, nil
}

// Unverified says why a record was taken as it came, or nil: operations that
// lead to its tip were made under a law that is not known here, so that nobody
// here can tell whether its state is what they make, nor go on from it.
func (l *Ledger) Unverified(ctx context.Context, tip gitstore.OID) error {
	if tip.IsZero() {
		return nil
	}
	m, err := l.markAt(ctx, tip)
	if err != nil || m.law <= operation.Law {
		return err
	}
	return fmt.Errorf("it was not verified: its operations have law %d, this git-brew knows %d: %w", m.law, operation.Law, ErrUnknownLaw)
}

// appendable refuses to go on from a state that was made under rules which are
// not known here: what a fold of ours made of it would be a guess, and all
// others would have to take it for the record. What this change staged itself
// was folded here.
func (tx *Tx) appendable(ctx context.Context, ref gitstore.RefName, tip gitstore.OID) error {
	if _, ours := tx.staged[tip]; ours {
		return nil
	}
	err := tx.l.Unverified(ctx, tip)
	if errors.Is(err, ErrUnknownLaw) {
		return fmt.Errorf("%s: %w; install a newer one to change it", ref, err)
	}
	return nil // what can't be read says so where it is needed
}

// formatOf says which newer format the state in a tree has, nil for none.
func (l *Ledger) formatOf(ctx context.Context, tree gitstore.OID, needs func(path string) bool) error {
	entries, err := l.repo.Tree(ctx, tree)
	if err != nil {
		return nil //nolint:nilerr // nothing excuses it
	}
	for _, e := range entries {
		if e.Mode != gitstore.ModeFile || !strings.HasSuffix(e.Name, ".json") || e.Name == opFile || !needs(e.Name) {
			continue
		}
		data, err := l.repo.Blob(ctx, e.OID)
		if err != nil {
			return nil //nolint:nilerr // nothing excuses it
		}
		if err := newerFormat(data); err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
	}
	return nil
}

// plainly checks the state at a tip that could not be folded, as far as that
// goes without its rules: it can be read, it is this record's, and its clock is
// the highest of its operations, and its fence no higher than theirs. A format that can't be read at all is
// nothing that anybody here would show.
func plainly[S any](ctx context.Context, l *Ledger, law Law[S], ref gitstore.RefName, tip gitstore.OID, at mark) error {
	c, err := l.repo.Commit(ctx, tip)
	if err != nil {
		return err
	}
	if _, unread := errors.AsType[*operation.FormatError](l.formatOf(ctx, c.Tree, law.Needs)); unread {
		return nil
	}
	state, err := Load(ctx, l, law, tip)
	if err != nil {
		return err
	}
	if clock := law.Clock(state); clock != at.clock {
		return fmt.Errorf("its state has clock %d, its operations have %d", clock, at.clock)
	}
	p, ok := any(law).(Plain[S])
	if !ok {
		return nil
	}
	if fence := p.Fence(state); fence > at.fence { // what is void raises none
		return fmt.Errorf("its state has fence %d, its operations have %d", fence, at.fence)
	}
	return p.Names(ref, state)
}

// onlyAdds tells whether the state at a commit in a newer minor format is what
// its operations make, but for what such a format adds.
func (v *verifier[S]) onlyAdds(ctx context.Context, s Step, made S) (theirs S, ok bool) {
	theirs, err := Load(ctx, v.l, v.law, s.Commit)
	if err != nil {
		return theirs, false
	}
	oids, err := v.files(made)
	if err != nil {
		return theirs, false
	}
	files := make(Files, len(oids))
	for path, oid := range oids {
		file := File{OID: oid.String()}
		if v.law.Needs(path) {
			if file.Data = v.hashed[path].data; v.hashed[path].oid != oid {
				if file.Data, err = v.l.repo.Blob(ctx, oid); err != nil {
					return theirs, false
				}
			}
		}
		files[path] = file
	}
	ours, err := v.law.Decode(files)
	if err != nil {
		return theirs, false
	}
	a, aerr := known(v.law.Brief(theirs))
	b, berr := known(v.law.Brief(ours))
	return theirs, aerr == nil && berr == nil && reflect.DeepEqual(a, b)
}

// known is what a state says in the fields of this version, without the format.
func known(brief any) (any, error) {
	data, err := json.Marshal(brief)
	if err != nil {
		return nil, err
	}
	var v any
	err = json.Unmarshal(data, &v)
	return formatless(v), err
}

func formatless(v any) any {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "schema")
		for _, inner := range v {
			formatless(inner)
		}
	case []any:
		for _, inner := range v {
			formatless(inner)
		}
	}
	return v
}
