package document

// maxNested is how deep quotes and list items may stand in each other. What is
// deeper is text: no document that people write goes there.
const maxNested = 32

// codeIndent is how many columns make a line code.
const codeIndent = 4

// cursor walks along a line in columns, where a tab goes on to the next column
// that can be divided by four, and may be used up in parts.
type cursor struct {
	s   string
	at  int // offset in s
	col int
	// inTab are the columns of the tab at offset at that are left.
	inTab int
}

// indent is how many columns of blanks are ahead, and the offset behind them.
func (c *cursor) indent() (columns, next int) {
	next = c.at
	if c.inTab > 0 {
		columns, next = c.inTab, c.at+1
	}
	for next < len(c.s) {
		switch c.s[next] {
		case ' ':
			columns++
		case '\t':
			columns += tabWidth(c.col + columns)
		default:
			return columns, next
		}
		next++
	}
	return columns, next
}

func tabWidth(col int) int { return 4 - col%4 }

// columns goes on by up to n columns of blanks.
func (c *cursor) columns(n int) {
	for n > 0 && c.at < len(c.s) {
		switch c.s[c.at] {
		case ' ':
			c.at++
			c.col++
			n--
		case '\t':
			if c.inTab == 0 {
				c.inTab = tabWidth(c.col)
			}
			step := min(c.inTab, n)
			c.col += step
			n -= step
			if c.inTab -= step; c.inTab == 0 {
				c.at++
			}
		default:
			return
		}
	}
}

// bytes goes on by n bytes that are no blanks.
func (c *cursor) bytes(n int) {
	c.at += n
	c.col += n
}

// rest is what is ahead; of a tab that was used up in part, its columns.
func (c *cursor) rest() string {
	if c.inTab > 0 {
		return "    "[:c.inTab] + c.s[c.at+1:]
	}
	return c.s[c.at:]
}
