package ledger

import (
	"maps"
	"reflect"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// memory is what a ledger that remembers knows: a record of each kind, as it is at one tip,
// and trees that are stored, and that a ref leads to.
type memory struct {
	records map[reflect.Type]remembered
	trees   map[gitstore.OID]bool
}

const maxTrees = 10_000

// remembered is a record at a tip: its state, nil before anybody asked for that, or the files
// of it.
type remembered struct {
	tip   gitstore.OID
	state any
	files Files
}

func remember[S any](l *Ledger, r remembered) {
	if !l.Remember {
		return
	}
	if l.memory.records == nil {
		l.memory.records = map[reflect.Type]remembered{}
	}
	l.memory.records[reflect.TypeFor[S]()] = r
}

// recall gives what is remembered of the record at a tip: its state, or its files.
func recall[S any](l *Ledger, tip gitstore.OID) (state S, known bool, files Files) {
	r := l.memory.records[reflect.TypeFor[S]()]
	if r.tip != tip {
		return state, false, nil
	}
	state, known = r.state.(S)
	return state, known, maps.Clone(r.files)
}

// rememberStaged remembers the state that a commit of tx has, by its files.
func rememberStaged[S any](tx *Tx, law Law[S], commit gitstore.OID, staged map[string]gitstore.OID) {
	if !tx.l.Remember {
		return
	}
	files := make(Files, len(staged))
	for path, oid := range staged {
		f := File{OID: oid.String()}
		if law.Needs(path) {
			f.Data = tx.made[f.OID] // nil: it was there before
		}
		if path != opFile {
			files[path] = f
		}
	}
	remember[S](tx.l, remembered{tip: commit, files: files})
}

// wrote remembers the trees that a change wrote, and none where it failed.
func (m *memory) wrote(trees []gitstore.OID, err error) {
	if err != nil || m.trees == nil || len(m.trees) > maxTrees {
		m.trees = map[gitstore.OID]bool{}
	}
	if err != nil {
		return
	}
	for _, id := range trees {
		m.trees[id] = true
	}
}
