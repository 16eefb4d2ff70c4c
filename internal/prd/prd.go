// Package prd reads and writes lists of stories in Brigade's JSON, and says what is
// wrong with one before anybody works by it. It knows no task and no file.
package prd

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// PRD is a feature, and the stories that make it.
type PRD struct {
	FeatureName string `json:"featureName"`
	BranchName  string `json:"branchName,omitempty"`
	Description string `json:"description,omitempty"`
	CreatedAt   string `json:"createdAt,omitempty"`
	// Walkaway: nobody watches the work, so nothing may wait for a person.
	Walkaway bool    `json:"walkaway,omitempty"`
	Stories  []Story `json:"tasks"`

	// unknown are fields of the file that mean nothing here, by their paths, mistyped those
	// that are of another type than they are to be.
	unknown  []string
	mistyped []Finding
}

// Story is one piece of work, with what shows that it is done.
type Story struct {
	ID          string   `json:"id"`
	Title       string   `json:"title"`
	Description string   `json:"description,omitempty"`
	Acceptance  []string `json:"acceptanceCriteria"`
	Checks      []Check  `json:"verification"`
	// Manual: a person looks at the result, whatever the checks say.
	Manual    bool     `json:"manualVerification,omitempty"`
	DependsOn []string `json:"dependsOn"`
	// Complexity is junior, senior, executive or auto, in any case of its letters; "" is auto.
	Complexity string `json:"complexity,omitempty"`
	Passes     bool   `json:"passes"`
}

// Check is a command that verifies a story. In JSON it is a text alone, or an object that
// says of which kind it is.
type Check struct {
	// Kind is pattern, unit, integration or smoke; "" where the file does not say.
	Kind    string
	Command string
}

// UnmarshalJSON is json.Unmarshaler's.
func (c *Check) UnmarshalJSON(data []byte) error {
	*c = Check{}
	if json.Unmarshal(data, &c.Command) == nil {
		return nil
	}
	typed := struct{ Type, Cmd string }{}
	if err := json.Unmarshal(data, &typed); err != nil {
		return errors.New("a verification is a command, or an object with type and cmd")
	}
	c.Kind, c.Command = typed.Type, typed.Cmd
	return nil
}

// MarshalJSON is json.Marshaler's.
func (c Check) MarshalJSON() ([]byte, error) {
	if c.Kind == "" {
		return encode(c.Command)
	}
	return encode(struct {
		Type string `json:"type"`
		Cmd  string `json:"cmd"`
	}{c.Kind, c.Command})
}

// encode is json.MarshalIndent that leaves a command's signs as they are.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	to := json.NewEncoder(&b)
	to.SetEscapeHTML(false)
	to.SetIndent("", "  ")
	err := to.Encode(v)
	return b.Bytes(), err
}

// Decode reads a PRD. The error says that it is none at all; what is wrong with it is
// Validate's to find.
func Decode(data []byte) (PRD, error) {
	var p PRD
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // some editors begin with it
	file := struct {
		*PRD
		Stories []json.RawMessage `json:"tasks"`
	}{PRD: &p}
	d := decoder{}
	d.fields("", data, &file)
	p.unknown = unknown("", data, "featureName", "branchName", "description", "createdAt", "walkaway", "tasks")
	for i, raw := range file.Stories {
		at := fmt.Sprintf("tasks[%d]", i)
		s := Story{}
		story := struct {
			*Story
			Checks []json.RawMessage `json:"verification"`
		}{Story: &s}
		d.fields(at, raw, &story)
		p.unknown = append(p.unknown, unknown(at+".", raw, "id", "title", "description", "acceptanceCriteria",
			"verification", "manualVerification", "dependsOn", "complexity", "passes")...)
		for j, raw := range story.Checks {
			var c Check
			place := fmt.Sprintf("%s.verification[%d]", at, j)
			d.read(place, raw, &c)
			s.Checks, p.unknown = append(s.Checks, c), append(p.unknown, unknown(place+".", raw, "type", "cmd")...)
		}
		p.Stories = append(p.Stories, s)
	}
	if d.err != nil {
		return p, d.err
	}
	p.mistyped = d.wrong
	return p, nil
}

// decoder reads the parts of a PRD, and goes on behind what is none. err is why nothing of it can
// be read.
type decoder struct {
	wrong []Finding
	err   error
}

// fields reads the object that stands at a place, each field of it by itself: json tells the first
// that is of another type alone.
func (d *decoder) fields(at string, data []byte, into any) {
	var have map[string]json.RawMessage
	if json.Unmarshal(data, &have) != nil {
		d.read(at, data, into)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(have)) {
		one, err := json.Marshal(map[string]json.RawMessage{name: have[name]})
		if err == nil { // it never fails: it was read
			d.read(at, one, into)
		}
	}
}

// read reads the part of a file that stands at a place.
func (d *decoder) read(at string, data []byte, into any) {
	err := json.Unmarshal(data, into)
	if err == nil {
		return
	}
	if syntax, is := errors.AsType[*json.SyntaxError](err); is { // of the file: what is in it was read with it
		before := data[:min(int64(len(data)), syntax.Offset)]
		d.err = fmt.Errorf("line %d: it is no JSON", 1+bytes.Count(before, []byte("\n")))
		return
	}
	if kind, is := errors.AsType[*json.UnmarshalTypeError](err); is {
		have, _, _ := strings.Cut(kind.Value, " ")
		if field := kind.Field[strings.LastIndexByte(kind.Field, '.')+1:]; field != "" {
			at = strings.TrimPrefix(at+"."+field, ".")
		}
		err = fmt.Errorf("%s, not %s", wantedAs(kind.Type), have)
	}
	if at == "" { // no field
		d.err = err
		return
	}
	d.wrong = append(d.wrong, Finding{Path: at, Text: err.Error()})
}

// wantedAs says what is wanted where something of a type stands.
func wantedAs(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice:
		return "it is to be an array"
	case reflect.String:
		return "it is to be a string"
	case reflect.Bool:
		return "it is to be true or false"
	default:
		return "it is to be an object"
	}
}

// unknown are the fields of an object that stands at a place and that no field here is called, in
// any case of their letters.
func unknown(at string, data []byte, known ...string) (all []string) {
	var have map[string]json.RawMessage
	_ = json.Unmarshal(data, &have) // what is none has none
	for _, name := range slices.Sorted(maps.Keys(have)) {
		if !slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, name) }) {
			all = append(all, at+name)
		}
	}
	return all
}

// Encode writes a PRD as Brigade does, two blanks a level.
func Encode(p PRD) ([]byte, error) {
	for i := range p.Stories {
		s := &p.Stories[i]
		s.Acceptance, s.DependsOn = append([]string{}, s.Acceptance...), append([]string{}, s.DependsOn...)
		s.Checks = append([]Check{}, s.Checks...)
	}
	return encode(p)
}
