package importer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/task"
)

// rest is a section with those fields of a record that no other part of a task has.
func rest(system string, record json.RawMessage, carried ...string) string {
	if all := encoded(fieldsOf(record, carried...), "  "); all != "" {
		return section("In "+system, "```json\n"+all+"\n```")
	}
	return ""
}

// decode is json.Unmarshal, behind what some editors begin a file with. Its error names the
// line or the field, and has no word of Go's.
func decode(data []byte, into any) error {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	err := json.Unmarshal(data, into)
	if syntax, is := errors.AsType[*json.SyntaxError](err); is {
		before := data[:min(int64(len(data)), syntax.Offset)]
		return fmt.Errorf("line %d: it is no JSON", 1+bytes.Count(before, []byte("\n")))
	}
	if wrong, is := errors.AsType[*json.UnmarshalTypeError](err); is {
		have, _, _ := strings.Cut(wrong.Value, " ")
		return errors.New(strings.TrimPrefix(wrong.Field+": ", ": ") + "a value of the wrong kind: " + have)
	}
	return err
}

// encoded are fields as JSON, nothing where there are none.
func encoded(fields map[string]json.RawMessage, indent string) string {
	var b bytes.Buffer
	to := json.NewEncoder(&b)
	to.SetEscapeHTML(false)
	to.SetIndent("", indent)
	if err := to.Encode(fields); err != nil || len(fields) == 0 {
		return ""
	}
	return strings.TrimSpace(b.String())
}

// fieldsOf are the fields of a record that say something, without some of them.
func fieldsOf(record json.RawMessage, without ...string) map[string]json.RawMessage {
	var fields map[string]json.RawMessage
	if decode(record, &fields) != nil {
		return nil
	}
	maps.DeleteFunc(fields, func(key string, value json.RawMessage) bool {
		return slices.Contains(without, key) || slices.Contains([]string{"null", `""`, "[]", "{}"}, string(value))
	})
	return fields
}

// notCarried names the fields of a record that nothing is made of.
func (r *reader) notCarried(p string, at int, record json.RawMessage, carried ...string) {
	if names := slices.Sorted(maps.Keys(fieldsOf(record, carried...))); len(names) > 0 {
		r.lose(p, at, "not carried: %s", line(strings.Join(names, ", "), task.MaxItem))
	}
}

// cut is a text as one line, and says where that is not all of it.
func (r *reader) cut(p string, at int, s string, limit int) string {
	if n := len(invisible.Line(s)); n > limit {
		r.lose(p, at, "cut after %d of %d bytes: %s", limit, n, line(s, task.MaxTitle))
	}
	return line(s, limit)
}
