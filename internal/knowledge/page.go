package knowledge

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/invisible"
)

// page is a rules file as far as an export has to know it.
type page struct {
	rows []row
	last int // the highest number
	end  int // where new rows go; -1 without a table
	eol  string
	// fence is the mark of fenced code that the file's end leaves open.
	fence string
}

// row is a row of the table: its number as it stands there, its text, and its words.
type row struct {
	number string
	key    string
	words  []string
}

// parsePage finds the first table of the shape outside of fenced code.
func parsePage(data []byte, s shape) page {
	p := page{end: -1, eol: "\n"}
	if i := bytes.IndexByte(data, '\n'); i > 0 && data[i-1] == '\r' {
		p.eol = "\r\n"
	}
	const (
		outside = iota
		headed  // the line before was the header
		inTable
	)
	where := outside
	for at := 0; at < len(data); {
		next := len(data)
		if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
			next = at + i + 1
		}
		line := strings.TrimSpace(string(data[at:next]))
		at = next
		cells, isRow := splitRow(line)
		switch {
		case where == inTable && !isRow:
			return p
		case where == inTable:
			p.end = at
			p.add(cells, s)
		case p.fence != "":
			if strings.HasPrefix(line, p.fence) {
				p.fence = ""
			}
		case strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~"):
			where, p.fence = outside, line[:3]
		case where == headed && isRow && delimiters(cells):
			where, p.end = inTable, at
		case isRow && s.heads(cells):
			where = headed
		default:
			where = outside
		}
	}
	return p
}

func (p *page) add(cells []string, s shape) {
	for len(cells) < len(s.columns) {
		cells = append(cells, "")
	}
	n, err := strconv.Atoi(cells[0])
	if err != nil || n < 0 || n > 1<<20 {
		n = len(p.rows) + 1
	}
	p.last = max(p.last, n)
	key, set := s.compared([3]string(cells[1:4]))
	p.rows = append(p.rows, row{invisible.Cut(strings.Join(strings.Fields(invisible.Line(cells[0])), ""), 12), key, set})
}

// says reports whether a row has the very text of another.
func (p *page) says(key string) bool {
	return slices.ContainsFunc(p.rows, func(r row) bool { return r.key == key })
}

// nearest is the number of the row that resembles set most.
func (p *page) nearest(set []string) (number string, most degree) {
	for _, r := range p.rows {
		if d := likeness(set, r.words); d > most {
			number, most = r.number, d
		}
	}
	return number, most
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

func (s shape) heads(cells []string) bool {
	return slices.EqualFunc(cells, s.columns[:], strings.EqualFold)
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
