package plumbing

import (
	"errors"
	"fmt"
)

var (
	// ErrNotRepository: no git repository where one was looked for.
	ErrNotRepository = errors.New("not a git repository")
	// ErrUnsupported: a repository format that this program can't handle;
	// the error says which.
	ErrUnsupported = errors.New("unsupported repository")
	// ErrNotTrusted: git refuses the repository, most likely because it is
	// somebody else's; the error has git's words.
	ErrNotTrusted = errors.New("repository is not trusted")
	// ErrNoGit: there is no git program.
	ErrNoGit = errors.New("git is not installed, or not in PATH")
	// ErrNotExist: no such object, ref or setting. Only a clean absence is
	// this error, never a failure to look.
	ErrNotExist = errors.New("does not exist")
	// ErrPromised: an object is not here, in a partial clone, and its remote was
	// not asked, or did not give it.
	ErrPromised = errors.New("is not in this partial clone; its remote has it")
	// ErrKind: an object is a tree, say, where a blob was asked for.
	ErrKind = errors.New("not the kind that was asked for")
	// ErrRefMoved: a ref had another value than the update said.
	ErrRefMoved = errors.New("ref has moved")
	// ErrLocked: a lock was held, or left behind, for longer than we wait.
	ErrLocked = errors.New("locked")
	// ErrTooLarge: an object beyond MaxObjectSize, or a listing beyond
	// MaxFiles.
	ErrTooLarge = errors.New("too large")
	// ErrBadConfig: a configuration file that git can't read either; the error
	// says where.
	ErrBadConfig = errors.New("bad configuration line")
	// ErrNoIdentity: git knows no name or e-mail address for this person.
	ErrNoIdentity = errors.New("no identity")
)

// CorruptError reports an object that exists but can't be what its id says:
// truncated, garbled, or malformed.
type CorruptError struct {
	OID OID
	Err error
}

func (e *CorruptError) Error() string { return fmt.Sprintf("object %s is corrupt: %v", e.OID, e.Err) }
func (e *CorruptError) Unwrap() error { return e.Err }

// BrokenRefError reports a ref whose file holds neither an object id nor
// another ref's name.
type BrokenRefError struct {
	Ref    RefName
	Reason string
}

func (e *BrokenRefError) Error() string { return fmt.Sprintf("ref %q is broken: %s", e.Ref, e.Reason) }

// UnreadableError says that a repository is there, where, and why it can't be
// opened: an ErrUnsupported, an ErrBadConfig, or a configuration file that can't be
// read at all.
type UnreadableError struct {
	CommonDir string
	Err       error
}

func (e *UnreadableError) Error() string { return e.Err.Error() }
func (e *UnreadableError) Unwrap() error { return e.Err }

// LockedError is an ErrLocked that names the lock's file.
type LockedError struct {
	Path string
}

func (e *LockedError) Error() string {
	return fmt.Sprintf("%s is held by another process, or was left behind by one that died", e.Path)
}
func (e *LockedError) Is(target error) bool { return target == ErrLocked }
