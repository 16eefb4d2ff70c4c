package gitfile

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

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
// umask leaves of them.
func ReplaceFile(path string, data []byte, mode fs.FileMode, exact bool) error {
	name := filepath.Join(filepath.Dir(path), ".new-"+strconv.FormatUint(rand.Uint64(), 36))
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
