package cache

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/statcache"
)

// maxBriefs is how many briefs a process keeps at hand: one task's and its
// clone's are asked for again and again, those of a list once.
const maxBriefs = 8

// brief is a snapshot that was read.
type brief struct {
	tip   gitstore.OID
	value any
}

// Brief returns the brief state of the record at ref, which has that tip: from its
// snapshot where that was made from the same tip, else from build, whose answer becomes
// the snapshot. Of the zero tip it is T's zero value. The answer is shared: nobody may
// change it.
func Brief[T any](ctx context.Context, c *Cache, ref gitstore.RefName, tip gitstore.OID,
	build func(ctx context.Context, tip gitstore.OID) (T, error),
) (T, error) {
	var state T
	if tip.IsZero() {
		return state, nil
	}
	if b, known := c.briefs[ref]; known && b.tip == tip {
		if state, ok := b.value.(T); ok {
			return state, nil
		}
	}
	if !c.snapshot(ref, tip, &state) {
		var err error
		if state, err = build(ctx, tip); err != nil {
			return state, err
		}
		c.Store(ref, tip, state)
	}
	if _, known := c.briefs[ref]; known || len(c.briefs) < maxBriefs {
		c.briefs[ref] = brief{tip, state}
	}
	return state, nil
}

// Snapshot is what the snapshot of the ref says, where it would be believed for
// the tip.
func Snapshot[T any](c *Cache, ref gitstore.RefName, tip gitstore.OID) (state T, ok bool) {
	ok = c.snapshot(ref, tip, &state)
	return state, ok
}

// snapshot reads what is cached for the ref at tip into the value that into points to.
func (c *Cache) snapshot(ref gitstore.RefName, tip gitstore.OID, into any) bool {
	to := reflect.ValueOf(into).Elem()
	text, ok, _ := c.read(c.nameOf(ref), statcache.Watch{}, to.Type(), tip.String())
	if !ok {
		return false
	}
	var r reader
	if r.read(text, into) != nil {
		to.SetZero()
		return false
	}
	return true
}

// Store writes a snapshot. It is a cache: where that can't be done, whoever reads next
// takes a millisecond longer.
func (c *Cache) Store(ref gitstore.RefName, tip gitstore.OID, state any) {
	data, err := appendValue([]byte(c.head(reflect.TypeOf(state), tip.String())), state)
	if err != nil {
		return
	}
	c.repo.Cache.PutPiece(c.nameOf(ref), statcache.Watch{}, data)
}

// Drop removes the snapshot of a ref.
func (c *Cache) Drop(ref gitstore.RefName) error {
	delete(c.briefs, ref)
	err := os.Remove(filepath.Join(c.repo.CacheDir(), filepath.FromSlash(c.nameOf(ref))))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Disagrees reports that the snapshot of the ref would be believed for the tip,
// as a value of state's type, and says something else than state.
func (c *Cache) Disagrees(ref gitstore.RefName, tip gitstore.OID, state any) bool {
	cached := reflect.New(reflect.TypeOf(state))
	return c.snapshot(ref, tip, cached.Interface()) && !Same(cached.Elem().Interface(), state)
}

// snapshots is the directory of snapshots, in the cache directory.
const snapshots = "snapshots"

// nameOf is the file of a ref's snapshot.
func (c *Cache) nameOf(ref gitstore.RefName) string {
	return snapshots + "/" + strings.ReplaceAll(strings.TrimPrefix(string(ref), c.prefix), "/", "+")
}
