package main

import (
	"bytes"
	"encoding/binary"
	"strings"
)

// environOf is the environment in what macOS tells of a process's arguments: their
// number, the program's path, zeros, the arguments, the environment; each text ends
// with a zero. It is nil where none is told.
func environOf(args []byte) []string {
	if len(args) < 4 {
		return nil
	}
	count := int64(binary.NativeEndian.Uint32(args))
	_, rest, _ := bytes.Cut(args[4:], []byte{0})
	texts := strings.Split(string(bytes.TrimLeft(rest, "\x00")), "\x00")
	if count >= int64(len(texts)) {
		return nil
	}
	return texts[count:]
}
