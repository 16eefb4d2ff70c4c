package odb

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha1"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/place"
)

// gcTimeout is when git itself no longer believes in a gc.pid.
const gcTimeout = 12 * time.Hour

// keepReason stands in a pack's .keep file, which tells git to leave the pack
// alone.
const keepReason = "until a ref leads here"

// LeftKeeps are the .keep files of ours that are older than any change takes: whoever
// made them was killed, and git never packs anew what they are of. Others' have
// another reason in them.
func (r *Store) LeftKeeps() []string {
	files, _ := filepath.Glob(filepath.Join(r.at.ObjectDir(), "pack", "pack-*.keep")) // the pattern is a good one
	return slices.DeleteFunc(files, func(path string) bool {
		info, err := os.Lstat(path)
		if err != nil || !info.Mode().IsRegular() || r.at.Now().Sub(info.ModTime()) < gcTimeout {
			return true
		}
		reason, err := gitfile.ReadFile(path)
		return err != nil || strings.TrimSpace(string(reason)) != keepReason
	})
}

// storePack writes the Writer's objects as one pack, and returns when it has
// reached the disk. The pack is kept, whatever is collected meanwhile, until
// release is called.
func (r *Store) storePack(ctx context.Context, w *Writer) (release func(), err error) {
	pack, err := w.pack()
	if err != nil {
		return nil, err
	}
	for _, left := range r.LeftKeeps() {
		_ = os.Remove(left) // the next one tries again
	}
	args := []string{"index-pack", "--stdin", "--keep=" + keepReason}
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
	dir := filepath.Join(r.at.ObjectDir(), "pack")
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
