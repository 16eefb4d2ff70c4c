package ui

import (
	"math"
	"strings"
)

// Bars draws shares as bars of Width columns: with blocks to an eighth of a
// column, or where Plain with number signs.
type Bars struct {
	Width int
	Plain bool
}

// Bar draws value, where most is a full bar. What is more than nothing shows.
func (b Bars) Bar(value, most float64) string {
	const eighths = "▏▎▍▌▋▊▉"
	if value <= 0 || most <= 0 || b.Width <= 0 {
		return ""
	}
	part := min(1, value/most) * float64(b.Width)
	if b.Plain {
		return strings.Repeat("#", max(1, int(math.Round(part))))
	}
	n := max(1, int(math.Round(part*8)))
	bar := strings.Repeat("█", n/8)
	if n%8 > 0 {
		const size = len("▏")
		bar += eighths[(n%8-1)*size : n%8*size]
	}
	return bar
}

// UnicodeWanted reports whether a terminal in a locale shows more than ASCII: by
// LC_ALL, LC_CTYPE and LANG, the first that says something.
func UnicodeWanted(locales ...string) bool {
	for _, l := range locales {
		if l != "" {
			l = strings.ToLower(l)
			return strings.Contains(l, "utf-8") || strings.Contains(l, "utf8")
		}
	}
	return false
}
