package operation

import (
	"fmt"
	"sync"

	"github.com/Masterminds/semver/v3"
)

// Format is the version of the format on disk that this program writes, of every
// record: see docs/reference/format.md.
const Format = "1.0.0"

// Readable is the range of formats that this program reads: a newer minor version
// only adds, and what has one is read, and not written again.
const Readable = "^" + Format

// readable is Readable, parsed where the first format is checked.
var readable = sync.OnceValues(func() (*semver.Constraints, error) { return semver.NewConstraint(Readable) })

// FormatError says that a record was written by a program with another format.
type FormatError struct{ Have string }

func (e *FormatError) Error() string {
	const most = 32
	have := e.Have
	if len(have) > most {
		have = have[:most]
	}
	text := fmt.Sprintf("it has format %q, this git-brew reads %s", have, Readable)
	if NewerFormat(e.Have) {
		text += "; install a newer git-brew"
	}
	return text
}

// CheckFormat refuses a format that this program can't read, with a *FormatError.
func CheckFormat(have string) error {
	allowed, err := readable()
	if err != nil {
		return err
	}
	if v, err := semver.StrictNewVersion(have); err != nil || !allowed.Check(v) {
		return &FormatError{Have: have}
	}
	return nil
}

// NewerFormat reports whether a format is newer than the one that is written here, by
// however little. What is no version is not.
func NewerFormat(have string) bool {
	if have == Format {
		return false
	}
	ours, err := semver.StrictNewVersion(Format)
	theirs, terr := semver.StrictNewVersion(have)
	return err == nil && terr == nil && theirs.GreaterThan(ours)
}
