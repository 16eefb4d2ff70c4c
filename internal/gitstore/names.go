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
