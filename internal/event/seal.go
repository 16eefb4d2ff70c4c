package event

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Seal hands what is in the journal to store, and removes it once store
// has succeeded. It returns how many lines were stored.
//
// store gets each generation with its number, which rises and never comes
// again for other lines. After a crash it may get one it has stored: naming
// the segment by the number makes that harmless. When store fails, its
// generation stays and comes first the next time; nothing is lost.
//
// One process seals at a time: while another does, Seal does nothing. A
// generation that a stopped writer still holds is left for the next seal.
func (j Journal) Seal(store func(generation uint64, lines []byte) error) (n int, err error) {
	guard, err := j.lockSealing()
	if guard == nil || err != nil {
		return 0, err
	}
	defer guard.Close()
	n, err = j.sealAll(store)
	if errors.Is(err, ErrBusy) {
		return n, nil
	}
	return n, err
}

func (j Journal) sealAll(store func(uint64, []byte) error) (n int, err error) {
	// What was left goes first, and the journal is closed only behind it: a
	// store that fails for a week leaves one generation, not a thousand.
	if n, err = sealGenerations(j.Dir, store); err != nil {
		return n, err
	}
	if closed, err := j.closeJournal(); !closed || err != nil {
		return n, err
	}
	more, err := sealGenerations(j.Dir, store)
	return n + more, err
}

func sealGenerations(dir string, store func(uint64, []byte) error) (n int, err error) {
	left, err := generations(dir)
	if err != nil {
		return 0, err
	}
	for _, g := range left {
		stored, err := sealGeneration(dir, g, store)
		n += stored
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// lockSealing takes the lock of sealers; nil if another has it, or there is
// nothing to seal.
func (j Journal) lockSealing() (*os.File, error) {
	path := filepath.Join(j.Dir, sealLockName)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|noFollow, 0o666)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("lock the sealing of the journal: %w", err)
	}
	j.share(f)
	err = tryLock(f, true)
	if err == nil {
		var info fs.FileInfo
		if info, err = current(f, path); err == nil && info != nil {
			return f, nil
		}
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil || errors.Is(err, errLocked) {
		return nil, nil
	}
	return nil, fmt.Errorf("lock the sealing of the journal: %w", err)
}

func sealGeneration(dir string, g uint64, store func(uint64, []byte) error) (int, error) {
	path := generationPath(dir, g)
	lines, err := readClosed(path)
	if err != nil {
		return 0, fmt.Errorf("read generation %d of the journal: %w", g, err)
	}
	n := bytes.Count(appendLines(lines, nil), []byte{'\n'})
	if n > 0 {
		if err := store(g, lines); err != nil {
			return 0, fmt.Errorf("store generation %d of the journal: %w", g, err)
		}
	}
	if err := os.Remove(path); err != nil {
		return n, fmt.Errorf("remove generation %d of the journal: %w", g, err)
	}
	return n, nil
}

// readClosed reads a generation once nobody writes to it any more: those that
// found it to be the journal, before it was closed, still hold its lock.
// Whoever locks it later finds that it is not.
func readClosed(path string) ([]byte, error) {
	f, err := openJournal(path, os.O_RDWR)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := lock(f, true); err != nil {
		return nil, err
	}
	return io.ReadAll(f)
}

// closeJournal makes a generation of the journal; false where nothing is in it.
func (j Journal) closeJournal() (closed bool, err error) {
	path := filepath.Join(j.Dir, journalName)
	g, err := j.nextGeneration(path)
	if g == 0 || err != nil {
		return false, err
	}
	if err := os.Rename(path, generationPath(j.Dir, g)); err != nil {
		return false, fmt.Errorf("close the journal: %w", err)
	}
	return true, nil
}

// nextGeneration draws the number of the journal's generation: the time of its
// first event, so that numbers stay apart even if the directory is deleted,
// but above every number before. 0: the journal is empty.
func (j Journal) nextGeneration(journal string) (uint64, error) {
	const latest = 1 << 62 // in the year 2116: a later event is made up, and numbers must go on rising
	f, err := openJournal(journal, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("close the journal: %w", err)
	}
	defer f.Close()
	head := make([]byte, 2*MaxLine)
	n, err := f.ReadAt(head, 0)
	if n == 0 {
		if errors.Is(err, io.EOF) {
			return 0, nil
		}
		return 0, fmt.Errorf("close the journal: %w", err)
	}
	g := uint64(1)
	if events, _ := Decode(head[:n]); len(events) > 0 && events[0].TS > 0 && events[0].TS < latest {
		g = uint64(events[0].TS)
	}
	left, err := generations(j.Dir)
	if err != nil {
		return 0, err
	}
	if len(left) > 0 {
		g = max(g, left[len(left)-1]+1)
	}
	path := filepath.Join(j.Dir, generationName)
	last, err := readJournal(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("read the journal's last generation: %w", err)
	}
	if v, err := strconv.ParseUint(strings.TrimSpace(string(last)), 10, 64); err == nil && v < 2*latest {
		g = max(g, v+1)
	}
	if err := j.writeFile(path, []byte(strconv.FormatUint(g, 10)+"\n")); err != nil {
		return 0, fmt.Errorf("keep the journal's generation: %w", err)
	}
	return g, nil
}

// writeFile replaces a small file; only the sealer writes it.
func (j Journal) writeFile(path string, data []byte) error {
	temp := path + ".new"
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|noFollow, 0o666)
	if err != nil {
		return err
	}
	j.share(f)
	_, err = f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return os.Rename(temp, path)
}
