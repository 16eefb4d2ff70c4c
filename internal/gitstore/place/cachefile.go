package place

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
)

// Tries is how often a file is made in a directory that git gc removes while it is empty.
const Tries = 10

// TempSuffix ends the names that TempFile gives.
const TempSuffix = ".tmp"

// TempFile makes a file with a name of its own in a directory below CommonDir,
// which is made where it is missing: for whoever writes a file aside and then
// renames it. Its permissions are those of git's own files here.
func (r *Place) TempFile(dir, prefix string) (*os.File, error) {
	name := filepath.Join(dir, prefix+strconv.FormatUint(rand.Uint64(), 36)+TempSuffix)
	const how = os.O_RDWR | os.O_CREATE | os.O_EXCL
	file, err := os.OpenFile(name, how, 0o666)
	if errors.Is(err, fs.ErrNotExist) {
		if err = r.MakeDir(dir); err == nil {
			file, err = os.OpenFile(name, how, 0o666)
		}
	}
	if err != nil {
		return nil, err
	}
	_ = r.Share(file) // it is ours; where that fails, others do without it
	return file, nil
}

// WriteCache makes data the content of a file in CacheDir, all at once: whoever
// reads it sees what was there before or all of this. It is not synced to the
// disk: it is for what can be rebuilt.
func (r *Place) WriteCache(name string, data []byte) error {
	temp, err := r.TempFile(r.CacheDir(), name+"-")
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := gitfile.PutFile(temp, filepath.Join(r.CacheDir(), name), data); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}
