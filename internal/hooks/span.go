package hooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// span is a JSON value and where it stands in its text, so that a text can be
// changed in one place and kept byte for byte everywhere else.
type span struct {
	kind       byte // the value's first byte: { [ " t f n or a number's
	start, end int
	members    []member // of an object
	elements   []span   // of an array
}

type member struct {
	key   string
	start int // of the key
	value span
}

var errNotJSON = errors.New("not valid JSON")

// parseSpans reads one JSON value; a byte order mark before it is skipped.
func parseSpans(data []byte) (span, error) {
	bom := 0
	if bytes.HasPrefix(data, []byte("\ufeff")) {
		bom = len("\ufeff")
	}
	if !json.Valid(data[bom:]) {
		return span{}, errNotJSON
	}
	s := scanner{data: data, at: bom}
	return s.value(), nil
}

// scanner walks over JSON that is known to be valid.
type scanner struct {
	data []byte
	at   int
}

func (s *scanner) blanks() {
	for s.at < len(s.data) && isBlank(s.data[s.at]) {
		s.at++
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func (s *scanner) value() span {
	s.blanks()
	v := span{kind: s.data[s.at], start: s.at}
	switch v.kind {
	case '{':
		s.each('}', func() {
			m := member{start: s.at}
			m.key = s.text()
			s.blanks()
			s.at++ // the colon
			m.value = s.value()
			v.members = append(v.members, m)
		})
	case '[':
		s.each(']', func() { v.elements = append(v.elements, s.value()) })
	case '"':
		s.skipText()
	default:
		for s.at < len(s.data) && !isBlank(s.data[s.at]) && !bytes.ContainsRune([]byte(",]}"), rune(s.data[s.at])) {
			s.at++
		}
	}
	v.end = s.at
	return v
}

// each calls next at the start of every part of an object or array.
func (s *scanner) each(closing byte, next func()) {
	s.at++
	for s.blanks(); s.data[s.at] != closing; s.blanks() {
		if s.data[s.at] == ',' {
			s.at++
			s.blanks()
		}
		next()
	}
	s.at++
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

// twice reports whether an object in v has a key more than once, in whatever case:
// one reader takes the last, another the first, a third does not tell cases apart.
func (v span) twice() bool {
	seen := make(map[string]bool, len(v.members))
	for _, m := range v.members {
		key := strings.Map(foldRune, m.key)
		if seen[key] || m.value.twice() {
			return true
		}
		seen[key] = true
	}
	return slices.ContainsFunc(v.elements, span.twice)
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

// member returns the last one of that key, which is the one that counts.
func (v span) member(key string) (member, bool) {
	for i := len(v.members) - 1; i >= 0; i-- {
		if v.members[i].key == key {
			return v.members[i], true
		}
	}
	return member{}, false
}

// text is the value of a string, "" of anything else.
func (v span) text(data []byte) string {
	var text string
	if v.kind != '"' || json.Unmarshal(data[v.start:v.end], &text) != nil {
		return ""
	}
	return text
}

// withMember returns the object data with the value of one member changed and
// everything else as it is. Members that are null are left out: the client
// takes no null, and an option that is null is one that is not given.
func withMember(data json.RawMessage, key string, value []byte) (json.RawMessage, bool) {
	object, err := parseSpans(data)
	if err != nil || object.kind != '{' {
		return nil, false
	}
	if _, found := object.member(key); !found {
		return nil, false
	}
	out := []byte{'{'}
	for i, m := range object.members {
		last, _ := object.member(m.key)
		if last.start != object.members[i].start || m.value.kind == 'n' {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		if m.key == key {
			out = append(out, data[m.start:m.value.start]...)
			out = append(out, value...)
			continue
		}
		out = append(out, data[m.start:m.value.end]...)
	}
	return append(out, '}'), true
}
