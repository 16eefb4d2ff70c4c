package place

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
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
	if err := r.MakeDir(r.CacheDir()); err != nil {
		return "", err
	}
	old, _ := fs.Glob(os.DirFS(r.CacheDir()), scratchPrefix+"*")
	for _, name := range old {
		dir := filepath.Join(r.CacheDir(), name)
		if info, err := os.Lstat(dir); err == nil && info.IsDir() && r.Now().Sub(info.ModTime()) >= scratchAge {
			_ = os.RemoveAll(dir) // the next one tries again
		}
	}
	return os.MkdirTemp(r.CacheDir(), scratchPrefix)
}

// ScratchProgram writes bytes to a program of that name in a directory that is new,
// in CacheDir, and nobody else may look into: what is run of it is what was
// looked at, whatever becomes of the file that it was read from. Remove takes it
// away; what stays goes with the next MakeScratch.
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

// ErrEditor says that the person's editor could not be run, or ended with an
// error: then what it wrote is not to be taken for what the person wants.
var ErrEditor = errors.New("the editor failed")

// Streams are the person's. An editor needs the terminal itself, not a copy.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Edit lets the person change text in the editor that git would use, run by git
// as it runs it. Name is what the file is called, so that the editor knows what
// it holds. After ErrEditor the text is what stands in the file all the same.
func (r *Place) Edit(ctx context.Context, name string, text []byte, s Streams) ([]byte, error) {
	dir, err := os.MkdirTemp("", r.Name+"-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, filepath.Base(name))
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return nil, err
	}
	// git says which editor, and runs it as an alias: by a shell, and with its exit
	// status. An interrupt is for the editor to understand, as under git commit.
	ctx = context.WithoutCancel(ctx)
	editor, err := r.Git.Run(ctx, "var", "GIT_EDITOR")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrEditor, err)
	}
	cmd := r.Git.Command(ctx, "-c", "alias.brew-edit=!"+strings.TrimSpace(string(editor)), "brew-edit", path)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = s.In, s.Out, s.Err
	ended := cmd.Run()
	if ended != nil {
		ended = fmt.Errorf("%w: it ended with %w", ErrEditor, ended)
	}
	written, err := gitfile.ReadFile(path)
	return written, cmp.Or(ended, err)
}
