package ui

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"strings"
)

// Schema is the semantic version of the JSON that commands print. Keys are
// added in minor versions; none goes away or changes its meaning in one.
const Schema = "1.0.0"

// JSON prints one document, indented, with the schema as its first key. doc must marshal to
// an object without this key.
func JSON(w io.Writer, doc any) error {
	enc := encoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(Object{"schema", Schema, doc})
}

// JSONLine prints one document of many, on one line.
func JSONLine(w io.Writer, doc any) error { return encoder(w).Encode(Object{"schema", Schema, doc}) }

func encoder(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false) // no browser reads this
	return enc
}

// Object is a JSON object: keys in their order, each with its value behind it. A document
// among them gives its own keys. A key that ends in ? is left out where its value says
// nothing; a list of nothing is empty, not null.
type Object []any

// MarshalJSON is json.Marshaler's.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := encoder(&b)
	for i := 0; i < len(o); i++ { // each part begins with a comma, the first one's becomes the brace
		at := b.Len()
		key, is := o[i].(string)
		if !is {
			if err := enc.Encode(o[i]); err != nil {
				return nil, err
			}
			b.Bytes()[at] = ','
			if b.Truncate(b.Len() - len("}\n")); b.Len() == at+len(",") {
				b.Truncate(at) // it has no keys
			}
			continue
		}
		i++
		key, optional := strings.CutSuffix(key, "?")
		v := reflect.ValueOf(o[i])
		none := v.Kind() == reflect.Slice && v.Len() == 0
		if optional && (!v.IsValid() || v.IsZero() || none) {
			continue
		}
		b.WriteString(`,"` + key + `":`)
		if none {
			b.WriteString("[]")
			continue
		}
		if err := enc.Encode(o[i]); err != nil {
			return nil, err
		}
		b.Truncate(b.Len() - len("\n"))
	}
	if b.Len() == 0 {
		return []byte("{}"), nil
	}
	b.Bytes()[0] = '{'
	b.WriteByte('}')
	return b.Bytes(), nil
}

// fieldEscapes keeps a record on its line, and its fields apart.
var fieldEscapes = []string{`\`, `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`, "\x00", `\0`}

// Record prints one record of porcelain: the fields parted by tabs, a line end.
// In a field, a backslash, tab, line end and NUL are written \\, \t, \n, \r
// and \0; everything else stays as it is.
func Record(w io.Writer, fields ...string) error {
	escaped := make([]string, len(fields))
	for i, field := range fields {
		if strings.ContainsAny(field, "\\\t\n\r\x00") {
			field = strings.NewReplacer(fieldEscapes...).Replace(field)
		}
		escaped[i] = field
	}
	_, err := io.WriteString(w, strings.Join(escaped, "\t")+"\n")
	return err
}
