package plumbing

import "github.com/go-git/go-git/v5/plumbing"

// Kind is the type of an object.
type Kind string

const (
	KindBlob   Kind = "blob"
	KindTree   Kind = "tree"
	KindCommit Kind = "commit"
	KindTag    Kind = "tag"
)

func (k Kind) Plumbing() plumbing.ObjectType {
	switch k {
	case KindBlob:
		return plumbing.BlobObject
	case KindTree:
		return plumbing.TreeObject
	case KindCommit:
		return plumbing.CommitObject
	case KindTag:
		return plumbing.TagObject
	}
	return plumbing.InvalidObject
}

func KindOf(t plumbing.ObjectType) (Kind, bool) {
	for _, k := range []Kind{KindBlob, KindTree, KindCommit, KindTag} {
		if k.Plumbing() == t {
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

func (m Mode) Valid() bool {
	switch m {
	case ModeFile, ModeExec, ModeLink, ModeDir, ModeModule:
		return true
	}
	return m == 0o100664 // written by very old gits, accepted by fsck
}
