package journal

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// What is stored here is written into git, and may be shared: so each text that an
// operation carries is looked through for secrets, in one place. What people say (a
// reason, a remark) is stored without them; a title, a criterion, a command, a
// document and a setting would not be what was meant without, and is refused.

type screening int

const (
	asItIs screening = iota // names, ids, and what is no text
	takenOut
	turnedDown
)

func screeningOf(kind operation.Kind, field string) screening {
	switch kind {
	case task.OpPhaseVerify, task.OpUndo, task.OpUndoOpen, task.OpLockLost:
		return asItIs // what they name is stored already
	case task.OpDecisionAdd:
		if slices.Contains([]string{"title", "why", "what"}, field) {
			return takenOut
		}
	}
	switch field {
	case "reason", "text", "txt", "src", "why", "detail":
		return takenOut
	case "title", "acceptance", "add_acceptance", "verification", "add_verification", "values":
		return turnedDown // values are a setting's
	}
	return asItIs
}

// Screen looks through the payload of an operation that is made here. It is the
// ledger's: no operation is made past it.
func (s *Journal) Screen(kind operation.Kind, payload json.RawMessage) (json.RawMessage, error) {
	var fields any
	d := json.NewDecoder(strings.NewReader(string(payload)))
	d.UseNumber()
	if err := d.Decode(&fields); err != nil {
		return nil, err
	}
	screened, changed, err := s.screenValue(kind, "", fields)
	if err != nil || !changed {
		return payload, err
	}
	return json.Marshal(screened)
}

// screenValue is screen of a part of a payload, in a field.
func (s *Journal) screenValue(kind operation.Kind, field string, v any) (_ any, changed bool, err error) {
	part := func(field string, v any) (any, error) {
		screened, did, err := s.screenValue(kind, field, v)
		changed = changed || did
		return screened, err
	}
	switch v := v.(type) {
	case map[string]any:
		for name := range v {
			if v[name], err = part(name, v[name]); err != nil {
				return v, changed, err
			}
		}
	case []any:
		for i := range v {
			if v[i], err = part(field, v[i]); err != nil {
				return v, changed, err
			}
		}
	case string:
		switch screeningOf(kind, field) {
		case takenOut:
			without := s.WithoutSecrets(field, v)
			return without, without != v, nil
		case turnedDown:
			return v, false, s.RefuseSecrets(strings.TrimPrefix(field, "add_"), v, nil)
		case asItIs:
		}
	}
	return v, changed, nil
}

// WithoutSecrets takes out of a text what looks like a secret, and notes in what.
func (s *Journal) WithoutSecrets(what, text string) string {
	if s.Clone.Caller.AllowSecret && !s.Clone.Caller.Agent() {
		return text
	}
	without := s.secrets.Text(text)
	if without != text && !slices.Contains(s.tookOut, what) {
		s.tookOut = append(s.tookOut, what)
	}
	return without
}

// RefuseSecrets refuses a text that holds what looks like a secret, but for one that
// it had before.
func (s *Journal) RefuseSecrets(what, text string, had func() string) error {
	for _, found := range s.secrets.Secrets(text) {
		if had != nil && strings.Contains(had(), found.Text) {
			continue
		}
		if s.Clone.Caller.AllowSecret && !s.Clone.Caller.Agent() {
			return nil
		}
		where := what
		if strings.Contains(text, "\n") {
			where = fmt.Sprintf("%s, line %d", what, found.Line)
		}
		hint := "put a placeholder such as <password> in its place, or store it as it is with --allow-secret"
		if s.Clone.Caller.Agent() {
			hint = "put a placeholder such as <password> in its place; only the user may store it as it is, with --allow-secret"
		}
		return clone.Refuse(hint, "%s: this looks like a secret (%s), and what is stored may be shared", where, found.Kind)
	}
	return nil
}

// TookOut names the texts that what looked like a secret was taken out of.
func (s *Journal) TookOut() []string { return s.tookOut }
