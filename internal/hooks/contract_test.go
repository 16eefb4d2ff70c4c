package hooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/hooks/claude"
)

// errContract is returned for an answer that the client would drop.
var errContract = errors.New("answer breaks the contract")

// kind of a field's value in an answer.
type kind int

const (
	textKind kind = iota
	objectKind
	blockKind      // "block"
	permissionKind // "allow", "deny", "ask"
)

// field is one that an answer may have.
type field struct {
	name string
	kind kind
}

// rule is what the answer to one event may hold. A plain answer is text that
// the client hands on as it is.
type rule struct {
	event    string
	top      []field
	specific []field
	plain    bool
}

// contract lists every event that is answered; the others get nothing. It
// allows less than the client does: only what is used here.
var contract = []rule{
	{event: "SessionStart", specific: []field{{"additionalContext", textKind}, {"sessionTitle", textKind}}},
	{event: "UserPromptSubmit", specific: []field{{"additionalContext", textKind}}},
	{event: "PreToolUse", specific: []field{
		{"permissionDecision", permissionKind},
		{"permissionDecisionReason", textKind},
		{"updatedInput", objectKind},
	}},
	{event: "PostToolUse", specific: []field{{"additionalContext", textKind}}},
	{event: "PostToolUseFailure", specific: []field{{"additionalContext", textKind}}},
	{event: "Stop", top: []field{{"decision", blockKind}, {"reason", textKind}}},
	{event: "PreCompact", plain: true},
}

// checkAnswer reports why out is no valid answer to event. Nothing is always
// valid.
func checkAnswer(event string, out []byte) error {
	if len(out) == 0 {
		return nil
	}
	if len(out) >= claude.MaxAnswer {
		return fmt.Errorf("%w: %d bytes", errContract, len(out))
	}
	i := slices.IndexFunc(contract, func(r rule) bool { return r.event == event })
	if i < 0 {
		return fmt.Errorf("%w: %s takes none", errContract, event)
	}
	r := contract[i]
	text := bytes.TrimSpace(out)
	if r.plain {
		if len(text) == 0 || text[0] == '{' {
			return fmt.Errorf("%w: %s takes plain text", errContract, event)
		}
		return nil
	}
	var top map[string]any
	if err := json.Unmarshal(text, &top); err != nil || top == nil {
		return fmt.Errorf("%w: not a JSON object", errContract)
	}
	if hasNull(top) {
		return fmt.Errorf("%w: a null", errContract)
	}
	specific, found := top["hookSpecificOutput"]
	delete(top, "hookSpecificOutput")
	if err := checkFields(r.top, top); err != nil {
		return err
	}
	if !found {
		return nil
	}
	object, ok := specific.(map[string]any)
	if !ok || object["hookEventName"] != event {
		return fmt.Errorf("%w: hookEventName is not %s", errContract, event)
	}
	delete(object, "hookEventName")
	return checkFields(r.specific, object)
}

func checkFields(allowed []field, have map[string]any) error {
	for name, value := range have {
		i := slices.IndexFunc(allowed, func(f field) bool { return f.name == name })
		if i < 0 {
			return fmt.Errorf("%w: field %q", errContract, name)
		}
		text, isText := value.(string)
		_, isObject := value.(map[string]any)
		ok := false
		switch allowed[i].kind {
		case textKind:
			ok = isText
		case objectKind:
			ok = isObject
		case blockKind:
			ok = text == "block"
		case permissionKind:
			ok = text == "allow" || text == "deny" || text == "ask"
		}
		if !ok {
			return fmt.Errorf("%w: the value of %q", errContract, name)
		}
	}
	return nil
}

func hasNull(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case map[string]any:
		for _, e := range v {
			if hasNull(e) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, hasNull)
	}
	return false
}
