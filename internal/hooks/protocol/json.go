package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// Fields are the members of an object as a client reads it: a key is matched with
// its case, and the last of several counts. What decides is read through them, never
// into a struct, which encoding/json fills whatever the case.
type Fields map[string]json.RawMessage

// Object reads an object; nil: raw is none.
func Object(raw json.RawMessage) Fields { return as[Fields](raw) }

// List reads an array; nil: raw is none.
func List(raw json.RawMessage) []json.RawMessage { return as[[]json.RawMessage](raw) }

// Text is a member that is a string, "" for any other.
func (f Fields) Text(key string) string { return as[string](f[key]) }

// Truth reports a member that is true.
func (f Fields) Truth(key string) bool { return as[bool](f[key]) }

// Whole is a member that is a number, without its fraction; 0 for any other.
func (f Fields) Whole(key string) int64 {
	if n := as[float64](f[key]); n >= 0 && n <= 1<<53 {
		return int64(n)
	}
	return 0
}

// as reads a value of a type; the zero value where it is of another.
func as[T any](raw json.RawMessage) T {
	var value, none T
	if json.Unmarshal(raw, &value) != nil {
		return none
	}
	return value
}

// Value is a JSON value and where it stands in its text, so that a text can be changed in
// one place and kept byte for byte everywhere else, and a key that stands twice is seen.
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
