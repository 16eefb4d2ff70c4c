package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

// writeFile puts a text into a file, whole or not at all: it is written aside
// and renamed. A link is followed; what is no plain file, such as a pipe, is
// written to as it is.
func writeFile(path string, text []byte) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	old, err := os.Stat(path)
	if err == nil && !old.Mode().IsRegular() {
		return os.WriteFile(path, text, 0o666)
	}
	if err = replaceFile(path, old, text); err != nil {
		if inner, ok := errors.AsType[*fs.PathError](err); ok {
			err = inner.Err // the name is one that nobody knows
		}
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// replaceFile writes the file; it keeps the permissions of the old one, if there
// was one.
func replaceFile(path string, old fs.FileInfo, text []byte) (err error) {
	temp := filepath.Join(filepath.Dir(path), ".git-brew-"+strconv.FormatUint(rand.Uint64(), 36))
	file, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temp) // the first error tells more
		}
	}()
	if old != nil {
		err = file.Chmod(old.Mode().Perm())
	}
	if err == nil {
		_, err = file.Write(text)
	}
	if cerr := file.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return os.Rename(temp, path)
}
