package gitfile

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// lineReader gives lines without their end. A last line without an end is an
// error: files made of lines are written whole, so it was cut off.
type lineReader struct{ in *bufio.Reader }

func NewLineReader(in io.Reader) *lineReader {
	return &lineReader{in: bufio.NewReaderSize(in, 8<<10)}
}

var errCutLine = errors.New("file ends in the middle of a line")

func (l *lineReader) Next() ([]byte, error) {
	for {
		line, err := l.in.ReadSlice('\n')
		if errors.Is(err, io.EOF) && len(line) > 0 {
			return nil, errCutLine
		}
		if err != nil {
			return nil, err
		}
		if line = bytes.TrimRight(line, "\r\n"); len(line) > 0 {
			return line, nil
		}
	}
}
