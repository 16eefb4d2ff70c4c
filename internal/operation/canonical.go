package operation

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth bounds how deep JSON may nest.
const maxDepth = 64

// maxWhole is the highest whole number, either way, that every reader of JSON has.
const maxWhole = 1<<53 - 1

var (
	errNoJSON = errors.New("it is no JSON")
	errNoText = errors.New("a string in it is not UTF-8")
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
		return nil, errNoText
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

// text reads a string.
func (r *canonicalReader) text() (string, error) {
	r.at++ // the quote
	var text []byte
	for r.at < len(r.data) {
		switch c := r.data[r.at]; {
		case c == '"':
			r.at++
			return string(text), nil
		case c < ' ':
			return "", errNoJSON
		case c == '\\':
			char, err := r.escaped()
			if err != nil {
				return "", err
			}
			text = utf8.AppendRune(text, char)
		default:
			text = append(text, c)
			r.at++
		}
	}
	return "", errNoJSON
}

// escaped reads what begins with a backslash.
func (r *canonicalReader) escaped() (rune, error) {
	if r.at+1 >= len(r.data) {
		return 0, errNoJSON
	}
	const short, meant = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	c := r.data[r.at+1]
	if i := bytes.IndexByte([]byte(short), c); i >= 0 {
		r.at += 2
		return rune(meant[i]), nil
	}
	unit, err := r.unit()
	if err != nil || !utf16.IsSurrogate(unit) {
		if unit == utf8.RuneError {
			return 0, errNoText
		}
		return unit, err
	}
	if r.at >= len(r.data) || r.data[r.at] != '\\' {
		return 0, errNoText
	}
	second, err := r.unit()
	if err != nil {
		return 0, err
	}
	if unit = utf16.DecodeRune(unit, second); unit == utf8.RuneError {
		return 0, errNoText
	}
	return unit, nil
}

// unit reads a UTF-16 code unit, \uXXXX.
func (r *canonicalReader) unit() (rune, error) {
	const size = 6
	if len(r.data)-r.at < size || r.data[r.at+1] != 'u' {
		return 0, errNoJSON
	}
	n, err := strconv.ParseUint(string(r.data[r.at+2:r.at+size]), 16, 16)
	if err != nil {
		return 0, errNoJSON
	}
	r.at += size
	return rune(n), nil
}

// number reads a number: digits, a fraction, an exponent.
func (r *canonicalReader) number(out []byte) ([]byte, error) {
	start := r.at
	skip := func(set string) int {
		from := r.at
		for r.at < len(r.data) && bytes.IndexByte([]byte(set), r.data[r.at]) >= 0 {
			r.at++
		}
		return r.at - from
	}
	const digits = "0123456789"
	r.skipOne("-")
	first := r.at
	if n := skip(digits); n == 0 || n > 1 && r.data[first] == '0' {
		return nil, errNoJSON
	}
	whole := true
	if r.skipOne(".") {
		if whole = false; skip(digits) == 0 {
			return nil, errNoJSON
		}
	}
	if r.skipOne("eE") {
		r.skipOne("+-")
		if whole = false; skip(digits) == 0 {
			return nil, errNoJSON
		}
	}
	f, err := strconv.ParseFloat(string(r.data[start:r.at]), 64)
	if err != nil || whole && math.Abs(f) > maxWhole {
		return nil, errNumber
	}
	return appendNumber(out, f), nil
}

// skipOne skips the next byte where it is one of some; it reports whether it did.
func (r *canonicalReader) skipOne(of string) bool {
	if r.at == len(r.data) || bytes.IndexByte([]byte(of), r.data[r.at]) < 0 {
		return false
	}
	r.at++
	return true
}

// appendNumber appends a number as ECMAScript writes it: the shortest digits that
// mean it, with an exponent below 1e-6 and from 1e21 on.
func appendNumber(out []byte, f float64) []byte {
	const small, large = 1e-6, 1e21
	size := math.Abs(f)
	switch {
	case f == 0: // not -0
		return append(out, '0')
	case size >= small && size < large:
		return strconv.AppendFloat(out, f, 'f', -1, 64)
	}
	digits := strconv.AppendFloat(nil, f, 'e', -1, 64)
	// Of an exponent of one digit Go makes two.
	return append(out, bytes.Replace(digits, []byte("e-0"), []byte("e-"), 1)...)
}

// AppendString appends a string as Canonical writes it: escaped are the quote, the
// backslash and what is below U+0020, all else stands as it is.
func AppendString(out []byte, s string) []byte {
	out = append(out, '"')
	const short, letters = "\"\\\b\f\n\r\t", `"\bfnrt`
	for i := range len(s) {
		c := s[i]
		if at := bytes.IndexByte([]byte(short), c); at >= 0 {
			out = append(out, '\\', letters[at])
		} else if c < ' ' {
			out = fmt.Appendf(out, `\u%04x`, c)
		} else {
			out = append(out, c)
		}
	}
	return append(out, '"')
}
