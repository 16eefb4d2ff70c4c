package ledger

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger/cache"
	"github.com/git-brew/git-brew/internal/operation"
)

// File and Files are a record's, as its law knows them.
type (
	File  = operation.File
	Files = operation.Files
)

// Law is what a kind of record means: how its state is folded, stored and told
// in a sentence.
type Law[S any] struct {
	Zero   S // the state before any operation
	Decode func(Files) (S, error)
	Encode func(S) (Files, error)
	// Needs reports the paths whose content Decode wants.
	Needs func(path string) bool
	Apply func(S, operation.Operation, Texts) (after S, applied bool)
	Check func(S, operation.Operation) error // nil: nothing is refused
	Rules operation.Rules
	// Clock is where a state has its clock.
	Clock func(*S) *uint64
	// Fence is the highest of all operations; nil: a state knows of none.
	Fence    func(S) uint64
	Subject  func(op operation.Operation, before, after S) string
	Trailers func(op operation.Operation, before, after S) []operation.Trailer
	// Brief is what the record's snapshot holds, JSON.
	Brief  func(S) any
	Bounds Bounds
}

// opFile holds the operation that a commit made.
const opFile = "op.json"

// ErrSuperseded is returned for an operation that passed its check and changed
// nothing all the same.
var ErrSuperseded = errors.New("the operation does not apply")

// Draft is an operation to be made: what its author decides. ID is drawn where
// it is empty.
type Draft struct {
	ID      operation.ID
	Kind    operation.Kind
	Payload any
}

// Stamp is in whose name, and under which lock, operations are made.
type Stamp struct {
	Session string
	Fence   uint64
	Claim   string
}

// Load reads the state of the record at tip; the zero state for the zero tip.
func Load[S any](ctx context.Context, l *Ledger, law Law[S], tip gitstore.OID) (S, error) {
	if tip.IsZero() {
		return law.Zero, nil
	}
	s, known, files := recall[S](l, tip)
	if known {
		return s, nil
	}
	var err error
	if files == nil {
		if files, err = l.files(ctx, tip); err != nil {
			return law.Zero, fmt.Errorf("read the record: %w", err) // what failed names the commit
		}
	}
	for path, file := range files {
		if !law.Needs(path) || file.Data != nil {
			continue
		}
		if file.Data, err = l.Blob(ctx, file.OID); err != nil {
			return law.Zero, fmt.Errorf("read %s at %s: %w", path, tip.Short(), err)
		}
		files[path] = file
	}
	if s, err = law.Decode(files); err != nil {
		return s, fmt.Errorf("read the record at %s: %w", tip.Short(), err)
	}
	remember[S](l, remembered{tip: tip, state: s})
	return s, nil
}

// files are those of the state at a commit or in its tree, without their contents.
func (l *Ledger) files(ctx context.Context, at gitstore.OID) (Files, error) {
	list, err := l.repo.Objects.Files(ctx, at)
	files := make(Files, len(list))
	for _, f := range list {
		if f.Path != opFile {
			files[f.Path] = File{OID: f.OID.String()}
		}
	}
	return files, err
}

// Brief returns what is cached of the record at ref, and the tip that it is of. What is
// not cached is made by build. See cache.Brief.
func Brief[T any](ctx context.Context, l *Ledger, ref gitstore.RefName,
	build func(ctx context.Context, tip gitstore.OID) (T, error),
) (T, gitstore.OID, error) {
	tip, err := l.Tip(ctx, ref)
	if err != nil {
		var none T
		return none, tip, err
	}
	state, err := cache.Brief(ctx, l.Cache, ref, tip, build)
	return state, tip, err
}

