// Package cache keeps what was made of records in files that anybody may delete: the
// brief state of one record in a snapshot, those of all records of a kind in an index.
//
// All files have one form, that of package statcache. What is in them begins with a line
// that says which program made it of what; what begins otherwise, or is not whole, is
// not believed. Answers follow from tables and rules, and those are the program's.
package cache

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/statcache"
	"github.com/git-brew/git-brew/internal/operation"
)

// Cache is what one process knows, and its repository's files have, of records.
type Cache struct {
	// Program names, in one word, the program that makes what is cached.
	Program string

	repo   *gitstore.Repo
	now    func() time.Time
	prefix string // of all refs
	briefs map[gitstore.RefName]brief
}

// New is the cache of a repository whose records' refs begin with prefix.
func New(repo *gitstore.Repo, now func() time.Time, prefix string) *Cache {
	return &Cache{repo: repo, now: now, prefix: prefix, briefs: map[gitstore.RefName]brief{}}
}

// form changes with how values are written (a test holds it fast).
const form = "cache 2 "

// head is the line before a value of a type that was made of something.
func (c *Cache) head(t reflect.Type, of string) string {
	return form + strconv.Itoa(operation.Law) + " " + c.Program + " " + of + " " + t.String() + "\n"
}

// read gives what a file has of something; ok is false where it has nothing of it.
// Current: none of the watched files has changed since.
func (c *Cache) read(name string, watch statcache.Watch, t reflect.Type, of string) (text string, ok, current bool) {
	text, current = c.repo.Cache.GetPiece(name, watch)
	text, ok = strings.CutPrefix(text, c.head(t, of))
	return text, ok, current
}

// maxBriefs is how many briefs a process keeps at hand: one task's and its
// clone's are asked for again and again, those of a list once.
const maxBriefs = 8

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

func (c *Cache) nameOf(ref gitstore.RefName) string {
	return snapshots + "/" + strings.ReplaceAll(strings.TrimPrefix(string(ref), c.prefix), "/", "+")
}
