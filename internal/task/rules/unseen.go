package rules

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// checkSeen refuses an operation with a text that holds what nobody sees, or that
// shows other texts in another order: two titles that look alike would be two. It
// is asked when an operation is made, and never in the fold; and of what somebody writes now, not of what is named or
// quoted (kind.quoted): nobody can write that otherwise. Texts of documents are
// blobs, and not in a payload.
func (k kind) checkSeen(op operation.Operation) error {
	if !bytes.ContainsFunc(op.Payload, func(r rune) bool { return r >= 0x80 }) &&
		!bytes.Contains(op.Payload, []byte(`\u`)) {
		return nil // nearly every one
	}
	var v any
	_ = json.Unmarshal(op.Payload, &v) // what else is wrong with it, its kind's own check says
	text, r := k.unseenIn(v)
	if r == 0 {
		return nil
	}
	shown := strings.Join(strings.Fields(text), " ")
	return task.Refuse(task.CodeInvalid, fmt.Sprintf("%+q has a character that is not seen (U+%04X)",
		task.Clip(shown, task.MaxTitle), r), "write it without")
}

// unseenIn is the first text of a payload that is not what it seems to be, and the
// character that makes it so.
func (k kind) unseenIn(v any) (text string, r rune) {
	switch v := v.(type) {
	case string:
		return v, invisible.In(v)
	case []any:
		for _, item := range v {
			if text, r = k.unseenIn(item); r != 0 {
				return text, r
			}
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if slices.Contains(k.quoted, key) {
				continue
			}
			if text, r = k.unseenIn(v[key]); r != 0 {
				return text, r
			}
		}
	}
	return "", 0
}
