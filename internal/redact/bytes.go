package redact

import "strings"

// A charset reports the bytes that a word is made of.
type charset func(byte) bool

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func alnum(c byte) bool { return isDigit(c) || small(c) >= 'a' && small(c) <= 'z' }

func dotted(c byte) bool { return alnum(c) || c == '_' || c == '-' || c == '.' }

func base64(c byte) bool { return dotted(c) && c != '.' || c == '+' || c == '/' || c == '=' }

func small(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + ('a' - 'A')
	}
	return c
}

// run is the end of the bytes of set that begin at i.
func run(s string, i int, set charset) int {
	for i < len(s) && set(s[i]) {
		i++
	}
	return i
}

// hasFold is strings.HasPrefix for letters of either case.
func hasFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}
