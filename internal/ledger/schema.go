package ledger

import (
	"fmt"

	"github.com/Masterminds/semver/v3"
)

// Supported is the range of format versions that this program reads: a newer
// minor version only adds.
const Supported = "^1.0.0"

// SchemaError: a record was written by a program with a newer format.
type SchemaError struct{ Have string }

func (e *SchemaError) Error() string {
	return fmt.Sprintf("it has format %q, this git-brew reads %s; install a newer git-brew", e.Have, Supported)
}

// CheckSchema refuses a format version that this program can't read.
func CheckSchema(have string) error {
	v, err := semver.StrictNewVersion(have)
	if err != nil {
		return &SchemaError{Have: have}
	}
	want, err := semver.NewConstraint(Supported)
	if err != nil || !want.Check(v) {
		return &SchemaError{Have: have}
	}
	return nil
}
