//go:build unix

package gitfile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// ReadFile is os.ReadFile for the small files that every command reads some
// twenty of. Package os finds out of each whether it could be polled, which
// takes more system calls than reading it. What is no regular file is a
// *NotRegularError: a pipe in its place is not waited for.
func ReadFile(path string) ([]byte, error) {
	fd, err := openFD(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = syscall.Close(fd) }() // only read
	var info syscall.Stat_t
	if err := syscall.Fstat(fd, &info); err != nil {
		return nil, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	if kind := info.Mode & syscall.S_IFMT; kind != syscall.S_IFREG && kind != syscall.S_IFDIR {
		return nil, &NotRegularError{path}
	}
	buf := make([]byte, 0, 512)
	for {
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := Retry(func() (int, error) { return syscall.Read(fd, buf[len(buf):cap(buf)]) })
		if err != nil {
			return nil, &fs.PathError{Op: "read", Path: path, Err: err}
		}
		if n == 0 {
			return buf, nil
		}
		buf = buf[:len(buf)+n]
	}
}

func openFD(path string) (int, error) {
	fd, err := Retry(func() (int, error) {
		return syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
	})
	if err != nil {
		return 0, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return fd, nil
}

// openWithoutWaiting is os.Open that waits for nobody, and does not ask whether the
// file could be polled.
func openWithoutWaiting(path string) (*os.File, error) {
	fd, err := openFD(path)
	if err != nil {
		return nil, err
	}
	if err := syscall.SetNonblock(fd, false); err != nil {
		_ = syscall.Close(fd)
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(fd), path), nil
}

// Retry repeats a system call that a signal interrupted.
func Retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if !errors.Is(err, syscall.EINTR) {
			return n, err
		}
	}
}
