package exchange

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/statcache"
	"github.com/git-brew/git-brew/internal/ledger"
)

// RefusedFile is the file in the cache directory of what remotes have that is no
// record, a line each: judging 100,000 of them takes ten seconds, and none of them
// becomes one by being looked at again.
const RefusedFile = "refused"

// fewRefused is how many are judged again as quickly as they are remembered.
const fewRefused = 100

// refused are the records of a remote that were not accepted, where there is none
// of ours, and why.
type refused struct {
	head  string            // what each verdict hangs on beside its own ref
	known map[string]string // why, by what was judged
	met   map[string]string // those of known that this exchange met, and new ones
	fresh bool
}

// refusals reads what was refused before. Another program judges by its own rules,
// and another archive has other tasks.
func (x *Settler) refusals(ctx context.Context) *refused {
	if x.refused != nil {
		return x.refused
	}
	archive, _ := x.S.Clone.Ledger.Tip(ctx, ledger.ArchiveRef) // one that can't be read refuses what hangs on it
	x.refused = &refused{
		head:  fmt.Sprintf("%q %s", x.S.Clone.Program, archive),
		known: map[string]string{}, met: map[string]string{},
	}
	piece, _ := x.S.Clone.Repo.Cache.GetPiece(RefusedFile, statcache.Watch{})
	head, rest, _ := strings.Cut(piece, "\n")
	if head != x.refused.head {
		return x.refused
	}
	for line := range strings.Lines(rest) {
		if what, why, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); ok {
			x.refused.known[what] = why
		}
	}
	return x.refused
}

// Refused is refsync.Records's. It starts nothing and reads no object.
func (x *Settler) Refused(ctx context.Context, ref gitstore.RefName, ours, theirs gitstore.OID) error {
	if !ours.IsZero() || theirs.IsZero() {
		return nil
	}
	r := x.refusals(ctx)
	if len(r.known) == 0 {
		return nil
	}
	what := x.judged(ctx, ref, theirs)
	why, known := r.known[what]
	if !known {
		return nil
	}
	r.met[what] = why
	return errors.New(why)
}

// refuse notes that a record was not accepted, where it never will be as it is.
func (x *Settler) refuse(ctx context.Context, ref gitstore.RefName, ours, theirs gitstore.OID, err error) {
	if ours.IsZero() && Lasting(err) {
		r := x.refusals(ctx)
		r.met[x.judged(ctx, ref, theirs)] = strings.Join(strings.Fields(err.Error()), " ")
		r.fresh = true
	}
}

// judged names what a verdict was about. That on a lock hangs on its task, too.
func (x *Settler) judged(ctx context.Context, ref gitstore.RefName, theirs gitstore.OID) string {
	what := string(ref) + " " + theirs.String()
	if id, is := ledger.LockOf(ref); is {
		tip, _ := x.S.Clone.Ledger.Tip(ctx, ledger.TaskRef(id)) // one that can't be read says nothing
		what += " " + tip.String()
	}
	return what
}

// keepRefused keeps what an exchange of everything has refused.
func (x *Settler) keepRefused() {
	r := x.refused
	if r == nil || !r.fresh || len(r.met) < fewRefused || x.S.Clone.Rehearses() {
		return
	}
	x.S.Clone.Repo.Cache.PutPiece(RefusedFile, statcache.Watch{}, func(func(gitfile.FileSeen) gitfile.FileSeen) []byte {
		var piece strings.Builder
		piece.WriteString(r.head + "\n")
		for what, why := range r.met {
			piece.WriteString(what + "\t" + why + "\n")
		}
		return []byte(piece.String())
	})
}

// Lasting: the objects that are here say so. What is missing, damaged or could not
// be read may be had the next time.
func Lasting(err error) bool {
	_, unsound := errors.AsType[*ledger.UnsoundError](err)
	_, corrupt := errors.AsType[*gitstore.CorruptError](err)
	_, path := errors.AsType[*fs.PathError](err)
	_, system := errors.AsType[syscall.Errno](err)
	_, command := errors.AsType[*gitstore.CommandError](err)
	return (unsound || errors.Is(err, gitstore.ErrKind)) && !corrupt && !path && !system && !command && !MayMend(err) &&
		!errors.Is(err, gitstore.ErrNoGit) && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
}
