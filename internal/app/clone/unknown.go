package clone

import (
	"encoding/json"
	"reflect"
	"strings"
)

// EncodeKeeping is v as indented JSON, with the fields of old, v's former text,
// that this version does not know: a newer minor version put them there. Without
// such fields the text depends on v alone.
func EncodeKeeping(old []byte, v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	out := v
	if merged, kept := keepUnknown(old, data, reflect.TypeOf(v)); kept {
		out = merged
	}
	data, err = json.MarshalIndent(out, "", "  ")
	return append(data, '\n'), err
}

// keepUnknown adds to fresh, the JSON of a value of type t, the fields of old
// that t does not have, at every level of nested structs. Kept: there were some.
func keepUnknown(old, fresh json.RawMessage, t reflect.Type) (merged json.RawMessage, kept bool) {
	var was, now map[string]json.RawMessage
	if t.Kind() != reflect.Struct || json.Unmarshal(old, &was) != nil || json.Unmarshal(fresh, &now) != nil {
		return fresh, false
	}
	for key, raw := range was {
		inner, known := fieldType(t, key)
		switch {
		case !known:
			now[key], kept = raw, true
		case now[key] != nil:
			if below, some := keepUnknown(raw, now[key], inner); some {
				now[key], kept = below, true
			}
		}
	}
	if !kept {
		return fresh, false
	}
	merged, err := json.Marshal(now)
	return merged, err == nil
}

// fieldType is the type of the field that encoding/json reads key into.
func fieldType(t reflect.Type, key string) (reflect.Type, bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.IsExported() && strings.EqualFold(name, key) {
			return f.Type, true
		}
	}
	return nil, false
}
