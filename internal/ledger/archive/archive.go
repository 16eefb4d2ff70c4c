// Package archive keeps the tasks that ended long ago: one ref leads to all of their
// histories, so that a clone has few refs however many tasks it has.
package archive

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
)

// archiveFile, in the tree of an archived task, names the commits that the task
// was archived at.
const archiveFile = "archive.json"

const maxArchiveFile = 4096

// ErrArchive is returned for an archive that is none, or not a whole one.
var ErrArchive = errors.New("not an archive")

// Entry is a task in the archive: where its history ended, and that of its
// lock (zero: it was never taken).
type Entry struct {
	ID   string
	Tip  gitstore.OID
	Lock gitstore.OID

	tree gitstore.OID // of the archive's tree; zero: not made yet
}

func (a Entry) same(b Entry) bool { return a.Tip == b.Tip && a.Lock == b.Lock }

type archivedAt struct {
	Schema string `json:"schema"`
	Task   string `json:"task"`
	Lock   string `json:"lock,omitempty"`
}

func (a Entry) encode() []byte {
	at := archivedAt{Schema: operation.Format, Task: a.Tip.String()}
	if !a.Lock.IsZero() {
		at.Lock = a.Lock.String()
	}
	data, _ := json.Marshal(at) // strings can't fail
	return append(data, '\n')
}

func decodeArchived(id string, data []byte) (Entry, error) {
	a := Entry{ID: id}
	if len(data) > maxArchiveFile {
		return a, fmt.Errorf("%s: %d bytes: %w", archiveFile, len(data), gitstore.ErrTooLarge)
	}
	var at archivedAt
	err := json.Unmarshal(data, &at)
	if err == nil {
		err = operation.CheckFormat(at.Schema)
	}
	if err == nil {
		a.Tip, err = gitstore.ParseOID(at.Task)
	}
	if err == nil && at.Lock != "" {
		a.Lock, err = gitstore.ParseOID(at.Lock)
	}
	if err != nil {
		return a, fmt.Errorf("%s: %w", archiveFile, err)
	}
	return a, nil
}

// at lists the trees of the tasks in the archive at a tip, by their ids; none for the
// zero tip. Nobody may change the answer.
func at(ctx context.Context, tx *ledger.Tx, tip gitstore.OID) (map[string]gitstore.OID, error) {
	trees, err := tx.Directories(ctx, tip)
	if err != nil {
		return nil, fmt.Errorf("read the archive at %s: %w", tip.Short(), err)
	}
	return trees, nil
}

// current lists the archive as a change has it.
func current(ctx context.Context, tx *ledger.Tx) (map[string]gitstore.OID, error) {
	tip, err := tx.Tip(ctx, ledger.ArchiveRef)
	if err != nil {
		return nil, err
	}
	return at(ctx, tx, tip)
}

func idsOf(trees map[string]gitstore.OID) []string { return slices.Sorted(maps.Keys(trees)) }

// find reads one task of an archive.
func find(ctx context.Context, tx *ledger.Tx, trees map[string]gitstore.OID, id string) (Entry, bool, error) {
	tree, ok := trees[id]
	if !ok {
		return Entry{}, false, nil
	}
	e, err := read(ctx, tx, id, tree)
	if err != nil {
		return e, false, fmt.Errorf("read archived task %s: %w", id, err)
	}
	return e, true, nil
}

func read(ctx context.Context, tx *ledger.Tx, id string, tree gitstore.OID) (Entry, error) {
	file, ok, err := tx.Entry(ctx, tree, archiveFile)
	if err != nil {
		return Entry{}, err
	}
	if !ok || file.Mode != gitstore.ModeFile {
		return Entry{}, fmt.Errorf("%w: it has no %s", ErrArchive, archiveFile)
	}
	data, err := tx.ReadBlob(ctx, file.OID, maxArchiveFile)
	if err != nil {
		return Entry{}, fmt.Errorf("%s: %w", archiveFile, err)
	}
	a, err := decodeArchived(id, data)
	a.tree = tree
	return a, err
}

// Find finds a task in the archive as this change has it.
func Find(ctx context.Context, tx *ledger.Tx, id string) (Entry, bool, error) {
	trees, err := current(ctx, tx)
	if err != nil {
		return Entry{}, false, err
	}
	return find(ctx, tx, trees, id)
}

// IDs are the ids of the tasks in the archive as this change has it, in order. It
// reads one tree, however many they are.
func IDs(ctx context.Context, tx *ledger.Tx) ([]string, error) {
	trees, err := current(ctx, tx)
	return idsOf(trees), err
}

// Since are those of the named tasks that the archive at a tip has, and
// the one at another has not, or not like this; in the order of their ids. What
// was staged of them is stored, so that git can be asked about their histories.
func Since(ctx context.Context, tx *ledger.Tx, before, now gitstore.OID, named func(id string) bool) ([]Entry, error) {
	old, err := at(ctx, tx, before)
	if err != nil {
		return nil, err
	}
	trees, err := at(ctx, tx, now)
	if err != nil {
		return nil, err
	}
	var since []Entry
	stored := true
	for _, id := range idsOf(trees) {
		if old[id] == trees[id] || !named(id) {
			continue
		}
		e, _, err := find(ctx, tx, trees, id)
		if err != nil {
			return nil, err
		}
		since, stored = append(since, e), stored && !tx.Staged(e.Tip)
	}
	if stored {
		return since, nil
	}
	return since, tx.Writer().Flush(ctx)
}

// Each visits the tasks in the archive, each with a file of its state, or with why one
// can't be read.
func Each(ctx context.Context, tx *ledger.Tx, file string, visit func(e Entry, data []byte, err error)) error {
	trees, err := current(ctx, tx)
	if err != nil {
		return err
	}
	ids := idsOf(trees)
	from, entries, faults := make([]gitstore.OID, len(ids)), make([]Entry, len(ids)), make([]error, len(ids))
	for i, id := range ids {
		from[i], entries[i] = trees[id], Entry{ID: id}
	}
	objects := tx.Ledger().Repo().Objects
	err = objects.ReadFiles(ctx, from, archiveFile, func(i int, data []byte, err error) {
		if err == nil {
			entries[i], err = decodeArchived(ids[i], data)
		}
		faults[i] = err
	})
	if err != nil {
		return err
	}
	return objects.ReadFiles(ctx, from, file, func(i int, data []byte, err error) {
		visit(entries[i], data, cmp.Or(faults[i], err))
	})
}
