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
	"github.com/git-brew/git-brew/internal/gitstore/place"
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

// abandoned is how old a half-written file is whose writer is gone.
const abandoned = time.Hour

// Leftovers are the files and directories among the caches that nothing reads: what a
// push that was killed left, half-written files whose writer died, and snapshots of refs
// that are gone.
func (c *Cache) Leftovers(ctx context.Context) ([]string, error) {
	refs, err := c.repo.Refs.List(ctx, c.prefix)
	if err != nil {
		return nil, err
	}
	wanted := make(map[string]bool, len(refs))
	for _, r := range refs {
		wanted[c.nameOf(r.Name)] = true
	}
	left := c.repo.OldScratch()
	for _, dir := range []string{"", snapshots + "/"} {
		entries, err := os.ReadDir(filepath.Join(c.repo.CacheDir(), dir))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return left, err
		}
		for _, e := range entries {
			info, err := e.Info()
			if err != nil || !info.Mode().IsRegular() {
				continue
			}
			unread := dir != "" && !wanted[dir+e.Name()]
			if strings.HasSuffix(e.Name(), place.TempSuffix) {
				unread = c.now().Sub(info.ModTime()) >= abandoned
			}
			if unread {
				left = append(left, filepath.Join(c.repo.CacheDir(), dir, e.Name()))
			}
		}
	}
	return left, nil
}

// namesFile holds the slugs that several tasks share, after namesHeader one a line. They
// are for what is shown to people, and not worth a look at every ref: the list holds
// until a change of git brew makes or removes a task, and where plain git did that, for
// namesHold at most.
const (
	namesFile   = "names"
	namesHeader = "names 1\n"
	namesHold   = time.Hour
)

// Names gives the list that was kept last; false where it does not hold any more.
func (c *Cache) Names(now time.Time) (names []string, ok bool) {
	path := filepath.Join(c.repo.CacheDir(), namesFile)
	info, err := os.Stat(path)
	if err != nil {
		return nil, false
	}
	if age := now.Sub(info.ModTime()); age < -namesHold || age > namesHold {
		return nil, false
	}
	data, err := os.ReadFile(path)
	body, ours := strings.CutPrefix(string(data), namesHeader)
	if err != nil || !ours {
		return nil, false
	}
	return strings.Fields(body), true
}

// PutNames keeps a list of names, which have no space in them.
func (c *Cache) PutNames(names []string) {
	_ = c.repo.WriteCache(namesFile, []byte(namesHeader+strings.Join(names, "\n"))) // else it is made again
}

// ForgetNames removes the list: a task was made or removed.
func (c *Cache) ForgetNames() {
	_ = os.Remove(filepath.Join(c.repo.CacheDir(), namesFile)) // else it holds for as long as it may
}
