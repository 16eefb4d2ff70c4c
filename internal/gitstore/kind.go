package gitstore

import "github.com/go-git/go-git/v5/plumbing"

// kind is the type of an object.
type kind string

const (
	kindBlob   kind = "blob"
	kindTree   kind = "tree"
	kindCommit kind = "commit"
	kindTag    kind = "tag"
)

func (k kind) plumbing() plumbing.ObjectType {
	switch k {
	case kindBlob:
		return plumbing.BlobObject
	case kindTree:
		return plumbing.TreeObject
	case kindCommit:
		return plumbing.CommitObject
	case kindTag:
		return plumbing.TagObject
	}
	return plumbing.InvalidObject
}

func kindOf(t plumbing.ObjectType) (kind, bool) {
	for _, k := range []kind{kindBlob, kindTree, kindCommit, kindTag} {
		if k.plumbing() == t {
			return k, true
		}
	}
	return "", false
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

func (m Mode) valid() bool {
	switch m {
	case ModeFile, ModeExec, ModeLink, ModeDir, ModeModule:
		return true
	}
	return m == 0o100664 // written by very old gits, accepted by fsck
}
