package gitstore

import "context"

// AskGitForRefs makes r treat its ref storage as one that only git can read.
func (r *Repo) AskGitForRefs() *Repo {
	r.format.reftable = true
	return r
}

// Settled reports whether a blob that is there is taken to have been on the disk for
// long.
func (r *Repo) Settled(data []byte) bool {
	id := HashBlob(data)
	_, settled := r.reuse(r.loosePath(id), objectFile{id: id}, true)
	return settled
}

// MoveAndSync moves a ref by its lock, and brings further directories to the disk.
func (r *Repo) MoveAndSync(ctx context.Context, name RefName, to OID, dirs ...string) error {
	lock, err := r.lockRef(ctx, name)
	if err != nil {
		return err
	}
	defer lock.release()
	lock.newDir = append(lock.newDir, dirs...)
	return lock.commit([]byte(to.String()+"\n"), true)
}
