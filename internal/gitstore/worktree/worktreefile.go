package worktree

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// ErrOutside says that a path leads out of the work tree.
var ErrOutside = errors.New("it leads out of the work tree")

// File reads a file of the work tree by its path there, with slashes; nil
// where there is none, or no work tree. Where links lead outside, it is ErrOutside;
// only regular files are read, and more than limit bytes are ErrTooLarge.
func (r *Tree) File(path string, limit int64) ([]byte, error) {
	local := filepath.FromSlash(path)
	if r.at.WorkTree() == "" || !filepath.IsLocal(local) {
		return nil, nil
	}
	root, err := os.OpenRoot(r.at.WorkTree())
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	info, err := root.Stat(local)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		// What os.Root refuses itself is no error of the system's.
		if _, system := errors.AsType[syscall.Errno](err); !system {
			return nil, fmt.Errorf("%s: %w", path, ErrOutside)
		}
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no file", path)
	case info.Size() > limit:
		return nil, fmt.Errorf("%s: %w", path, plumbing.ErrTooLarge)
	}
	file, err := root.Open(local)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%s: %w", path, plumbing.ErrTooLarge)
	}
	return data, err
}
