package knowledge

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// page is a rules file as far as an export has to know it.
type page struct {
	says map[string]bool // what its rows say, see shape.key
	rows int
	last int // the highest number
	end  int // where new rows go; -1 without a table
	eol  string
	// fence is the mark of fenced code that the file's end leaves open.
	fence string
}

// parsePage finds the first table of the shape outside of fenced code.
func parsePage(data []byte, s shape) page {
	p := page{says: map[string]bool{}, end: -1, eol: "\n"}
	if i := bytes.IndexByte(data, '\n'); i > 0 && data[i-1] == '\r' {
		p.eol = "\r\n"
	}
	headed, inTable, at := false, false, 0 // headed: the line before was the header
	for raw := range bytes.Lines(data) {
		at += len(raw)
		line := strings.TrimSpace(string(raw))
		cells, isRow := splitRow(line)
		wasHead := headed
		headed = false
		switch {
		case inTable && !isRow:
			return p
		case inTable:
			p.end = at
			p.add(cells, s)
		case p.fence != "":
			if strings.HasPrefix(line, p.fence) {
				p.fence = ""
			}
		case strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~"):
			p.fence = line[:3]
		case wasHead && isRow && delimiters(cells):
			inTable, p.end = true, at
		default:
			headed = isRow && slices.EqualFunc(cells, s.columns[:], strings.EqualFold)
		}
	}
	return p
}

func (p *page) add(cells []string, s shape) {
	for len(cells) < len(s.columns) {
		cells = append(cells, "")
	}
	p.rows++
	n, err := strconv.Atoi(cells[0])
	if err != nil || n < 0 || n > 1<<20 {
		n = p.rows
	}
	p.last = max(p.last, n)
	p.says[s.key([3]string(cells[1:4]))] = true
}

// insert puts rows behind the table's last one, or makes the table first.
func (p *page) insert(data []byte, s shape, rows, paths []string) []byte {
	var lines []string
	at := p.end
	switch {
	case at >= 0:
	case len(bytes.TrimSpace(data)) == 0:
		data, at = nil, 0
		lines = append(lines, "---", "paths:")
		for _, path := range paths {
			lines = append(lines, "  - "+strconv.Quote(path))
		}
		lines = append(lines, "---", "", "# "+s.title, "")
		lines = append(lines, s.head()...)
	default:
		at = len(data)
		if p.fence != "" {
			lines = append(lines, p.fence)
		}
		lines = append(append(lines, ""), s.head()...)
	}
	lines = append(lines, rows...)

	var b bytes.Buffer
	b.Write(data[:at])
	if at > 0 && data[at-1] != '\n' {
		b.WriteString(p.eol)
	}
	for _, l := range lines {
		b.WriteString(l + p.eol)
	}
	b.Write(data[at:])
	return b.Bytes()
}

func (s shape) head() []string {
	return []string{tableRow(s.columns[:]...), strings.Repeat("|---", len(s.columns)) + "|"}
}

func delimiters(cells []string) bool {
	return !slices.ContainsFunc(cells, func(c string) bool {
		return strings.Trim(c, "-:") != "" || !strings.Contains(c, "-")
	})
}

func tableRow(cells ...string) string {
	var b strings.Builder
	b.WriteByte('|')
	for _, c := range cells {
		b.WriteString(" " + strings.ReplaceAll(c, "|", `\|`) + " |")
	}
	return b.String()
}

// splitRow takes a table's line apart; a bar behind a backslash is text.
func splitRow(line string) (cells []string, ok bool) {
	if len(line) < 2 || line[0] != '|' {
		return nil, false
	}
	from := 1
	for i := 1; i < len(line); i++ {
		if line[i] == '|' && line[i-1] != '\\' {
			cells = append(cells, unescapeCell(line[from:i]))
			from = i + 1
		}
	}
	if rest := strings.TrimSpace(line[from:]); rest != "" {
		cells = append(cells, unescapeCell(rest))
	}
	return cells, true
}

func unescapeCell(s string) string {
	return strings.TrimSpace(strings.ReplaceAll(s, `\|`, "|"))
}
