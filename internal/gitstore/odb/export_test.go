package odb

import "github.com/git-brew/git-brew/internal/gitstore/plumbing"

// Settled reports whether a blob that is there is taken to have been on the disk for
// long.
func (r *Store) Settled(data []byte) bool {
	id := plumbing.HashBlob(data)
	_, settled := r.reuse(r.LoosePath(id), objectFile{id: id}, true)
	return settled
}
