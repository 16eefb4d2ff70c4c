package document

import "strings"

// atx reads a heading that begins with number signs; level 0: it is none.
func atx(s string) (level int, title string) {
	for level < len(s) && s[level] == '#' {
		level++
	}
	if level < 1 || level > 6 || level < len(s) && s[level] != ' ' && s[level] != '\t' {
		return 0, ""
	}
	title = strings.Trim(s[level:], " \t")
	if end := strings.TrimRight(title, "#"); end == "" || len(end) < len(title) && (end[len(end)-1] == ' ' || end[len(end)-1] == '\t') {
		title = strings.TrimRight(end, " \t")
	}
	return level, title
}

// fenceOf is the fence that begins a block of code; 0: none.
func fenceOf(s string) (fence byte, n int) {
	if s[0] != '`' && s[0] != '~' {
		return 0, 0
	}
	for n < len(s) && s[n] == s[0] {
		n++
	}
	if n < 3 || s[0] == '`' && strings.IndexByte(s[n:], '`') >= 0 {
		return 0, 0
	}
	return s[0], n
}

func (p *blockParser) closesFence(s string) bool {
	n := 0
	for n < len(s) && s[n] == p.fence {
		n++
	}
	return n >= p.fenceLen && strings.Trim(s[n:], " \t") == ""
}

// isSetext reports a line that makes a heading of the paragraph above.
func isSetext(s string) bool {
	s = strings.TrimRight(s, " \t")
	return s != "" && (strings.Trim(s, "=") == "" || strings.Trim(s, "-") == "")
}

// isBreak reports a line across the page.
func isBreak(s string) bool {
	if s[0] != '-' && s[0] != '*' && s[0] != '_' {
		return false
	}
	n := 0
	for i := range len(s) {
		switch s[i] {
		case s[0]:
			n++
		case ' ', '\t':
		default:
			return false
		}
	}
	return n >= 3
}

// listMark is the length of the mark of a list's item, 0 for none; one says that
// it is the number one, which alone may stand behind a paragraph's line.
func listMark(s string) (n int, ordered, one bool) {
	switch {
	case s[0] == '-' || s[0] == '*' || s[0] == '+':
		n = 1
	default:
		for n < len(s) && n < 10 && s[n] >= '0' && s[n] <= '9' {
			n++
		}
		if n == 0 || n > 9 || n == len(s) || s[n] != '.' && s[n] != ')' {
			return 0, false, false
		}
		one = strings.TrimLeft(s[:n], "0") == "1"
		ordered = true
		n++
	}
	if n < len(s) && s[n] != ' ' && s[n] != '\t' {
		return 0, false, false
	}
	return n, ordered, one
}

// htmlTags are the names that begin a block of HTML wherever they stand.
const htmlTags = " address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset" +
	" figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu menuitem nav" +
	" noframes ol optgroup option p param search section summary table tbody td tfoot th thead title tr track ul "

// htmlRaw are the names whose contents are no Markdown, whatever it is.
const htmlRaw = " script pre style textarea "

// htmlStart reports what begins a block of HTML, and what ends it; "": a blank
// line.
func htmlStart(s string, interrupts bool) (kind Kind, end string, ok bool) {
	if len(s) < 2 || s[0] != '<' {
		return 0, "", false
	}
	switch {
	case strings.HasPrefix(s, "<!--"):
		return Comment, "-->", true
	case s[1] == '?':
		return HTML, "?>", true
	case strings.HasPrefix(s, "<![CDATA["):
		return HTML, "]]>", true
	case s[1] == '!' && len(s) > 2 && isLetter(s[2]):
		return HTML, ">", true
	}
	name, after, closing := tagName(s)
	if name == "" {
		return 0, "", false
	}
	known := " " + strings.ToLower(name) + " "
	edge := after == "" || after[0] == ' ' || after[0] == '\t' || after[0] == '>'
	switch {
	case !closing && edge && strings.Contains(htmlRaw, known):
		return HTML, "</", true
	case (edge || strings.HasPrefix(after, "/>")) && strings.Contains(htmlTags, known):
		return HTML, "", true
	case !interrupts && wholeTag(after, closing):
		return HTML, "", true
	}
	return 0, "", false
}

// endsHTML reports that a line ends a block of HTML.
func endsHTML(line, end string) bool {
	if end != "</" {
		return strings.Contains(line, end)
	}
	line = strings.ToLower(line)
	for name := range strings.FieldsSeq(htmlRaw) {
		if strings.Contains(line, "</"+name+">") {
			return true
		}
	}
	return false
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// tagName is the name in <name or </name.
func tagName(s string) (name, after string, closing bool) {
	s = s[1:]
	if s, closing = strings.CutPrefix(s, "/"); s == "" || !isLetter(s[0]) {
		return "", "", false
	}
	n := 1
	for n < len(s) && (isLetter(s[n]) || s[n] >= '0' && s[n] <= '9' || s[n] == '-') {
		n++
	}
	return s[:n], s[n:], closing
}

// wholeTag reports that a tag, from behind its name, is all that stands in the
// line.
func wholeTag(s string, closing bool) bool {
	if closing {
		rest, ok := strings.CutPrefix(strings.TrimLeft(s, " \t"), ">")
		return ok && strings.Trim(rest, " \t") == ""
	}
	for {
		trimmed := strings.TrimLeft(s, " \t")
		if rest, ok := strings.CutPrefix(strings.TrimPrefix(trimmed, "/"), ">"); ok {
			return strings.Trim(rest, " \t") == ""
		}
		if trimmed == s || trimmed == "" || !isLetter(trimmed[0]) && trimmed[0] != '_' && trimmed[0] != ':' {
			return false
		}
		var ok bool
		if s, ok = attribute(trimmed); !ok {
			return false
		}
	}
}

// attribute is what stands behind a tag's attribute.
func attribute(s string) (rest string, ok bool) {
	n := 0
	for n < len(s) && (isLetter(s[n]) || s[n] >= '0' && s[n] <= '9' || strings.IndexByte("_.:-", s[n]) >= 0) {
		n++
	}
	s = s[n:]
	value, has := strings.CutPrefix(strings.TrimLeft(s, " \t"), "=")
	if !has {
		return s, true
	}
	value = strings.TrimLeft(value, " \t")
	if value == "" {
		return "", false
	}
	if q := value[0]; q == '"' || q == '\'' {
		end := strings.IndexByte(value[1:], q)
		if end < 0 {
			return "", false
		}
		return value[end+2:], true
	}
	end := strings.IndexAny(value, " \t\"'=<>`")
	if end == 0 {
		return "", false
	}
	if end < 0 {
		return "", true
	}
	return value[end:], true
}
