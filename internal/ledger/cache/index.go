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

// Index returns the brief state of every record of a kind, in the order of their
// ids. It is read from one file: as it stands while nothing can have moved a ref
// (see statcache.Cache.WatchRefs) or changed a ref's file in place, as a full disk and
// people do; else the refs are listed, of which only those are read whose files
// have changed, and of the records only those whose tips have moved.
//
// A ref below another one is no record, and is passed over.
func Index[T any](ctx context.Context, c *Cache, kind IndexKind[T]) ([]Row[T], error) {
	x := index[T]{c: c, kind: kind, watch: c.repo.Cache.WatchRefs(strings.TrimSuffix(kind.Refs, "/"))}
	was, current := x.load()
	known := x.seenBefore(was)
	if current {
		asSeen := c.repo.Refs.Unchanged(known) // which is looked at meanwhile
		for _, e := range was {
			tip, err := gitstore.ParseOID(e.Tip)
			x.add(Row[T]{ID: e.ID, Ref: gitstore.RefName(kind.Refs + e.ID), Tip: tip, Err: err}, e)
		}
		current = asSeen()
	}
	if !current {
		refs, err := c.repo.Refs.ListAgain(ctx, kind.Refs, known)
		if err != nil {
			return nil, err
		}
		x.take(refs, was)
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

type index[T any] struct {
	c     *Cache
	kind  IndexKind[T]
	watch statcache.Watch

	rows    []Row[T]
	entries []entry // the rows as the file will have them
	missing []int   // rows whose records are to be read
	changed bool    // the file does not have these rows
	unsure  bool    // they may change without any of the watched files
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

// take makes rows of the refs, and of the file what still holds.
func (x *index[T]) take(all []refs.SeenRef, was []entry) {
	known := make(map[string]entry, len(was))
	for _, e := range was {
		known[e.ID] = e
	}
	x.rows, x.entries, x.missing, x.changed = nil, nil, nil, false
	for _, r := range all {
		id := strings.TrimPrefix(string(r.Name), x.kind.Refs)
		if strings.Contains(id, "/") {
			continue
		}
		x.unsure = x.unsure || r.Err != nil || r.Symbolic != ""
		e := known[id]
		if e.Tip != r.OID.String() {
			e = entry{ID: id, Tip: r.OID.String()}
		}
		e.Seen = r.Seen
		x.add(Row[T]{ID: id, Ref: r.Name, Tip: r.OID, Err: r.Err}, e)
	}
	x.changed = x.changed || len(x.rows) != len(was)
}

// add adds a row, whose state stands in e if anywhere.
func (x *index[T]) add(row Row[T], e entry) {
	switch {
	case row.Err != nil:
		e.Broken = true
	case e.Broken:
		x.missing = append(x.missing, len(x.rows))
	case e.State == "" || x.reader.read(e.State, &row.State) != nil:
		var none T
		row.State, x.changed = none, true
		x.missing = append(x.missing, len(x.rows))
	}
	x.rows, x.entries = append(x.rows, row), append(x.entries, e)
}

// build makes the states that no file has.
func (x *index[T]) build(ctx context.Context) error {
	tips := make([]gitstore.OID, len(x.missing))
	for i, n := range x.missing {
		tips[i] = x.rows[n].Tip
	}
	return x.c.repo.Objects.ReadFiles(ctx, tips, x.kind.File, func(i int, data []byte, err error) {
		row, e := &x.rows[x.missing[i]], &x.entries[x.missing[i]]
		row.State, row.Err = x.kind.Build(ctx, row.ID, row.Tip, data, err)
		e.State, e.Broken = "", row.Err != nil
		if e.Broken {
			return
		}
		if text, err := appendValue(nil, row.State); err == nil {
			e.State, x.changed = string(text), true
		}
	})
}

// store writes the file.
func (x *index[T]) store() {
	x.c.repo.Cache.PutSettled(x.kind.Name, x.watch, func(settled func(gitfile.FileSeen) gitfile.FileSeen) []byte {
		for n := range x.entries {
			e := &x.entries[n]
			if seen := settled(e.Seen); seen != e.Seen {
				e.Seen = seen
				x.watch.Distrust() // a change of this file would not show
			}
		}
		data, err := appendValue([]byte(x.c.head(reflect.TypeFor[T](), x.kind.Name)), x.entries)
		if err != nil {
			return nil // no index
		}
		return data
	})
}
