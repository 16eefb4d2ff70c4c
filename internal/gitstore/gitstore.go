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
	"github.com/git-brew/git-brew/internal/gitstore/config"
	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/odb"
	"github.com/git-brew/git-brew/internal/gitstore/place"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
	"github.com/git-brew/git-brew/internal/gitstore/refs"
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
	UnreadableError = plumbing.UnreadableError
	CommandError    = gitcmd.CommandError
)

// What a tree's entries may be.
const (
	ModeFile = plumbing.ModeFile
	ModeDir  = plumbing.ModeDir
)

// MaxObjectSize is the largest object that is read, in bytes.
const MaxObjectSize = odb.MaxObjectSize

// The errors of plumbing.
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

// ParseOID is plumbing's.
func ParseOID(s string) (OID, error) { return plumbing.ParseOID(s) }

// ParseRefName is plumbing's.
func ParseRefName(s string) (RefName, error) { return plumbing.ParseRefName(s) }

// BranchRef is plumbing's.
func BranchRef(branch string) (RefName, error) { return plumbing.BranchRef(branch) }

// HashBlob is plumbing's.
func HashBlob(data []byte) OID { return plumbing.HashBlob(data) }
