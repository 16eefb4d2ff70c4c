package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
)

// Apply carries the plan out. Each file is written beside its place and moved
// into it. Where something fails, what was done before is taken back, and the
// error is what failed first.
func (p Plan) Apply() error {
	var undo []func() error
	for _, c := range p.Changes {
		back, err := c.apply()
		undo = append(undo, back...)
		if err != nil {
			err = fmt.Errorf("%s: %w", c.Name, err)
			for _, step := range slices.Backward(undo) {
				err = errors.Join(err, step())
			}
			return err
		}
	}
	for _, path := range p.caches {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}
	for _, dir := range p.tidy {
		if info, err := os.Lstat(dir); err == nil && info.IsDir() {
			_ = os.Remove(dir) // one that is not empty stays
		}
	}
	return nil
}

// apply makes one change and tells how to take it back, also in part.
func (c Change) apply() (undo []func() error, err error) {
	if c.MovedFrom != "" {
		if _, err := os.Lstat(c.Path); !errors.Is(err, fs.ErrNotExist) {
			return nil, ErrChanged
		}
		if err := os.Rename(c.MovedFrom, c.Path); err != nil {
			return nil, err
		}
		return []func() error{func() error { return os.Rename(c.Path, c.MovedFrom) }}, nil
	}
	if c.lock != "" {
		lock, err := os.OpenFile(c.lock, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		if err != nil {
			return nil, fmt.Errorf("another process is changing it: %w", err)
		}
		_ = lock.Close()
		defer func() { _ = os.Remove(c.lock) }()
	}
	now, mode, err := look(c.Path)
	if err != nil {
		return nil, err
	}
	if (now == nil) != (c.Before == nil) || !bytes.Equal(now, c.Before) {
		return nil, ErrChanged
	}
	if c.After == nil {
		if err := os.Remove(c.Path); err != nil {
			return nil, err
		}
		return []func() error{func() error { return write(c.Path, c.Before, mode, true) }}, nil
	}
	made, err := makeDirs(filepath.Dir(c.Path))
	undo = append(undo, func() error { return removeAll(made) })
	if err != nil {
		return undo, err
	}
	if c.Before == nil {
		mode = c.mode
	}
	if err := write(c.Path, c.After, mode, c.Before != nil); err != nil {
		return undo, err
	}
	return append(undo, func() error {
		if c.Before == nil {
			return os.Remove(c.Path)
		}
		return write(c.Path, c.Before, mode, true)
	}), nil
}

func look(path string) ([]byte, fs.FileMode, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, 0, nil
	case err != nil:
		return nil, 0, err
	case !info.Mode().IsRegular():
		return nil, 0, ErrChanged
	}
	data, err := gitfile.ReadFile(path)
	if data == nil && err == nil {
		data = []byte{}
	}
	return data, info.Mode().Perm(), err
}

// write replaces a file as a whole. exact is for a mode that is to be just
// that, whatever the umask says.
func write(path string, data []byte, mode fs.FileMode, exact bool) error {
	if mode == 0 {
		mode = 0o666
	}
	return gitfile.ReplaceFile(path, data, mode, exact)
}

// makeDirs makes a directory and those above it; it says which ones were
// missing, the outermost first.
func makeDirs(dir string) (made []string, err error) {
	for _, d := range missingDirs(dir) {
		if err := os.Mkdir(d, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return made, err
		}
		made = append(made, d)
	}
	return made, nil
}

// missingDirs lists the directories down to dir that are not there, the
// outermost first.
func missingDirs(dir string) []string {
	var missing []string
	for {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		missing = append(missing, dir)
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	slices.Reverse(missing)
	return missing
}

func removeAll(dirs []string) error {
	var errs []error
	for _, d := range slices.Backward(dirs) {
		errs = append(errs, os.Remove(d))
	}
	return errors.Join(errs...)
}
