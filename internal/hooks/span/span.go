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
)

// Value is a JSON value and where it stands.
type Value struct {
	Kind       byte // its first byte: { [ " t f n or a number's
	Start, End int
	Text       string // of a string
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
	if rest, marked := bytes.CutPrefix(data, []byte("\ufeff")); marked {
		data = append([]byte("   "), rest...)
	}
	if !json.Valid(data) {
		return Value{}, ErrNotJSON
	}
	r := reader{json.NewDecoder(bytes.NewReader(data)), data}
	return r.value(), nil
}

// reader walks over JSON that is known to be valid.
type reader struct {
	*json.Decoder
	data []byte
}

// next is where the next value or key begins.
func (r reader) next() int {
	return len(r.data) - len(bytes.TrimLeft(r.data[r.InputOffset():], " \t\r\n,:"))
}

func (r reader) value() Value {
	v := Value{Start: r.next()}
	v.Kind = r.data[v.Start]
	token, _ := r.Token()
	v.Text, _ = token.(string)
	if v.Kind == '{' || v.Kind == '[' {
		for r.More() {
			p := Part{Start: r.next()}
			if v.Kind == '{' {
				key, _ := r.Token()
				p.Key, _ = key.(string)
			}
			p.Value = r.value()
			v.Parts = append(v.Parts, p)
		}
		_, _ = r.Token()
	}
	v.End = int(r.InputOffset())
	return v
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

// Twice reports whether an object in v has a key more than once, in whatever case:
// one reader takes the last, another the first, a third does not tell cases apart.
func (v Value) Twice() bool {
	seen := make(map[string]bool, len(v.Parts))
	return slices.ContainsFunc(v.Parts, func(p Part) bool {
		key := strings.ToLower(strings.ToUpper(p.Key)) // ſ is an S to them, too
		again := v.Kind == '{' && seen[key]
		seen[key] = true
		return again || p.Value.Twice()
	})
}
