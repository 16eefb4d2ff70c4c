package ledger

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

// Snapshots are read by every hook, and encoding/json spends ten times as long
// on learning a type as on reading a few hundred bytes of it. So they are
// written in the order of the type's fields, without their names: only the program
// that wrote one can read it.

// errCompact is returned for bytes that are no value of the type.
var errCompact = errors.New("not a value of this type")

// skipped: a field that JSON leaves out is left out here, too.
func skipped(f reflect.StructField) bool {
	return !f.IsExported() || f.Tag.Get("json") == "-"
}

// checksum is the hash FNV-1a of a text, without a copy of it.
func checksum(text string) uint64 {
	sum := uint64(14695981039346656037)
	for i := range len(text) {
		sum = (sum ^ uint64(text[i])) * 1099511628211
	}
	return sum
}

// appendCompact appends v to buf. Absent, a nil slice, map or pointer, differs
// from empty.
func appendCompact(buf []byte, v reflect.Value) ([]byte, error) {
	var err error
	switch v.Kind() {
	case reflect.String:
		buf = binary.AppendUvarint(buf, uint64(v.Len()))
		return append(buf, v.String()...), nil
	case reflect.Bool:
		if v.Bool() {
			return append(buf, 1), nil
		}
		return append(buf, 0), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return binary.AppendVarint(buf, v.Int()), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return binary.AppendUvarint(buf, v.Uint()), nil
	case reflect.Float64:
		return binary.BigEndian.AppendUint64(buf, math.Float64bits(v.Float())), nil
	case reflect.Pointer:
		if v.IsNil() {
			return append(buf, 0), nil
		}
		return appendCompact(append(buf, 1), v.Elem())
	case reflect.Slice:
		if v.IsNil() {
			return append(buf, 0), nil
		}
		buf = binary.AppendUvarint(buf, uint64(v.Len())+1)
		for i := range v.Len() {
			if buf, err = appendCompact(buf, v.Index(i)); err != nil {
				return nil, err
			}
		}
		return buf, nil
	case reflect.Map:
		return appendCompactMap(buf, v)
	case reflect.Struct:
		for i := range v.NumField() {
			if skipped(v.Type().Field(i)) {
				continue
			}
			if buf, err = appendCompact(buf, v.Field(i)); err != nil {
				return nil, err
			}
		}
		return buf, nil
	default:
		return nil, fmt.Errorf("a %s: %w", v.Type(), errCompact)
	}
}

func appendCompactMap(buf []byte, v reflect.Value) ([]byte, error) {
	if v.Type().Key().Kind() != reflect.String {
		return nil, fmt.Errorf("a %s: %w", v.Type(), errCompact)
	}
	if v.IsNil() {
		return append(buf, 0), nil
	}
	buf = binary.AppendUvarint(buf, uint64(v.Len())+1)
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	var err error
	for _, key := range keys {
		if buf, err = appendCompact(buf, key); err != nil {
			return nil, err
		}
		if buf, err = appendCompact(buf, v.MapIndex(key)); err != nil {
			return nil, err
		}
	}
	return buf, nil
}

// compactReader reads what appendCompact wrote. Its strings are parts of text.
type compactReader struct {
	text   string
	fields map[reflect.Type][]int // of the structs that were read before
}

// readCompact reads one value of into's type, which must be all of text.
func readCompact(text string, into reflect.Value) error {
	var r compactReader
	return r.read(text, into)
}

// read is readCompact for whoever reads many values of one type.
func (r *compactReader) read(text string, into reflect.Value) error {
	r.text = text
	if err := r.value(into); err != nil {
		return err
	}
	if r.text != "" {
		return errCompact
	}
	return nil
}

// written are the fields of a struct that are written.
func (r *compactReader) written(t reflect.Type) []int {
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

func (r *compactReader) number() (uint64, error) {
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
func (r *compactReader) length() (n int, absent bool, err error) {
	size, err := r.number()
	if err != nil || size > uint64(len(r.text))+1 {
		return 0, false, errCompact
	}
	return int(size) - 1, size == 0, nil
}

func (r *compactReader) take(n uint64) (string, error) {
	if n > uint64(len(r.text)) {
		return "", errCompact
	}
	part := r.text[:n]
	r.text = r.text[n:]
	return part, nil
}

func (r *compactReader) value(v reflect.Value) error {
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
func (r *compactReader) several(v reflect.Value) error {
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
