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
		if bytes.Contains(line, []byte(`"compact_boundary"`)) && boundary(line) {
			return Usage{}, false
		}
		if !bytes.Contains(line, []byte(`"usage"`)) {
			continue
		}
		if use, ok := usageOf(line); ok {
			return use, true
		}
	}
	return Usage{}, false
}

// boundary reports the line after which the context is a new one.
func boundary(line []byte) bool {
	var entry struct {
		Type    string `json:"type"`
		Subtype string `json:"subtype"`
	}
	return json.Unmarshal(line, &entry) == nil && entry.Type == "system" && entry.Subtype == "compact_boundary"
}

// maxTokens is more than any model's context holds.
const maxTokens = 1 << 40

// usageOf reads one line of a transcript.
func usageOf(line []byte) (Usage, bool) {
	var entry struct {
		Type    string `json:"type"`
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
	if json.Unmarshal(line, &entry) != nil || entry.Type != "assistant" || entry.Side ||
		entry.Message.Model == "<synthetic>" {
		return Usage{}, false
	}
	u := entry.Message.Usage
	for _, n := range []int64{u.Input, u.Read, u.Created} {
		if n < 0 || n > maxTokens {
			return Usage{}, false
		}
	}
	use := Usage{Tokens: u.Input + u.Read + u.Created, Model: entry.Message.Model}
	return use, use.Tokens > 0
}
