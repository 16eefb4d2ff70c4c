package ledger

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/place"
)

// abandoned is how old a half-written file is whose writer is gone.
const abandoned = time.Hour

// Leftovers are the files and directories among the caches that nothing reads:
// snapshots of refs that are gone, half-written files whose writer died, and
// what a push that was killed left (gitstore.Repo.OldAsides).
func (l *Ledger) Leftovers(ctx context.Context) ([]string, error) {
	halfWritten, err := l.halfWritten()
	if err != nil {
		return nil, err
	}
	snapshots, err := l.oldSnapshots(ctx)
	return slices.Concat(halfWritten, l.repo.OldScratch(), snapshots), err
}

// halfWritten are the files that were begun aside, above the snapshots, and
// never renamed.
func (l *Ledger) halfWritten() ([]string, error) {
	dir := l.repo.CacheDir()
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var left []string
	for _, e := range entries {
		if !e.Type().IsRegular() || !strings.HasSuffix(e.Name(), place.TempSuffix) {
			continue
		}
		if info, err := e.Info(); err == nil && l.now().Sub(info.ModTime()) >= abandoned {
			left = append(left, filepath.Join(dir, e.Name()))
		}
	}
	return left, err
}

func (l *Ledger) oldSnapshots(ctx context.Context) ([]string, error) {
	dir := l.snapshotDir()
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	// After the listing: what was made since is of a ref that is there.
	refs, err := l.repo.Refs.List(ctx, prefix)
	if err != nil {
		return nil, err
	}
	wanted := make(map[string]bool, len(refs))
	for _, r := range refs {
		wanted[snapshotName(r.Name)] = true
	}
	var left []string
	for _, e := range entries {
		if wanted[e.Name()] || !e.Type().IsRegular() {
			continue
		}
		info, err := e.Info()
		if err != nil || strings.HasPrefix(e.Name(), tempPrefix) && l.now().Sub(info.ModTime()) < abandoned {
			continue
		}
		left = append(left, filepath.Join(dir, e.Name()))
	}
	return left, nil
}

func (l *Ledger) snapshotDir() string { return filepath.Join(l.repo.CacheDir(), "snapshots") }

func (l *Ledger) snapshotPath(ref gitstore.RefName) string {
	return filepath.Join(l.snapshotDir(), snapshotName(ref))
}

// snapshotName is the file's name of a ref's snapshot.
func snapshotName(ref gitstore.RefName) string {
	return strings.ReplaceAll(strings.TrimPrefix(string(ref), prefix), "/", "+")
}

// tempPrefix begins the name of a snapshot that is being written.
const tempPrefix = "tmp-"
