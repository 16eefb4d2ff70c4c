//go:build unix

package event

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe in place of the journal is waited for by nobody.
func TestJournal_S25_pipe(t *testing.T) {
	t.Parallel()
	for _, name := range []string{journalName, sealingName} {
		j := Journal{Dir: t.TempDir()}
		if err := syscall.Mkfifo(filepath.Join(j.Dir, name), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := j.Pending(); err == nil || !strings.Contains(err.Error(), name+" is no regular file") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
