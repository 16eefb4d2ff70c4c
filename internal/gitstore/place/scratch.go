package place

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// scratchPrefix begins the names, in CacheDir, of repositories that MakeScratch makes.
const scratchPrefix = "aside-"

// scratchAge is how old such a repository is when nothing can be at work in it any
// more.
const scratchAge = 24 * time.Hour

// MakeScratch makes an empty directory that nobody else may look into: what it
// gets may hold secrets, as git's own configuration beside it. Those of
// processes that were killed are taken away first.
func (r *Place) MakeScratch() (string, error) {
	for _, old := range r.OldScratch() {
		_ = os.RemoveAll(old) // the next one tries again
	}
	if err := r.MakeDir(r.CacheDir()); err != nil {
		return "", err
	}
	return os.MkdirTemp(r.CacheDir(), scratchPrefix)
}

// OldScratch are the directories that RunScratch left behind, because its process
// was killed.
func (r *Place) OldScratch() []string {
	entries, err := os.ReadDir(r.CacheDir())
	if err != nil {
		return nil
	}
	var old []string
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), scratchPrefix) {
			continue
		}
		if info, err := e.Info(); err == nil && r.now().Sub(info.ModTime()) >= scratchAge {
			old = append(old, filepath.Join(r.CacheDir(), e.Name()))
		}
	}
	return old
}

// ScratchProgram writes bytes to a program of that name in a directory that is new,
// in CacheDir, and nobody else may look into: what is run of it is what was
// looked at, whatever becomes of the file that it was read from. Remove takes it
// away; what stays is among OldScratch.
func (r *Place) ScratchProgram(name string, data []byte) (path string, remove func(), err error) {
	dir, err := r.MakeScratch()
	if err != nil {
		return "", nil, fmt.Errorf("copy %s: %w", name, err)
	}
	remove = func() { _ = os.RemoveAll(dir) }
	path = filepath.Join(dir, filepath.Base(name))
	if err := writeProgram(path, data); err != nil {
		remove()
		return "", nil, fmt.Errorf("copy %s: %w", name, err)
	}
	return path, remove, nil
}

// writeProgram writes a file that can be run at once: a process that begins while
// it is open for writing would keep it so, and the system runs no such file.
func writeProgram(path string, data []byte) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o700) //nolint:gosec // it is run, by us alone
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	return errors.Join(err, file.Close())
}
