package operation

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

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
			return 0, ErrNoText
		}
		return unit, err
	}
	if r.at >= len(r.data) || r.data[r.at] != '\\' {
		return 0, ErrNoText
	}
	second, err := r.unit()
	if err != nil {
		return 0, err
	}
	if unit = utf16.DecodeRune(unit, second); unit == utf8.RuneError {
		return 0, ErrNoText
	}
	return unit, nil
}

// unit reads a UTF-16 code unit: \u and four hexadecimal digits.
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
