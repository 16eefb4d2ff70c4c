// Package event records what happened: one line of JSON an event, appended to
// a journal by every hook and sealed into segments that somebody else stores.
// It knows the journal's directory and nothing else: no git, no tasks, no
// clock.
//
// Nothing leaves a process before it is redacted, cleaned and cut (Encode).
// Lines that are read are strangers': they are cleaned again, and what is no
// event is counted and passed over.
//
// Glossary
//
//	journal      the file that events are appended to, one at a time
//	seal         close the journal, hand its lines to be stored, remove it
//	segment      the lines of a journal as they are stored
//	correlation  8 hexadecimal digits that tie the sessions of a task together
//	execution    one run of a hook
//
// A journal that could not be stored stays beside the new one and is handed out again,
// first, by the next seal.
package event

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
)

// The files in a journal's directory.
const (
	journalName  = "journal"
	sealingName  = "journal.sealing" // what was the journal, until it is stored
	lockName     = "journal.lock"    // held while the journal is written, read or closed
	sealLockName = "seal.lock"
)

// ErrBusy is returned when the journal stays locked by another process for
// longer than a hook may wait.
var ErrBusy = errors.New("the journal is locked by another process")

// Journal is the journal in a directory, and how its files come to be usable by
// all who share it.
type Journal struct {
	Dir string
	// Share is called with each file that may just have been made; it fails for
	// somebody else's. Nil: the umask decides.
	Share func(*os.File) error
	// MakeDir makes a directory with its parents.
	MakeDir func(path string) error
}

func (j Journal) path(name string) string { return filepath.Join(j.Dir, name) }

// open is os.OpenFile, but for regular files alone: a link leads elsewhere, and anything
// else could be waited for, or read, for good.
func (j Journal) open(name string, flags int) (*os.File, error) {
	path := j.path(name)
	info, err := os.Lstat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, &gitfile.NotRegularError{Path: path}
	}
	f, err := os.OpenFile(path, flags|syscall.O_NONBLOCK, 0o666)
	if err == nil && flags&os.O_CREATE != 0 && j.Share != nil {
		_ = j.Share(f) // somebody else's file has it already
	}
	return f, err
}

// read reads a file; nothing where it is not there.
func (j Journal) read(name string) ([]byte, error) {
	f, err := j.open(name, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// locked runs do while nobody else writes to the journal, reads it, or closes it. It
// waits for about a second at most: those that hold the lock do so for microseconds.
func (j Journal) locked(do func() error) error {
	f, err := j.open(lockName, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return err
	}
	defer f.Close()
	const longest = 4 * time.Millisecond
	wait := 20 * time.Microsecond
	for waited := time.Duration(0); waited < time.Second; waited += wait {
		err := gitfile.Flock(f)
		if err == nil {
			return do()
		}
		if !errors.Is(err, gitfile.ErrWouldBlock) {
			return err
		}
		time.Sleep(wait)
		wait = min(2*wait, longest)
	}
	return ErrBusy
}

// Append adds e to the journal, whose directory is made where it is missing, and returns
// how many bytes the journal has then. What was appended is not yet on the disk, but with
// the system.
func (j Journal) Append(e Event) (size int64, err error) {
	line, err := Encode(e)
	if err != nil {
		return 0, err
	}
	add := func() error {
		size, err = j.append(line)
		return err
	}
	err = j.locked(add)
	if errors.Is(err, fs.ErrNotExist) {
		if err = j.MakeDir(j.Dir); err == nil {
			err = j.locked(add)
		}
	}
	if err != nil {
		return 0, fmt.Errorf("append to the journal: %w", err)
	}
	return size, nil
}

func (j Journal) append(line []byte) (size int64, err error) {
	f, err := j.open(journalName, os.O_RDWR|os.O_APPEND|os.O_CREATE)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	// A full disk can leave half a line: it must not swallow this one.
	var last [1]byte
	if size, err = f.Seek(0, io.SeekEnd); err == nil && size > 0 {
		if _, err := f.ReadAt(last[:], size-1); err == nil && last[0] != '\n' {
			line = append([]byte{'\n'}, line...)
		}
	}
	n, err := f.Write(line)
	return size + int64(n), err
}

// Pending returns the lines that may not be stored yet, in the order they were appended:
// those of a segment that was stored and not removed come first.
func (j Journal) Pending() (lines []byte, err error) {
	read := func() error {
		for _, name := range []string{sealingName, journalName} {
			data, err := j.read(name)
			if err != nil {
				return err
			}
			if len(lines) > 0 && lines[len(lines)-1] != '\n' {
				lines = append(lines, '\n')
			}
			lines = append(lines, data...)
		}
		return nil
	}
	if err = j.locked(read); errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		err = read() // who may look alone holds nobody up
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil // there is no journal
	case err != nil:
		return nil, fmt.Errorf("read the journal: %w", err)
	}
	return lines, nil
}

// Seal hands what is in the journal to store, and removes it once store has succeeded.
//
// When store fails, what it was given stays, and comes first the next time. After a crash
// it may get once more the lines that it stored last.
//
// One process seals at a time: while another does, Seal does nothing.
func (j Journal) Seal(store func(lines []byte) error) error {
	guard, err := j.open(sealLockName, os.O_RDWR|os.O_CREATE)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // there is no journal
	}
	if err == nil {
		defer guard.Close()
		err = gitfile.Flock(guard)
	}
	switch {
	case errors.Is(err, gitfile.ErrWouldBlock):
		return nil
	case err != nil:
		return fmt.Errorf("lock the sealing of the journal: %w", err)
	}
	if err := j.store(store); err != nil {
		return err
	}
	err = j.locked(func() error { return os.Rename(j.path(journalName), j.path(sealingName)) })
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, ErrBusy):
		return nil
	case err != nil:
		return fmt.Errorf("close the journal: %w", err)
	}
	return j.store(store)
}

// store has a journal that was closed stored, and removes it.
func (j Journal) store(store func([]byte) error) error {
	lines, err := j.read(sealingName)
	if err == nil && len(lines) > 0 {
		err = store(lines)
	}
	if err == nil {
		err = os.Remove(j.path(sealingName))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("store the journal: %w", err)
	}
	return nil
}
