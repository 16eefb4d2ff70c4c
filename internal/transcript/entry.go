package transcript

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/redact"
)

// Sizes in bytes of what is kept of one entry.
const (
	maxText  = 8_000 // of one text
	maxInput = 2_400 // of what a tool was called with
	maxValue = 1_000 // of one field of that
	maxBegin = 240   // of a result's beginning
	maxError = 800   // the same, of a failure
	// maxEntry is of all its texts, maxLineEnd what a line adds to its text: no entry is
	// larger than a chunk, however it is written.
	maxEntry   = 12_000
	maxLineEnd = 8
	// maxWidth is the length of the longest line: the client's tool for reading
	// cuts lines of more than 2,000 characters.
	maxWidth = 900
	// overlap is how much behind a cut helps to know a secret before it: keys
	// and tokens are known by their beginning, but must have some length.
	overlap = 500
)

// entry is what is kept of a line, as it is written.
type entry struct {
	Role    string  `json:"role"`
	Content []*part `json:"content"`
}

// part is a text, a call, or a result. Texts are lists of lines, so that they
// can be read with a tool that reads by lines.
type part struct {
	Text  []string `json:"text,omitempty"`
	Tool  string   `json:"tool,omitempty"`
	Input []string `json:"input,omitempty"`
	// Result summarises what a tool gave, Begins is how that began.
	Result string   `json:"result,omitempty"`
	Begins []string `json:"begins,omitempty"`
}

// encode writes the entry, one line of text a line.
func (e entry) encode() []byte {
	var b bytes.Buffer
	w := json.NewEncoder(&b)
	w.SetEscapeHTML(false)
	w.SetIndent("", " ")
	_ = w.Encode(e) // strings alone: it can't fail
	return bytes.TrimSpace(b.Bytes())
}

// editTools are the tools that change files: with a call of one the work begins.
var editTools = [...]string{"Edit", "MultiEdit", "Write", "NotebookEdit"}

// line is what is read of a line. Other fields, such as the whole result of a
// tool a second time, are passed over.
type line struct {
	// Sidechain: a sub-agent's own, in the files of older clients.
	Sidechain bool `json:"isSidechain"`
	// Meta: the client says it to the model, and nobody else did.
	Meta    bool `json:"isMeta"`
	Message struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"message"`
}

// block is a part of a message. Only these kinds are known: text, tool_use and
// tool_result. Thoughts and their signatures are never read, pictures are left out.
type block struct {
	Type  string                     `json:"type"`
	Text  string                     `json:"text"`
	Name  string                     `json:"name"`
	Input map[string]json.RawMessage `json:"input"`
	// Content is a result's: a text, or blocks.
	Content json.RawMessage `json:"content"`
	Failed  bool            `json:"is_error"`
}

// maxBlocks bounds the parts of one entry.
const maxBlocks = 40

// lineReader makes entries of lines, the latest of which comes first.
type lineReader struct {
	entries []entry
	// first is how many entries there are with the first edit, of those read.
	first int
	size  int // in bytes, of the texts in the entries
}

// read takes what is to be kept of a line.
func (r *lineReader) read(data []byte) {
	var l line
	role := &l.Message.Role
	if json.Unmarshal(data, &l) != nil || l.Sidechain || l.Meta || *role != "user" && *role != "assistant" {
		return
	}
	blocks := readBlocks(l.Message.Content)
	e, room := entry{Role: *role}, room(maxEntry)
	for _, b := range blocks {
		if p := b.part(&room); p != nil {
			e.Content = append(e.Content, p)
		}
	}
	if len(e.Content) == 0 {
		return
	}
	r.entries = append(r.entries, e)
	r.size += maxEntry - int(room)
	edits := func(b block) bool { return b.Type == "tool_use" && slices.Contains(editTools[:], b.Name) }
	if slices.ContainsFunc(blocks, edits) {
		r.first = len(r.entries)
	}
}

// readBlocks reads a message's content: a text, or blocks. A block that can't
// be read is left out.
func readBlocks(content json.RawMessage) []block {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return []block{{Type: "text", Text: text}}
	}
	var raw []json.RawMessage
	if json.Unmarshal(content, &raw) != nil {
		return nil
	}
	var blocks []block
	for _, data := range raw[:min(len(raw), maxBlocks)] {
		var b block
		if json.Unmarshal(data, &b) == nil {
			blocks = append(blocks, b)
		}
	}
	return blocks
}

// part makes a part of a block, as far as there is room; nil: nothing.
func (b block) part(room *room) *part {
	switch b.Type {
	case "text":
		if text := room.lines(b.Text, maxText); len(text) > 0 {
			return &part{Text: text}
		}
	case "tool_use":
		name := invisible.CutBytes(invisible.Line(invisible.FirstBytes(b.Name, 400)), 100)
		if name == "" {
			return nil
		}
		return &part{Tool: name, Input: room.lines(inputText(b.Input), maxInput)}
	case "tool_result":
		return b.result(room)
	}
	return nil
}

// inputText writes what a tool was called with: each field with its value, in
// the order of their names.
func inputText(input map[string]json.RawMessage) string {
	names := slices.Sorted(maps.Keys(input))
	var b strings.Builder
	for _, name := range names[:min(len(names), maxBlocks)] {
		value := string(input[name])
		var text string
		if json.Unmarshal(input[name], &text) == nil {
			value = text
		}
		b.WriteString(invisible.CutBytes(name, 100) + ": " + invisible.CutBytes(value, maxValue) + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// result summarises what a tool gave: whether it failed, how much it was, and how it
// began; of a failure more.
func (b block) result(room *room) *part {
	var texts []string
	for _, b := range readBlocks(b.Content) {
		if b.Type == "text" {
			texts = append(texts, b.Text)
		}
	}
	said, begins := "ok", maxBegin
	if b.Failed {
		said, begins = "failed", maxError
	}
	text, lines := strings.Join(texts, "\n"), 0
	if text != "" {
		lines = strings.Count(text, "\n") + 1
	}
	return &part{
		Result: fmt.Sprintf("%s, %d lines, %d bytes", said, lines, len(text)), Begins: room.lines(text, begins),
	}
}

// room is how many bytes are left for the texts of an entry.
type room int

// lines makes lines of a text: secrets are taken out, then what nobody sees, and
// at most limit bytes are left.
func (r *room) lines(text string, limit int) []string {
	limit = min(limit, int(*r))
	if limit <= 0 || strings.TrimSpace(text) == "" {
		return nil
	}
	// The cut must not go through a secret that would be known by its end.
	text = invisible.CutBytes(invisible.Lines(redact.Text(invisible.FirstBytes(text, limit+overlap))), limit)
	var lines []string
	for line := range strings.Lines(text) {
		rest := strings.TrimRight(line, "\r\n")
		for more := true; more; more = rest != "" {
			head := invisible.FirstBytes(rest, maxWidth)
			if *r -= room(len(head) + maxLineEnd); *r < 0 {
				return append(lines, invisible.Ellipsis)
			}
			lines, rest = append(lines, head), rest[len(head):]
		}
	}
	return lines
}
