package transcript

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
)

// Sizes in bytes.
const (
	// window is how much of the transcript's end is taken apart.
	window = 2 << 20
	// maxLine is the longest line that is read; pictures make longer ones.
	maxLine = 1 << 20
	// searched is how far before the window an edit is looked for.
	searched = 64 << 20
)

// MaxChunks is how many chunks a share has at most. The latest entries win.
const MaxChunks = 5

// MaxChunk is the size of the largest chunk, in bytes. BW-39 allows 18,000
// tokens; a token of code or JSON is seldom less than three bytes.
const MaxChunk = 3 * 18_000

// Share is what a sub-agent is handed of a transcript.
type Share struct {
	// Chunks are JSON arrays of entries, the oldest first; none: nothing was
	// changed yet, so that there is nothing to hand over.
	Chunks [][]byte
	// Cut: there was more than fits, and the oldest of it is left out.
	Cut bool
}

// Cut makes a share of the transcript of size bytes in r. It takes the latest
// lines of it apart, back to the first edit or as many as fit; where these do
// not begin with the first edit, it looks for one before them. The error is
// ctx's, or the reader's.
func Cut(ctx context.Context, r io.ReaderAt, size int64) (Share, error) {
	from := max(0, size-window)
	end := make([]byte, size-from)
	if n, err := r.ReadAt(end, from); err != nil && !errors.Is(err, io.EOF) {
		return Share{}, err
	} else if n < len(end) {
		end = end[:n] // it is shorter by now
	}
	// A last line without its end is being written, and is none.
	end = end[:bytes.LastIndexByte(end, '\n')+1]
	reader := newLineReader()
	rest := end
	for len(rest) > 0 && !reader.full() {
		if ctx.Err() != nil {
			return Share{}, context.Cause(ctx)
		}
		begin := bytes.LastIndexByte(rest[:len(rest)-1], '\n') + 1
		if begin == 0 && from > 0 {
			break // its beginning is outside
		}
		if line := rest[begin : len(rest)-1]; len(line) <= maxLine {
			reader.read(line)
		}
		rest = rest[:begin]
	}
	earlier := hasEdit(rest)
	if !earlier {
		var err error
		if earlier, err = editBefore(ctx, r, from); err != nil {
			return Share{}, err
		}
	}
	return pack(reader.work(earlier), earlier), nil
}

// marks are what a call of a tool that edits looks like, as the client writes
// it. What looks like one by accident makes a share begin early, and nothing
// else.
func marks() (all [][]byte, longest int) {
	for _, tool := range editTools {
		mark := []byte(`"name":"` + tool + `"`)
		all, longest = append(all, mark), max(longest, len(mark))
	}
	return all, longest
}

func hasEdit(text []byte) bool {
	all, _ := marks()
	return slices.ContainsFunc(all, func(mark []byte) bool { return bytes.Contains(text, mark) })
}

// editBefore looks for an edit in what lies before a place, backwards. Further
// back than searched bytes nobody looks: the work is then taken to begin behind
// that place.
func editBefore(ctx context.Context, r io.ReaderAt, end int64) (bool, error) {
	if end == 0 {
		return false, nil
	}
	const block = 256 << 10
	_, longest := marks()
	stop := max(0, end-searched)
	buf := make([]byte, block+longest)
	for to := end; to > stop; {
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		from := max(stop, to-block)
		// With what a mark that lies across the border needs of the later block.
		part := buf[:to-from+int64(longest)]
		n, err := r.ReadAt(part, from)
		if err != nil && !errors.Is(err, io.EOF) {
			return false, err
		}
		if hasEdit(part[:n]) {
			return true, nil
		}
		to = from
	}
	return false, nil
}
