package ledger

import (
	"encoding/json"
	"fmt"

	"golang.org/x/mod/semver"
)

// Supported is the range of format versions that this program reads: a newer
// minor version only adds.
const Supported = "^1.0.0"

// format is the version that states are written in: a test holds it to those
// of the packages that write them.
const format = "1.2.0"

// newerFormat is the error for a state's file in a format that is newer than
// ours, by however little: nil where it is not.
func newerFormat(file []byte) error {
	var state struct {
		Schema string `json:"schema"`
	}
	_ = json.Unmarshal(file, &state) // what is no state has no format
	if v, ok := whole(state.Schema); !ok || semver.Compare(v, "v"+format) <= 0 {
		return nil
	}
	if err := CheckSchema(state.Schema); err != nil {
		return err
	}
	return fmt.Errorf("it has format %q, this git-brew writes %s: %w", state.Schema, format, ErrUnknownLaw)
}

// SchemaError: a record was written by a program with a newer format.
type SchemaError struct{ Have string }

func (e *SchemaError) Error() string {
	return fmt.Sprintf("it has format %q, this git-brew reads %s; install a newer git-brew", e.Have, Supported)
}

// CheckSchema refuses a format version that this program can't read.
func CheckSchema(have string) error {
	v, ok := whole(have)
	if !ok || semver.Prerelease(v) != "" || semver.Major(v) != semver.Major("v"+format) {
		return &SchemaError{Have: have}
	}
	return nil
}

// whole is a version as package semver has it, where it is one with all of its
// three numbers.
func whole(text string) (string, bool) {
	v := "v" + text
	return v, semver.IsValid(v) && semver.Canonical(v)+semver.Build(v) == v
}
