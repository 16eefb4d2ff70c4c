package gitstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
)

// Entry is one line of a tree.
type Entry struct {
	Name string
	Mode Mode
	OID  OID
}

// File is an entry under its path from the top of the tree, with slashes.
type File struct {
	Path string
	Mode Mode
	OID  OID
}

// MaxFiles limits a recursive listing, and maxDepth how deep it goes: a small
// tree can be made to unfold without end.
const (
	MaxFiles = 1_000_000
	maxDepth = 64
)

// Tree lists a tree, or a commit's tree, in git's order.
func (r *Repo) Tree(ctx context.Context, id OID) ([]Entry, error) {
	entries, err := r.tree(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("read tree: %w", err)
	}
	return entries, nil
}

func (r *Repo) tree(ctx context.Context, id OID) ([]Entry, error) {
	k, data, err := r.object(ctx, id)
	if err != nil {
		return nil, err
	}
	if k == kindCommit {
		c, err := decodeCommit(data)
		if err != nil {
			return nil, &CorruptError{OID: id, Err: err}
		}
		id = c.Tree
		if k, data, err = r.object(ctx, id); err != nil {
			return nil, err
		}
	}
	if k != kindTree {
		return nil, fmt.Errorf("object %s is a %s, %w", id, k, ErrKind)
	}
	entries, err := decodeTree(data)
	if err != nil {
		return nil, &CorruptError{OID: id, Err: err}
	}
	return entries, nil
}

// Files lists everything under a tree, or a commit's tree, in git's order,
// without the directories themselves. A path that could lead out of a
// directory, into .git, or hold control characters is an error.
func (r *Repo) Files(ctx context.Context, id OID) ([]File, error) {
	var files []File
	if err := r.walk(ctx, id, "", 0, &files); err != nil {
		var corrupt *CorruptError
		if errors.As(err, &corrupt) && corrupt.OID == id {
			return nil, err // it names the object
		}
		return nil, fmt.Errorf("list files of %s: %w", id, err)
	}
	return files, nil
}

func (r *Repo) walk(ctx context.Context, id OID, prefix string, depth int, files *[]File) error {
	if depth > maxDepth {
		return fmt.Errorf("directories below %q: %w", prefix, ErrTooLarge)
	}
	entries, err := r.tree(ctx, id)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if fault := nameFault(e.Name); fault != "" {
			return &CorruptError{OID: id, Err: fmt.Errorf("name %.100q %s", e.Name, fault)}
		}
		path := prefix + e.Name
		if e.Mode == ModeDir {
			if err := r.walk(ctx, e.OID, path+"/", depth+1, files); err != nil {
				return err
			}
			continue
		}
		if len(*files) == MaxFiles {
			return fmt.Errorf("more than %d files: %w", MaxFiles, ErrTooLarge)
		}
		*files = append(*files, File{Path: path, Mode: e.Mode, OID: e.OID})
	}
	return nil
}

func decodeTree(data []byte) ([]Entry, error) {
	entries := make([]Entry, 0, len(data)/40)
	for len(data) > 0 {
		mode, rest, ok := bytes.Cut(data, []byte{' '})
		name, rest, ok2 := bytes.Cut(rest, []byte{0})
		if !ok || !ok2 || len(rest) < len(OID{}.b) || len(mode) > 6 {
			return nil, errors.New("malformed tree")
		}
		bits, err := strconv.ParseUint(string(mode), 8, 32)
		if err != nil || !Mode(bits).valid() || len(name) == 0 {
			return nil, fmt.Errorf("malformed tree: mode %q", mode)
		}
		e := Entry{Name: string(name), Mode: Mode(bits), OID: oidFromBytes(rest[:len(OID{}.b)])}
		if n := len(entries); n > 0 && compareEntries(entries[n-1], e) >= 0 {
			return nil, errors.New("malformed tree: entries out of order")
		}
		entries = append(entries, e)
		data = rest[len(OID{}.b):]
	}
	return entries, nil
}

// encodeTree expects sorted entries.
func encodeTree(entries []Entry) []byte {
	var buf bytes.Buffer
	for _, e := range entries {
		fmt.Fprintf(&buf, "%o %s\x00", uint32(e.Mode), e.Name)
		buf.Write(e.OID.b[:])
	}
	return buf.Bytes()
}

// compareEntries is git's order: a directory sorts as if its name ended with
// a slash.
func compareEntries(a, b Entry) int {
	n := min(len(a.Name), len(b.Name))
	if c := bytes.Compare([]byte(a.Name[:n]), []byte(b.Name[:n])); c != 0 {
		return c
	}
	return int(a.at(n)) - int(b.at(n))
}

func (e Entry) at(i int) byte {
	switch {
	case i < len(e.Name):
		return e.Name[i]
	case i == len(e.Name) && e.Mode == ModeDir:
		return '/'
	}
	return 0
}
