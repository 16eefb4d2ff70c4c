package statcache

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
)

// File is a file that an answer depends on, and the stamp it had before
// anybody looked into it.
type File struct {
	Path  string
	Stamp gitfile.Stamp
}

// fileLine is a File in a memo. A path is bytes: JSON's text keeps those of UTF-8 alone.
type fileLine struct {
	Path  []byte        `json:"p"`
	Stamp gitfile.Stamp `json:"s"`
}

// Entry is an answer that holds as long as the files that it came from stay what they
// were. Its file is a line with a sum of what follows, a line of JSON with the files,
// and the answer, to the end.
type Entry struct {
	Files  []File
	Answer string
	// making makes the answer when it is written, where it has to know then which
	// files had settled.
	making func(settled func(gitfile.FileSeen) gitfile.FileSeen) []byte

	since time.Duration // how long ago the files were looked at
	old   bool          // worth keeping although nobody can tell whether it still holds
}

const memoHeader = "gitstore memo 3 "

// sumSize is how many bytes of the sum are kept.
const sumSize = 16

// never is the size in a stamp that no file has.
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

// Load gives nil for anything but a whole memo, written by this version.
func Load(path string) *Entry {
	body, ok := readSummed(path)
	files, answer, whole := strings.Cut(body, "\n")
	m := &Entry{Answer: answer}
	var lines []fileLine
	if !ok || !whole || json.Unmarshal([]byte(files), &lines) != nil {
		return nil
	}
	for _, l := range lines {
		m.Files = append(m.Files, File{string(l.Path), l.Stamp})
	}
	return m
}

// readSummed reads what follows the first line, which must be its sum. It is a few
// megabytes where an index is of thousands of tasks: there is one copy of it.
func readSummed(path string) (body string, ok bool) {
	file, err := gitfile.OpenRegular(path)
	if err != nil {
		return "", false
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return "", false
	}
	head := make([]byte, len(memoHeader)+2*sumSize+1)
	if _, err := io.ReadFull(file, head); err != nil {
		return "", false
	}
	var text strings.Builder
	text.Grow(int(max(0, info.Size()-int64(len(head)))))
	sum := sha256.New()
	if _, err := io.CopyBuffer(io.MultiWriter(&text, sum), onlyReader{file},
		make([]byte, min(64<<10, max(1, info.Size())))); err != nil {
		return "", false
	}
	return text.String(), string(head) == memoHead(sum)
}

// onlyReader keeps io.Copy from other ways of reading than into its buffer.
type onlyReader struct{ io.Reader }

// memoHead is a memo's first line.
func memoHead(sum hash.Hash) string {
	return memoHeader + hex.EncodeToString(sum.Sum(nil)[:sumSize]) + "\n"
}

// Save fills a new file, which it takes over, and renames it to path. A file
// that was younger than the clock's grain when it was looked at could have
// changed without showing it, so where one is watched nothing is kept, or what
// is kept is marked as old.
func (m *Entry) Save(temp *os.File, path string) bool {
	defer os.Remove(temp.Name())
	defer temp.Close()
	info, err := temp.Stat()
	if err != nil {
		return false
	}
	// By the clock of the file system that holds the memo.
	looked := info.ModTime().Add(-m.since).UnixNano()
	answer := []byte(m.Answer)
	if m.making != nil {
		answer = m.making(func(f gitfile.FileSeen) gitfile.FileSeen { return f.Settled(looked) })
	}
	files := make([]fileLine, len(m.Files))
	for i, w := range m.Files {
		files[i] = fileLine{[]byte(w.Path), w.Stamp}
		if !w.Stamp.Settled(looked) || w.Stamp.Size == never {
			if !m.old {
				return false
			}
			files[i].Stamp = gitfile.Stamp{Size: never}
		}
	}
	head, err := json.Marshal(files)
	if err != nil {
		return false
	}
	head = append(head, '\n')
	sum := sha256.New()
	sum.Write(head)
	sum.Write(answer)
	for _, part := range [][]byte{[]byte(memoHead(sum)), head, answer} {
		if _, err := temp.Write(part); err != nil {
			return false
		}
	}
	return temp.Close() == nil && os.Rename(temp.Name(), path) == nil
}

