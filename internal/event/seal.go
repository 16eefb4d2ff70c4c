package event

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
)

// Seal hands what is in the journal to store, and removes it once store
// has succeeded. It returns how many lines were stored.
//
// store gets each generation with its number, which rises and never comes
// again for other lines. After a crash it may get one it has stored: naming
// the segment by the number makes that harmless. When store fails, its
// generation stays and comes first the next time; nothing is lost.
//
// One process seals at a time: while another does, Seal does nothing.
func (j Journal) Seal(store func(generation uint64, lines []byte) error) (n int, err error) {
	guard, err := j.open(sealLockName, os.O_RDWR|os.O_CREATE)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil // there is no journal
	}
	if err == nil {
		defer guard.Close()
		err = gitfile.Flock(guard)
	}
	switch {
	case errors.Is(err, gitfile.ErrWouldBlock):
		return 0, nil
	case err != nil:
		return 0, fmt.Errorf("lock the sealing of the journal: %w", err)
	}
	// What was left goes first, and the journal is closed only behind it: a
	// store that fails for a week leaves one generation, not a thousand.
	if n, err = j.sealGenerations(store); err != nil {
		return n, err
	}
	if err := j.locked(j.closeJournal); err != nil {
		if errors.Is(err, ErrBusy) {
			err = nil
		}
		return n, err
	}
	more, err := j.sealGenerations(store)
	return n + more, err
}

func (j Journal) sealGenerations(store func(uint64, []byte) error) (n int, err error) {
	left, err := j.generations()
	if err != nil {
		return 0, err
	}
	for _, g := range left {
		lines, err := j.read(generationFile(g), everything)
		if err != nil {
			return n, fmt.Errorf("read generation %d of the journal: %w", g, err)
		}
		if len(lines) > 0 {
			if err := store(g, lines); err != nil {
				return n, fmt.Errorf("store generation %d of the journal: %w", g, err)
			}
		}
		n += bytes.Count(lines, []byte{'\n'})
		if err := os.Remove(j.path(generationFile(g))); err != nil {
			return n, fmt.Errorf("remove generation %d of the journal: %w", g, err)
		}
	}
	return n, nil
}

// closeJournal makes a generation of the journal, where something is in it.
func (j Journal) closeJournal() error {
	head, err := j.read(journalName, 2*MaxLine)
	if err != nil {
		return fmt.Errorf("close the journal: %w", err)
	}
	if len(head) == 0 {
		return nil
	}
	g, err := j.nextGeneration(head)
	if err != nil {
		return err
	}
	if err := os.Rename(j.path(journalName), j.path(generationFile(g))); err != nil {
		return fmt.Errorf("close the journal: %w", err)
	}
	return nil
}

// nextGeneration draws the number of the journal's generation: the time of its
// first event, so that numbers stay apart even if the directory is deleted,
// but above every number before.
func (j Journal) nextGeneration(head []byte) (uint64, error) {
	const latest = 1 << 62 // in the year 2116: a later event is made up, and numbers must go on rising
	g := uint64(1)
	if events, _ := Decode(head); len(events) > 0 && events[0].TS > 0 && events[0].TS < latest {
		g = uint64(events[0].TS)
	}
	left, err := j.generations()
	if err != nil {
		return 0, err
	}
	if len(left) > 0 {
		g = max(g, left[len(left)-1]+1)
	}
	last, err := j.read(generationName, MaxLine)
	if err != nil {
		return 0, fmt.Errorf("read the journal's last generation: %w", err)
	}
	if v, err := strconv.ParseUint(strings.TrimSpace(string(last)), 10, 64); err == nil && v < 2*latest {
		g = max(g, v+1)
	}
	if err := j.writeGeneration(g); err != nil {
		return 0, fmt.Errorf("keep the journal's generation: %w", err)
	}
	return g, nil
}

// writeGeneration keeps the last number given; only the sealer writes it.
func (j Journal) writeGeneration(g uint64) error {
	const temp = generationName + ".new"
	f, err := j.open(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, g)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(j.path(temp), j.path(generationName))
}