// Append stages operations on the record at ref, one commit each, and returns
// the state after them.
func Append[S any](ctx context.Context, tx *Tx, law Law[S], ref gitstore.RefName, state S, stamp Stamp,
	drafts ...Draft,
) (S, error) {
	tip, err := tx.Tip(ctx, ref)
	if err != nil {
		return state, err
	}
	if !tx.Staged(tip) { // what this change staged itself was folded here
		// What can't be read says so where it is needed.
		if err := tx.l.KnownLaw(ctx, tip); errors.Is(err, ErrUnknownLaw) {
			return state, fmt.Errorf("%s: %w; install a newer one to change it", ref, err)
		}
	}
	who, err := tx.Author(ctx)
	if err != nil {
		return state, err
	}
	for _, d := range drafts {
		op, err := tx.operation(ref, d, stamp, operation.Actor{Name: who.Name, Email: who.Email}, *law.Clock(&state)+1)
		if err != nil {
			return state, err
		}
		if law.Check != nil {
			if err := law.Check(state, op); err != nil {
				return state, err
			}
		}
		after, applied := law.Apply(state, op, tx)
		if !applied {
			return state, fmt.Errorf("%s: %w", op.Kind, ErrSuperseded)
		}
		if tip, err = record(ctx, tx, law, tip, op, state, after); err != nil {
			return state, err
		}
		state = after
	}
	if err := tx.Move(ctx, ref, tip); err != nil {
		return state, err
	}
	tx.Snapshot(ref, tip, func() any { return law.Brief(state) })
	return state, nil
}

// ErrNoText is the error of an operation whose texts are not all UTF-8: no two readers
// would read the same.
var ErrNoText = errors.New("what was given is not all UTF-8")

// noText is what encoding/json writes for bytes that are no text.
const noText = `\ufffd`

// operation is a draft made. What one change does to a task is one act, by its first
// operation; of other records nobody takes anything back as one.
func (tx *Tx) operation(ref gitstore.RefName, d Draft, stamp Stamp, who operation.Actor, clock uint64) (
	op operation.Operation, err error,
) {
	payload, err := json.Marshal(d.Payload)
	if err != nil {
		return op, fmt.Errorf("encode %s: %w", d.Kind, err)
	}
	if bytes.Contains(payload, []byte(noText)) { // it may be what was typed
		if _, err := operation.Canonical(payload); errors.Is(err, operation.ErrNoText) {
			return op, ErrNoText
		}
	}
	if tx.l.Screen != nil {
		if payload, err = tx.l.Screen(d.Kind, payload); err != nil {
			return op, err
		}
	}
	if d.ID == "" {
		if d.ID, err = operation.NewID(tx.l.random); err != nil {
			return op, err
		}
	}
	op = operation.Operation{
		ID: d.ID, Kind: d.Kind, Clock: clock, Law: operation.Law,
		At: tx.l.now().UTC().Format(time.RFC3339Nano), Actor: who,
		Session: stamp.Session, Fence: stamp.Fence, Claim: stamp.Claim, Payload: payload,
	}
	if _, isTask := TaskOf(ref); isTask {
		if op.Act = tx.acts[ref]; op.Act == "" {
			tx.acts[ref] = op.ID
		}
	}
	return op, nil
}

func record[S any](ctx context.Context, tx *Tx, law Law[S], tip gitstore.OID, op operation.Operation, before,
	after S,
) (gitstore.OID, error) {
	line, err := operation.Encode(op)
	if err != nil {
		return tip, err
	}
	if _, err := decodeReceived(line); err != nil { // nobody could read it again, or would
		return tip, fmt.Errorf("%w: %w", operation.ErrInvalid, err)
	}
	files, err := stateFiles(law, after, tx.Blob)
	if err != nil {
		return tip, err
	}
	files[opFile] = tx.Blob(line)
	staged := len(tx.w.IDs())
	tree, err := tx.w.Files(files)
	if err != nil {
		return tip, err
	}
	tx.trees = append(tx.trees, tx.w.IDs()[staged:]...)
	commit, err := tx.stageOperation(ctx, tree,
		operation.Message(law.Subject(op, before, after), law.Trailers(op, before, after)), tip)
	if err == nil {
		rememberStaged(tx, law, commit, files)
	}
	return commit, err
}

// stateFiles are the files of a state; blob gives the ids of new contents.
func stateFiles[S any](law Law[S], s S, blob func([]byte) gitstore.OID) (map[string]gitstore.OID, error) {
	files, err := law.Encode(s)
	if err != nil {
		return nil, fmt.Errorf("encode the record: %w", err)
	}
	oids := make(map[string]gitstore.OID, len(files)+1)
	for path, f := range files {
		if f.Data != nil {
			oids[path] = blob(f.Data)
			continue
		}
		if oids[path], err = gitstore.ParseOID(f.OID); err != nil {
			return nil, fmt.Errorf("encode %s: %w", path, err)
		}
	}
	return oids, nil
}
