package refs

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// Any tells whether there is a ref below prefix, a directory such as
// "refs/heads/", without listing them all.
func (r *Store) Any(ctx context.Context, prefix string) (bool, error) {
	if r.at.Format.Reftable {
		out, err := r.at.Git.Run(ctx, "for-each-ref", "--count=1", "--format=x", "--", prefix)
		return len(out) > 0, err
	}
	if r.CountLoose(prefix, 1) > 0 {
		return true, nil
	}
	packed, err := r.openPacked()
	if err != nil {
		return false, err
	}
	defer packed.close()
	found := false
	err = packed.from(prefix, func(name plumbing.RefName, _ plumbing.OID) bool {
		found = strings.HasPrefix(string(name), prefix)
		return !packed.sorted && !found
	})
	return found, err
}

// CountLoose counts the loose refs below prefix, a directory such as
// "refs/heads/", and no further than to the limit.
func (r *Store) CountLoose(prefix string, limit int) int {
	if r.at.Format.Reftable {
		return 0
	}
	return countFiles(r.refPath(plumbing.RefName(path.Dir(prefix+"x"))), limit)
}

// countFiles counts the loose refs in a directory and below it. Of thousands it reads
// a few more than the limit.
func countFiles(dir string, limit int) (n int) {
	open, err := gitfile.OpenRegular(dir)
	if err != nil {
		return 0
	}
	defer func() { _ = open.Close() }()
	for err == nil && n < limit {
		var entries []os.DirEntry
		entries, err = open.ReadDir(limit + 7)
		for _, e := range entries {
			switch {
			case n >= limit:
			case e.IsDir():
				n += countFiles(filepath.Join(dir, e.Name()), limit-n)
			case !strings.HasSuffix(e.Name(), ".lock"):
				n++
			}
		}
	}
	return n
}
