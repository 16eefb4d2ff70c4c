package ui

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// Schema is the semantic version of the JSON that commands print. Keys are
// added in minor versions; none goes away or changes its meaning in one.
const Schema = "1.0.0"

// errNoObject: only objects can carry a schema.
var errNoObject = errors.New("a document is a JSON object")

// JSON prints one document, indented, with the schema as its first key, and with undo,
// the command that takes back what was done, where there is one. doc must marshal to an
// object without these keys.
func JSON(w io.Writer, doc any, undo ...string) error {
	if len(undo) > 0 && undo[0] != "" {
		doc = Object{doc, "undo", undo[0]}
	}
	line, err := document(doc)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, line, "", "  "); err != nil {
		return fmt.Errorf("indent the answer: %w", err)
	}
	b.WriteByte('\n')
	_, err = w.Write(b.Bytes())
	return err
}

// JSONLine prints one document of many, on one line.
func JSONLine(w io.Writer, doc any) error {
	line, err := document(doc)
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}

func document(doc any) ([]byte, error) {
	body, err := encode(doc)
	if err != nil {
		return nil, err
	}
	if len(body) < 2 || body[0] != '{' {
		return nil, errNoObject
	}
	out := append([]byte(nil), `{"schema":"`+Schema+`"`...)
	if body[1] != '}' {
		out = append(out, ',')
	}
	return append(out, body[1:]...), nil
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	if err := encoder(&b).Encode(v); err != nil {
		return nil, fmt.Errorf("encode the answer: %w", err)
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

func encoder(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false) // no browser reads this
	return enc
}

// Object is a JSON object: keys in their order, each with its value behind it. A document in
// front gives its own keys first. A key that ends in ? is left out where its value says
// nothing; a list of nothing is empty, not null.
type Object []any

// MarshalJSON is json.Marshaler's.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := encoder(&b)
	b.WriteByte('{')
	if _, key := o[0].(string); !key {
		b.Reset()
		if err := enc.Encode(o[0]); err != nil {
			return nil, err
		}
		b.Truncate(b.Len() - len("}\n"))
		o = o[1:]
	}
	for i := 0; i < len(o); i += 2 {
		key, _ := o[i].(string)
		key, optional := strings.CutSuffix(key, "?")
		v := reflect.ValueOf(o[i+1])
		none := v.Kind() == reflect.Slice && v.Len() == 0
		if optional && (!v.IsValid() || v.IsZero() || none) {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + key + `":`)
		if none {
			b.WriteString("[]")
			continue
		}
		if err := enc.Encode(o[i+1]); err != nil {
			return nil, err
		}
		b.Truncate(b.Len() - len("\n"))
	}
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
