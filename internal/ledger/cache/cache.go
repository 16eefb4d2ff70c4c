// Package cache keeps what was made of records in files that anybody may delete: the
// brief state of one record in a snapshot, those of all records of a kind in an index.
//
// All files have one form, that of package statcache. What is in them begins with a line
// that says which program made it of what; what begins otherwise, or is not whole, is
// not believed. Answers follow from tables and rules, and those are the program's.
package cache

import (
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
