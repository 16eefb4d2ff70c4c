package ui

import (
	"bytes"
	"io"
	"strings"
)

// LineWriter passes on what is printed, line by line, each as a function gives it.
// Close writes a last line that has no end.
type LineWriter struct {
	to   io.Writer
	line func(string) string
	rest []byte
}

// maxUnended is how much is held back of a line that does not end.
const maxUnended = 64 << 10

// NewLineWriter returns a LineWriter.
func NewLineWriter(to io.Writer, line func(string) string) *LineWriter {
	return &LineWriter{to: to, line: line}
}

// Write is io.Writer's.
func (w *LineWriter) Write(p []byte) (int, error) {
	end := bytes.LastIndexByte(p, '\n') + 1
	if len(w.rest)+len(p) > maxUnended {
		end = len(p)
	}
	if end == 0 {
		w.rest = append(w.rest, p...)
		return len(p), nil
	}
	var out strings.Builder
	for line := range strings.Lines(string(w.rest) + string(p[:end])) {
		out.WriteString(w.line(line))
	}
	w.rest = append(w.rest[:0], p[end:]...)
	if _, err := io.WriteString(w.to, out.String()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Close writes what is left, where there is something. It closes nothing.
func (w *LineWriter) Close() error {
	if len(w.rest) == 0 {
		return nil
	}
	_, err := io.WriteString(w.to, w.line(string(w.rest)))
	w.rest = nil
	return err
}

const (
	colour   = "\x1b[" // what a colour begins with
	colourly = "0123456789;"
	plain    = "\x1b[m"
)

// SafeColoured is SafeLines for a line that git has coloured. Whose colours they are
// nobody can tell, so what they can do is bounded: they hide nothing, and end with
// the line.
func SafeColoured(line string) string {
	if !strings.Contains(line, colour) {
		return SafeLines(line)
	}
	line, end, ended := strings.Cut(line, "\n")
	if ended {
		end = "\n" + end
	}
	var b strings.Builder
	coloured := false
	for {
		before, rest, found := strings.Cut(line, colour)
		b.WriteString(SafeLines(before))
		if !found {
			break
		}
		codes := rest[:len(rest)-len(strings.TrimLeft(rest, colourly))]
		if line = rest; !strings.HasPrefix(rest[len(codes):], "m") || hides(codes) {
			b.WriteString(SafeLines(colour))
			continue
		}
		b.WriteString(colour + codes + "m")
		coloured = codes != "" && codes != "0"
		line = rest[len(codes)+1:]
	}
	if coloured {
		b.WriteString(plain)
	}
	return b.String() + end
}

// hides tells whether a colour's codes conceal text.
func hides(codes string) bool {
	list := strings.Split(codes, ";")
	for i := 0; i < len(list); i++ {
		switch strings.TrimLeft(list[i], "0") {
		case "8":
			return true
		case "38", "48", "58": // a colour of many: 5;N or 2;R;G;B
			if i+1 < len(list) && list[i+1] == "2" {
				i += 2
			}
			i += 2
		}
	}
	return false
}
