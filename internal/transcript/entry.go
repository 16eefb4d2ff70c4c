package transcript

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/invisible"
)

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

// block is a part of a message. Only these kinds are known: text, tool_use,
// tool_result and image. Thoughts and their signatures are never read.
type block struct {
	Type  string                     `json:"type"`
	Text  string                     `json:"text"`
	ID    string                     `json:"id"`
	Name  string                     `json:"name"`
	Input map[string]json.RawMessage `json:"input"`
	Of    string                     `json:"tool_use_id"`
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
	// untold are results whose tool is not known yet: the call of it comes
	// later, for it was made before.
	untold map[string]*part
}

func newLineReader() *lineReader { return &lineReader{untold: map[string]*part{}} }

// full: no more than what was read fits into a share, whatever it looks like.
func (r *lineReader) full() bool { return r.size > MaxChunks*MaxChunk }

// work returns the entries from the first edit on; all of them where there was
// one earlier.
func (r *lineReader) work(earlier bool) []entry {
	if earlier {
		return r.entries
	}
	return r.entries[:r.first]
}

// read takes what is to be kept of a line.
func (r *lineReader) read(data []byte) {
	var l line
	if len(data) == 0 || json.Unmarshal(data, &l) != nil || l.Sidechain || l.Meta {
		return
	}
	role := l.Message.Role
	if role != "user" && role != "assistant" {
		return
	}
	blocks := readBlocks(l.Message.Content)
	e := entry{Role: role}
	room := newRoom()
	for _, b := range blocks {
		if p := r.part(b, room); p != nil {
			e.Content = append(e.Content, p)
		}
	}
	if len(e.Content) == 0 {
		return
	}
	r.entries = append(r.entries, e)
	r.size += room.used()
	if slices.ContainsFunc(blocks, isEdit) {
		r.first = len(r.entries)
	}
}

func isEdit(b block) bool {
	return b.Type == "tool_use" && slices.Contains(editTools[:], b.Name)
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
func (r *lineReader) part(b block, room *room) *part {
	switch b.Type {
	case "text":
		if text := room.lines(b.Text, maxText); len(text) > 0 {
			return &part{Text: text}
		}
	case "tool_use":
		p := &part{Tool: room.word(b.Name), Input: room.lines(inputText(b.Input), maxInput)}
		if p.Tool == "" {
			return nil
		}
		if result := r.untold[b.ID]; result != nil {
			result.Tool = p.Tool
			delete(r.untold, b.ID)
		}
		return p
	case "tool_result":
		p := resultPart(b, room)
		if b.Of != "" {
			r.untold[b.Of] = p
		}
		return p
	case "image":
		return &part{Text: []string{"(a picture)"}}
	}
	return nil
}

// inputText writes what a tool was called with: each field with its value, in
// the order of their names.
func inputText(input map[string]json.RawMessage) string {
	var names []string
	for name := range input {
		names = append(names, name)
	}
	slices.Sort(names)
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
