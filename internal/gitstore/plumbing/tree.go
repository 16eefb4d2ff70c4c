package plumbing

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-git/go-git/v5/plumbing"
)

// Entry is one line of a tree.
type Entry struct {
	Name string
	Mode Mode
	OID  OID
}

func DecodeTree(data []byte) ([]Entry, error) {
	entries := make([]Entry, 0, len(data)/40)
	for len(data) > 0 {
		mode, rest, ok := bytes.Cut(data, []byte{' '})
		name, rest, ok2 := bytes.Cut(rest, []byte{0})
		if !ok || !ok2 || len(rest) < len(OID{}.B) || len(mode) > 6 {
			return nil, errors.New("malformed tree")
		}
		bits, err := strconv.ParseUint(string(mode), 8, 32)
		if err != nil || !Mode(bits).Valid() || len(name) == 0 {
			return nil, fmt.Errorf("malformed tree: mode %q", mode)
		}
		e := Entry{Name: string(name), Mode: Mode(bits), OID: OID{[20]byte(rest)}}
		if n := len(entries); n > 0 && CompareEntries(entries[n-1], e) >= 0 {
			return nil, errors.New("malformed tree: entries out of order")
		}
		entries = append(entries, e)
		data = rest[len(OID{}.B):]
	}
	return entries, nil
}

// EncodeTree expects sorted entries.
func EncodeTree(entries []Entry) []byte {
	var buf bytes.Buffer
	for _, e := range entries {
		fmt.Fprintf(&buf, "%o %s\x00", uint32(e.Mode), e.Name)
		buf.Write(e.OID.B[:])
	}
	return buf.Bytes()
}

// CompareEntries is git's order: a directory sorts as if its name ended with
// a slash.
func CompareEntries(a, b Entry) int {
	n := min(len(a.Name), len(b.Name))
	if c := bytes.Compare([]byte(a.Name[:n]), []byte(b.Name[:n])); c != 0 {
		return c
	}
	return int(a.at(n)) - int(b.at(n))
}

func (e Entry) at(i int) byte {
	switch {
	case i < len(e.Name):
		return e.Name[i]
	case i == len(e.Name) && e.Mode == ModeDir:
		return '/'
	}
	return 0
}

// Kind is the type of an object.
type Kind string

const (
	KindBlob   Kind = "blob"
	KindTree   Kind = "tree"
	KindCommit Kind = "commit"
)

// Valid reports one of these kinds.
func (k Kind) Valid() bool { return k.ObjectType().Valid() }

// ObjectType is go-git's number for the kind, which packs have too.
func (k Kind) ObjectType() plumbing.ObjectType {
	t, err := plumbing.ParseObjectType(string(k))
	if err != nil || t > plumbing.TagObject {
		return plumbing.InvalidObject
	}
	return t
}

// Mode is a tree entry's mode. git knows no others than these.
type Mode uint32

const (
	ModeFile   Mode = 0o100644
	ModeExec   Mode = 0o100755
	ModeLink   Mode = 0o120000
	ModeDir    Mode = 0o040000
	ModeModule Mode = 0o160000 // a submodule's commit
)

func (m Mode) Valid() bool {
	switch m {
	case ModeFile, ModeExec, ModeLink, ModeDir, ModeModule:
		return true
	}
	return m == 0o100664 // written by very old gits, accepted by fsck
}

const (
	maxName = 255
	maxPath = 4096
)

// CheckPath refuses what must not be a path in a tree: empty, absolute or
// relative components, anything that a file system may take for ".git",
// control characters, invalid UTF-8, backslashes.
func CheckPath(path string) error {
	if len(path) > maxPath {
		return fmt.Errorf("path %.100q is too long", path)
	}
	for name := range strings.SplitSeq(path, "/") {
		if fault := NameFault(name); fault != "" {
			return fmt.Errorf("path %.100q: component %.100q %s", path, name, fault)
		}
	}
	return nil
}

func NameFault(name string) string {
	switch {
	case name == "":
		return "is empty"
	case name == "." || name == "..":
		return "is relative"
	case len(name) > maxName:
		return "is too long"
	case strings.ContainsAny(name, "/\\"):
		return "contains a separator"
	case !utf8.ValidString(name):
		return "is not UTF-8"
	case IsDotGit(name):
		return "is reserved by git"
	}
	for _, c := range name {
		if unicode.IsControl(c) {
			return fmt.Sprintf("contains the control character %U", c)
		}
	}
	return ""
}

// IsDotGit reports ".git" in any of the spellings that NTFS and HFS+ take for it.
func IsDotGit(name string) bool {
	name = strings.Map(func(c rune) rune {
		if unicode.Is(unicode.Cf, c) {
			return -1 // HFS+ ignores these
		}
		return unicode.ToLower(c)
	}, name)
	name, _, _ = strings.Cut(name, ":") // NTFS streams
	name = strings.TrimRight(name, " .")
	return name == ".git" || name == "git~1"
}
