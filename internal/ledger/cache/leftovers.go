package cache

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/place"
)

// abandoned is how old a half-written file is whose writer is gone.
const abandoned = time.Hour

// Leftovers are the files and directories among the caches that nothing reads: what a
// push that was killed left, half-written files whose writer died, and snapshots of refs
// that are gone.
func (c *Cache) Leftovers(ctx context.Context) ([]string, error) {
	refs, err := c.repo.Refs.List(ctx, c.prefix)
	if err != nil {
		return nil, err
	}
	wanted := make(map[string]bool, len(refs))
	for _, r := range refs {
		wanted[c.nameOf(r.Name)] = true
	}
	left := c.repo.OldScratch()
	for _, dir := range []string{"", snapshots + "/"} {
		entries, err := os.ReadDir(filepath.Join(c.repo.CacheDir(), dir))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return left, err
		}
		for _, e := range entries {
			info, err := e.Info()
			if err != nil || !info.Mode().IsRegular() {
				continue
			}
			unread := dir != "" && !wanted[dir+e.Name()]
			if strings.HasSuffix(e.Name(), place.TempSuffix) {
				unread = c.now().Sub(info.ModTime()) >= abandoned
			}
			if unread {
				left = append(left, filepath.Join(c.repo.CacheDir(), dir, e.Name()))
			}
		}
	}
	return left, nil
}
