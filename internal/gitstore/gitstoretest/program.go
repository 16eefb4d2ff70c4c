package gitstoretest

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// WriteProgram makes a file that can be run at once, and the directories above
// it. os.WriteFile makes one that the system may refuse to run ("text file busy"):
// a process that another test starts meanwhile has it open for writing too, until
// it becomes the program that it is to be (https://go.dev/issue/22315).
func WriteProgram(t testing.TB, path, content string) {
	t.Helper()
	if err := writeProgram(path, bytes.NewBufferString(content)); err != nil {
		t.Fatal(err)
	}
}

// CopyProgram copies a program to a path where it can be run at once.
func CopyProgram(t testing.TB, to, from string) {
	t.Helper()
	file, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }() // only read
	if err := writeProgram(to, file); err != nil {
		t.Fatal(err)
	}
}

func writeProgram(path string, content io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	return errors.Join(err, file.Close())
}
