package setup

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
)

// ErrChanged: a file is not what it was when the plan was made.
var ErrChanged = errors.New("it changed meanwhile; try again")

// Apply carries the plan out, one plan of a repository at a time. Each file is written
// aside and moved into its place. Nothing is done where a file is not what it was when the
// plan was made. Where something fails, what was done before is taken back, and the error
// is what failed first.
func (p Plan) Apply(ctx context.Context) error {
	if p.locked == nil {
		return p.apply()
	}
	return p.locked(ctx, p.apply)
}

func (p Plan) apply() error {
	moved := map[string]bool{}
	for _, c := range p.Changes {
		moved[c.MovedFrom], moved[c.Path] = true, moved[c.Path] || c.MovedFrom != ""
	}
	for _, c := range p.Changes {
		if moved[c.Path] { // another change makes room first
			continue
		}
		if _, err := c.asPlanned(); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	var made []string // directories that were not there
	for i := range p.Changes {
		c := &p.Changes[i]
		made = append(made, missingDirs(filepath.Dir(c.Path))...)
		err := c.apply()
		if err == nil {
			continue
		}
		err = fmt.Errorf("%s: %w", c.Name, err)
		for _, done := range slices.Backward(p.Changes[:i]) {
			back := done.back()
			err = errors.Join(err, back.apply())
		}
		slices.Reverse(made)
		removeEmpty(made)
		return err
	}
	for _, path := range p.caches {
		err := os.RemoveAll(path)
		for range 3 { // a hook that runs may write there meanwhile
			if err != nil {
				err = os.RemoveAll(path)
			}
		}
		if err != nil {
			return err
		}
	}
	removeEmpty(p.tidy)
	return nil
}

// removeEmpty removes directories; one that is not empty stays.
func removeEmpty(dirs []string) {
	for _, dir := range dirs {
		if info, err := os.Lstat(dir); err == nil && info.IsDir() {
			_ = os.Remove(dir)
		}
	}
}

func (c Change) back() Change {
	c.Before, c.After = c.After, c.Before
	if c.MovedFrom != "" {
		c.Path, c.MovedFrom = c.MovedFrom, c.Path
	}
	return c
}

// apply makes the change, and keeps the permissions of what was there.
func (c *Change) apply() error {
	if c.MovedFrom != "" {
		if _, err := os.Lstat(c.Path); !errors.Is(err, fs.ErrNotExist) {
			return ErrChanged
		}
		return os.Rename(c.MovedFrom, c.Path)
	}
	if c.lock != "" {
		lock, err := os.OpenFile(c.lock, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		if err != nil {
			return fmt.Errorf("another process is changing it: %w", err)
		}
		_ = lock.Close()
		defer func() { _ = os.Remove(c.lock) }()
	}
	info, err := c.asPlanned()
	if err != nil {
		return err
	}
	if info != nil {
		c.mode = info.Mode().Perm()
	}
	if c.After == nil {
		return os.Remove(c.Path)
	}
	if err := os.MkdirAll(filepath.Dir(c.Path), 0o777); err != nil {
		return err
	}
	return gitfile.ReplaceFile(c.Path, c.aside, c.After, cmp.Or(c.mode, 0o666), info != nil)
}

// asPlanned looks whether the file is what it was when the plan was made.
func (c *Change) asPlanned() (fs.FileInfo, error) {
	now, info, err := readRegular(c.Path)
	if err == nil && ((now == nil) != (c.Before == nil) || !bytes.Equal(now, c.Before)) {
		err = ErrChanged
	}
	return info, err
}

const maxFile = 8 << 20

// errForeign: a file that is none of ours to edit; the text says why.
var errForeign = errors.New("left alone")

// readRegular gives a file's contents, nil for none; errForeign for what is no file of
// a person's to edit.
func readRegular(path string) ([]byte, fs.FileInfo, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, nil
	case err != nil:
		return nil, nil, err
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, nil, fmt.Errorf("%w: it is a symbolic link", errForeign)
	case !info.Mode().IsRegular():
		return nil, nil, fmt.Errorf("%w: it is no file", errForeign)
	case info.Size() > maxFile:
		return nil, nil, fmt.Errorf("%w: it is larger than 8 MiB", errForeign)
	}
	data, err := gitfile.ReadFile(path)
	if data == nil && err == nil {
		data = []byte{}
	}
	return data, info, err
}
