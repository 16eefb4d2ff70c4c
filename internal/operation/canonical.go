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
	switch {
	case !utf8.Valid(data):
		return nil, ErrNoText
	case !json.Valid(data):
		if nestsDeeper(data) {
			return nil, errDeep
		}
		return nil, errNoJSON
	}
	c := canonical{in: data}
	out, err := c.value(make([]byte, 0, len(data)+1), 0)
	switch {
	case err != nil:
		return nil, err
	case c.replaced != bytes.Count(data, []byte(replacement)):
		return nil, ErrNoText
	}
	return append(out, '\n'), nil
}

// nestsDeeper reports that what is no JSON opens more than maxDepth values before it ends.
func nestsDeeper(data []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(data) && depth <= maxDepth; i++ {
		switch b := data[i]; {
		case b == '"':
			quoted = !quoted
		case quoted && b == '\\':
			i++
		case !quoted && (b == '{' || b == '['):
			depth++
		case !quoted && (b == '}' || b == ']'):
			depth--
		}
	}
	return depth > maxDepth
}

// replacement is what encoding/json reads for half a surrogate pair.
const replacement = string(utf8.RuneError)

// canonical rewrites in, which is valid JSON, from at on; replaced counts the replacements
// in its strings.
type canonical struct {
	in       []byte
	at       int
	replaced int
}

// next is the first byte of what comes next, past blanks.
func (c *canonical) next() byte {
	for c.in[c.at] <= ' ' {
		c.at++
	}
	return c.in[c.at]
}

// value appends the next value to out.
func (c *canonical) value(out []byte, depth int) ([]byte, error) {
	switch first := c.next(); first {
	case '{', '[':
		if depth == maxDepth {
			return nil, errDeep
		}
		if c.at++; first == '{' {
			return c.object(out, depth+1)
		}
		return c.array(out, depth+1)
	case '"':
		return appendText(out, c.text()), nil
	default: // a number, or a word
		from := c.at
		for c.at < len(c.in) && strings.IndexByte(" \t\n\r,]}", c.in[c.at]) < 0 {
			c.at++
		}
		word := c.in[from:c.at]
		if first >= 'a' {
			return append(out, word...), nil
		}
		return canonicalNumber(out, word)
	}
}

func (c *canonical) array(out []byte, depth int) ([]byte, error) {
	out = append(out, '[')
	for first := true; c.next() != ']'; first = false {
		if !first {
			c.at++ // the comma
			out = append(out, ',')
		}
		var err error
		if out, err = c.value(out, depth); err != nil {
			return nil, err
		}
	}
	c.at++
	return append(out, ']'), nil
}

// member is a field of an object, and where it stands, its key with it.
type member struct {
	key      string
	from, to int
}

func (c *canonical) object(out []byte, depth int) ([]byte, error) {
	out = append(out, '{')
	began := len(out)
	var members []member
	for c.next() != '}' {
		if len(members) > 0 {
			c.at++ // the comma
			c.next()
		}
		m := member{key: c.text(), from: len(out)}
		out = append(appendText(out, m.key), ':')
		c.next()
		c.at++ // the colon
		var err error
		if out, err = c.value(out, depth); err != nil {
			return nil, err
		}
		m.to = len(out)
		members = append(members, m)
		out = append(out, ',')
	}
	c.at++
	if len(members) == 0 {
		return append(out, '}'), nil
	}
	slices.SortFunc(members, func(a, b member) int { return compareKeys(a.key, b.key) })
	written := slices.Clone(out[began:])
	out = out[:began]
	for i, m := range members {
		if i > 0 && members[i-1].key == m.key {
			return nil, errTwice
		}
		out = append(append(out, written[m.from-began:m.to-began]...), ',')
	}
	out[len(out)-1] = '}'
	return out, nil
}

// compareKeys orders keys by their UTF-16 code units. That differs from the order
// of their bytes only beyond U+FFFF.
func compareKeys(a, b string) int {
	high := func(c rune) bool { return c >= 0xe000 }
	if !strings.ContainsFunc(a, high) || !strings.ContainsFunc(b, high) {
		return strings.Compare(a, b)
	}
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}

// text is the string that comes next, as it is read.
func (c *canonical) text() (s string) {
	from, escaped := c.at, false
	for c.at++; c.in[c.at] != '"'; c.at++ {
		if c.in[c.at] == '\\' {
			escaped = true
			c.at++
		}
	}
	c.at++
	if escaped {
		_ = json.Unmarshal(c.in[from:c.at], &s) // it is valid
	} else {
		s = string(c.in[from+1 : c.at-1])
	}
	c.replaced += strings.Count(s, replacement)
	return s
}

// appendText appends a string: escaped are the quote, the backslash and what is below
// U+0020, all else stands as it is.
func appendText(out []byte, s string) []byte {
	out = append(out, '"')
	const short, letters = "\"\\\b\f\n\r\t", `"\bfnrt`
	done := 0
	for i := range len(s) {
		b := s[i]
		if b >= ' ' && b != '"' && b != '\\' {
			continue
		}
		out = append(out, s[done:i]...)
		if at := strings.IndexByte(short, b); at >= 0 {
			out = append(out, '\\', letters[at])
		} else {
			out = fmt.Appendf(out, `\u%04x`, b)
		}
		done = i + 1
	}
	return append(append(out, s[done:]...), '"')
}

// canonicalNumber appends a number of JSON as it is written here.
func canonicalNumber(out, text []byte) ([]byte, error) {
	f, err := strconv.ParseFloat(string(text), 64)
	if whole := !bytes.ContainsAny(text, ".eE"); err != nil || whole && math.Abs(f) > maxWhole {
		return nil, errNumber
	}
	return appendNumber(out, f), nil
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
