//go:build unix

package build

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Two builds of one size, in files of one time, as stores of packages give them.
func TestProgramFile_tellsBuildsApart(t *testing.T) {
	t.Parallel()
	word := func(name string) string {
		t.Helper()
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Unix(1, 0), time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
		var st unix.Stat_t
		if err := unix.Stat(path, &st); err != nil {
			t.Fatal(err)
		}
		return fileWord(&st)
	}
	if a, b := word("a"), word("b"); a == b {
		t.Errorf("both are %s", a)
	}
	if a := programFile(); a == "" || a != programFile() {
		t.Errorf("this program is %q", a)
	}
}
