package operation

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth bounds how deep JSON may nest.
const maxDepth = 64

// maxWhole is the highest whole number, either way, that every reader of JSON has.
const maxWhole = 1<<53 - 1

// ErrNoText is Canonical's error for a string that is not UTF-8.
var ErrNoText = errors.New("a string in it is not UTF-8")

var (
	errNoJSON = errors.New("it is no JSON")
	errTwice  = errors.New("a field is there twice")
	errNumber = errors.New("a number in it is not the same for every reader")
	errDeep   = fmt.Errorf("it nests deeper than %d", maxDepth)
)

// Canonical rewrites one JSON value so that equal values have equal bytes, and
// ends it with a newline. The form is that of RFC 8785: no blanks, keys in the
// order of their UTF-16 code units, numbers as ECMAScript writes them, in strings
// no escapes but those that JSON needs. Refused is what two readers could read in
// two ways: what is not UTF-8, half a surrogate pair, a key that is there twice, a
// whole number beyond 2^53-1, a number beyond a float64.
//
// An escaped U+FFFD is refused as what is not UTF-8: encoding/json writes it for
// bytes that are no text, and the character itself as it is.
func Canonical(data []byte) ([]byte, error) {
	if !utf8.Valid(data) {
		return nil, ErrNoText
	}
	r := canonicalReader{data: data}
	out, err := r.value(make([]byte, 0, len(data)+1), 0)
	if err != nil {
		return nil, err
	}
	if r.peek() != 0 || r.at < len(data) {
		return nil, errNoJSON
	}
	return append(out, '\n'), nil
}

// canonicalReader reads JSON; each of its methods appends what it read to out.
type canonicalReader struct {
	data []byte
	at   int
}

// peek skips blanks and returns the next byte, 0 at the end.
func (r *canonicalReader) peek() byte {
	for ; r.at < len(r.data); r.at++ {
		switch c := r.data[r.at]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

// take skips blanks and the byte c; it reports whether that came next.
func (r *canonicalReader) take(c byte) bool {
	if r.peek() != c {
		return false
	}
	r.at++
	return true
}

func (r *canonicalReader) value(out []byte, depth int) ([]byte, error) {
	switch r.peek() {
	case '{':
		return r.object(out, depth+1)
	case '[':
		return r.array(out, depth+1)
	case '"':
		text, err := r.text()
		return AppendString(out, text), err
	}
	for _, literal := range []string{"true", "false", "null"} {
		if bytes.HasPrefix(r.data[r.at:], []byte(literal)) {
			r.at += len(literal)
			return append(out, literal...), nil
		}
	}
	return r.number(out)
}

func (r *canonicalReader) array(out []byte, depth int) ([]byte, error) {
	if depth > maxDepth {
		return nil, errDeep
	}
	r.take('[')
	out = append(out, '[')
	if r.take(']') {
		return append(out, ']'), nil
	}
	for {
		var err error
		if out, err = r.value(out, depth); err != nil {
			return nil, err
		}
		switch {
		case r.take(','):
			out = append(out, ',')
		case r.take(']'):
			return append(out, ']'), nil
		default:
			return nil, errNoJSON
		}
	}
}

// member is a field of an object, its value in canonical form.
type member struct {
	key   string
	value []byte
}

func (r *canonicalReader) object(out []byte, depth int) ([]byte, error) {
	if depth > maxDepth {
		return nil, errDeep
	}
	r.take('{')
	var members []member
	for more := !r.take('}'); more; {
		if r.peek() != '"' {
			return nil, errNoJSON
		}
		key, err := r.text()
		if err != nil {
			return nil, err
		}
		if !r.take(':') {
			return nil, errNoJSON
		}
		value, err := r.value(nil, depth)
		if err != nil {
			return nil, err
		}
		members = append(members, member{key, value})
		if more = r.take(','); !more && !r.take('}') {
			return nil, errNoJSON
		}
	}
	slices.SortFunc(members, func(a, b member) int { return compareKeys(a.key, b.key) })
	out = append(out, '{')
	for i, m := range members {
		if i > 0 {
			if members[i-1].key == m.key {
				return nil, errTwice
			}
			out = append(out, ',')
		}
		out = append(append(AppendString(out, m.key), ':'), m.value...)
	}
	return append(out, '}'), nil
}

// compareKeys orders keys by their UTF-16 code units. That differs from the order
// of their bytes only beyond U+FFFF.
func compareKeys(a, b string) int {
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}
