package refs

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// packedRefs is one version of the packed-refs file. git replaces the file as
// a whole, so what is open does not change. A nil *packedRefs is empty.
type packedRefs struct {
	file   *os.File
	size   int64
	sorted bool
}

// packedWindow is what a step of the search reads: a name and its line fit,
// with some lines before and after.
const packedWindow = 4096

var errPackedRefs = errors.New("packed-refs is malformed")

func (r *Store) openPacked() (*packedRefs, error) {
	file, err := gitfile.OpenRegular(filepath.Join(r.at.CommonDir, "packed-refs"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p := &packedRefs{file: file}
	info, err := file.Stat()
	if err == nil && info.Size() > 0 {
		p.size = info.Size()
		last := make([]byte, 1)
		if _, err = file.ReadAt(last, p.size-1); err == nil && last[0] != '\n' { // it is written whole, so it was cut off
			err = fmt.Errorf("%w: it ends in the middle of a line", errPackedRefs)
		}
	}
	if err != nil {
		p.close()
		return nil, err
	}
	header, _, _ := strings.Cut(string(p.window(0)), "\n")
	p.sorted = strings.HasPrefix(header, "# pack-refs with:") && slices.Contains(strings.Fields(header), "sorted")
	return p, nil
}

func (p *packedRefs) close() {
	if p != nil {
		_ = p.file.Close() // only read
	}
}

// window is what stands in the file from an offset on; nothing where it can't be read,
// as whoever reads it to its end is told.
func (p *packedRefs) window(offset int64) []byte {
	buf := make([]byte, packedWindow)
	n, _ := p.file.ReadAt(buf, offset)
	return buf[:n]
}

// find looks a name up: ErrNotExist when it is not there.
func (p *packedRefs) find(name plumbing.RefName) (plumbing.OID, error) {
	found, err := plumbing.OID{}, plumbing.ErrNotExist
	if broken := p.from(string(name), func(at plumbing.RefName, id plumbing.OID) bool {
		if at == name {
			found, err = id, nil
		}
		return at != name && !p.sorted // the name itself is before those that begin with it
	}); broken != nil {
		return plumbing.OID{}, broken
	}
	return found, err
}

// from visits the records whose names begin with prefix, in the file's order, until
// visit says no.
func (p *packedRefs) from(prefix string, visit func(plumbing.RefName, plumbing.OID) bool) error {
	if p == nil {
		return nil
	}
	at := p.before(prefix)
	lines := bufio.NewScanner(io.NewSectionReader(p.file, at, p.size-at))
	if at > 0 {
		lines.Scan() // the rest of a line
	}
	for lines.Scan() {
		line := lines.Bytes()
		if len(line) == 0 || line[0] == '^' || line[0] == '#' {
			continue
		}
		name, id, err := parsePacked(line)
		if err != nil {
			return err
		}
		switch begins := strings.HasPrefix(name, prefix); {
		case begins && !visit(plumbing.RefName(name), id), !begins && p.sorted && name > prefix:
			return nil
		}
	}
	return lines.Err()
}

// before gives an offset before the first record whose name is not below least, and not
// far before it where the file is sorted: in a line whose record is below it, or 0.
func (p *packedRefs) before(least string) int64 {
	if !p.sorted {
		return 0
	}
	windows := sort.Search(int(p.size/packedWindow), func(i int) bool {
		_, lines, _ := bytes.Cut(p.window(int64(i)*packedWindow), []byte{'\n'})
		for line := range bytes.Lines(lines) {
			if name, _, err := parsePacked(bytes.TrimSuffix(line, []byte{'\n'})); err == nil && line[len(line)-1] == '\n' {
				return name >= least
			}
		}
		return true
	})
	return int64(max(0, windows-1)) * packedWindow
}

func parsePacked(line []byte) (string, plumbing.OID, error) {
	id, name, ok := strings.Cut(string(line), " ")
	oid, err := plumbing.ParseOID(id)
	if !ok || name == "" || err != nil {
		return "", plumbing.OID{}, fmt.Errorf("%w: line %.100q", errPackedRefs, line)
	}
	return name, oid, nil
}

// Any tells whether there is a ref below prefix, a directory such as
// "refs/heads/", without listing them all.
func (r *Store) Any(ctx context.Context, prefix string) (bool, error) {
	if r.at.Format.Reftable {
		out, err := r.at.Git.Run(ctx, "for-each-ref", "--count=1", "--format=x", "--", prefix)
		return len(out) > 0, err
	}
	if anyFile(r.refPath(plumbing.RefName(path.Dir(prefix + "x")))) {
		return true, nil
	}
	packed, err := r.openPacked()
	if err != nil {
		return false, err
	}
	defer packed.close()
	found := false
	err = packed.from(prefix, func(plumbing.RefName, plumbing.OID) bool {
		found = true
		return false
	})
	return found, err
}

// anyFile reports whether a loose ref lies in a directory, or below it.
func anyFile(dir string) bool {
	open, err := gitfile.OpenRegular(dir)
	if err != nil {
		return false
	}
	defer func() { _ = open.Close() }()
	for err == nil {
		var some []os.DirEntry
		some, err = open.ReadDir(8)
		if slices.ContainsFunc(some, func(e os.DirEntry) bool {
			return e.IsDir() && anyFile(filepath.Join(dir, e.Name())) || !e.IsDir() && !strings.HasSuffix(e.Name(), ".lock")
		}) {
			return true
		}
	}
	return false
}
