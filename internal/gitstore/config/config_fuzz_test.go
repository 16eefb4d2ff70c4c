package config

import (
	"strings"
	"testing"
)

func FuzzParseList(f *testing.F) {
	f.Add("file:.git/config\x00a.b\nc\x00")
	f.Add("command line:\x00a.b\x00")
	f.Fuzz(func(t *testing.T, list string) {
		if settings, _, err := parseList(list); err == nil && 2*len(settings) != strings.Count(list, "\x00") {
			t.Errorf("%q gave %v", list, settings)
		}
	})
}
