package odb

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/place"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// publishTries bounds how often objects that were taken away are written anew.
const publishTries = 5

// packFrom is how many objects go into one pack rather than into a file each: a
// pack is synced to the disk as one file.
const packFrom = 100

// Publish writes what w holds and then has refs moved there: see Flush for what is
// durable when it returns. The Writer is empty afterwards.
//
// git counts an object that no ref leads to as garbage, and "git gc
// --prune=now" takes it away even if it was written a moment ago: between
// Flush and the move of a ref, or behind both, when the collector had looked at the
// refs before. So while a collection is under way objects go into a pack that
// is marked to be kept, and when one could have begun meanwhile, they are looked
// for again.
func (r *Store) Publish(ctx context.Context, w *Writer, move func() error) error {
	if w.err != nil {
		return fmt.Errorf("write objects: %w", w.err)
	}
	var files []objectFile
	packed := false
	var releases []func()
	defer func() {
		for _, release := range releases {
			release()
		}
	}()
	store := func() error {
		var err error
		if packed = len(w.order) >= packFrom || r.collecting(); packed {
			var release func()
			if release, err = r.storePack(ctx, w); err == nil {
				releases = append(releases, release)
			}
		} else if files, err = w.files(); err == nil {
			err = r.storeObjects(ctx, files)
		}
		if err != nil {
			return fmt.Errorf("write objects: %w", err)
		}
		return nil
	}
	for try := 1; ; try++ {
		if err := store(); err != nil {
			return err
		}
		err := move()
		if err == nil {
			break
		}
		if errors.Is(err, plumbing.ErrRefMoved) || try == publishTries || packed || !r.lost(files) {
			return err
		}
	}
	// The refs lead to the objects now: whoever begins to collect later keeps
	// them.
	ctx = context.WithoutCancel(ctx)
	for try := 0; !packed && try < publishTries && (r.collecting() || r.lost(files)); try++ {
		if err := store(); err != nil {
			return err
		}
	}
	w.reset()
	return nil
}

// lost tells whether any of the objects is not where it was written. One that
// was packed since is not lost, and no harm is done if it is written again.
func (r *Store) lost(files []objectFile) bool {
	return slices.ContainsFunc(files, func(f objectFile) bool {
		_, err := os.Lstat(r.LoosePath(f.id))
		return errors.Is(err, fs.ErrNotExist)
	})
}

// collecting tells whether "git gc" may be at work in this repository: it keeps
// gc.pid for as long as it is. One that was killed leaves that file behind, which
// counts for as long as it does for git.
func (r *Store) collecting() bool {
	const timeout = 12 * time.Hour // git itself does not believe in an older one
	info, err := os.Stat(filepath.Join(r.at.CommonDir, "gc.pid"))
	return err == nil && r.at.Now().Sub(info.ModTime()) <= timeout
}

// storePack writes the Writer's objects as one pack, and returns when it has
// reached the disk. The pack is kept, whatever is collected meanwhile, until
// release is called.
func (r *Store) storePack(ctx context.Context, w *Writer) (release func(), err error) {
	pack, err := w.pack()
	if err != nil {
		return nil, err
	}
	args := []string{"index-pack", "--stdin", "--keep=until a ref leads here"}
	if !r.config.NoSync(ctx) {
		args = append([]string{"-c", "core.fsync=pack,pack-metadata"}, args...)
	}
	var out []byte
	for range place.Tries {
		// Its temporary file is garbage, too, to whoever collects.
		if out, err = r.at.Git.Input(ctx, pack, args...); err == nil || gitcmd.ExitCode(err) < 0 {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(r.at.ObjectDir, "pack")
	release = func() {}
	if name, kept := strings.CutPrefix(string(bytes.TrimSpace(out)), "keep\t"); kept {
		release = func() { _ = os.Remove(filepath.Join(dir, "pack-"+name+".keep")) }
	}
	if r.config.NoSync(ctx) {
		return release, nil
	}
	return release, gitfile.SyncDir(dir)
}

// pack gives the objects in git's pack format, version 2, none as a delta.
func (w *Writer) pack() ([]byte, error) {
	var out bytes.Buffer
	out.WriteString("PACK")
	for _, n := range []uint32{2, uint32(len(w.order))} {
		out.Write(binary.BigEndian.AppendUint32(nil, n))
	}
	for _, id := range w.order {
		object := w.objects[id]
		size := uint64(len(object.data))
		first := byte(object.kind.ObjectType())<<4 | byte(size&0x0f)
		if size >>= 4; size > 0 {
			first |= 0x80
		}
		out.WriteByte(first)
		if size > 0 {
			out.Write(binary.AppendUvarint(nil, size))
		}
		deflate := zlib.NewWriter(&out)
		if _, err := deflate.Write(object.data); err != nil {
			return nil, err
		}
		if err := deflate.Close(); err != nil {
			return nil, err
		}
	}
	sum := sha1.Sum(out.Bytes())
	out.Write(sum[:])
	return out.Bytes(), nil
}
