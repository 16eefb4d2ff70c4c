package gitstore

// AskGitForRefs makes r treat its ref storage as one that only git can read.
func (r *Repo) AskGitForRefs() *Repo {
	r.Format.Reftable = true
	return r
}
