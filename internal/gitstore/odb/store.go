package odb

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/place"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
	"github.com/git-brew/git-brew/internal/safego"
)

type objectFile struct {
	id   plumbing.OID
	data []byte
}

const (
	// storeWorkers write at once: the file system then commits its journal
	// for several files together.
	storeWorkers = 8
	// freshEnough is far below gc's grace period of two weeks: an object
	// that is older is touched, so that gc sees that it is wanted again.
	freshEnough = time.Hour
	// longWritten is when the kernel has brought a file to the disk by
	// itself: it writes back after 30 seconds, and commits every 5.
	longWritten = 2 * time.Minute
)

// storeObjects writes objects and returns when they, and the directories that
// lead to them, have reached the disk.
func (r *Store) storeObjects(ctx context.Context, files []objectFile) error {
	if len(files) == 0 {
		return nil
	}
	sync := !r.config.NoSync(ctx)
	changed := make([][]string, len(files)) // directories, for each file
	err := inParallel(len(files), func(i int) (err error) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if changed[i], err = r.storeObject(files[i], sync); err != nil {
			return fmt.Errorf("object %s: %w", files[i].id, err)
		}
		return nil
	})
	if err != nil || !sync {
		return err
	}
	dirs := slices.Concat(changed...)
	slices.Sort(dirs)
	dirs = slices.Compact(dirs)
	return inParallel(len(dirs), func(i int) error { return gitfile.SyncDir(dirs[i]) })
}

// storeObject gives the directories that have an entry more, or may have.
func (r *Store) storeObject(f objectFile, sync bool) (changed []string, err error) {
	path := r.LoosePath(f.id)
	for range place.Tries {
		there, settled := r.reuse(path, f, sync)
		if settled {
			return changed, nil
		}
		if !there { // else whoever wrote it may not have synced the directory
			err = r.writeObject(path, f.data, sync)
		}
		if err == nil {
			return append(changed, filepath.Dir(path)), nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		// A new directory, or one that gc removed under us.
		if err := r.at.Mkdir(filepath.Dir(path)); err != nil {
			return nil, err
		}
		changed, err = append(changed, r.at.ObjectDir), nil
	}
	return nil, fs.ErrNotExist
}

// reuse keeps an object that is there already, if it is whole. settled: it has
// been on the disk for long, so that nothing needs to be synced. The time of the last
// change says so, by which a copy is as young as it is, whatever time it was given.
func (r *Store) reuse(path string, f objectFile, sync bool) (there, settled bool) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false, false
	}
	file, err := gitfile.OpenRegular(path)
	if err != nil {
		return false, false
	}
	defer file.Close()
	if _, err := decodeLoose(file, f.id, MaxObjectSize); err != nil {
		return false, false
	}
	age := r.at.Now().Sub(info.ModTime())
	if age > freshEnough {
		// Only the owner may. Otherwise it is written again, under our name.
		if err := os.Chtimes(path, time.Time{}, r.at.Now()); err != nil {
			return false, false
		}
	}
	if changed := gitfile.StampOf(info).Ctime; !sync ||
		changed != 0 && r.at.Now().Sub(time.Unix(0, changed)) > longWritten {
		return true, true
	}
	return file.Sync() == nil, false
}

func (r *Store) writeObject(path string, data []byte, sync bool) error {
	// The name is one that git gc removes when its writer has died.
	temp := filepath.Join(filepath.Dir(path), "tmp_obj_"+strconv.FormatUint(rand.Uint64(), 36))
	file, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o444)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err == nil {
		err = r.at.Format.Share.Apply(file)
	}
	if err == nil && sync {
		err = file.Sync()
	}
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		_ = os.Remove(temp) // the first error tells more
	}
	return err
}

// inParallel runs f(0) to f(n-1), some at once; the first error wins.
func inParallel(n int, f func(int) error) error {
	if n == 1 {
		return f(0)
	}
	var workers safego.Group
	slots := make(chan struct{}, storeWorkers)
	for i := range n {
		slots <- struct{}{}
		workers.Go(func() error {
			defer func() { <-slots }()
			return f(i)
		})
	}
	return workers.Wait()
}
