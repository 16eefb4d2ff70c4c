package run

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
)

// putPlain puts a file in the place of another one, whole or not at all.
func putPlain(path string, data []byte) error {
	aside := path + ".new"
	_ = os.Remove(aside) // a link or a pipe, perhaps, that somebody put there
	file, err := os.OpenFile(aside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	return gitfile.PutFile(file, path, data)
}

// openPlain opens a file that is no link and no pipe. One that is to be written is made where it is
// missing.
func openPlain(path string, how int) (*os.File, error) {
	info, err := os.Lstat(path)
	switch {
	case os.IsNotExist(err) && how&os.O_WRONLY != 0:
		how |= os.O_CREATE | os.O_EXCL
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no plain file", path)
	}
	file, err := os.OpenFile(path, how|syscall.O_NONBLOCK, 0o666)
	if err != nil {
		return nil, err
	}
	if is, err := file.Stat(); info != nil && (err != nil || !os.SameFile(info, is)) {
		_ = file.Close()
		return nil, fmt.Errorf("%s was exchanged as it was opened", path)
	}
	return file, nil
}

// appendPlain adds to a file that is no link and no pipe, or makes it.
func appendPlain(path string, data []byte) error {
	file, err := openPlain(path, os.O_WRONLY|os.O_APPEND)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	return errors.Join(err, file.Close())
}

// readPlain reads a file that is no link, no pipe, and not large; nil for one that is not there.
func readPlain(path string, most int64) ([]byte, error) {
	file, err := openPlain(path, os.O_RDONLY)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%s is larger than %d bytes", path, most)
	}
	return data, err
}
