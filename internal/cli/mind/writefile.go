package mind

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
)

// writeFile puts a text into a file, whole or not at all: it is written aside
// and renamed. A link is followed; what is no plain file, such as a pipe, is
// written to as it is.
func writeFile(path string, text []byte) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	old, err := os.Stat(path)
	if err == nil && !old.Mode().IsRegular() {
		return os.WriteFile(path, text, 0o666)
	}
	mode := fs.FileMode(0o666)
	if old != nil {
		mode = old.Mode().Perm()
	}
	if err = gitfile.ReplaceFile(path, text, mode, old != nil); err != nil {
		if inner, ok := errors.AsType[*fs.PathError](err); ok {
			err = inner.Err // the name is one that nobody knows
		}
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
