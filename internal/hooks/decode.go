package hooks

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/git-brew/git-brew/internal/hooks/span"
	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/safego"
	"github.com/git-brew/git-brew/internal/task"
)

// maxInput is the most bytes that are read from standard input.
const maxInput = 8 << 20

// ErrMalformed is returned for input that is not one JSON object.
var ErrMalformed = errors.New("malformed input")

// Read returns all of r, at most limit bytes, or what was read of it and an
// error. It waits no longer than ctx: a reader that never ends is left behind.
func Read(ctx context.Context, r io.Reader, limit int64) ([]byte, error) {
	data, err := safego.Await(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(r, limit+1)) })
	switch {
	case err != nil:
		return data, fmt.Errorf("read standard input: %w", err)
	case int64(len(data)) > limit:
		return data, fmt.Errorf("%w: more than %d MiB", ErrMalformed, limit>>20)
	}
	return data, nil
}

// decode reads a payload. Depth is bounded by encoding/json.
func decode(data []byte) (Payload, error) {
	var p Payload
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return p, fmt.Errorf("%w: it is empty", ErrMalformed)
	case bytes.IndexByte(data, 0) >= 0:
		return p, fmt.Errorf("%w: it holds a NUL byte", ErrMalformed)
	case !utf8.Valid(data):
		return p, fmt.Errorf("%w: it is not UTF-8", ErrMalformed)
	}
	f := object(data)
	if f == nil {
		return p, fmt.Errorf("%w: it is not one JSON object", ErrMalformed)
	}
	p = Payload{
		Session:          task.SessionName(f.text("session_id")),
		Event:            f.text("hook_event_name"),
		Cwd:              directory(f.text("cwd")),
		Transcript:       directory(f.text("transcript_path")),
		PermissionMode:   f.text("permission_mode"),
		AgentID:          f.text("agent_id"),
		AgentType:        f.text("agent_type"),
		Source:           f.text("source"),
		Model:            f.text("model"),
		SessionTitle:     f.text("session_title"),
		Reason:           f.text("reason"),
		Trigger:          f.text("trigger"),
		Prompt:           f.text("prompt"),
		ToolName:         f.text("tool_name"),
		ToolUseID:        f.text("tool_use_id"),
		ToolInput:        f["tool_input"],
		ToolResponse:     f["tool_response"],
		Failure:          f.text("error"),
		NotificationType: f.text("notification_type"),
	}
	p.DurationMS = f.whole("duration_ms")
	p.Context = contextOf(f)
	p.StopHookActive = f.truth("stop_hook_active")
	if f["tool_input"] != nil && f["tool_response"] == nil {
		all, _ := span.Parse(data)
		p.Twice = all.Twice()
	}
	p.BackgroundTasks = backgroundTasks(f["background_tasks"])
	return p, nil
}

// fields are the members of an object as the client reads it: a key is matched with
// its case, and the last of several counts. What decides is read through them, never
// into a struct, which encoding/json fills whatever the case.
type fields map[string]json.RawMessage

// object reads an object; nil: raw is none.
func object(raw json.RawMessage) fields {
	var f fields
	_ = json.Unmarshal(raw, &f)
	return f
}

// list reads an array; nil: raw is none.
func list(raw json.RawMessage) []json.RawMessage {
	var items []json.RawMessage
	_ = json.Unmarshal(raw, &items)
	return items
}

func (f fields) text(key string) string {
	var s string
	if json.Unmarshal(f[key], &s) != nil {
		return ""
	}
	return s
}

func (f fields) truth(key string) bool {
	var set bool
	return json.Unmarshal(f[key], &set) == nil && set
}

func (f fields) whole(key string) int64 {
	var n float64
	if json.Unmarshal(f[key], &n) != nil || n < 0 || n > 1<<53 {
		return 0
	}
	return int64(n)
}

// backgroundTasks keeps an element of an unknown shape as a task that runs:
// something is there, and an agent that waits for it is not held.
func backgroundTasks(raw json.RawMessage) []BackgroundTask {
	var tasks []BackgroundTask
	for _, item := range list(raw) {
		f := object(item)
		tasks = append(tasks, BackgroundTask{ID: f.text("id"), Status: f.text("status")})
	}
	return tasks
}

// directory returns path if it can be one: absolute, without control characters.
func directory(path string) string {
	if len(path) > 4096 || !filepath.IsAbs(path) || strings.ContainsFunc(path, invisible.Breaks) {
		return ""
	}
	return path
}

// sniffEvent finds the event of input that could not be decoded. Where a call of a tool
// may be in it, it is one; where it is cut off, too.
func sniffEvent(data []byte) string {
	name := sniff(data, "hook_event_name")
	if bytes.Contains(data, []byte("PreToolUse")) || name == "" && len(data) > maxInput {
		return "PreToolUse"
	}
	return name
}

// sniff finds the string value of a key in input that could not be decoded,
// where it stands before the first 4 KiB end, as the client writes it.
func sniff(data []byte, key string) string {
	head := data[:min(len(data), 4096)]
	_, rest, found := bytes.Cut(head, []byte(`"`+key+`"`))
	if !found {
		return ""
	}
	rest = bytes.TrimLeft(rest, " \t\r\n:")
	if len(rest) == 0 || rest[0] != '"' {
		return ""
	}
	value, _, found := bytes.Cut(rest[1:], []byte(`"`))
	if !found || bytes.ContainsAny(value, "\\\x00") {
		return ""
	}
	return string(value)
}
