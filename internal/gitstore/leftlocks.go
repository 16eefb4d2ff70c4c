package gitstore

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// LeftLocks are the lock files, of the refs below a prefix, of the packed ones
// and of the configuration, that were made before a time: whoever made them
// died, or was stopped, before it removed them.
func (r *Repo) LeftLocks(prefix string, before time.Time) ([]string, error) {
	var found []string
	look := func(path string, info fs.FileInfo, err error) {
		if err == nil && info.Mode().IsRegular() && info.ModTime().Before(before) {
			found = append(found, path)
		}
	}
	top := filepath.Join(r.commonDir, filepath.FromSlash(strings.TrimSuffix(prefix, "/")))
	err := filepath.WalkDir(top, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it went meanwhile
		}
		if err == nil && strings.HasSuffix(path, ".lock") {
			info, err := e.Info()
			look(path, info, err)
		}
		return err
	})
	for _, name := range []string{"packed-refs.lock", "config.lock"} {
		path := filepath.Join(r.commonDir, name)
		info, err := os.Lstat(path)
		look(path, info, err)
	}
	return found, err
}
