package cli

import (
	"strings"
	"testing"
)

func TestOneLine(t *testing.T) {
	const id = "0123456789abcdef0123456789abcdef01234567"
	for in, want := range map[string]string{
		"error: these would be overwritten:\n\ta\n\tb\nPlease commit them.\nAborting\n": "error: these would be " +
			"overwritten: a; b; Please commit them. Aborting",
		"one\ntwo":                    "one; two",
		"object " + id + ": at " + id: "object 0123456: at 0123456",
		id + "a":                      id + "a", // longer than an id
		strings.Repeat("e", 64) + "!": "eeeeeee!",
		"deface":                      "deface",
		"":                            "",
	} {
		if got := OneLine(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
