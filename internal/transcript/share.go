// Package transcript cuts out of a session's transcript what a sub-agent is to
// be handed (BW-39): what was said and done since the first edit, without the
// model's thoughts, results of tools only as summaries, secrets taken out, in
// chunks that an agent can read at once. It opens and writes no file: a reader
// comes in, chunks go out.
//
// A transcript is a file of JSON lines that the client writes, in a form of its
// own, while it is read here. Nothing in it is believed: what is not understood
// is passed over, what is long is cut, and only what is known to be harmless is
// taken over. It may be hundreds of MB: what is read of it is bounded.
//
// Glossary
//
//	line    one JSON object of the transcript
//	entry   what is kept of a line: a role, and parts
//	part    a text, a call of a tool, or the summary of a result
//	edit    a call of a tool that changes a file; with the first one the work
//	        begins, and what a discussion before it said belongs to nobody else
//	window  the end of a transcript, which is all that is taken apart
//	chunk   a JSON array of entries, as large as an agent reads at once
package transcript

import (
	"bytes"
	"context"
	"encoding/json"
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
// lines of it apart: from the first edit on, or, where there are more lines than
// are looked at, as many as fit. The error is ctx's, or the reader's.
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
	var reader lineReader
	rest := end
	// What is larger than a share fits into none, whatever it looks like.
	for len(rest) > 0 && reader.size <= MaxChunks*MaxChunk {
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
	if from > 0 || len(rest) > 0 { // the first edit may be in what is not taken apart
		return pack(reader.entries, true), nil
	}
	return pack(reader.entries[:reader.first], false), nil
}

const opening, between, closing = "[\n", ",\n", "\n]\n"

// pack makes chunks of entries, the latest of which come first, and from the
// latest on, so that it is the oldest chunk that is not full.
func pack(latestFirst []entry, cut bool) Share {
	var encoded [][]byte
	for _, e := range latestFirst {
		if data := e.encode(); len(opening)+len(data)+len(closing) <= MaxChunk {
			encoded = append(encoded, data)
		}
	}
	out := Share{Cut: cut}
	for len(encoded) > 0 {
		if len(out.Chunks) == MaxChunks {
			out.Cut = true
			break
		}
		n, size := 0, len(opening)+len(closing)-len(between)
		for n < len(encoded) && size+len(between)+len(encoded[n]) <= MaxChunk {
			size += len(between) + len(encoded[n])
			n++
		}
		slices.Reverse(encoded[:n])
		chunk := opening + string(bytes.Join(encoded[:n], []byte(between))) + closing
		out.Chunks = append(out.Chunks, []byte(chunk))
		encoded = encoded[n:]
	}
	slices.Reverse(out.Chunks)
	return out
}

// maxTail is how much of a transcript's end is looked at, in bytes: the latest
// replies of the model, and what they were about.
const maxTail = 256 << 10

// Usage is how much of the model's context a reply had used.
type Usage struct {
	Tokens int64
	Model  string
}

// LastUsage finds what the latest reply of the main agent had used of its context:
// the tokens that went in, from a cache or not. False: the end of the transcript
// does not tell, for example because the context was compacted since. What it
// reads may be anything.
func LastUsage(r io.ReaderAt, size int64) (Usage, bool) {
	tail := make([]byte, min(max(size, 0), maxTail))
	n, err := r.ReadAt(tail, size-int64(len(tail)))
	if err != nil && err != io.EOF {
		return Usage{}, false
	}
	for tail = tail[:n]; len(tail) > 0; {
		at := bytes.LastIndexByte(tail, '\n')
		line := tail[at+1:]
		tail = tail[:max(at, 0)]
		if !bytes.Contains(line, []byte(`"usage"`)) && !bytes.Contains(line, []byte(`"compact_boundary"`)) {
			continue
		}
		var l usageLine
		if json.Unmarshal(line, &l) != nil {
			continue
		}
		if l.Type == "system" && l.Subtype == "compact_boundary" {
			return Usage{}, false // the context is a new one since
		}
		if use, ok := l.usage(); ok {
			return use, true
		}
	}
	return Usage{}, false
}

// usageLine is what is read of a line for what a reply had used.
type usageLine struct {
	Type    string `json:"type"`
	Subtype string `json:"subtype"`
	Side    bool   `json:"isSidechain"`
	Message struct {
		Model string `json:"model"`
		Usage struct {
			Input   int64 `json:"input_tokens"`
			Read    int64 `json:"cache_read_input_tokens"`
			Created int64 `json:"cache_creation_input_tokens"`
		} `json:"usage"`
	} `json:"message"`
}

// maxTokens is more than any model's context holds.
const maxTokens = 1 << 40

// usage is what a reply of the main agent had used; not ok for any other line.
func (l usageLine) usage() (use Usage, ok bool) {
	if l.Type != "assistant" || l.Side || l.Message.Model == "<synthetic>" {
		return use, false
	}
	use.Model = l.Message.Model
	for _, n := range []int64{l.Message.Usage.Input, l.Message.Usage.Read, l.Message.Usage.Created} {
		if n < 0 || n > maxTokens {
			return use, false
		}
		use.Tokens += n
	}
	return use, use.Tokens > 0
}
