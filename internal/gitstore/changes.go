package gitstore

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Changes are the tracked files of a work tree that are not as in HEAD: changed
// in the index, in the work tree, or in both.
type Changes struct {
	Count int
	// Rough: it was counted a while ago, or what some file is in git's eyes only
	// its filters could tell.
	Rough bool
}

// How much is looked at. A work tree of few files is counted every time; of a
// larger one the count is kept for a while, and what takes longer than it may is
// not tried again soon.
const (
	fewFiles       = 1000
	maxIndexSize   = 16 << 20
	changesAge     = 10 * time.Second
	changesTrouble = 10 * time.Minute
	changesTime    = 100 * time.Millisecond
	stagedTime     = 300 * time.Millisecond // once for each state of the index
	maxStaged      = 2000
	maxHashed      = 8 << 20 // bytes, of all files that are read
)

// Changes counts as git status does without untracked files, and never starts it:
// what the index knows of each file is compared with the file, and only where that
// leaves it open is one read. What differs between HEAD and the index is asked of
// git once for each two of them. False: nobody can tell in the time there is.
func (r *Repo) Changes(ctx context.Context, head OID) (Changes, bool) {
	if r.workTree == "" {
		return Changes{}, false
	}
	path := filepath.Join(r.gitDir, "index")
	n, size, err := r.indexSize(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Changes{}, head.IsZero()
	case err != nil || size > maxIndexSize:
		return Changes{}, false
	case n <= fewFiles:
		return r.countChanges(ctx, path, head)
	}
	return r.countSometimes(ctx, path, head)
}

func (r *Repo) indexSize(path string) (entries int, size int64, err error) {
	file, err := openRegular(path)
	if err != nil {
		return 0, 0, err
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return 0, 0, err
	}
	var head [indexHead]byte
	if _, err := io.ReadFull(file, head[:]); err != nil {
		return 0, 0, err
	}
	entries, err = indexCount(head[:])
	return entries, info.Size(), err
}

// countSometimes gives the count of a moment ago, or a new one. Its memo is the
// time, the count, and the commit that it was made for; a count of -1: it took
// too long.
func (r *Repo) countSometimes(ctx context.Context, path string, head OID) (Changes, bool) {
	name := "changes-" + r.memoName()
	data, _ := ReadFile(filepath.Join(r.CacheDir(), name))
	if f := strings.Fields(string(data)); len(f) == 3 {
		at, err1 := strconv.ParseInt(f[0], 10, 64)
		count, err2 := strconv.Atoi(f[1])
		age := r.now().Sub(time.Unix(0, at))
		switch {
		case err1 != nil || err2 != nil || age < 0:
		case count < 0 && age < changesTrouble:
			return Changes{}, false
		case count >= 0 && age < changesAge && f[2] == head.String():
			return Changes{Count: count, Rough: true}, true
		}
	}
	bounded, cancel := context.WithTimeout(ctx, changesTime)
	defer cancel()
	now := r.now()
	c, ok := r.countChanges(bounded, path, head)
	if !ok {
		if ctx.Err() != nil {
			return c, false
		}
		c.Count = -1
	}
	_ = r.WriteCache(name, []byte(strconv.FormatInt(now.UnixNano(), 10)+" "+strconv.Itoa(c.Count)+" "+head.String())) // else it is counted again
	c.Rough = true
	return c, ok
}

// memoName tells work trees apart in the names of memos.
func (r *Repo) memoName() string {
	if id := r.WorktreeID(); id != "" {
		return "linked-" + id
	}
	return "main"
}

func (r *Repo) countChanges(ctx context.Context, path string, head OID) (Changes, bool) {
	w := Watch{stampAll([]string{path}), r.now()} // before it is read
	data, err := ReadFile(path)
	if err != nil {
		return Changes{}, false
	}
	config, err := r.Config(ctx)
	if err != nil {
		return Changes{}, false
	}
	scan := changeScan{
		top: r.workTree, fileMode: config.Bool("core.filemode", true), links: config.Bool("core.symlinks", true),
		stamped: w.files[0].stamp.Mtime, changed: map[string]bool{},
	}
	seen := 0
	err = readIndex(data, func(e indexEntry) bool {
		if seen++; seen%256 == 0 && ctx.Err() != nil {
			return false
		}
		scan.look(e)
		return true
	})
	if err != nil || ctx.Err() != nil {
		return Changes{}, false
	}
	staged, ok := r.staged(ctx, w, head)
	if !ok {
		return Changes{}, false
	}
	if head.IsZero() {
		return Changes{Count: seen}, true
	}
	for _, name := range staged {
		scan.changed[name] = true
	}
	rough := scan.rough || scan.doubt && scan.filters(filepath.Join(r.commonDir, "info", "attributes"), crlf(config))
	return Changes{Count: len(scan.changed), Rough: rough}, true
}

