// Package gitstore is a git repository as an object store and a ref store.
// It knows git and nothing of what is kept there.
//
// A Repo is made of parts, a package each: Place (where it is), Git (processes),
// Config, Objects, Refs, History, Branches, Tree, Remote and Cache.
//
// What is acknowledged is durable: files and directories are synced before a
// ref moves, and the ref before the call returns. A process that is killed at
// any point leaves the old state or the new one.
//
// Glossary
//
//	oid         object id; the zero OID is "absent"
//	git dir     private to a work tree; common dir: shared by all of them
//	update      compare-and-swap of a ref: old and new value always given
//	loose       in a file of its own; packed: in a pack, or in packed-refs
//	stamp       stat data of a file, to tell whether a cache may be believed
//	settled     older than the clock's grain, so that a stamp can be trusted
//
// It never opens a pack, never writes a ref through go-git, never links
// go-git's root package, never goes to the network by itself, and never starts
// a shell.
package gitstore

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/branch"
	"github.com/git-brew/git-brew/internal/gitstore/config"
	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/history"
	"github.com/git-brew/git-brew/internal/gitstore/odb"
	"github.com/git-brew/git-brew/internal/gitstore/place"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
	"github.com/git-brew/git-brew/internal/gitstore/refs"
	"github.com/git-brew/git-brew/internal/gitstore/remote"
	"github.com/git-brew/git-brew/internal/gitstore/statcache"
	"github.com/git-brew/git-brew/internal/gitstore/worktree"
	"github.com/git-brew/git-brew/internal/safego"
)

// What every caller speaks of, under one name.
type (
	OID       = plumbing.OID
	RefName   = plumbing.RefName
	Commit    = plumbing.Commit
	Signature = plumbing.Signature
	Entry     = plumbing.Entry
	Ref       = refs.Ref
	Update    = refs.Update
	Head      = refs.Head
	Writer    = odb.Writer
	Config    = config.Config
	Streams   = place.Streams
)

// The errors that callers ask for.
type (
	CorruptError    = plumbing.CorruptError
	BrokenRefError  = plumbing.BrokenRefError
	LockedError     = plumbing.LockedError
	UnreadableError = plumbing.UnreadableError
	CommandError    = gitcmd.CommandError
	Git             = gitcmd.Runner
)

// What a tree's entries may be.
const (
	ModeFile = plumbing.ModeFile
	ModeDir  = plumbing.ModeDir
)

// MaxObjectSize is the largest object that is read, in bytes.
const MaxObjectSize = odb.MaxObjectSize

var (
	ErrNotRepository = plumbing.ErrNotRepository
	ErrUnsupported   = plumbing.ErrUnsupported
	ErrNotTrusted    = plumbing.ErrNotTrusted
	ErrNoGit         = plumbing.ErrNoGit
	ErrNotExist      = plumbing.ErrNotExist
	ErrPromised      = plumbing.ErrPromised
	ErrKind          = plumbing.ErrKind
	ErrRefMoved      = plumbing.ErrRefMoved
	ErrLocked        = plumbing.ErrLocked
	ErrTooLarge      = plumbing.ErrTooLarge
	ErrBadConfig     = plumbing.ErrBadConfig
	ErrNoIdentity    = plumbing.ErrNoIdentity
)

// How names are read, and made.
var (
	ParseOID     = plumbing.ParseOID
	ParseRefName = plumbing.ParseRefName
	BranchRef    = plumbing.BranchRef
	HashBlob     = plumbing.HashBlob
	WithoutPlace = gitcmd.WithoutPlace
)

// Options say which repository to open, and how.
type Options struct {
	// Dir is where the search for a repository starts, and where git is
	// run; "" is the working directory.
	Dir string
	// Environ is the environment of git, in which GIT_DIR, HOME,
	// GIT_AUTHOR_NAME and the like are looked up; nil is os.Environ().
	Environ []string
	// Name is the caller's private name under the common directory:
	// <common>/<Name>/ holds caches, <common>/<Name>.lock is Locked's file.
	Name string
	// NoLazyFetch keeps git from fetching the missing objects of a partial
	// clone.
	NoLazyFetch bool
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

// Repo is an open repository: a part for each job. It may be used by several
// goroutines.
type Repo struct {
	*place.Place
	Config   *config.Store
	Objects  *odb.Store
	Refs     *refs.Store
	History  *history.History
	Branches *branch.Branches
	Tree     *worktree.Tree
	Remote   *remote.Client
	Cache    *statcache.Cache

	background safego.Group
	submodules sync.Map // those that were opened, by their paths
}

// Open finds the repository around Options.Dir as git does. It starts no
// process where the repository is the caller's own. The errors are
// ErrNotRepository, ErrNotTrusted and ErrUnsupported.
func Open(o Options) (*Repo, error) {
	if o.Name == "" || strings.ContainsAny(o.Name, `/\`) || strings.HasPrefix(o.Name, ".") {
		return nil, fmt.Errorf("open repository: private name %q is not a plain file name", o.Name)
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	// git goes up from where a directory really is.
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	git := gitcmd.Runner{Dir: dir, Env: o.Environ, NoLazyFetch: o.NoLazyFetch}
	if git.Env == nil {
		git.Env = os.Environ()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	at, err := place.Find(git, o.Name, o.Now)
	if err != nil {
		return nil, err
	}
	return openAt(at), nil
}

func openAt(at *place.Place) *Repo {
	settings := config.New(at)
	objects := odb.New(at, settings)
	all := refs.New(at, settings, objects)
	return &Repo{
		Place: at, Config: settings, Objects: objects, Refs: all, History: history.New(at, objects),
		Branches: branch.New(at, settings, all), Tree: worktree.New(at, settings, all),
		Remote: remote.New(at, settings), Cache: statcache.New(at),
	}
}

// Background runs what nobody waits for, such as keeping what was found for the next
// time; Close waits for it.
func (r *Repo) Background(do func()) {
	r.background.Go(func() error {
		do()
		return nil
	})
}

// Close waits for what runs in the background, and ends the child processes that were
// started, those of submodules too. Calling it twice is fine.
func (r *Repo) Close() error {
	_ = r.background.Wait() // a process that has its answer does not end with another one
	r.Objects.Close()
	r.submodules.Range(func(_, open any) bool { return open.(*Repo).Close() == nil })
	return nil
}

// Publish writes what w holds and then moves refs there, all in one transaction: see
// Writer.Flush and refs.Store.Update for what is durable when it returns, and for its
// errors. The Writer is empty afterwards.
func (r *Repo) Publish(ctx context.Context, w *Writer, updates ...Update) error {
	return r.Objects.Publish(ctx, w, func() error { return r.Refs.Update(ctx, updates...) })
}
