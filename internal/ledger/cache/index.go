package cache

import (
	"context"
	"reflect"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/refs"
	"github.com/git-brew/git-brew/internal/gitstore/statcache"
)

// IndexKind says what an index is of: all records whose refs begin alike, each as T.
type IndexKind[T any] struct {
	// Name is what the index's file is called, in the cache directory.
	Name string
	// Refs is what the refs begin with, and ends in a slash.
	Refs string
	// File is the one file, at the top of a record's tree, that T is made of.
	File string
	// Build makes T of that file at a record's tip; err is why it can't be read.
	// What it makes must follow from the tip alone.
	Build func(ctx context.Context, id string, tip gitstore.OID, data []byte, err error) (T, error)
}

// Row is what an index knows of one record.
type Row[T any] struct {
	ID  string
	Ref gitstore.RefName
	Tip gitstore.OID
	// Err is why the record can't be read; then State is T's zero value.
	Err   error
	State T
}

// entry is a row as the index's file has it. A record that could not be read is
// named there, so that its ref need not be read, and is tried again each time.
type entry struct {
	ID, Tip, State string
	Broken         bool
	Seen           gitfile.FileSeen // what the ref's file looked like
}

// entryRoom is what an entry takes at most beside its id and its state.
const entryRoom = 80

// Index returns the brief state of every record of a kind, in the order of their
// ids. It is read from one file: as it stands while nothing can have moved a ref
// (see statcache.Cache.WatchRefs) or changed a ref's file in place, as a full disk and
// people do; else the refs are listed, of which only those are read whose files
// have changed, and of the records only those whose tips have moved.
//
// A ref below another one is no record, and is passed over.
func Index[T any](ctx context.Context, c *Cache, kind IndexKind[T]) ([]Row[T], error) {
	x := index[T]{c: c, kind: kind, watch: c.repo.Cache.WatchRefs(strings.TrimSuffix(kind.Refs, "/"))}
	entries, current := x.load()
	known := x.seenBefore(entries)
	current = current && x.believe(entries, known)
	if !current {
		refs, err := c.repo.Refs.ListAgain(ctx, kind.Refs, known)
		if err != nil {
			return nil, err
		}
		x.take(refs, entries)
	}
	if err := x.build(ctx); err != nil {
		return nil, err
	}
	if x.unsure {
		x.watch.Distrust()
	}
	if x.changed || !current && !x.unsure {
		c.repo.Background(x.store)
	}
	return x.rows, nil
}

// index is the reading of one.
type index[T any] struct {
	c     *Cache
	kind  IndexKind[T]
	watch statcache.Watch

	rows    []Row[T]
	texts   []string // the rows' states as the file has them, "" where that is not known
	seen    []gitfile.FileSeen
	missing []int // rows whose records are to be read
	changed bool  // the file does not have these rows
	unsure  bool  // they may change without any of the watched files
	reader  reader
}

// load reads the file. What is no whole index is none.
func (x *index[T]) load() (entries []entry, current bool) {
	text, ok, current := x.c.read(x.kind.Name, x.watch, reflect.TypeFor[T](), x.kind.Name)
	if !ok || x.reader.read(text, &entries) != nil {
		return nil, false
	}
	return entries, current
}

// seenBefore are the refs as they were when the file was written.
func (x *index[T]) seenBefore(entries []entry) []refs.SeenRef {
	seen := make([]refs.SeenRef, 0, len(entries))
	for _, e := range entries {
		if tip, err := gitstore.ParseOID(e.Tip); err == nil && e.Seen != (gitfile.FileSeen{}) {
			ref := gitstore.Ref{Name: gitstore.RefName(x.kind.Refs + e.ID), OID: tip}
			seen = append(seen, refs.SeenRef{Ref: ref, Seen: e.Seen})
		}
	}
	return seen
}

// believe takes the rows as they are in the file, if the refs' own files are what
// they were, which is looked at meanwhile.
func (x *index[T]) believe(entries []entry, known []refs.SeenRef) bool {
	asSeen := x.c.repo.Refs.Unchanged(known)
	x.room(len(entries))
	for _, e := range entries {
		tip, err := gitstore.ParseOID(e.Tip)
		x.add(Row[T]{ID: e.ID, Ref: gitstore.RefName(x.kind.Refs + e.ID), Tip: tip, Err: err}, e, e.Seen)
	}
	return asSeen()
}

func (x *index[T]) room(n int) {
	x.missing, x.changed = nil, false
	x.rows, x.texts, x.seen = make([]Row[T], 0, n), make([]string, 0, n), make([]gitfile.FileSeen, 0, n)
}

// take makes rows of the refs, and of the file what still holds.
func (x *index[T]) take(all []refs.SeenRef, entries []entry) {
	x.room(len(all))
	known := 0
	for _, r := range all {
		id := strings.TrimPrefix(string(r.Name), x.kind.Refs)
		if strings.Contains(id, "/") {
			continue
		}
		x.unsure = x.unsure || r.Err != nil || r.Symbolic != ""
		for known < len(entries) && entries[known].ID < id {
			known++
		}
		var e entry
		if known < len(entries) && entries[known].ID == id && entries[known].Tip == r.OID.String() {
			e = entries[known]
		}
		x.add(Row[T]{ID: id, Ref: r.Name, Tip: r.OID, Err: r.Err}, e, r.Seen)
	}
	x.changed = x.changed || len(x.rows) != len(entries)
}

// add adds a row, whose state stands in e if anywhere.
func (x *index[T]) add(row Row[T], e entry, seen gitfile.FileSeen) {
	n := len(x.rows)
	x.rows, x.texts, x.seen = append(x.rows, row), append(x.texts, e.State), append(x.seen, seen)
	switch {
	case row.Err != nil:
	case e.Broken:
		x.missing = append(x.missing, n)
	case e.State == "" || x.reader.read(e.State, &x.rows[n].State) != nil:
		var none T
		x.rows[n].State, x.changed = none, true
		x.missing = append(x.missing, n)
	}
}

// build makes the states that no file has.
func (x *index[T]) build(ctx context.Context) error {
	tips := make([]gitstore.OID, len(x.missing))
	for i, n := range x.missing {
		tips[i] = x.rows[n].Tip
	}
	return x.c.repo.Objects.ReadFiles(ctx, tips, []string{x.kind.File}, func(i, _ int, data []byte, err error) {
		n := x.missing[i]
		row := &x.rows[n]
		if row.State, row.Err = x.kind.Build(ctx, row.ID, row.Tip, data, err); row.Err != nil {
			x.texts[n] = ""
			return
		}
		if text, err := appendValue(nil, row.State); err == nil {
			x.texts[n], x.changed = string(text), true
		}
	})
}

// store writes the file.
func (x *index[T]) store() {
	x.c.repo.Cache.PutSettled(x.kind.Name, x.watch, func(settled func(gitfile.FileSeen) gitfile.FileSeen) []byte {
		head := x.c.head(reflect.TypeFor[T](), x.kind.Name)
		entries, size := make([]entry, 0, len(x.rows)), len(head)
		for n := range x.rows {
			row := &x.rows[n] // its state is the caller's by now
			seen := settled(x.seen[n])
			if seen != x.seen[n] {
				x.watch.Distrust() // a change of this file would not show
			}
			entries = append(entries, entry{
				ID: row.ID, Tip: row.Tip.String(), State: x.texts[n], Broken: row.Err != nil, Seen: seen,
			})
			size += len(row.ID) + len(x.texts[n]) + entryRoom
		}
		data, err := appendValue(append(make([]byte, 0, size), head...), entries)
		if err != nil {
			return nil // no index
		}
		return data
	})
}
