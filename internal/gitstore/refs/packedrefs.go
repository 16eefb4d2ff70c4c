package refs

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// packedRefs is one version of the packed-refs file. git replaces the file as
// a whole, so what is open does not change. A nil *packedRefs is empty.
type packedRefs struct {
	file   *os.File
	start  int64 // offset of the first record
	end    int64
	sorted bool
}

// packedFile is the file's name, below the common directory.
const packedFile = "packed-refs"

// packedWindow is what a step of the search reads: a name and its line fit,
// with some lines before and after.
const packedWindow = 4096

var errPackedRefs = errors.New("packed-refs is malformed")

func (r *Store) openPacked() (*packedRefs, error) {
	file, err := gitfile.OpenRegular(filepath.Join(r.at.CommonDir(), packedFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p := &packedRefs{file: file}
	if err := p.header(); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *packedRefs) close() {
	if p != nil {
		_ = p.file.Close() // only read
	}
}

func (p *packedRefs) header() error {
	info, err := p.file.Stat()
	if err != nil {
		return err
	}
	p.end = info.Size()
	last := []byte{'\n'}
	if p.end > 0 {
		if _, err := p.file.ReadAt(last, p.end-1); err != nil {
			return err
		}
	}
	if last[0] != '\n' { // it is written whole, so it was cut off
		return fmt.Errorf("%w: it ends in the middle of a line", errPackedRefs)
	}
	head := make([]byte, 256)
	n, err := p.file.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	line, _, ok := bytes.Cut(head[:n], []byte{'\n'})
	if !ok || !bytes.HasPrefix(line, []byte("# pack-refs with:")) {
		return nil
	}
	p.start = int64(len(line)) + 1
	for word := range strings.FieldsSeq(string(line)) {
		p.sorted = p.sorted || word == "sorted"
	}
	return nil
}

// find looks a name up: ErrNotExist when it is not there.
func (p *packedRefs) find(name plumbing.RefName) (plumbing.OID, error) {
	var found plumbing.OID
	err := p.from(string(name), func(at plumbing.RefName, id plumbing.OID) bool {
		if at == name {
			found = id
		}
		return !p.sorted && found.IsZero()
	})
	if err == nil && found.IsZero() {
		err = plumbing.ErrNotExist
	}
	return found, err
}

// from visits records in the file's order, beginning with the first whose name
// is not below least (an unsorted file: with the first), until visit says no.
func (p *packedRefs) from(least string, visit func(plumbing.RefName, plumbing.OID) bool) error {
	if p == nil {
		return nil
	}
	at := p.start
	if p.sorted {
		var err error
		if at, err = p.search(least); err != nil {
			return err
		}
	}
	lines := bufio.NewScanner(io.NewSectionReader(p.file, at, p.end-at))
	for lines.Scan() {
		line := lines.Bytes()
		if len(line) == 0 || line[0] == '^' || line[0] == '#' {
			continue
		}
		name, id, err := parsePacked(line)
		if err != nil {
			return err
		}
		if p.sorted && name < least {
			continue
		}
		if !visit(plumbing.RefName(name), id) {
			return nil
		}
	}
	return lines.Err()
}

// search gives the offset of a record at, or shortly before, the first one
// whose name is not below least.
func (p *packedRefs) search(least string) (int64, error) {
	low, high := p.start, p.end // low: a record's start, its name below least, or the first
	buf := make([]byte, packedWindow)
	for high-low > packedWindow/2 {
		middle := low + (high-low)/2
		n, err := p.file.ReadAt(buf, middle)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		offset, name, ok := firstRecord(buf[:n])
		if !ok || middle+int64(offset) >= high {
			// No record starts between middle and high that can be told from here.
			high = middle
			continue
		}
		if name < least {
			low = middle + int64(offset)
		} else {
			high = middle
		}
	}
	return low, nil
}

// firstRecord finds the first whole record that starts after a line's end.
func firstRecord(buf []byte) (offset int, name string, ok bool) {
	for {
		i := bytes.IndexByte(buf[offset:], '\n')
		if i < 0 {
			return 0, "", false
		}
		offset += i + 1
		line, _, whole := bytes.Cut(buf[offset:], []byte{'\n'})
		if !whole {
			return 0, "", false
		}
		if name, _, err := parsePacked(line); err == nil {
			return offset, name, true
		}
	}
}

func parsePacked(line []byte) (string, plumbing.OID, error) {
	if len(line) <= plumbing.HexSize+1 || line[plumbing.HexSize] != ' ' {
		return "", plumbing.OID{}, fmt.Errorf("%w: line %.100q", errPackedRefs, line)
	}
	id, err := plumbing.ParseOID(string(line[:plumbing.HexSize]))
	if err != nil {
		return "", plumbing.OID{}, fmt.Errorf("%w: line %.100q", errPackedRefs, line)
	}
	return string(line[plumbing.HexSize+1:]), id, nil
}
