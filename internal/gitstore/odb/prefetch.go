package odb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

const (
	// prefetchBytes bounds what is kept of objects that were read before they are
	// asked for.
	prefetchBytes = 64 << 20
	// preloadBlob is the size, in bytes, of the largest blobs that Preload reads.
	preloadBlob = 64 << 10
	// preloadFew is how many histories are read as quickly one by one.
	preloadFew = 16
)

// prefetched are objects that were read before they are asked for.
type prefetched struct {
	mu      sync.Mutex
	objects map[plumbing.OID]rawObject
	bytes   int
}

func (p *prefetched) get(id plumbing.OID) (o rawObject, known bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	o, known = p.objects[id]
	return o, known
}

// makeRoom drops what was read for others, where it is much.
func (p *prefetched) makeRoom() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.objects == nil || p.bytes > prefetchBytes/2 {
		p.objects, p.bytes = map[plumbing.OID]rawObject{}, 0
	}
}

// put keeps an object, and reports whether there is room for more.
func (p *prefetched) put(id plumbing.OID, o rawObject) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bytes += len(o.data); p.bytes <= prefetchBytes {
		p.objects[id] = o
	}
	return p.bytes <= prefetchBytes
}

// Prefetch reads objects of at most limit bytes before they are asked for: a process
// for all of them, where each would have its own exchange with git. It is a
// convenience: what can't be read fails when it is asked for.
func (r *Store) Prefetch(ctx context.Context, limit int64, ids ...plumbing.OID) {
	r.prefetched.makeRoom()
	var packed []plumbing.OID
	var questions bytes.Buffer
	asked := make(map[plumbing.OID]bool, len(ids))
	for _, id := range ids {
		if ctx.Err() != nil {
			return
		}
		if _, known := r.prefetched.get(id); known || id.IsZero() || asked[id] {
			continue
		}
		asked[id] = true
		switch o, err := r.loose(id, limit); {
		case err == nil:
			r.prefetched.put(id, o)
		case errors.Is(err, fs.ErrNotExist):
			packed = append(packed, id)
			questions.WriteString(id.String() + "\n")
		}
	}
	if len(packed) < 2 {
		return // one is as quick when it is asked for
	}
	b, err := r.startBatch(ctx, &questions, "--buffer")
	if err != nil {
		return
	}
	defer b.end()
	for _, id := range packed { // the child collects its answers, and ends by itself
		o, err := b.answer(id, limit)
		if errors.Is(err, plumbing.ErrNotExist) {
			continue
		}
		if err != nil || plumbing.HashObject(o.kind, o.data) != id || !r.prefetched.put(id, o) {
			break
		}
	}
}

// Preload is Prefetch for what histories hold, and those up to others do not: many
// records that are read one after the other ask git some ten times each.
func (r *Store) Preload(ctx context.Context, tips, without []plumbing.OID) {
	tips = slices.DeleteFunc(slices.Clone(tips), func(id plumbing.OID) bool {
		return id.IsZero() || slices.Contains(without, id)
	})
	if len(tips) < preloadFew || r.config.Partial(ctx) {
		return // in a partial clone nothing is read that nobody asked for
	}
	// What it lists before it meets something damaged is worth having.
	lines, _ := r.RevList(ctx, tips, without, "--objects", "--no-object-names", "--missing=allow-any",
		fmt.Sprintf("--filter=blob:limit=%d", preloadBlob))
	ids := make([]plumbing.OID, len(lines))
	for i, line := range lines {
		ids[i] = line[0]
	}
	r.Prefetch(ctx, MaxObjectSize, ids...)
}

// ReadFiles reads a file, by its name at the top of the tree, of many commits or trees,
// with a few processes for thousands of them. Visit gets the place in from, and the
// content, or the error that Tree and Blob would have given; ErrNotExist where the tree
// has no such file. The error returned is that ctx has ended.
func (r *Store) ReadFiles(ctx context.Context, from []plumbing.OID, name string,
	visit func(i int, data []byte, err error),
) error {
	r.Prefetch(ctx, MaxObjectSize, from...)
	var trees []plumbing.OID
	for _, id := range from {
		if o, known := r.prefetched.get(id); known && o.kind == plumbing.KindCommit {
			if c, err := plumbing.DecodeCommit(o.data); err == nil {
				trees = append(trees, c.Tree)
			}
		}
	}
	r.Prefetch(ctx, MaxObjectSize, trees...)
	files := make([]plumbing.OID, len(from)) // a zero id: told of already
	for i, id := range from {
		entries, err := r.Tree(ctx, id)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		at := slices.IndexFunc(entries, func(e plumbing.Entry) bool { return e.Name == name })
		switch {
		case err != nil:
			visit(i, nil, err)
		case at < 0:
			visit(i, nil, fmt.Errorf("no file %q: %w", name, plumbing.ErrNotExist))
		default:
			files[i] = entries[at].OID
		}
	}
	r.Prefetch(ctx, MaxObjectSize, files...)
	for i, id := range files {
		if id.IsZero() {
			continue
		}
		data, err := r.Blob(ctx, id)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		visit(i, data, err)
	}
	return nil
}
