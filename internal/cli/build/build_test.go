package build

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Two builds of one size, in files of one time, as stores of packages give them.
func TestProgram_tellsBuildsApart(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "program")
	word := func(text string) string {
		t.Helper()
		_ = os.Remove(path)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Unix(1, 0), time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(30 * time.Millisecond) // longer than a kernel's tick
		return wordOf(path)
	}
	if a, b := word("a"), word("b"); a == b || a == "" {
		t.Errorf("both are %q", a)
	}
	if a := Program(); a == "" || a != Program() {
		t.Errorf("this program is %q", a)
	}
}
