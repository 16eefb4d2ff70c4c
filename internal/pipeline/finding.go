package pipeline

import (
	"fmt"
	"strings"
)

// Level says how bad a finding is.
type Level string

// The levels. With an error the document can't be used; a warning says that
// something is probably not what was meant; a note, that something is unusual.
const (
	LevelError   Level = "error"
	LevelWarning Level = "warning"
	LevelNote    Level = "note"
)

// Finding is one thing that was found in a document.
type Finding struct {
	Level Level `json:"level"`
	// Line counts from 1; 0: it is about the document as a whole.
	Line int `json:"line,omitempty"`
	// Place is the way to it, as pipelines.main[2].workflow; "": the whole.
	Place string `json:"place,omitempty"`
	Text  string `json:"text"`
}

// String is the finding in one line, without its level.
func (f Finding) String() string {
	var where []string
	if f.Line > 0 {
		where = append(where, fmt.Sprintf("line %d", f.Line))
	}
	if f.Place != "" {
		where = append(where, f.Place)
	}
	if len(where) == 0 {
		return f.Text
	}
	return strings.Join(where, ", ") + ": " + f.Text
}

// Errors are the findings with which a document can't be used.
func Errors(all []Finding) []Finding {
	var bad []Finding
	for _, f := range all {
		if f.Level == LevelError {
			bad = append(bad, f)
		}
	}
	return bad
}
