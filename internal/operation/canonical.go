package operation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
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
	c := canonical{dec: json.NewDecoder(bytes.NewReader(data))}
	c.dec.UseNumber()
	out, err := c.value(make([]byte, 0, len(data)+1), 0)
	switch {
	case err != nil:
		return nil, err
	case !json.Valid(data): // a Decoder takes some of that, and what follows a value
		return nil, errNoJSON
	case c.replaced != bytes.Count(data, []byte(replacement)):
		return nil, ErrNoText
	}
	return append(out, '\n'), nil
}

// replacement is what encoding/json reads for half a surrogate pair.
const replacement = string(utf8.RuneError)

// canonical rewrites valid JSON; replaced counts the replacements in its strings.
type canonical struct {
	dec      *json.Decoder
	replaced int
}

// value appends the next value to out.
func (c *canonical) value(out []byte, depth int) ([]byte, error) {
	token, err := c.dec.Token()
	if err != nil {
		return nil, errNoJSON
	}
	switch v := token.(type) {
	case json.Delim:
		if depth == maxDepth {
			return nil, errDeep
		}
		if v == '{' {
			return c.object(out, depth+1)
		}
		return c.array(out, depth+1)
	case string:
		return c.text(out, v), nil
	case json.Number:
		f, err := v.Float64()
		if whole := !strings.ContainsAny(v.String(), ".eE"); err != nil || whole && math.Abs(f) > maxWhole {
			return nil, errNumber
		}
		return appendNumber(out, f), nil
	case bool:
		return strconv.AppendBool(out, v), nil
	}
	return append(out, "null"...), nil
}

func (c *canonical) array(out []byte, depth int) ([]byte, error) {
	out = append(out, '[')
	for first := true; c.dec.More(); first = false {
		if !first {
			out = append(out, ',')
		}
		var err error
		if out, err = c.value(out, depth); err != nil {
			return nil, err
		}
	}
	_, _ = c.dec.Token() // the end
	return append(out, ']'), nil
}

func (c *canonical) object(out []byte, depth int) ([]byte, error) {
	type member struct {
		key   string
		value []byte
	}
	var members []member
	for c.dec.More() {
		key, _ := c.dec.Token()
		name, is := key.(string)
		if !is {
			return nil, errNoJSON
		}
		value, err := c.value(nil, depth)
		if err != nil {
			return nil, err
		}
		members = append(members, member{name, value})
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
		out = append(append(c.text(out, m.key), ':'), m.value...)
	}
	_, _ = c.dec.Token() // the end
	return append(out, '}'), nil
}

// compareKeys orders keys by their UTF-16 code units. That differs from the order
// of their bytes only beyond U+FFFF.
func compareKeys(a, b string) int {
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}

// text appends a string: escaped are the quote, the backslash and what is below
// U+0020, all else stands as it is.
func (c *canonical) text(out []byte, s string) []byte {
	c.replaced += strings.Count(s, replacement)
	out = append(out, '"')
	const short, letters = "\"\\\b\f\n\r\t", `"\bfnrt`
	for i := range len(s) {
		b := s[i]
		if at := strings.IndexByte(short, b); at >= 0 {
			out = append(out, '\\', letters[at])
		} else if b < ' ' {
			out = fmt.Appendf(out, `\u%04x`, b)
		} else {
			out = append(out, b)
		}
	}
	return append(out, '"')
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
