package ledger

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
)

// Bounds say what a record may be that a stranger wrote.
type Bounds struct {
	// Owns reports why a history that begins with this operation can't be that
	// of the record at ref.
	Owns func(ref gitstore.RefName, first operation.Operation) error
	// OneRoot: a record begins once. Two histories that begin apart are two
	// records, and never one.
	OneRoot bool
	// Limit is how many bytes the file at a path of the tree may have.
	Limit func(path string) int64
	// Names are the objects that an operation names, texts and commits of the record's
	// own history; nil for a law whose operations name none. A fold comes to the same
	// state everywhere only where everybody has them.
	Names func(op operation.Operation) []string
	// LockFence reads the fence of a task's lock from its file.
	LockFence func(file []byte) (fence uint64, err error)
}

// UnsoundError names what in somebody else's history can't be of a record.
type UnsoundError struct {
	Commit gitstore.OID
	Path   string // in the commit's tree; empty: the commit itself
	Why    string
	Err    error // what reading it said, if that was it
}

func (e *UnsoundError) Error() string {
	text := "commit " + e.Commit.Short() + ": "
	if e.Path != "" {
		text += plain(e.Path) + ": "
	}
	if e.Err == nil {
		return text + e.Why
	}
	// Git's own words may be several lines.
	return text + strings.Join(strings.FieldsFunc(e.Err.Error(), unicode.IsControl), " ")
}

func (e *UnsoundError) Unwrap() error { return e.Err }

// plain is a path for people: quoted where it is not plain text.
func plain(path string) string {
	if quoted := fmt.Sprintf("%.200q", path); quoted != `"`+path+`"` {
		return quoted
	}
	return path
}

// limits bound what is read of a stranger's history.
type limits struct {
	// commits is how many commits a record may bring at once. A task has
	// hundreds, and a project's knowledge thousands after years.
	commits int
	// commit is a commit's size in bytes: a sentence, some trailers, and a
	// signature, whose certificates may take some thousand.
	commit int64
	// tree is a tree's size in bytes, and entries how many files and
	// directories one commit may bring: a task has at most 10,000 reports, each
	// in a directory of its own iteration, and a thousand phases' plans.
	tree    int64
	entries int
	// depth is how deep directories may lie: ours are two deep.
	depth int
	// operations is how many bytes of operations are kept in memory at once.
	operations int64
	// forked is how many operations a history that forked may have, in which each is
	// compared with all others: two machines that were apart for months bring
	// thousands each. It takes 50 MB for each of the two tables of who had seen whom.
	forked int
	// folded is how many operations may be folded in all. Each merge folds
	// those behind its fork again: hundreds after a day apart, all of the
	// history where many people's lines have never met in one commit.
	folded int
	// leap is how far a clock may be above what its author had seen. Ours is
	// exactly one above. There is room for programs that count what they saw
	// elsewhere; but a clock far ahead would decide every dispute from now on,
	// and one near operation.MaxClock would be the last that anybody can make.
	// With the bound on commits it takes more exchanges than there are
	// seconds in a thousand years to come there.
	leap uint64
}

func defaultLimits() limits {
	return limits{
		commits: 100_000, commit: 64 << 10, tree: 4 << 20, entries: 50_000, depth: 8,
		operations: 256 << 20, leap: 1000, forked: 20_000, folded: 20_000_000,
	}
}

// Accept checks what a stranger sent as the record at ref, theirs, before
// anything is made of it: every commit that ours has not, of which nothing is
// believed. It is made as records are, within limits; it continues ours, where
// there is ours (not the zero id); its operations say what its trees hold. The
// error says in one line what is wrong where, and theirs must not be taken.
//
// What a newer program wrote, under a law or in a format that is not known here,
// can't be folded, and is not taken: ErrUnknownLaw, or a *operation.FormatError.
// ErrShallow: not all of it is here.
func Accept[S any](ctx context.Context, l *Ledger, law Law[S], ref gitstore.RefName, ours, theirs gitstore.OID) error {
	if ours == theirs || theirs.IsZero() {
		return nil
	}
	steps, err := l.strange(ctx, theirs, ours)
	if err != nil {
		return err
	}
	if err := receive(ctx, l, law, ref, !ours.IsZero(), theirs, steps); err != nil {
		return err
	}
	return compareSteps(ctx, l, law, l.limits.allowance(), false, theirs, steps)
}

// strange reads the commits that a stranger sent: those that lead to tip, and to none of
// the known ones.
func (l *Ledger) strange(ctx context.Context, tip gitstore.OID, known ...gitstore.OID) ([]Step, error) {
	steps, err := l.since(ctx, l.repo.Objects.UpTo(l.limits.commit), l.limits.commits, tip, known...)
	return steps, Unsound(ctx, tip, err)
}

// receive looks at each commit of what leads to tip, parents before children, and
// at its operation: all that is asked of a stranger's but what the fold says.
func receive[S any](
	ctx context.Context, l *Ledger, law Law[S], ref gitstore.RefName, continues bool, tip gitstore.OID, steps []Step,
) error {
	r := received[S]{
		law: law, bounds: law.Bounds, ref: ref, continues: continues, heights: map[gitstore.OID]height{},
		ids: map[operation.ID]gitstore.OID{}, named: map[gitstore.OID]gitstore.OID{},
	}
	r.in = newInspector(l, l.limits, func(path string) int64 {
		if path == opFile {
			return operation.MaxSize
		}
		return r.bounds.Limit(path)
	})
	if err := r.in.each(ctx, steps, func(s *Step) error { return r.check(ctx, s) }); err != nil {
		return err
	}
	return r.checkNamed(ctx, tip)
}

// Sendable reports the first commit of our own record that nobody else would
// take, by the same rules as Accept but for the fold, which is Verify's.
// ErrShallow: not all of it is here, so that nobody can tell.
func Sendable[S any](ctx context.Context, l *Ledger, law Law[S], ref gitstore.RefName, tip gitstore.OID) error {
	if tip.IsZero() {
		return nil
	}
	steps, err := l.strange(ctx, tip)
	if err != nil {
		return err
	}
	return receive(ctx, l, law, ref, false, tip, steps)
}

// Unsound makes an error of reading a stranger's objects one that names the
// commit, unless it is not about them.
func Unsound(ctx context.Context, commit gitstore.OID, err error) error {
	return unsoundAt(ctx, commit, "", err)
}

func unsoundAt(ctx context.Context, commit gitstore.OID, path string, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if _, named := errors.AsType[*UnsoundError](err); err == nil || named {
		return err
	}
	return &UnsoundError{Commit: commit, Path: path, Err: err}
}

// OneRecord are the bounds of the one record at a ref, whose operations name no objects.
func OneRecord(ref gitstore.RefName) Bounds {
	return Bounds{
		Owns: func(of gitstore.RefName, _ operation.Operation) error {
			if of != ref {
				return fmt.Errorf("%.200q is not %s", string(of), ref)
			}
			return nil
		},
		Limit: func(string) int64 { return gitstore.MaxObjectSize },
	}
}
