package refs_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore/refs"
)

// What was written, and could not be brought to the disk, is not told as if it were
// not there.
func TestUpdateRefs_writtenAndNotSynced(t *testing.T) {
	t.Parallel()
	loop := filepath.Join(t.TempDir(), "loop")
	if err := os.Symlink(loop, loop); err != nil {
		t.Skip(err)
	}
	err := refs.Synced(loop)
	if err == nil || !strings.HasPrefix(err.Error(), "it was written, and may be lost if the machine stops now: ") ||
		!strings.Contains(err.Error(), syscall.ELOOP.Error()) {
		t.Errorf("%v", err)
	}
}
