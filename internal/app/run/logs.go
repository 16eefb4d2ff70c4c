package run

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// logs is the directory of what workers print, and what verifies their work, in the git directory,
// a file a turn and a command: the newest ones of all runs of this clone.
type logs string

const (
	maxLogs = 200
	// logPart is how much is kept of the beginning of what a turn prints, and of its end. The
	// file has no more than three of them.
	logPart = 256 << 10
)

// logFile is what one turn printed. Its file is made with the first byte, and what can't be
// written is left out: no turn fails of it. It is used by one goroutine at a time.
type logFile struct {
	dir     logs
	name    string // what follows the number
	path    string // "": nothing was printed
	file    *os.File
	size    int64
	dropped int64
	broken  bool
}

// open is the file of a turn of who on a job's phase.
func (w *workers) open(j *job, who string) *logFile {
	return &logFile{dir: w.logs, name: fmt.Sprintf("%s-%s-%s.log", w.id, j.phase.ID, who)}
}

// Write is io.Writer's. It never fails.
func (l *logFile) Write(p []byte) (int, error) {
	n := len(p)
	if l.broken || n == 0 {
		return n, nil
	}
	if l.file == nil {
		var err error
		if l.file, err = l.dir.create(l.name); err == nil {
			l.path = l.file.Name()
		}
		l.broken = err != nil
	}
	for len(p) > 0 && !l.broken {
		part := p[:min(len(p), logPart)]
		p = p[len(part):]
		if l.size+int64(len(part)) > 3*logPart {
			l.broken = l.shift() != nil
		}
		if _, err := l.file.WriteAt(part, l.size); err != nil {
			l.broken = true
		}
		l.size += int64(len(part))
	}
	return n, nil
}

// shift takes out what is neither of the beginning nor of the end.
func (l *logFile) shift() error {
	end := make([]byte, logPart)
	over := l.size - 2*logPart
	if over <= 0 {
		return nil
	}
	if _, err := l.file.ReadAt(end, l.size-logPart); err != nil {
		return err
	}
	l.dropped += over
	l.size -= over
	if _, err := l.file.WriteAt(end, logPart); err != nil {
		return err
	}
	return l.file.Truncate(l.size)
}

// close ends the file, with a line that counts what was left out between its parts.
func (l *logFile) close() {
	if l.file == nil {
		return
	}
	if l.dropped > 0 && !l.broken {
		rest := make([]byte, l.size-logPart)
		if _, err := l.file.ReadAt(rest, logPart); err == nil || errors.Is(err, io.EOF) {
			rest = append(fmt.Appendf(nil, "\n[%d bytes left out]\n", l.dropped), rest...)
			_, _ = l.file.WriteAt(rest, logPart)
		}
	}
	_ = l.file.Close()
}

// create makes the file of the next number, and takes the oldest ones away.
func (l logs) create(name string) (*os.File, error) {
	if err := os.MkdirAll(string(l), 0o700); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(string(l)) // in order
	if err != nil {
		return nil, err
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return !strings.HasSuffix(e.Name(), ".log") })
	next := 1
	if len(entries) > 0 {
		_, _ = fmt.Sscanf(entries[len(entries)-1].Name(), "%d-", &next) // 1 where it is no number
		next++
	}
	for _, old := range entries[:max(0, len(entries)-maxLogs+1)] {
		_ = os.Remove(filepath.Join(string(l), old.Name()))
	}
	for {
		file, err := os.OpenFile(filepath.Join(string(l), fmt.Sprintf("%06d-%s", next, name)),
			os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
		next++
	}
}
