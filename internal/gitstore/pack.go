package gitstore

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
)

// gcTimeout is when git itself no longer believes in a gc.pid.
const gcTimeout = 12 * time.Hour

// keepReason stands in a pack's .keep file, which tells git to leave the pack
// alone.
const keepReason = "until a ref leads here"

// LeftKeeps are the .keep files of ours that are older than any change takes: whoever
// made them was killed, and git never packs anew what they are of. Others' have
// another reason in them.
func (r *Repo) LeftKeeps() []string {
	files, _ := filepath.Glob(filepath.Join(r.objectDir, "pack", "pack-*.keep")) // the pattern is a good one
	return slices.DeleteFunc(files, func(path string) bool {
		info, err := os.Lstat(path)
		if err != nil || !info.Mode().IsRegular() || r.now().Sub(info.ModTime()) < gcTimeout {
			return true
		}
		reason, err := ReadFile(path)
		return err != nil || strings.TrimSpace(string(reason)) != keepReason
	})
}

// storePack writes the Writer's objects as one pack, and returns when it has
// reached the disk. The pack is kept, whatever is collected meanwhile, until
// release is called.
func (r *Repo) storePack(ctx context.Context, w *Writer) (release func(), err error) {
	pack, err := w.pack()
	if err != nil {
		return nil, err
	}
	for _, left := range r.LeftKeeps() {
		_ = os.Remove(left) // the next one tries again
	}
	args := []string{"index-pack", "--stdin", "--keep=" + keepReason}
	if !r.noSync(ctx) {
		args = append([]string{"-c", "core.fsync=pack,pack-metadata"}, args...)
	}
	var out []byte
	for range storeTries {
		// Its temporary file is garbage, too, to whoever collects.
		if out, err = r.GitInput(ctx, pack, args...); err == nil || exitCode(err) < 0 {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(r.objectDir, "pack")
	release = func() {}
	if name, kept := strings.CutPrefix(string(bytes.TrimSpace(out)), "keep\t"); kept {
		release = func() { _ = os.Remove(filepath.Join(dir, "pack-"+name+".keep")) }
	}
	if r.noSync(ctx) {
		return release, nil
	}
	return release, syncDir(dir)
}

// packTypes are the numbers of the kinds of objects in a pack.
var packTypes = map[kind]byte{kindCommit: 1, kindTree: 2, kindBlob: 3, kindTag: 4}

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
		first := packTypes[object.kind]<<4 | byte(size&0x0f)
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
