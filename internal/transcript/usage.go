package transcript

import (
	"bytes"
	"encoding/json"
	"io"
)

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
