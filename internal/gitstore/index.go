package gitstore

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// errIndex is returned for an index that only git can read: of another version,
// split, or damaged.
var errIndex = errors.New("the index is one that only git reads")

// indexEntry is one file as the index has it.
type indexEntry struct {
	name         string
	mtime, ctime uint64 // seconds, and nanoseconds in the low 32 bits
	mode, size   uint32
	oid          OID
	stage        int
	assumed      bool // nobody is to look whether it changed
	intent       bool // said to be added, and no content yet
}

// What is in an entry before its name; see gitformat-index(5).
const (
	indexHead  = 12
	entryFixed = 62
	maxEntries = 1 << 24
)

// indexCount is how many entries an index begins by saying that it has.
func indexCount(head []byte) (int, error) {
	if len(head) < indexHead || !bytes.HasPrefix(head, []byte("DIRC")) {
		return 0, errIndex
	}
	if v := binary.BigEndian.Uint32(head[4:]); v < 2 || v > 4 {
		return 0, errIndex
	}
	n := binary.BigEndian.Uint32(head[8:])
	if n > maxEntries {
		return 0, errIndex
	}
	return int(n), nil
}

// readIndex goes through the entries of an index in their order. What was visited
// before an error counts for nothing.
func readIndex(data []byte, visit func(indexEntry) bool) error {
	n, err := indexCount(data)
	if err != nil {
		return err
	}
	version := binary.BigEndian.Uint32(data[4:])
	rest, previous := data[indexHead:], []byte(nil)
	for range n {
		if len(rest) < entryFixed+1 {
			return errIndex
		}
		at := func(i int) uint32 { return binary.BigEndian.Uint32(rest[i:]) }
		e := indexEntry{
			ctime: uint64(at(0))<<32 | uint64(at(4)), mtime: uint64(at(8))<<32 | uint64(at(12)),
			mode: at(24), size: at(36), oid: oidFromBytes(rest[40:60]),
		}
		flags := binary.BigEndian.Uint16(rest[60:])
		e.assumed, e.stage = flags&0x8000 != 0, int(flags>>12&3)
		used := entryFixed
		if flags&0x4000 != 0 {
			if version < 3 || len(rest) < used+3 {
				return errIndex
			}
			more := binary.BigEndian.Uint16(rest[used:])
			e.assumed, e.intent = e.assumed || more&0x4000 != 0, more&0x2000 != 0
			used += 2
		}
		name, length, ok := entryName(rest[used:], previous, version)
		if !ok {
			return errIndex
		}
		used += length
		if version < 4 {
			used = (used + 8) &^ 7 // at least one NUL
		} else {
			used++
		}
		if used > len(rest) {
			return errIndex
		}
		e.name, previous, rest = string(name), name, rest[used:]
		if !visit(e) {
			return nil
		}
	}
	if splitIndex(rest) {
		return errIndex
	}
	return nil
}

// entryName reads a name, and how many bytes it takes without the NUL behind it.
// Since version 4 it says how much of the one before it is not its beginning.
func entryName(data, previous []byte, version uint32) (name []byte, length int, ok bool) {
	if version < 4 {
		end := bytes.IndexByte(data, 0)
		return data[:max(end, 0)], end, end > 0
	}
	strip, n := offsetNumber(data)
	if n == 0 || strip > len(previous) {
		return nil, 0, false
	}
	end := bytes.IndexByte(data[n:], 0)
	if end < 0 {
		return nil, 0, false
	}
	kept := len(previous) - strip
	name = append(append(make([]byte, 0, kept+end), previous[:kept]...), data[n:n+end]...)
	return name, n + end, len(name) > 0
}

// offsetNumber reads a number as packs have offsets, and how many bytes it takes;
// 0: it is none.
func offsetNumber(data []byte) (value, length int) {
	for i, b := range data {
		if i == 5 {
			return 0, 0
		}
		if i > 0 {
			value = (value + 1) << 7
		}
		value |= int(b & 0x7f)
		if b&0x80 == 0 {
			return value, i + 1
		}
	}
	return 0, 0
}

// splitIndex reports an extension which says that some entries stand elsewhere.
func splitIndex(data []byte) bool {
	for len(data) > 8+len(OID{}.b) {
		size := binary.BigEndian.Uint32(data[4:])
		if string(data[:4]) == "link" {
			return true
		}
		if uint64(size)+8 > uint64(len(data)) {
			return true // nobody can tell
		}
		data = data[8+size:]
	}
	return false
}
