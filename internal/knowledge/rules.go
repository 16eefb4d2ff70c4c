package knowledge

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/markdown"
	"github.com/git-brew/git-brew/internal/operation"
)

// Rules is what an export did to one file.
type Rules struct {
	// Data is the file as it is now to be; equal to what was there when
	// nothing is added.
	Data []byte
	// Added are the entries that got rows, Skipped those that the file or the
	// instructions say already. Both may be pruned.
	Added, Skipped []operation.ID
}

// shape is what a rules file's table looks like.
type shape struct {
	file    string
	title   string
	columns [4]string
	// text is how many of the cells behind the number are compared.
	text int
}

// shapeOf is the shape of a kind's file; facts have none.
func shapeOf(k Kind) (shape, bool) {
	switch k {
	case Avoid:
		return shape{"avoid.md", "Avoid", [4]string{"#", "Avoid", "Instead", "Why"}, 3}, true
	case Practice:
		return shape{"best-practice.md", "Best practice", [4]string{"#", "Practice", "Context", "Source"}, 1}, true
	default:
		return shape{}, false
	}
}

// RulesFile is the name of the file that a kind's entries are exported to,
// behind prefix and a dash where there is one; "" for facts.
func RulesFile(k Kind, prefix string) string {
	s, _ := shapeOf(k)
	if prefix == "" || s.file == "" {
		return s.file
	}
	return prefix + "-" + s.file
}

// RenderRules adds rows for the entries of kind k, in rank order, to the first
// table of its shape in existing. An empty file gets front matter, a title and
// a table; another one without such a table gets it at its end. All that was
// there stays, byte for byte.
//
// An entry that a row says already, in the same words, or one of the lines of the
// instructions that stand anyway, is skipped. Rendering what was rendered adds nothing.
func RenderRules(existing []byte, k Kind, entries []Entry, instructions ...string) Rules {
	result := Rules{Data: existing}
	p, ok := readPage(existing, k, instructions)
	if !ok {
		return result
	}
	all := slices.DeleteFunc(knowledgeOf(entries), func(r *ranked) bool { return r.T != k })
	var rows []string
	for _, r := range all {
		cells := p.cells(r.Entry)
		key := p.key(cells)
		switch {
		case key == "":
		case p.says(r.Entry):
			result.Skipped = append(result.Skipped, r.ID)
		default:
			p.last++
			p.rows[key] = true
			rows = append(rows, markdown.Row(strconv.Itoa(p.last), cells[0], cells[1], cells[2]))
			result.Added = append(result.Added, r.ID)
		}
	}
	if len(rows) > 0 {
		result.Data = p.insert(existing, rows, rulePaths(all))
	}
	return result
}

// Said are the entries of kind k that a row of a rules file, or a line of the
// instructions, says already in the same words.
func Said(existing []byte, k Kind, entries []Entry, instructions ...string) []operation.ID {
	p, _ := readPage(existing, k, instructions)
	var said []operation.ID
	for _, e := range entries {
		if e.T == k && p.says(e) {
			said = append(said, e.ID)
		}
	}
	return said
}

// cells are an entry's three cells behind the number. A text to avoid is taken
// apart only where it leaves no choice: "X; use Y because Z", "X because Z".
func (s shape) cells(e Entry) [3]string {
	txt := invisible.Line(e.Txt)
	if s.text == 1 {
		return [3]string{txt, strings.Join(e.Paths, ", "), invisible.Line(e.Src)}
	}
	avoid, why := cutOnce(txt, " because ")
	avoid, instead := cutOnce(avoid, "; use ", "; instead ", ", instead ", " - use ", ". Use ", ". Instead ")
	if left := avoid + " " + instead + " " + why; strings.Contains(left, "; use ") || strings.Contains(left, " because ") {
		return [3]string{txt, "", ""}
	}
	return [3]string{avoid, instead, why}
}

