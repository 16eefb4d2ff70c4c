// Package compact writes values for caches that every hook reads: encoding/json
// spends ten times as long on learning a type as on reading a few hundred bytes of it.
// Values are written in the order of their types' fields, without the fields' names, so
// that only the program that wrote one can read it.
package compact

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

// errCompact is returned for bytes that are no value of the type.
var errCompact = errors.New("not a value of this type")

// skipped: a field that JSON leaves out is left out here, too.
func skipped(f reflect.StructField) bool {
	return !f.IsExported() || f.Tag.Get("json") == "-"
}

// Checksum is the hash FNV-1a of a text, without a copy of it.
func Checksum(text string) uint64 {
	sum := uint64(14695981039346656037)
	for i := range len(text) {
		sum = (sum ^ uint64(text[i])) * 1099511628211
	}
	return sum
}

// Append appends v to buf. Absent, a nil slice, map or pointer, differs from empty.
func Append(buf []byte, v any) ([]byte, error) {
	w := writer{buf: buf}
	err := w.value(reflect.ValueOf(v))
	return w.buf, err
}

// Same reports whether two values are written alike, where nothing is the same as an
// empty list.
func Same(a, b any) bool {
	x, y := writer{emptyAbsent: true}, writer{emptyAbsent: true}
	same := reflect.TypeOf(a) == reflect.TypeOf(b)
	return same && x.value(reflect.ValueOf(a)) == nil && y.value(reflect.ValueOf(b)) == nil && bytes.Equal(x.buf, y.buf)
}

type writer struct {
	buf         []byte
	emptyAbsent bool
}

func (w *writer) number(n uint64) { w.buf = binary.AppendUvarint(w.buf, n) }

func (w *writer) value(v reflect.Value) error {
	switch v.Kind() {
	case reflect.String:
		w.number(uint64(v.Len()))
		w.buf = append(w.buf, v.String()...)
	case reflect.Bool:
		if v.Bool() {
			w.number(1)
		} else {
			w.number(0)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.buf = binary.AppendVarint(w.buf, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		w.number(v.Uint())
	case reflect.Float64:
		w.buf = binary.BigEndian.AppendUint64(w.buf, math.Float64bits(v.Float()))
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return w.several(v)
	case reflect.Struct:
		for i := range v.NumField() {
			if skipped(v.Type().Field(i)) {
				continue
			}
			if err := w.value(v.Field(i)); err != nil {
				return err
			}
		}
	default:
		return fmt.Errorf("a %s: %w", v.Type(), errCompact)
	}
	return nil
}

// several writes what may be absent: how many there are, and one, before them.
func (w *writer) several(v reflect.Value) error {
	switch {
	case v.Kind() == reflect.Map && v.Type().Key().Kind() != reflect.String:
		return fmt.Errorf("a %s: %w", v.Type(), errCompact)
	case v.IsNil():
		w.number(0)
		return nil
	case v.Kind() == reflect.Pointer:
		w.number(1)
		return w.value(v.Elem())
	case w.emptyAbsent && v.Len() == 0:
		w.number(0)
		return nil
	}
	w.number(uint64(v.Len()) + 1)
	if v.Kind() == reflect.Slice {
		for i := range v.Len() {
			if err := w.value(v.Index(i)); err != nil {
				return err
			}
		}
		return nil
	}
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	for _, key := range keys {
		if err := w.value(key); err != nil {
			return err
		}
		if err := w.value(v.MapIndex(key)); err != nil {
			return err
		}
	}
	return nil
}

// Reader reads what Append wrote. Its strings are parts of the text.
type Reader struct {
	text   string
	fields map[reflect.Type][]int // of the structs that were read before
}

// Read reads the value that into points to, which must be all of text.
func Read(text string, into any) error {
	var r Reader
	return r.Read(text, into)
}

// Read is the function Read for whoever reads many values of one type.
func (r *Reader) Read(text string, into any) error {
	r.text = text
	if err := r.value(reflect.ValueOf(into).Elem()); err != nil {
		return err
	}
	if r.text != "" {
		return errCompact
	}
	return nil
}

// written are the fields of a struct that are written.
func (r *Reader) written(t reflect.Type) []int {
	fields, known := r.fields[t]
	if known {
		return fields
	}
	for i := range t.NumField() {
		if !skipped(t.Field(i)) {
			fields = append(fields, i)
		}
	}
	if r.fields == nil {
		r.fields = map[reflect.Type][]int{}
	}
	r.fields[t] = fields
	return fields
}

func (r *Reader) number() (uint64, error) {
	var n uint64
	for i := 0; i < len(r.text) && i < binary.MaxVarintLen64; i++ {
		c := r.text[i]
		n |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			r.text = r.text[i+1:]
			return n, nil
		}
	}
	return 0, errCompact
}

// length reads how many elements follow, each of which takes a byte at least,
// unless it takes none at all.
func (r *Reader) length() (n int, absent bool, err error) {
	size, err := r.number()
	if err != nil || size > uint64(len(r.text))+1 {
		return 0, false, errCompact
	}
	return int(size) - 1, size == 0, nil
}

func (r *Reader) take(n uint64) (string, error) {
	if n > uint64(len(r.text)) {
		return "", errCompact
	}
	part := r.text[:n]
	r.text = r.text[n:]
	return part, nil
}

func (r *Reader) value(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return r.several(v)
	case reflect.Struct:
		for _, i := range r.written(v.Type()) {
			if err := r.value(v.Field(i)); err != nil {
				return err
			}
		}
		return nil
	case reflect.Float64:
		part, err := r.take(8)
		if err == nil {
			v.SetFloat(math.Float64frombits(binary.BigEndian.Uint64([]byte(part))))
		}
		return err
	}
	n, err := r.number()
	if err != nil {
		return err
	}
	switch v.Kind() {
	case reflect.String:
		text, err := r.take(n)
		v.SetString(text)
		return err
	case reflect.Bool:
		v.SetBool(n == 1)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(n>>1) ^ -int64(n&1))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(n)
	default:
		return fmt.Errorf("a %s: %w", v.Type(), errCompact)
	}
	return nil
}

// several reads what may be absent.
func (r *Reader) several(v reflect.Value) error {
	n, absent, err := r.length()
	if err != nil {
		return err
	}
	if absent {
		v.SetZero()
		return nil
	}
	t := v.Type()
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		return r.value(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(t, n, n))
		for i := range n {
			if err := r.value(v.Index(i)); err != nil {
				return err
			}
		}
		return nil
	default:
		v.Set(reflect.MakeMapWithSize(t, n))
		for range n {
			key, value := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
			if err := r.value(key); err != nil {
				return err
			}
			if err := r.value(value); err != nil {
				return err
			}
			v.SetMapIndex(key, value)
		}
		return nil
	}
}
