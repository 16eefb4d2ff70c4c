package operation

import (
	"errors"
	"strings"
	"testing"
)

// S-45: a newer minor version is read, and known to be newer; another major one, an
// unfinished one and what is no version are refused.
func TestCheckFormat_S45(t *testing.T) {
	for have, want := range map[string]struct{ read, newer bool }{
		Format: {true, false}, "1.0.1": {true, true}, "1.99.0": {true, true}, "1.2.0+build": {true, true},
		"2.0.0": {false, true}, "0.9.0": {false, false}, "1.1.0-rc.1": {false, true}, "1.0.0-rc.1": {false, false},
		"": {}, "1": {}, "1.2": {}, "v1.0.0": {}, "01.0.0": {}, "1.0.x": {}, "latest": {}, " 1.0.0": {},
	} {
		err := CheckFormat(have)
		if (err == nil) != want.read || NewerFormat(have) != want.newer {
			t.Errorf("%q: read %v, newer %t", have, err, NewerFormat(have))
		}
		if refused, is := errors.AsType[*FormatError](err); !want.read && (!is || refused.Have != have) {
			t.Errorf("%q: %v", have, err)
		}
	}
	if text := (&FormatError{Have: strings.Repeat("9", 1000)}).Error(); len(text) > 200 {
		t.Errorf("%d bytes: %s", len(text), text)
	}
}
