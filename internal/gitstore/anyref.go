package gitstore

import (
	"context"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// AnyRef tells whether there is a ref below prefix, a directory such as
// "refs/heads/", without listing them all.
func (r *Repo) AnyRef(ctx context.Context, prefix string) (bool, error) {
	if r.format.reftable {
		out, err := r.Git(ctx, "for-each-ref", "--count=1", "--format=x", "--", prefix)
		return len(out) > 0, err
	}
	found := false
	top := r.refPath(RefName(path.Dir(prefix + "x")))
	err := filepath.WalkDir(top, func(at string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(at, ".lock") {
			return nil //nolint:nilerr // gone meanwhile, or for somebody else's eyes
		}
		found = true
		return fs.SkipAll
	})
	if err != nil || found {
		return found, err
	}
	packed, err := r.openPacked()
	if err != nil {
		return false, err
	}
	defer packed.close()
	err = packed.from(prefix, func(name RefName, _ OID) bool {
		found = strings.HasPrefix(string(name), prefix)
		return !packed.sorted && !found
	})
	return found, err
}
