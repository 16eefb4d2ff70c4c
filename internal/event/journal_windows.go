package event

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

const noFollow = 0

// openJournal is os.OpenFile for the flags of a journal, but others may rename
// the open file, as sealing does.
func openJournal(path string, flags int) (*os.File, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	access, disposition := uint32(windows.GENERIC_READ), uint32(windows.OPEN_EXISTING)
	if flags&os.O_APPEND != 0 {
		access |= windows.FILE_APPEND_DATA
	}
	if flags&os.O_CREATE != 0 {
		disposition = windows.OPEN_ALWAYS
	}
	const (
		share      = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
		attributes = windows.FILE_ATTRIBUTE_NORMAL | windows.FILE_FLAG_OPEN_REPARSE_POINT
	)
	h, err := windows.CreateFile(name, access, share, nil, disposition, attributes, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(h), path), nil
}

// tryLock takes f's lock or says errLocked. The locked byte lies far behind
// the content: Windows keeps others from reading what is locked.
func tryLock(f *os.File, exclusive bool) error {
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if exclusive {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	at := &windows.Overlapped{OffsetHigh: 0x7fffffff}
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return errLocked
	}
	return err
}
