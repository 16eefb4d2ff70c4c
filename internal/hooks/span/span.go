// Package span reads JSON with the place where each value stands in its text, so that a
// text can be changed in one place and kept byte for byte everywhere else, and so that
// a key that stands twice is seen.
package span

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Value is a JSON value and where it stands.
type Value struct {
	Kind       byte // its first byte: { [ " t f n or a number's
	Start, End int
	Parts      []Part // of an object or an array
}

// Part is a member of an object, or an element of an array, which has no key.
type Part struct {
	Key   string
	Start int // of the key, or of the element
	Value Value
}

// ErrNotJSON is returned for a text that is not one JSON value.
var ErrNotJSON = errors.New("not valid JSON")

// Parse reads one JSON value; a byte order mark before it is skipped.
func Parse(data []byte) (Value, error) {
	start := len(data) - len(bytes.TrimPrefix(data, []byte("\ufeff")))
	if !json.Valid(data[start:]) {
		return Value{}, ErrNotJSON
	}
	s := scanner{data: data, at: start}
	return s.value(), nil
}

// scanner walks over JSON that is known to be valid.
type scanner struct {
	data []byte
	at   int
}

func (s *scanner) blanks() {
	for s.at < len(s.data) && IsBlank(s.data[s.at]) {
		s.at++
	}
}

// IsBlank reports a byte that may stand between values.
func IsBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func (s *scanner) value() Value {
	s.blanks()
	v := Value{Kind: s.data[s.at], Start: s.at}
	switch v.Kind {
	case '{':
		v.Parts = s.parts('}')
	case '[':
		v.Parts = s.parts(']')
	case '"':
		s.skipText()
	default:
		for s.at < len(s.data) && !IsBlank(s.data[s.at]) && bytes.IndexByte([]byte(",]}"), s.data[s.at]) < 0 {
			s.at++
		}
	}
	v.End = s.at
	return v
}

// parts reads what is between the brackets of an object or an array.
func (s *scanner) parts(closing byte) []Part {
	var parts []Part
	s.at++
	for s.blanks(); s.data[s.at] != closing; s.blanks() {
		if s.data[s.at] == ',' {
			s.at++
			s.blanks()
		}
		p := Part{Start: s.at}
		if closing == '}' {
			p.Key = s.text()
			s.blanks()
			s.at++ // the colon
		}
		p.Value = s.value()
		parts = append(parts, p)
	}
	s.at++
	return parts
}

func (s *scanner) text() string {
	start := s.at
	s.skipText()
	raw := s.data[start:s.at]
	if bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return string(raw[1 : len(raw)-1])
	}
	var text string
	_ = json.Unmarshal(raw, &text)
	return text
}

func (s *scanner) skipText() {
	at := s.at + 1
	for ; s.data[at] != '"'; at++ {
		if s.data[at] == '\\' {
			at++
		}
	}
	s.at = at + 1
}

// Member returns the value of the last member of that key, which is the one that
// counts, and its index.
func (v Value) Member(key string) (Value, int) {
	for i := len(v.Parts) - 1; i >= 0 && v.Kind == '{'; i-- {
		if v.Parts[i].Key == key {
			return v.Parts[i].Value, i
		}
	}
	return Value{}, -1
}

// Text is the value of a string, "" of anything else.
func (v Value) Text(data []byte) string {
	var text string
	if v.Kind != '"' || json.Unmarshal(data[v.Start:v.End], &text) != nil {
		return ""
	}
	return text
}

// Twice reports whether an object in v has a key more than once, in whatever case:
// one reader takes the last, another the first, a third does not tell cases apart.
func (v Value) Twice() bool {
	seen := make(map[string]bool, len(v.Parts))
	return slices.ContainsFunc(v.Parts, func(p Part) bool {
		key := strings.Map(foldRune, p.Key)
		again := v.Kind == '{' && seen[key]
		seen[key] = true
		return again || p.Value.Twice()
	})
}

// foldRune gives runes that differ in case alone the same one.
func foldRune(r rune) rune {
	if r <= unicode.MaxASCII {
		return unicode.ToUpper(r)
	}
	least := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		least = min(least, other)
	}
	return least
}
