package transcript

import (
	"bytes"
	"encoding/json"
	"strconv"
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
	if w.Encode(e) != nil { // strings alone: it can't fail
		return nil
	}
	return bytes.TrimSpace(b.Bytes())
}

// resultPart summarises what a tool gave: whether it failed, how much it was,
// and how it began; of a failure more.
func resultPart(b block, room *room) *part {
	text, pictures := resultText(b.Content)
	said, begins := "ok", maxBegin
	if b.Failed {
		said, begins = "failed", maxError
	}
	lines := strings.Count(text, "\n") + 1
	if text == "" {
		lines = 0
	}
	said += ", " + strconv.Itoa(lines) + " lines, " + strconv.Itoa(len(text)) + " bytes"
	if pictures > 0 {
		said += ", " + strconv.Itoa(pictures) + " pictures"
	}
	return &part{Result: said, Begins: room.lines(text, begins)}
}

// resultText is what a tool gave as text, and how many pictures.
func resultText(content json.RawMessage) (text string, pictures int) {
	var texts []string
	for _, b := range readBlocks(content) {
		switch b.Type {
		case "text":
			texts = append(texts, b.Text)
		case "image":
			pictures++
		}
	}
	return strings.Join(texts, "\n"), pictures
}

// room is what is left for the parts of an entry, so that no entry is larger
// than a chunk, however it is written.
type room struct{ bytes, count int }

const roomBytes = 12_000

func newRoom() *room { return &room{bytes: roomBytes, count: 400} }

// used is how many bytes were taken.
func (r *room) used() int { return roomBytes - r.bytes }

// lines makes lines of a text: secrets are taken out, then what nobody sees, and
// at most limit bytes are left.
func (r *room) lines(text string, limit int) []string {
	limit = min(limit, r.bytes)
	if limit <= 0 || strings.TrimSpace(text) == "" {
		return nil
	}
	// The cut must not go through a secret that would be known by its end.
	text = invisible.CutBytes(invisible.Lines(redact.Text(invisible.FirstBytes(text, limit+overlap))), limit)
	r.bytes -= len(text)
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		for len(line) > maxWidth && r.count > 0 {
			head := invisible.FirstBytes(line, maxWidth)
			lines, line = append(lines, head), line[len(head):]
			r.count--
		}
		if r.count <= 0 {
			return append(lines, invisible.Ellipsis)
		}
		lines = append(lines, line)
		r.count--
	}
	return lines
}

// word is a name of one line.
func (r *room) word(name string) string {
	name = invisible.CutBytes(invisible.Line(invisible.FirstBytes(name, 400)), 100)
	r.bytes -= len(name)
	return name
}
