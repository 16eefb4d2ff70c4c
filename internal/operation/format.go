package operation

import (
	"fmt"

	"github.com/git-brew/git-brew/internal/version"
)

// Format is the version of the format on disk that this program writes, of every
// record: see docs/reference/format.md.
const Format = "1.0.0"

// Readable is the range of formats that this program reads: a newer minor version
// only adds, and what has one is read, and not written again.
const Readable = "^" + Format

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
	if have == Format {
		return nil
	}
	allowed, ok := version.ParseRange(Readable)
	if v, whole := parseFormat(have); !ok || !whole || !allowed.Has(v) {
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
	ours, _ := version.Parse(Format)
	theirs, whole := parseFormat(have)
	return whole && theirs.Newer(ours)
}

// parseFormat reads a format, which has all three numbers.
func parseFormat(text string) (v version.Version, whole bool) {
	v, ok := version.Parse(text)
	return v, ok && v.Given == len(v.Numbers) && text[0] != 'v'
}
