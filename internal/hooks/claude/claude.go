// Package claude is the dialect of Claude Code: its events, how a payload is read
// (Decode), how an answer is written (Encode), where the client keeps its files. It
// decides nothing. Other clients' dialects are in package dialect, which says what they
// have otherwise.
package claude

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-brew/git-brew/internal/hooks/protocol"
	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/task"
)

// events are those of the client's that git brew registers for, in the order of a session.
const events = "SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure PreCompact Stop " +
	"SubagentStart SubagentStop Notification SessionEnd"

// Events lists the events to register for.
func Events() []string { return strings.Fields(events) }

// Dir is where the client keeps its user's settings and plans:
// $CLAUDE_CONFIG_DIR, else .claude in the home directory; "" where nobody knows.
func Dir(getenv func(string) string) string {
	if dir := getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return Path(dir)
	}
	if home := Path(getenv("HOME")); home != "" {
		return filepath.Join(home, ".claude")
	}
	return ""
}

// MaxInput is the most bytes of a payload that are read.
const MaxInput = 8 << 20

// ErrMalformed is returned for input that is not one JSON object.
var ErrMalformed = errors.New("malformed input")

// Decode reads a payload. Depth is bounded by encoding/json.
func Decode(data []byte) (protocol.Payload, error) {
	f, err := Members(data)
	return Read(f, data), err
}

// Members reads the text of a payload as one object.
func Members(data []byte) (protocol.Fields, error) {
	f := protocol.Object(data)
	if f == nil || !utf8.Valid(data) {
		return nil, fmt.Errorf("%w: it is not one JSON object in UTF-8", ErrMalformed)
	}
	return f, nil
}

// Read is a payload of its members, which stand in data.
func Read(f protocol.Fields, data []byte) protocol.Payload {
	p := protocol.Payload{
		Session:        task.SessionName(f.Text("session_id")),
		Event:          f.Text("hook_event_name"),
		Cwd:            Path(f.Text("cwd")),
		Transcript:     Path(f.Text("transcript_path")),
		PermissionMode: f.Text("permission_mode"),
		AgentID:        f.Text("agent_id"),
		AgentType:      f.Text("agent_type"),
		Source:         f.Text("source"),
		Model:          f.Text("model"),
		SessionTitle:   f.Text("session_title"),
		Kind:           cmp.Or(f.Text("reason"), f.Text("trigger"), f.Text("notification_type")),
		DurationMS:     f.Whole("duration_ms"),
		Waits:          waits(f["background_tasks"]),
		Prompt:         f.Text("prompt"),
		ToolName:       f.Text("tool_name"),
		ToolUseID:      f.Text("tool_use_id"),
		ToolInput:      f["tool_input"],
		ToolResponse:   f["tool_response"],
		Failure:        f.Text("error"),
	}
	if f["tool_input"] != nil && f["tool_response"] == nil {
		all, _ := protocol.Parse(data)
		p.Twice = all.Twice()
	}
	return p
}

// waits reports whether something still runs. What has an unknown shape runs:
// something is there, and an agent that waits for it is not held.
func waits(tasks json.RawMessage) bool {
	return slices.ContainsFunc(protocol.List(tasks), func(item json.RawMessage) bool {
		switch protocol.Object(item).Text("status") {
		case "completed", "failed", "killed", "cancelled", "stopped", "error", "done":
			return false
		}
		return true
	})
}

// Path returns path if it can be one: absolute, without control characters.
func Path(path string) string {
	if len(path) > 4096 || !filepath.IsAbs(path) || strings.ContainsFunc(path, invisible.Breaks) {
		return ""
	}
	return path
}

// Guess is the event of a payload that could not be decoded, whichever client's, as far as
// that matters: where a call of a tool may be in it, it is one; where it is cut off before it
// says so, too.
func Guess(data []byte) protocol.Payload {
	named := bytes.Contains(data[:min(len(data), 4096)], []byte("hook_event_name"))
	called := slices.ContainsFunc([]string{"PreToolUse", "preToolUse", "BeforeTool"}, func(event string) bool {
		return bytes.Contains(data, []byte(event))
	})
	if called || len(data) > MaxInput && !named {
		return protocol.Payload{Event: "PreToolUse"}
	}
	return protocol.Payload{}
}

// MaxAnswer is the size, in bytes, that every answer stays under.
const MaxAnswer = 8 << 10

// ErrContract is returned for an answer that the client would drop.
var ErrContract = errors.New("answer breaks the contract")

type answer struct {
	Decision string    `json:"decision,omitempty"`
	Reason   string    `json:"reason,omitempty"`
	Specific *specific `json:"hookSpecificOutput,omitempty"`
}

type specific struct {
	Event      string          `json:"hookEventName"`
	Permission string          `json:"permissionDecision,omitempty"`
	PermReason string          `json:"permissionDecisionReason,omitempty"`
	Input      json.RawMessage `json:"updatedInput,omitempty"`
	Context    string          `json:"additionalContext,omitempty"`
	Title      string          `json:"sessionTitle,omitempty"`
}

// Encode returns the bytes to print, cut to fit, or nothing.
func Encode(event string, r protocol.Reply) ([]byte, error) {
	if r.Kind() == "" && r.Title == "" {
		return nil, nil
	}
	return Fit(r, func(r protocol.Reply) ([]byte, error) { return marshal(event, r) })
}

// Fit writes a reply, and cuts its texts until the answer is short enough.
func Fit(r protocol.Reply, write func(protocol.Reply) ([]byte, error)) ([]byte, error) {
	if hasNull(r.Input) {
		return nil, fmt.Errorf("%w: a null", ErrContract)
	}
	out, err := write(r)
	for _, text := range []*string{&r.Context, &r.Block, &r.PermReason, &r.Plain, &r.Title} {
		for err == nil && len(out) >= MaxAnswer && *text != "" {
			*text = invisible.CutBytes(*text, min(MaxAnswer, len(*text)*9/10))
			out, err = write(r)
		}
	}
	if err == nil && len(out) >= MaxAnswer {
		err = fmt.Errorf("%w: %d bytes", ErrContract, len(out))
	}
	return out, err
}

// hasNull reports a null in a value, which the client does not take.
func hasNull(raw json.RawMessage) bool {
	if string(raw) == "null" {
		return true
	}
	for _, member := range protocol.Object(raw) {
		if hasNull(member) {
			return true
		}
	}
	return slices.ContainsFunc(protocol.List(raw), hasNull)
}

func marshal(event string, r protocol.Reply) ([]byte, error) {
	if r.Plain != "" {
		return []byte(r.Plain), nil
	}
	a := answer{Reason: r.Block}
	if r.Block != "" {
		a.Decision = "block"
	}
	if r.Permission != "" || r.Input != nil || r.Context != "" || r.Title != "" {
		a.Specific = &specific{event, r.Permission, r.PermReason, r.Input, r.Context, r.Title}
	}
	return Line(a)
}

// Line is an answer as JSON on a line.
func Line(answer any) ([]byte, error) {
	out, err := JSON(answer)
	if err != nil {
		return nil, fmt.Errorf("write the answer: %w", err)
	}
	return append(out, '\n'), nil
}

// JSON is a value as JSON, with the signs of HTML as they are.
func JSON(value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return bytes.TrimSpace(b.Bytes()), err
}
