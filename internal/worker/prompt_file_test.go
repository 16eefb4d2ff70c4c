package worker

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A prompt takes the place of a link that somebody put there.
func TestWriteAnew_noLink(t *testing.T) {
	dir := t.TempDir()
	mine, name := filepath.Join(dir, "mine"), filepath.Join(dir, "prompt")
	if err := os.WriteFile(mine, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(mine, name); err != nil {
		t.Skip(err)
	}
	if err := writeAnew(name, []byte("prompt")); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(mine); string(data) != "mine" {
		t.Errorf("it was written through the link: %q", data)
	}
}

// The name of an event is short, whatever a client calls it.
func TestStream_nameIsCut(t *testing.T) {
	s := NewStream("claude")
	_, _ = s.Write([]byte(`{"type":"` + strings.Repeat("x", 1<<20) + `"}` + "\n"))
	if n := len([]rune(s.Report().Last)); n > maxName {
		t.Errorf("it has %d characters", n)
	}
}
