// Package statcache keeps answers for as long as the files that they came from stay what
// they were.
package statcache

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/place"
)

// File is a file that an answer depends on, and the stamp it had before
// anybody looked into it.
type File struct {
	Path  string
	Stamp gitfile.Stamp
}

// never is the size in a stamp that no file has: nobody can tell whether an answer that
// depends on it still holds.
const never = -1

// Stamps is to be called before the files are read: a change in between makes
// what was read look old, never new.
func Stamps(paths []string) []File {
	watched := make([]File, 0, len(paths))
	for _, path := range paths {
		stamp, err := gitfile.ReadStamp(path)
		if err != nil {
			stamp = gitfile.Stamp{Size: never}
		}
		watched = append(watched, File{Path: path, Stamp: stamp})
	}
	return watched
}

// Current tells whether every file is still what it was.
func Current(watched []File) bool {
	for _, w := range watched {
		now, err := gitfile.ReadStamp(w.Path)
		if err != nil || now != w.Stamp {
			return false
		}
	}
	return true
}

const memoHeader = "gitstore memo 4 "

// fileForm is a memo's line about a file, which may have any bytes in its name.
const fileForm = "%d %d %d %d %d %q\n"

// memoHead is a memo's first line: it has a sum of what follows, which is a line for each
// file, an empty one, and the answer, to the end.
func memoHead(parts ...[]byte) []byte {
	const size = 16 // bytes of the sum
	sum := sha256.New()
	for _, part := range parts {
		sum.Write(part)
	}
	return []byte(memoHeader + hex.EncodeToString(sum.Sum(nil)[:size]) + "\n")
}

// Load gives an answer, and what it depends on; false for anything but a whole memo,
// written by this version.
func Load(path string) (files []File, answer string, ok bool) {
	data, err := gitfile.ReadFile(path)
	head, body, whole := bytes.Cut(data, []byte{'\n'})
	if err != nil || !whole || !bytes.Equal(data[:len(head)+1], memoHead(body)) {
		return nil, "", false
	}
	for {
		line, rest, whole := bytes.Cut(body, []byte{'\n'})
		if len(line) == 0 {
			return files, string(rest), whole
		}
		var f File
		s := &f.Stamp
		if _, err := fmt.Sscanf(string(line)+"\n", fileForm, &s.Mtime, &s.Ctime, &s.Size, &s.Inode, &s.Dev,
			&f.Path); err != nil {
			return nil, "", false
		}
		files, body = append(files, f), rest
	}
}

// Save fills a new file, which it takes over, and renames it to path. The files were
// looked at so long ago, by the clock of the file system that holds the memo: answer gets
// that time. One that was younger than the clock's grain then could have changed without
// showing it: the answer is kept, and never current.
func Save(temp *os.File, path string, files []File, ago time.Duration, answer func(looked int64) []byte) bool {
	defer os.Remove(temp.Name())
	defer temp.Close()
	info, err := temp.Stat()
	if err != nil {
		return false
	}
	looked := info.ModTime().Add(-ago).UnixNano()
	text := answer(looked)
	var list []byte
	for _, f := range files {
		s := f.Stamp
		if !s.Settled(looked) {
			s = gitfile.Stamp{Size: never}
		}
		list = fmt.Appendf(list, fileForm, s.Mtime, s.Ctime, s.Size, s.Inode, s.Dev, f.Path)
	}
	list = append(list, '\n')
	for _, part := range [][]byte{memoHead(list, text), list, text} {
		if _, err := temp.Write(part); err != nil {
			return false
		}
	}
	return temp.Close() == nil && os.Rename(temp.Name(), path) == nil
}

// Cache keeps answers in a repository's cache directory.
type Cache struct {
	at *place.Place
}

// New is the cache of a repository.
func New(at *place.Place) *Cache { return &Cache{at: at} }

// Watch is what some refs looked like before they were read; the zero value watches none.
type Watch struct {
	files []File
	at    time.Time
}

// WatchRefs is to be called before the refs right below the prefixes (such as
// "refs/heads", but not "refs/heads/a/b") are read.
func (r *Cache) WatchRefs(prefixes ...string) Watch {
	if r.at.Format.Reftable {
		return Watch{Stamps([]string{filepath.Join(r.at.CommonDir, "reftable", "tables.list")}), r.at.Now()}
	}
	paths := make([]string, 0, len(prefixes)+1)
	for _, prefix := range prefixes {
		paths = append(paths, filepath.Join(r.at.CommonDir, filepath.FromSlash(prefix)))
	}
	return Watch{Stamps(append(paths, filepath.Join(r.at.CommonDir, "packed-refs"))), r.at.Now()}
}

// Distrust makes a watch one that nothing is remembered for: what was found is
// not what the watched files alone decide.
func (w *Watch) Distrust() {
	for i := range w.files {
		w.files[i].Stamp = gitfile.Stamp{Size: never}
	}
}

// PutPiece keeps a text, which is not empty, under a name in CacheDir: as current for as
// long as what is watched stays as it was. It is a convenience: where it can't be done,
// nothing is kept.
func (r *Cache) PutPiece(name string, w Watch, piece []byte) {
	r.PutSettled(name, w, func(func(gitfile.FileSeen) gitfile.FileSeen) []byte { return piece })
}

// PutSettled is PutPiece that has the text made by a function, which is given what of a
// file that was looked at since can be relied on later: nothing of one that was too
// young.
func (r *Cache) PutSettled(name string, w Watch, piece func(settled func(gitfile.FileSeen) gitfile.FileSeen) []byte) {
	path := filepath.Join(r.at.CacheDir(), name)
	temp, err := r.at.TempFile(filepath.Dir(path), filepath.Base(path)+"-")
	if err != nil {
		return
	}
	Save(temp, path, w.files, max(0, r.at.Now().Sub(w.at)), func(looked int64) []byte {
		return piece(func(f gitfile.FileSeen) gitfile.FileSeen { return f.Settled(looked) })
	})
}

// GetPiece gives the text that was remembered last, "" for none. Current: the
// watched files are still the same. Else it is for those who can tell by
// themselves what of it still holds.
func (r *Cache) GetPiece(name string, w Watch) (piece string, current bool) {
	files, piece, ok := Load(filepath.Join(r.at.CacheDir(), name))
	return piece, ok && slices.Equal(files, w.files) && !slices.ContainsFunc(w.files, func(f File) bool {
		return f.Stamp.Size == never
	})
}
