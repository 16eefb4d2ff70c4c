package odb

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// Writer collects objects, and knows their ids before they are written. It is
// for one goroutine. What was given to it must not change before Flush.
type Writer struct {
	repo    *Store
	order   []plumbing.OID
	objects map[plumbing.OID]rawObject
	// Stored are known to be there, with a ref that leads to them: they are not written.
	Stored map[plumbing.OID]bool
	err    error // the first object that can't be written
}

// NewWriter starts a collection. Nothing is written before Flush.
func (r *Store) NewWriter() *Writer {
	return &Writer{repo: r, objects: map[plumbing.OID]rawObject{}}
}

// Blob adds a blob.
func (w *Writer) Blob(data []byte) plumbing.OID { return w.add(plumbing.KindBlob, data) }

// Tree adds a tree; the entries may come in any order. What is wrong with one
// is told by Flush, which then writes nothing.
func (w *Writer) Tree(entries []plumbing.Entry) plumbing.OID {
	entries = slices.Clone(entries)
	slices.SortFunc(entries, plumbing.CompareEntries)
	names := map[string]bool{}
	for _, e := range entries {
		fault := plumbing.NameFault(e.Name)
		switch {
		case fault != "":
		case names[e.Name]:
			fault = "is there twice"
		case !e.Mode.Valid():
			fault = fmt.Sprintf("has the mode %o", uint32(e.Mode))
		case e.OID.IsZero():
			fault = "has no object"
		}
		if fault != "" {
			w.fail(fmt.Errorf("tree entry %.100q %s", e.Name, fault))
		}
		names[e.Name] = true
	}
	return w.add(plumbing.KindTree, plumbing.EncodeTree(entries))
}

// Entries lists a tree that was added; false where none was under this id.
func (w *Writer) Entries(id plumbing.OID) ([]plumbing.Entry, bool) {
	object, ok := w.objects[id]
	if !ok || object.kind != plumbing.KindTree {
		return nil, false
	}
	entries, err := plumbing.DecodeTree(object.data)
	return entries, err == nil
}

// IDs are the objects that are to be written, in the order in which they came.
func (w *Writer) IDs() []plumbing.OID { return w.order }

// Files adds the trees for a set of files under their paths, all with mode
// 100644. No file at all gives the empty tree.
func (w *Writer) Files(files map[string]plumbing.OID) (plumbing.OID, error) {
	paths := slices.Sorted(maps.Keys(files))
	for _, path := range paths {
		if err := plumbing.CheckPath(path); err != nil {
			return plumbing.OID{}, err
		}
		if strings.Count(path, "/") > maxDepth {
			return plumbing.OID{}, fmt.Errorf("path %.100q: %w", path, plumbing.ErrTooLarge)
		}
	}
	return w.dir("", paths, files), w.err
}

// dir adds the tree of a directory, of which these are all paths, sorted.
func (w *Writer) dir(prefix string, paths []string, files map[string]plumbing.OID) plumbing.OID {
	var entries []plumbing.Entry
	for len(paths) > 0 {
		name, _, deeper := strings.Cut(paths[0][len(prefix):], "/")
		e := plumbing.Entry{Name: name, Mode: plumbing.ModeFile, OID: files[paths[0]]}
		n := 1
		if deeper {
			below := prefix + name + "/"
			for n < len(paths) && strings.HasPrefix(paths[n], below) {
				n++
			}
			e.Mode, e.OID = plumbing.ModeDir, w.dir(below, paths[:n], files)
		}
		entries, paths = append(entries, e), paths[n:]
	}
	return w.Tree(entries)
}

// Commit adds a commit. Names and addresses are cleaned as git cleans them.
func (w *Writer) Commit(c plumbing.Commit) plumbing.OID {
	data, err := plumbing.EncodeCommit(c)
	if err != nil {
		w.fail(fmt.Errorf("commit: %w", err))
		return plumbing.OID{}
	}
	return w.add(plumbing.KindCommit, data)
}

func (w *Writer) add(k plumbing.Kind, data []byte) plumbing.OID {
	if len(data) > MaxObjectSize {
		w.fail(fmt.Errorf("%s of %d bytes: %w", k, len(data), plumbing.ErrTooLarge))
		return plumbing.OID{}
	}
	id := plumbing.HashObject(k, data)
	if _, ok := w.objects[id]; !ok {
		w.objects[id] = rawObject{kind: k, size: int64(len(data)), data: data}
		if !w.Stored[id] {
			w.order = append(w.order, id)
		}
	}
	return id
}

func (w *Writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// Flush writes everything that was added, and returns when it has reached the
// disk, so that a ref may point there. The Writer is empty afterwards.
func (w *Writer) Flush(ctx context.Context) error {
	files, err := w.files()
	if err == nil {
		err = w.repo.storeObjects(ctx, files)
	}
	if err != nil {
		return fmt.Errorf("write objects: %w", err)
	}
	w.reset()
	return nil
}

// files are the objects as loose ones.
func (w *Writer) files() ([]objectFile, error) {
	if w.err != nil {
		return nil, w.err
	}
	files := make([]objectFile, 0, len(w.order))
	deflate, err := zlib.NewWriterLevel(nil, zlib.BestSpeed) // as git has it for loose objects
	if err != nil {
		return nil, err
	}
	for _, id := range w.order {
		packed, err := w.objects[id].encode(id, deflate)
		if err != nil {
			return nil, fmt.Errorf("object %s: %w", id, err)
		}
		files = append(files, objectFile{id: id, data: packed})
	}
	return files, nil
}

func (w *Writer) reset() { w.order, w.objects = nil, map[plumbing.OID]rawObject{} }

// encode gives the bytes of a loose object's file.
func (o rawObject) encode(id plumbing.OID, deflate *zlib.Writer) ([]byte, error) {
	if plumbing.HashObject(o.kind, o.data) != id {
		return nil, errors.New("its content changed before it was written")
	}
	var buf bytes.Buffer
	deflate.Reset(&buf)
	if _, err := fmt.Fprintf(deflate, "%s %d\x00", o.kind, o.size); err != nil {
		return nil, err
	}
	if _, err := deflate.Write(o.data); err != nil {
		return nil, err
	}
	err := deflate.Close()
	return buf.Bytes(), err
}
