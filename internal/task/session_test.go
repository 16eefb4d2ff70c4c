package task

import (
	"strings"
	"testing"
)

func TestSessionName_hostile(t *testing.T) {
	t.Parallel()
	for id, same := range map[string]bool{
		"00000000-0000-4000-8000-000000000001": true, "a.b_c-1": true, strings.Repeat("a", 128): true, "": true,
		"../../heads/main": false, "..": false, ".": false, "-rf": false, "a..b": false, "a.lock": false, "a.": false,
		"a/b": false, "a b": false, "a\x00": false, "a\nBrew-Op: x": false, "é": false, strings.Repeat("a", 129): false,
	} {
		got := SessionName(id)
		if (got == id) != same || (id != "" && !safeSession(got)) || SessionName(got) != got {
			t.Errorf("%q -> %q", id, got)
		}
	}
	if SessionName("a/b") == SessionName("a/c") {
		t.Error("two sessions share a name")
	}
}

func TestShortSession_wholeCharacters(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		"": "", "one": "one", "7f3a9c01-aaaa": "7f3a9c01",
		"ééééééééé": "éééééééé",
	} {
		if got := ShortSession(id); got != want {
			t.Errorf("%q -> %q, want %q", id, got, want)
		}
	}
}
