package event

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The files in a journal's directory. A generation is the journal's name, a
// dot and its number.
const (
	journalName    = "journal"
	sealLockName   = "seal.lock"
	generationName = "generation" // the last number given
)

// ErrBusy is returned when the journal stays locked by another process for
// longer than a hook may wait.
var ErrBusy = errors.New("the journal is locked by another process")

// errLocked is what tryLock says at once.
var errLocked = errors.New("locked")

// Journal is the journal in a directory, and how its files come to be usable by
// all who share it.
type Journal struct {
	Dir string
	// Share is called with each file that may just have been made; it fails for
	// somebody else's. Nil: the umask decides.
	Share func(*os.File) error
	// MakeDir makes a directory with its parents. Nil: os.MkdirAll.
	MakeDir func(path string) error
}

func (j Journal) share(f *os.File) {
	if j.Share != nil {
		_ = j.Share(f) // somebody else's file has it already
	}
}

func (j Journal) makeDir() error {
	if j.MakeDir == nil {
		return os.MkdirAll(j.Dir, 0o777)
	}
	return j.MakeDir(j.Dir)
}

// Append adds e to the journal, whose directory is made where it is missing. It
// is one write under a shared lock, so any number of processes may append at
// once; what was appended is not yet on the disk, but with the system.
func (j Journal) Append(e Event) error {
	line, err := Encode(e)
	if err != nil {
		return err
	}
	path := filepath.Join(j.Dir, journalName)
	// A writer that opened the journal just before it was closed sees that it
	// is another file now and opens the new one.
	for range 100 {
		done, err := j.appendTo(path, line)
		if errors.Is(err, fs.ErrNotExist) {
			err = j.makeDir()
		}
		if err != nil {
			return fmt.Errorf("append to the journal: %w", err)
		}
		if done {
			return nil
		}
	}
	return fmt.Errorf("append to the journal: %w", ErrBusy)
}

func (j Journal) appendTo(path string, line []byte) (done bool, err error) {
	f, err := openJournal(path, os.O_RDWR|os.O_APPEND|os.O_CREATE)
	if err != nil {
		return false, err
	}
	defer f.Close()
	j.share(f)
	if err := lock(f, false); err != nil {
		return false, err
	}
	info, err := current(f, path)
	if info == nil || err != nil {
		return false, err
	}
	// A full disk can leave half a line: it must not swallow this one.
	if size := info.Size(); size > 0 {
		var last [1]byte
		if _, err := f.ReadAt(last[:], size-1); err == nil && last[0] != '\n' {
			line = append([]byte{'\n'}, line...)
		}
	}
	if _, err := f.Write(line); err != nil {
		return false, err
	}
	return true, nil
}

// current returns the state of the open file, nil if path is another file by
// now, or none.
func current(f *os.File, path string) (fs.FileInfo, error) {
	open, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !open.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file", path)
	}
	named, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil || !os.SameFile(open, named) {
		return nil, err
	}
	return open, nil
}

// lock takes f's lock, shared or exclusive, and waits for about a second at
// most: those that hold it do so for microseconds. Closing f releases it.
func lock(f *os.File, exclusive bool) error {
	const longest = 4 * time.Millisecond
	wait := 20 * time.Microsecond
	for waited := time.Duration(0); waited < time.Second; waited += wait {
		err := tryLock(f, exclusive)
		if !errors.Is(err, errLocked) {
			return err
		}
		time.Sleep(wait)
		wait = min(2*wait, longest)
	}
	return ErrBusy
}

// Full reports whether the journal holds at least limit events. It
// reads as little as it can: a journal of a few lines, or of very many, is
// judged by its size alone.
func (j Journal) Full(limit int) (bool, error) {
	const leastLine = len(`{"schema":"1.0.0","ts":0}` + "\n")
	f, err := openJournal(filepath.Join(j.Dir, journalName), os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read the journal: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return false, fmt.Errorf("read the journal: %w", err)
	}
	switch size := info.Size(); {
	case size < int64(limit)*int64(leastLine):
		return false, nil
	case size >= int64(limit)*MaxLine:
		return true, nil
	}
	buffer := make([]byte, 32<<10)
	for lines := 0; ; {
		n, err := f.Read(buffer)
		lines += bytes.Count(buffer[:n], []byte{'\n'})
		switch {
		case lines >= limit:
			return true, nil
		case errors.Is(err, io.EOF):
			return false, nil
		case err != nil:
			return false, fmt.Errorf("read the journal: %w", err)
		}
	}
}

// Pending returns the lines that are not yet stored, in the order they
// were appended. What is sealed meanwhile may be among them: read them before
// the segments, and Collect tells the doubles.
func (j Journal) Pending() ([]byte, error) {
	// The journal is opened before generations are listed: closed in between,
	// it is among them, or stored and still readable here.
	var open fs.FileInfo
	f, err := openJournal(filepath.Join(j.Dir, journalName), os.O_RDONLY)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("read the journal: %w", err)
	default:
		defer f.Close()
		if open, err = f.Stat(); err != nil {
			return nil, fmt.Errorf("read the journal: %w", err)
		}
	}
	left, err := generations(j.Dir)
	if err != nil {
		return nil, err
	}
	var lines []byte
	for _, g := range left {
		path := generationPath(j.Dir, g)
		if info, err := os.Lstat(path); err == nil && open != nil && os.SameFile(info, open) {
			continue // read last, through f
		}
		data, err := readJournal(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read generation %d of the journal: %w", g, err)
		}
		lines = appendLines(lines, data)
	}
	if open != nil {
		data, err := io.ReadAll(f)
		if err != nil {
			return nil, fmt.Errorf("read the journal: %w", err)
		}
		// A line without its end is just being written, or torn.
		lines = appendLines(lines, data[:bytes.LastIndexByte(data, '\n')+1])
	}
	return lines, nil
}

// readJournal is os.ReadFile for what openJournal opens.
func readJournal(path string) ([]byte, error) {
	f, err := openJournal(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

func appendLines(lines, more []byte) []byte {
	if len(lines) > 0 && lines[len(lines)-1] != '\n' {
		lines = append(lines, '\n')
	}
	return append(lines, more...)
}

// generations lists the numbers of the generations in dir, ascending.
func generations(dir string) ([]uint64, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the journal's generations: %w", err)
	}
	var all []uint64
	for _, e := range entries {
		number, ok := strings.CutPrefix(e.Name(), journalName+".")
		g, err := strconv.ParseUint(number, 10, 64)
		if ok && err == nil && e.Type().IsRegular() && strconv.FormatUint(g, 10) == number {
			all = append(all, g)
		}
	}
	slices.Sort(all)
	return all, nil
}

func generationPath(dir string, g uint64) string {
	return filepath.Join(dir, journalName+"."+strconv.FormatUint(g, 10))
}
