package gitfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// NotRegularError names a file that is none: a pipe, a device or a socket stands
// in its place. Reading it could wait for good, or never come to an end.
type NotRegularError struct{ Path string }

func (e *NotRegularError) Error() string {
	return fmt.Sprintf("%s is no regular file; put it out of the way", e.Path)
}

// ReadFile is os.ReadFile that waits for nobody: what is no regular file is a
// *NotRegularError.
func ReadFile(path string) ([]byte, error) {
	file, info, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // only read
	var text bytes.Buffer
	text.Grow(int(min(info.Size(), 64<<20)) + bytes.MinRead)
	_, err = text.ReadFrom(file)
	return text.Bytes(), err
}

// OpenRegular is os.Open for what has to be a regular file, or a directory, and it
// waits for nobody.
func OpenRegular(path string) (*os.File, error) {
	file, _, err := openRegular(path)
	return file, err
}

func openRegular(path string) (*os.File, fs.FileInfo, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		err = &NotRegularError{path}
	}
	if err != nil {
		_ = file.Close() // nothing was read
		return nil, nil, err
	}
	return file, info, nil
}

// WaitsForNobody looks at files that each git process reads: where a pipe stands in
// their place, it would wait for good.
func WaitsForNobody(paths ...string) error {
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
			return &NotRegularError{path}
		}
	}
	return nil
}

// OpenToAppend is os.OpenFile for a file that lines are appended to, which is made
// where it is missing. It waits for nobody either.
func OpenToAppend(path string) (*os.File, error) {
	info, err := os.Lstat(path)
	if err == nil && !info.Mode().IsRegular() && info.Mode()&fs.ModeSymlink == 0 {
		return nil, &NotRegularError{path}
	}
	return os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY|syscall.O_NONBLOCK, 0o666)
}

func IsDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

var ErrWouldBlock = errors.New("held by another process")

// PutFile writes data to a file that was made aside, such as TempFile's, closes
// it and moves it to path: whoever reads there sees what was there before or all
// of this. Where that fails, the file aside is gone. Nothing is synced to the
// disk.
func PutFile(aside *os.File, path string, data []byte) error {
	_, err := aside.Write(data)
	if cerr := aside.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(aside.Name(), path)
	}
	if err != nil {
		_ = os.Remove(aside.Name()) // the first error tells more
	}
	return err
}

// ReplaceFile makes data the content of a person's file, whole or not at all, and
// synced to the disk. It gets the permissions of mode: exactly those, or what the
// umask leaves of them. It is written in the directory aside, and where that can't be
// moved from, or is "", beside its place.
func ReplaceFile(path, aside string, data []byte, mode fs.FileMode, exact bool) error {
	if aside != "" && writeAndMove(path, aside, data, mode, exact) == nil {
		return nil
	}
	return writeAndMove(path, filepath.Dir(path), data, mode, exact)
}

func writeAndMove(path, dir string, data []byte, mode fs.FileMode, exact bool) error {
	name := filepath.Join(dir, ".new-"+strconv.FormatUint(rand.Uint64(), 36))
	aside, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	if exact {
		err = aside.Chmod(mode)
	}
	if err == nil {
		_, err = aside.Write(data)
	}
	if err == nil {
		err = aside.Sync()
	}
	if err != nil {
		_ = aside.Close()
		_ = os.Remove(name) // the first error tells more
		return err
	}
	return PutFile(aside, path, nil)
}