// cutOnce cuts s around the one of seps that it holds, where it has text on both sides.
func cutOnce(s string, seps ...string) (before, after string) {
	for _, sep := range seps {
		before, after, _ := strings.Cut(s, sep)
		if len(words(before)) > 0 && len(words(after)) > 0 {
			return strings.TrimSpace(before), strings.TrimSpace(after)
		}
	}
	return s, ""
}

// key is what an entry, or a row, says: the same where it is equal. "" where it has no
// word.
func (s shape) key(cells [3]string) string {
	compared := cells[:s.text]
	if len(words(strings.Join(compared, " "))) == 0 {
		return ""
	}
	key := ""
	for _, cell := range compared {
		key += Normalize(cell) + "\n"
	}
	return key
}

// rulePaths are the globs that a new file applies to: those of the entries,
// all files when one entry is about all.
func rulePaths(all []*ranked) []string {
	var paths []string
	for _, r := range all {
		if len(r.Paths) == 0 {
			return []string{"**/*"}
		}
		paths = append(paths, r.Paths...)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// page is a rules file, and the instructions beside it, as far as an export has to know
// them.
type page struct {
	shape
	rows  map[string]bool // what its rows say, see shape.key
	lines map[string]bool // what the lines of the instructions say, with their marks and without
	last  int             // the highest number
	end   int             // where new rows go; -1 without a table
}

// readPage finds the first table of the kind's shape; not ok for a kind without one.
func readPage(data []byte, k Kind, instructions []string) (p page, ok bool) {
	p = page{rows: map[string]bool{}, lines: map[string]bool{}, end: -1}
	if p.shape, ok = shapeOf(k); !ok {
		return p, false
	}
	for _, line := range instructions {
		line = strings.TrimLeft(line, "-*+># ")
		p.lines[Normalize(line)], p.lines[Normalize(strings.ReplaceAll(line, "`", ""))] = true, true
	}
	at := 0
	for raw := range bytes.Lines(data) {
		at += len(raw)
		line := strings.TrimSpace(string(raw))
		cells := markdown.Cells(line)
		switch isRow := strings.HasPrefix(line, "|"); {
		case p.end < 0 && isRow && slices.EqualFunc(cells, p.columns[:], strings.EqualFold):
			p.end = at
		case p.end >= 0 && !isRow:
			return p, true
		case p.end >= 0:
			p.end = at
			p.add(cells)
		}
	}
	return p, true
}

// add takes a row in; one that parts the head from the others says nothing.
func (p *page) add(cells []string) {
	if strings.Trim(strings.Join(cells, ""), "-:") == "" {
		return
	}
	cells = append(cells, "", "", "", "")
	p.rows[p.key([3]string(cells[1:4]))] = true
	p.last = max(p.last, len(p.rows))
	if n, err := strconv.Atoi(cells[0]); err == nil && n < 1<<20 {
		p.last = max(p.last, n)
	}
}

func (p *page) says(e Entry) bool {
	key := p.key(p.cells(e))
	return key != "" && (p.rows[key] || p.lines[Normalize(e.Txt)])
}

// insert puts rows behind the table's last one, or makes the table first.
func (p *page) insert(data []byte, rows, paths []string) []byte {
	at, above := p.end, ""
	if at < 0 {
		at, above = len(data), "\n"
		rows = append([]string{markdown.Row(p.columns[:]...), strings.Repeat("|---", len(p.columns)) + "|"}, rows...)
	}
	if len(bytes.TrimSpace(data)) == 0 {
		at, data, above = 0, nil, "---\npaths:\n"
		for _, path := range paths {
			above += "  - " + strconv.Quote(path) + "\n"
		}
		above += "---\n\n# " + p.title + "\n\n"
	} else if at > 0 && data[at-1] != '\n' {
		above = "\n" + above
	}
	text := above + strings.Join(rows, "\n") + "\n"
	if bytes.Contains(data, []byte("\r\n")) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return slices.Concat(data[:at], []byte(text), data[at:])
}