func crlf(c *Config) bool {
	value, _ := c.Get("core.autocrlf")
	on, ok := parseBool(value)
	return ok && on || value == "input"
}

// staged are the files that differ between a commit and the index, as git says:
// once for each state of the two.
func (r *Repo) staged(ctx context.Context, w Watch, head OID) ([]string, bool) {
	if head.IsZero() {
		return nil, true
	}
	memo := "staged-" + r.memoName()
	if lines := r.Recall(memo, w); len(lines) > 0 && lines[0] == head.String() {
		return lines[1:], true
	}
	ctx, cancel := context.WithTimeout(ctx, stagedTime)
	defer cancel()
	out, err := r.Git(ctx, "diff-index", "--cached", "--name-only", "--no-renames", "-z", head.String(), "--")
	if err != nil {
		return nil, false
	}
	lines := []string{head.String()}
	for name := range bytes.SplitSeq(out, []byte{0}) {
		if len(name) > 0 {
			lines = append(lines, strings.ReplaceAll(string(name), "\n", "\x00"))
		}
	}
	if len(lines) > maxStaged {
		return nil, false
	}
	r.Remember(memo, w, lines)
	return lines[1:], true
}

// changeScan compares the files of a work tree with what the index knows of them.
type changeScan struct {
	top      string
	fileMode bool
	links    bool  // the file system has symbolic ones
	stamped  int64 // when the index was written, in ns
	changed  map[string]bool
	hashed   int64
	rough    bool
	// doubt: some file's content is not what git has, unless a filter changes it on
	// its way; returns: some such file has carriage returns. attributes are the
	// files that say what is filtered.
	doubt, returns bool
	attributes     []string
}

// The kinds of entries, by their mode.
const (
	indexTypeMask = 0o170000
	indexFile     = 0o100000
	indexLink     = 0o120000
)

func (s *changeScan) look(e indexEntry) {
	path := filepath.Join(s.top, filepath.FromSlash(e.name))
	if e.name == ".gitattributes" || strings.HasSuffix(e.name, "/.gitattributes") {
		s.attributes = append(s.attributes, path)
	}
	kind := e.mode & indexTypeMask
	if e.assumed || kind != indexFile && kind != indexLink {
		return // a submodule, a directory of a sparse index, or not to be looked at
	}
	if e.stage > 0 || e.intent || s.differs(e, path) {
		s.changed[strings.ReplaceAll(e.name, "\n", "\x00")] = true
	}
}

func (s *changeScan) differs(e indexEntry, path string) bool {
	info, err := os.Lstat(path)
	if err != nil {
		return true
	}
	link := info.Mode()&fs.ModeSymlink != 0
	if (link || s.links) && link != (e.mode&indexTypeMask == indexLink) || !link && !info.Mode().IsRegular() {
		return true
	}
	if s.fileMode && e.mode&indexTypeMask == indexFile && (info.Mode()&0o100 != 0) != (e.mode&0o100 != 0) {
		return true
	}
	now := stampOf(info)
	same := e.size == uint32(now.Size) && inNanoseconds(e.mtime) == now.Mtime && (now.Ctime == 0 || inNanoseconds(e.ctime) == now.Ctime)
	if same && now.Mtime < s.stamped {
		return false
	}
	// The file is another one, or changed within the same tick: what is in it?
	if s.hashed += now.Size; s.hashed > maxHashed {
		s.rough = true
		return !same
	}
	var data []byte
	if link {
		target, lerr := os.Readlink(path)
		data, err = []byte(target), lerr
	} else {
		data, err = ReadFile(path)
	}
	if err == nil && HashBlob(data) == e.oid {
		return false
	}
	s.doubt = s.doubt || !link
	s.returns = s.returns || bytes.IndexByte(data, '\r') >= 0
	return true
}

// inNanoseconds is a time as the index has it.
func inNanoseconds(t uint64) int64 {
	return int64(t>>32)*int64(time.Second) + int64(t&0xffffffff)
}

// filters reports whether a file may be something else in git than on the disk.
func (s *changeScan) filters(more string, crlf bool) bool {
	if s.returns && crlf {
		return true
	}
	for _, path := range append(s.attributes, filepath.Join(s.top, ".gitattributes"), more) {
		text, err := ReadFile(path)
		if err != nil {
			continue
		}
		for _, word := range []string{"filter", "ident", "working-tree-encoding"} {
			if bytes.Contains(text, []byte(word)) {
				return true
			}
		}
		if s.returns && (bytes.Contains(text, []byte("text")) || bytes.Contains(text, []byte("eol"))) {
			return true
		}
	}
	return false
}
