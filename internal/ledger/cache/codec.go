package cache

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

// Values are written in the order of their types' fields, without the fields' names, so
// that only the program that wrote one can read it: encoding/json spends ten times as
// long on learning a type as on reading a few hundred bytes of it, in every hook.

// errValue is returned for bytes that are no value of the type.
var errValue = errors.New("not a value of this type")

// appendValue appends v to buf. Absent, a nil slice, map or pointer, differs from empty.
func appendValue(buf []byte, v any) ([]byte, error) {
	c := codec{buf: buf}
	c.value(reflect.ValueOf(v))
	return c.buf, c.err
}

// Same compares two values as caches hold them: what JSON leaves out does not count, and
// nothing is the same as an empty list.
func Same(a, b any) bool {
	x, y := codec{emptyAbsent: true}, codec{emptyAbsent: true}
	x.value(reflect.ValueOf(a))
	y.value(reflect.ValueOf(b))
	return reflect.TypeOf(a) == reflect.TypeOf(b) && x.err == nil && y.err == nil && bytes.Equal(x.buf, y.buf)
}

// reader reads values, whose strings are parts of the text.
type reader struct{ codec codec }

// read reads the value that into points to, which must be all of text.
func (r *reader) read(text string, into any) error {
	c := &r.codec
	c.reads, c.text, c.err = true, text, nil
	c.value(reflect.ValueOf(into).Elem())
	if c.err == nil && c.text != "" {
		c.err = errValue
	}
	return c.err
}

// codec goes through a value, and writes what it meets there or sets it to what it
// reads. After an error it does neither.
type codec struct {
	buf         []byte // what was written
	emptyAbsent bool   // nothing is written for an empty list

	reads  bool
	text   string // what is left to be read
	fields map[reflect.Type][]int

	err error
}

func (c *codec) value(v reflect.Value) {
	if c.err != nil {
		return
	}
	switch v.Kind() {
	case reflect.String:
		text := c.string(v.String())
		if c.reads {
			v.SetString(text)
		}
	case reflect.Bool:
		n := uint64(0)
		if v.Bool() {
			n = 1
		}
		if n = c.number(n); c.reads {
			v.SetBool(n == 1)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n := c.number(uint64(v.Int()<<1) ^ uint64(v.Int()>>63))
		if c.reads {
			v.SetInt(int64(n>>1) ^ -int64(n&1))
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if n := c.number(v.Uint()); c.reads {
			v.SetUint(n)
		}
	case reflect.Float64:
		if n := c.number(math.Float64bits(v.Float())); c.reads {
			v.SetFloat(math.Float64frombits(n))
		}
	case reflect.Struct:
		for _, i := range c.written(v.Type()) {
			c.value(v.Field(i))
		}
	case reflect.Pointer, reflect.Slice, reflect.Map:
		c.several(v)
	default:
		c.err = fmt.Errorf("a %s: %w", v.Type(), errValue)
	}
}

// several is for what may be absent: how many there are, and one, goes before them.
func (c *codec) several(v reflect.Value) {
	t := v.Type()
	n := uint64(0)
	switch {
	case v.IsNil():
	case v.Kind() == reflect.Pointer:
		n = 1
	case v.Len() > 0 || !c.emptyAbsent:
		n = uint64(v.Len()) + 1
	}
	n = c.number(n)
	switch {
	case c.reads && n > uint64(len(c.text))+1: // each takes a byte at least
		c.err = errValue
	case n == 0 && c.reads:
		v.SetZero()
	case n == 0:
	case t.Kind() == reflect.Pointer:
		if c.reads {
			v.Set(reflect.New(t.Elem()))
		}
		c.value(v.Elem())
	case t.Kind() == reflect.Slice:
		if c.reads {
			v.Set(reflect.MakeSlice(t, int(n-1), int(n-1)))
		}
		for i := range int(n - 1) {
			c.value(v.Index(i))
		}
	case t.Key().Kind() != reflect.String:
		c.err = fmt.Errorf("a %s: %w", t, errValue)
	default:
		c.entries(v, int(n-1))
	}
}

// entries are those of a map, in the order of their keys.
func (c *codec) entries(v reflect.Value, n int) {
	if !c.reads {
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, key := range keys {
			c.value(key)
			c.value(v.MapIndex(key))
		}
		return
	}
	t := v.Type()
	v.Set(reflect.MakeMapWithSize(t, n))
	for range n {
		key, value := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		c.value(key)
		c.value(value)
		v.SetMapIndex(key, value)
	}
}

// written are the fields of a struct that are written: not those that JSON leaves out.
func (c *codec) written(t reflect.Type) []int {
	fields, known := c.fields[t]
	if known {
		return fields
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() && f.Tag.Get("json") != "-" {
			fields = append(fields, i)
		}
	}
	if c.fields == nil {
		c.fields = map[reflect.Type][]int{}
	}
	c.fields[t] = fields
	return fields
}

func (c *codec) string(s string) string {
	n := c.number(uint64(len(s)))
	switch {
	case !c.reads:
		c.buf = append(c.buf, s...)
	case n > uint64(len(c.text)):
		c.err = errValue
		return ""
	default:
		s, c.text = c.text[:n], c.text[n:]
	}
	return s
}

func (c *codec) number(n uint64) uint64 {
	if !c.reads {
		c.buf = binary.AppendUvarint(c.buf, n)
		return n
	}
	n = 0
	for i := 0; i < len(c.text) && i < binary.MaxVarintLen64; i++ {
		b := c.text[i]
		n |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			c.text = c.text[i+1:]
			return n
		}
	}
	c.err = errValue
	return 0
}
