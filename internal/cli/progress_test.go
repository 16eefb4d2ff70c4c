package cli

import (
	"bytes"
	"testing"
)

// Whoever sits at a terminal sees which remote is waited for, and nothing of it
// stays; elsewhere it is never written.
func TestAsking_onATerminalOnly(t *testing.T) {
	for _, c := range []struct {
		name     string
		terminal bool
		remote   string
		want     string
	}{
		{"terminal", true, "origin", "\rasking origin …\x1b[K\r\x1b[K"},
		{"a hostile name", true, "or\x1bigin", "\rasking or\\x1bigin …\x1b[K\r\x1b[K"},
		{"no terminal", false, "origin", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var errs bytes.Buffer
			e := &Env{Err: &errs, ErrTerminal: c.terminal, Getenv: func(string) string { return "" }}
			e.waiting("asking " + c.remote)()
			if got := errs.String(); got != c.want {
				t.Errorf("wrote %q, want %q", got, c.want)
			}
		})
	}
}
