package hooks

import (
	"encoding/json"
	"fmt"

	"github.com/git-brew/git-brew/internal/invisible"
)

// Reply is what a handler answers. The zero value is no opinion.
type Reply struct {
	decision   string // block
	reason     string
	permission string // deny, ask
	permReason string
	input      json.RawMessage
	context    string
	title      string
	plain      string
}

// Deny refuses a tool call.
func Deny(reason string) Reply { return Reply{permission: "deny", permReason: reason} }

// Ask leaves a tool call to the user.
func Ask(reason string) Reply { return Reply{permission: "ask", permReason: reason} }

// Rewrite changes a tool call's input, which is all of it.
func Rewrite(input json.RawMessage) Reply { return Reply{input: input} }

// Context tells the model something. Nothing to tell is no opinion.
func Context(text string) Reply { return Reply{context: text} }

// Block keeps an agent from stopping.
func Block(reason string) Reply { return Reply{decision: "block", reason: reason} }

// PlainText is handed on by the client as it is.
func PlainText(text string) Reply { return Reply{plain: text} }

// WithTitle adds the session's title.
func (r Reply) WithTitle(title string) Reply {
	r.title = title
	return r
}

// kind names what the reply is, for the record of the event.
func (r Reply) kind() string {
	switch {
	case r.decision != "":
		return r.decision
	case r.permission != "":
		return r.permission
	case r.input != nil:
		return "rewrite"
	case r.context != "" || r.plain != "":
		return "context"
	}
	return ""
}

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

// encode returns the bytes to print, cut to fit and checked, or nothing.
func (r Reply) encode(event string) ([]byte, error) {
	if r.kind() == "" && r.title == "" {
		return nil, nil
	}
	out, err := r.marshal(event)
	for _, text := range []*string{&r.context, &r.reason, &r.permReason, &r.plain, &r.title} {
		if err != nil || len(out) < maxAnswer {
			break
		}
		out, err = r.fit(event, text)
	}
	if err != nil {
		return nil, err
	}
	if err := checkAnswer(event, out); err != nil {
		return nil, err
	}
	return out, nil
}

// fit cuts one text of r as little as it can so that the answer is short enough;
// to nothing, if that is not enough.
func (r *Reply) fit(event string, text *string) ([]byte, error) {
	whole := *text
	// In bytes of the text: good fits, as far as is known, and bad does not.
	good, bad := 0, min(len(whole), maxAnswer)
	for bad-good > 1 {
		*text = invisible.CutBytes(whole, (good+bad)/2)
		out, err := r.marshal(event)
		if err != nil {
			return nil, err
		}
		if len(out) < maxAnswer {
			good = (good + bad) / 2
		} else {
			bad = (good + bad) / 2
		}
	}
	*text = invisible.CutBytes(whole, good)
	return r.marshal(event)
}

func (r *Reply) marshal(event string) ([]byte, error) {
	if r.plain != "" {
		return []byte(r.plain), nil
	}
	a := answer{Decision: r.decision, Reason: r.reason}
	if r.permission != "" || r.input != nil || r.context != "" || r.title != "" {
		a.Specific = &specific{event, r.permission, r.permReason, r.input, r.context, r.title}
	}
	out, err := encode(a)
	if err != nil {
		return nil, fmt.Errorf("write the answer: %w", err)
	}
	return append(out, '\n'), nil
}
