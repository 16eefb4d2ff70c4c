package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
)

// archiveFile, in the tree of an archived task, names the commits that the task
// was archived at.
const archiveFile = "archive.json"

// maxArchiveFile bounds the size of an archiveFile, in bytes.
const maxArchiveFile = 4096

// ErrArchive is returned for an archive that is none, or not a whole one.
var ErrArchive = errors.New("not an archive")

// Archived is a task in the archive: where its history ended, and that of its
// lock (zero: it was never taken).
type Archived struct {
	ID   string
	Tip  gitstore.OID
	Lock gitstore.OID

	tree gitstore.OID // of the archive's tree; zero: not made yet
}

// same reports whether two entries are one and the same.
func (a Archived) same(b Archived) bool { return a.Tip == b.Tip && a.Lock == b.Lock }

// archivedAt is the content of an archiveFile.
type archivedAt struct {
	Schema string `json:"schema"`
	Task   string `json:"task"`
	Lock   string `json:"lock,omitempty"`
}

func (a Archived) encode() []byte {
	at := archivedAt{Schema: operation.Format, Task: a.Tip.String()}
	if !a.Lock.IsZero() {
		at.Lock = a.Lock.String()
	}
	data, _ := json.Marshal(at) // strings can't fail
	return append(data, '\n')
}

func decodeArchived(id string, data []byte) (Archived, error) {
	a := Archived{ID: id}
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

// archiveIndex is the trees of the tasks in an archive, by their ids.
type archiveIndex struct {
	tip   gitstore.OID
	trees map[string]gitstore.OID
}

// archiveAt lists the archive at a tip; none for the zero tip. The last one that
// was read is kept at hand. Nobody may change the answer.
func (tx *Tx) archiveAt(ctx context.Context, tip gitstore.OID) (archiveIndex, error) {
	if tip.IsZero() {
		return archiveIndex{}, nil
	}
	if tip == tx.l.archive.tip {
		return tx.l.archive, nil
	}
	entries, err := tx.Tree(ctx, tip)
	if err != nil {
		return archiveIndex{}, fmt.Errorf("read the archive at %s: %w", tip.Short(), err)
	}
	index := archiveIndex{tip, make(map[string]gitstore.OID, len(entries))}
	for _, e := range entries {
		if e.Mode != gitstore.ModeDir {
			return archiveIndex{}, fmt.Errorf("%w: %.100q at %s is no directory", ErrArchive, e.Name, tip.Short())
		}
		index.trees[e.Name] = e.OID
	}
	tx.l.archive = index
	return index, nil
}

// ids are the tasks, in order.
func (x archiveIndex) ids() []string { return slices.Sorted(maps.Keys(x.trees)) }

// archived reads one task of an archive.
func (tx *Tx) archived(ctx context.Context, index archiveIndex, id string) (Archived, bool, error) {
	tree, ok := index.trees[id]
	if !ok {
		return Archived{}, false, nil
	}
	a, err := tx.archivedIn(ctx, id, tree)
	if err != nil {
		return a, false, fmt.Errorf("read archived task %s: %w", id, err)
	}
	return a, true, nil
}

func (tx *Tx) archivedIn(ctx context.Context, id string, tree gitstore.OID) (Archived, error) {
	entries, err := tx.Tree(ctx, tree)
	if err != nil {
		return Archived{}, err
	}
	i := slices.IndexFunc(entries, func(e gitstore.Entry) bool { return e.Name == archiveFile })
	if i < 0 || entries[i].Mode != gitstore.ModeFile {
		return Archived{}, fmt.Errorf("%w: it has no %s", ErrArchive, archiveFile)
	}
	data, staged := tx.texts.staged[entries[i].OID.String()]
	if !staged {
		if data, err = tx.l.repo.Objects.UpTo(maxArchiveFile).Blob(ctx, entries[i].OID); err != nil {
			return Archived{}, fmt.Errorf("%s: %w", archiveFile, err)
		}
	}
	a, err := decodeArchived(id, data)
	a.tree = tree
	return a, err
}

// Archived finds a task in the archive as this change has it.
func (tx *Tx) Archived(ctx context.Context, id string) (Archived, bool, error) {
	tip, err := tx.Tip(ctx, ArchiveRef)
	if err != nil {
		return Archived{}, false, err
	}
	index, err := tx.archiveAt(ctx, tip)
	if err != nil {
		return Archived{}, false, err
	}
	return tx.archived(ctx, index, id)
}

// ArchivedIDs are the ids of the tasks in the archive as this change has it, in
// order.
func (tx *Tx) ArchivedIDs(ctx context.Context) ([]string, error) {
	tip, err := tx.Tip(ctx, ArchiveRef)
	if err != nil {
		return nil, err
	}
	index, err := tx.archiveAt(ctx, tip)
	return index.ids(), err
}

// Archived finds a task in the archive.
func (l *Ledger) Archived(ctx context.Context, id string) (Archived, bool, error) {
	return newTx(ctx, l).Archived(ctx, id)
}

// ArchivedIDs are the ids of the tasks in the archive, in order. It reads one
// tree, however many they are.
func (l *Ledger) ArchivedIDs(ctx context.Context) ([]string, error) {
	return newTx(ctx, l).ArchivedIDs(ctx)
}

// ArchivedSince are those of the named tasks that the archive at a tip has, and
// the one at another has not, or not like this; in the order of their ids. What
// was staged of them is stored, so that git can be asked about their histories.
func (tx *Tx) ArchivedSince(ctx context.Context, before, now gitstore.OID, named func(id string) bool) ([]Archived, error) {
	old, err := tx.archiveAt(ctx, before)
	if err != nil {
		return nil, err
	}
	index, err := tx.archiveAt(ctx, now)
	if err != nil {
		return nil, err
	}
	var since []Archived
	stored := true
	for _, id := range index.ids() {
		if old.trees[id] == index.trees[id] || !named(id) {
			continue
		}
		e, _, err := tx.archived(ctx, index, id)
		if err != nil {
			return nil, err
		}
		_, staged := tx.staged[e.Tip]
		since, stored = append(since, e), stored && !staged
	}
	if stored {
		return since, nil
	}
	return since, tx.w.Flush(ctx)
}

// EachArchived visits the tasks in the archive, in the order of their ids, with
// why one can't be read.
func (l *Ledger) EachArchived(ctx context.Context, visit func(a Archived, err error)) error {
	tx := newTx(ctx, l)
	tip, err := tx.Tip(ctx, ArchiveRef)
	if err != nil {
		return err
	}
	index, err := tx.archiveAt(ctx, tip)
	if err != nil {
		return err
	}
	ids := index.ids()
	trees, read := make([]gitstore.OID, len(ids)), make([]Archived, len(ids))
	errs := make([]error, len(ids))
	for i, id := range ids {
		trees[i] = index.trees[id]
	}
	err = l.repo.Objects.ReadFiles(ctx, trees, []string{archiveFile}, func(i, _ int, data []byte, err error) {
		if errs[i] = err; err == nil {
			read[i], errs[i] = decodeArchived(ids[i], data)
		}
	})
	if err != nil {
		return err
	}
	for i, id := range ids {
		read[i].ID, read[i].tree = id, trees[i]
		visit(read[i], errs[i])
	}
	return nil
}
