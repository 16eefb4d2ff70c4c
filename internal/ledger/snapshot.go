package ledger

import (
	"context"
	"reflect"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/ledger/compact"
	"github.com/git-brew/git-brew/internal/operation"
)

// snapshotVersion changes with the form of what is cached (a test holds it
// fast). The header goes on with the law of the fold, the program and the name of
// the type: snapshots that differ in any of these are not believed.
const snapshotVersion = "snapshot 1 "

// maxBriefs is how many briefs a process keeps at hand: one task's and its
// clone's are asked for again and again, those of a list once.
const maxBriefs = 8

// brief is a decoded snapshot.
type brief struct {
	tip   gitstore.OID
	value any
}

// Brief returns the brief state of the record at ref, from its snapshot where
// that was made from the tip that the ref has now, else from build, whose
// answer becomes the snapshot. The tip is zero, and the state T's zero value,
// where there is no such ref. The answer is shared: nobody may change it.
func Brief[T any](ctx context.Context, l *Ledger, ref gitstore.RefName,
	build func(ctx context.Context, tip gitstore.OID) (T, error),
) (T, gitstore.OID, error) {
	tip, err := l.Tip(ctx, ref)
	if err != nil {
		var none T
		return none, tip, err
	}
	state, err := BriefAt(ctx, l, ref, tip, build)
	return state, tip, err
}

// BriefAt is Brief for the tip that the ref is known to have.
func BriefAt[T any](ctx context.Context, l *Ledger, ref gitstore.RefName, tip gitstore.OID,
	build func(ctx context.Context, tip gitstore.OID) (T, error),
) (T, error) {
	var state T
	if tip.IsZero() {
		return state, nil
	}
	if kept, ok := l.briefs[ref]; ok && kept.tip == tip {
		if state, ok := kept.value.(T); ok {
			return state, nil
		}
	}
	if l.readSnapshot(ref, tip, &state) {
		l.keep(ref, brief{tip, state})
		return state, nil
	}
	state, err := build(ctx, tip)
	if err != nil {
		return state, err
	}
	l.Store(ref, tip, state)
	l.keep(ref, brief{tip, state})
	return state, nil
}

func (l *Ledger) keep(ref gitstore.RefName, b brief) {
	if _, known := l.briefs[ref]; known || len(l.briefs) < maxBriefs {
		l.briefs[ref] = b
	}
}

// readSnapshot reads what is cached for the ref at tip into the value that into
// points to. A file that is cut short, garbled, of another version, another
// type or another tip is no snapshot.
func (l *Ledger) readSnapshot(ref gitstore.RefName, tip gitstore.OID, into any) bool {
	data, err := gitfile.ReadFile(l.snapshotPath(ref))
	if err != nil {
		return false
	}
	head, body, ok := strings.Cut(string(data), "\n")
	to := reflect.ValueOf(into).Elem()
	if !ok || head != l.header(tip, to.Type(), body) {
		return false
	}
	if compact.Read(body, into) != nil {
		to.SetZero()
		return false
	}
	return true
}

// Store writes a snapshot. It is a cache: a failure costs the next reader a
// millisecond and is not reported.
func (l *Ledger) Store(ref gitstore.RefName, tip gitstore.OID, state any) {
	encoded, err := compact.Append(nil, state)
	if err != nil {
		return
	}
	body := string(encoded)
	path := l.snapshotPath(ref)
	tmp, err := l.repo.TempFile(l.snapshotDir(), tempPrefix)
	if err != nil {
		return
	}
	head := l.header(tip, reflect.TypeOf(state), body) + "\n"
	_ = gitfile.PutFile(tmp, path, append([]byte(head), body...))
}

// header says what the body is of, and whether it is whole.
func (l *Ledger) header(tip gitstore.OID, t reflect.Type, body string) string {
	return snapshotVersion + strconv.Itoa(operation.Law) + " " + l.program + " " + tip.String() + " " + t.String() + " " +
		strconv.Itoa(len(body)) + " " + strconv.FormatUint(compact.Checksum(body), 36)
}