// Prune removes the oldest memos of a kind, and temporary files of the
// dead.
func Prune(dir, prefix string, keep int) {
	paths, err := filepath.Glob(filepath.Join(dir, prefix+"*"))
	if err != nil || len(paths) <= keep {
		return
	}
	age := map[string]int64{}
	for _, path := range paths {
		stamp, err := gitfile.ReadStamp(path)
		if err == nil {
			age[path] = stamp.Mtime
		}
	}
	slices.SortFunc(paths, func(a, b string) int { return int(min(max(age[b]-age[a], -1), 1)) })
	for _, path := range paths[keep:] {
		_ = os.Remove(path)
	}
}

// Watch is what some refs looked like before they were read.
type Watch struct {
	files []File
	at    time.Time
}

// WatchRefs is to be called before the refs right below the prefixes (such as
// "refs/heads", but not "refs/heads/a/b") are read.
func (r *Cache) WatchRefs(prefixes ...string) Watch {
	if r.at.Format.Reftable {
		return Watch{Stamps([]string{filepath.Join(r.at.CommonDir(), "reftable", "tables.list")}), r.at.Now()}
	}
	paths := make([]string, 0, len(prefixes)+1)
	for _, prefix := range prefixes {
		paths = append(paths, filepath.Join(r.at.CommonDir(), filepath.FromSlash(prefix)))
	}
	return Watch{Stamps(append(paths, filepath.Join(r.at.CommonDir(), "packed-refs"))), r.at.Now()}
}

// Distrust makes a watch one that nothing is remembered for: what was found is
// not what the watched files alone decide.
func (w *Watch) Distrust() {
	for i := range w.files {
		w.files[i].Stamp = gitfile.Stamp{Size: never}
	}
}

// Put keeps some lines under a name in CacheDir, for as long as what is watched
// stays as it was. It is a convenience: where it can't be done, nothing is kept.
func (r *Cache) Put(name string, w Watch, lines []string) {
	r.remember(name, w, &Entry{Answer: strings.Join(lines, "\n")})
}

// Get gives what was remembered, if the watched files are still the same.
func (r *Cache) Get(name string, w Watch) []string {
	if m, current := r.recall(name, w); current && m.Answer != "" {
		return strings.Split(m.Answer, "\n")
	}
	return nil
}

// PutPiece is Put for a text of any content, which is not empty, and which is kept,
// but not as current, even where it is not sure that the watched files had not changed
// when it was made.
func (r *Cache) PutPiece(name string, w Watch, piece []byte) {
	r.remember(name, w, &Entry{Answer: string(piece), old: true})
}

// PutSettled is PutPiece that has the text made by a function, which is given what of a
// file that was looked at since can be relied on later: nothing of one that was too
// young.
func (r *Cache) PutSettled(name string, w Watch, piece func(settled func(gitfile.FileSeen) gitfile.FileSeen) []byte) {
	r.remember(name, w, &Entry{making: piece, old: true})
}

// GetPiece gives the text that was remembered last, "" for none. Current: the
// watched files are still the same. Else it is for those who can tell by
// themselves what of it still holds.
func (r *Cache) GetPiece(name string, w Watch) (piece string, current bool) {
	m, current := r.recall(name, w)
	if m == nil {
		return "", false
	}
	return m.Answer, current
}

func (r *Cache) remember(name string, w Watch, m *Entry) {
	path := filepath.Join(r.at.CacheDir(), name)
	temp, err := r.at.TempFile(filepath.Dir(path), filepath.Base(path)+"-")
	if err != nil {
		return
	}
	m.Files, m.since = w.files, max(0, r.at.Now().Sub(w.at))
	m.Save(temp, path)
}

func (r *Cache) recall(name string, w Watch) (m *Entry, current bool) {
	m = Load(filepath.Join(r.at.CacheDir(), name))
	return m, m != nil && slices.Equal(m.Files, w.files) && !slices.ContainsFunc(w.files, func(f File) bool {
		return f.Stamp.Size == never
	})
}
