package claude

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/hooks/protocol"
	"github.com/git-brew/git-brew/internal/invisible"
)

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
	if hasNull(r.Input) {
		return nil, fmt.Errorf("%w: a null", ErrContract)
	}
	out, err := marshal(event, r)
	for _, text := range []*string{&r.Context, &r.Block, &r.PermReason, &r.Plain, &r.Title} {
		for err == nil && len(out) >= MaxAnswer && *text != "" {
			*text = invisible.CutBytes(*text, min(MaxAnswer, len(*text)*9/10))
			out, err = marshal(event, r)
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
	out, err := JSON(a)
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
	if err := e.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}
