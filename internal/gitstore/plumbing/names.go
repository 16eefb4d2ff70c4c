package plumbing

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

const HexSize = 40

// OID is the SHA-1 name of an object. The zero value means "absent". It is
// comparable, and usable as a map key.
type OID struct {
	B [20]byte
}

// ParseOID reads 40 hexadecimal digits; 40 zeros are the zero OID.
func ParseOID(s string) (OID, error) {
	var id OID
	if len(s) != HexSize {
		return OID{}, fmt.Errorf("object id %.60q: want %d hexadecimal digits", s, HexSize)
	}
	if _, err := hex.Decode(id.B[:], []byte(s)); err != nil {
		return OID{}, fmt.Errorf("object id %q: want %d hexadecimal digits", s, HexSize)
	}
	return id, nil
}

// HashBlob is the id of a blob with this content; nothing is written.
// Unlike what is read, it is not looked through for attempts at a collision: in
// a verification of long histories that would be most of the work.
func HashBlob(data []byte) OID {
	h := sha1.New()
	h.Write(strconv.AppendInt([]byte("blob "), int64(len(data)), 10))
	h.Write([]byte{0})
	h.Write(data)
	return OID{[20]byte(h.Sum(nil))}
}

func HashObject(k Kind, data []byte) OID {
	return OID{B: plumbing.ComputeHash(k.ObjectType(), data)}
}

// String is the full id in hexadecimal, 40 zeros for the zero OID.
func (id OID) String() string { return hex.EncodeToString(id.B[:]) }

// Short is a prefix for people to read, never to be stored.
func (id OID) Short() string { return id.String()[:10] }

// IsZero tells whether id means "absent".
func (id OID) IsZero() bool { return id == OID{} }

// Compare orders ids by their bytes: -1, 0, +1.
func (id OID) Compare(other OID) int { return bytes.Compare(id.B[:], other.B[:]) }

// MarshalText gives the full id, and nothing for the zero OID.
func (id OID) MarshalText() ([]byte, error) {
	if id.IsZero() {
		return nil, nil
	}
	return []byte(id.String()), nil
}

// UnmarshalText reads what MarshalText wrote.
func (id *OID) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*id = OID{}
		return nil
	}
	parsed, err := ParseOID(string(text))
	if err != nil {
		return err
	}
	*id = parsed
	return nil
}

// maxRefName keeps names within what file systems take for a path.
const maxRefName = 1000

// RefName is the full name of a ref, such as "refs/heads/main" or "HEAD".
type RefName string

// ParseRefName checks a full ref name by the rules of git check-ref-format. A
// name has at least two components, or is a pseudo-ref in capitals like HEAD.
func ParseRefName(s string) (RefName, error) {
	if reason := RefNameFault(s); reason != "" {
		return "", fmt.Errorf("ref name %.100q: %s", s, reason)
	}
	return RefName(s), nil
}

// BranchRef is the full name of a local branch.
func BranchRef(branch string) (RefName, error) {
	if strings.HasPrefix(branch, "-") || branch == "HEAD" {
		return "", fmt.Errorf("branch name %.100q: not allowed by git", branch)
	}
	return ParseRefName("refs/heads/" + branch)
}

// Branch is the short name of a local branch, and "" for any other ref.
func (n RefName) Branch() string {
	short, ok := strings.CutPrefix(string(n), "refs/heads/")
	if !ok {
		return ""
	}
	return short
}

func RefNameFault(s string) string {
	switch {
	case s == "":
		return "empty"
	case len(s) > maxRefName:
		return "too long"
	case !strings.Contains(s, "/") && !isPseudoRef(s):
		return "has only one component"
	case strings.Contains(s, ".."):
		return "contains \"..\""
	case strings.Contains(s, "@{"):
		return "contains \"@{\""
	case strings.HasSuffix(s, "."):
		return "ends with a dot"
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; c <= ' ' || c == 0x7f || strings.IndexByte("~^:?*[\\", c) >= 0 {
			return fmt.Sprintf("contains %q", c)
		}
	}
	for part := range strings.SplitSeq(s, "/") {
		switch {
		case part == "":
			return "has an empty component"
		case strings.HasPrefix(part, "."):
			return "has a component that starts with a dot"
		case strings.HasSuffix(part, ".lock"):
			return "has a component that ends with \".lock\""
		case len(part) > 250:
			return "has a component that is too long"
		}
	}
	return ""
}

func isPseudoRef(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; (c < 'A' || c > 'Z') && c != '_' {
			return false
		}
	}
	return true
}

// PerWorktree tells whether each work tree has a ref of this name of its own.
func (n RefName) PerWorktree() bool {
	s := string(n)
	return !strings.HasPrefix(s, "refs/") || strings.HasPrefix(s, "refs/worktree/") ||
		strings.HasPrefix(s, "refs/bisect/") || strings.HasPrefix(s, "refs/rewritten/")
}

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
