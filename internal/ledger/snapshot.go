package ledger

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// snapshotVersion changes with the form or the meaning of what is cached: the
// snapshots of another version are not believed.
const snapshotVersion = 1

// Brief returns the brief state of the record at ref, from its snapshot where
// that was made from the tip that the ref has now, else from build, whose
// answer becomes the snapshot. The tip is zero, and the state T's zero value,
// where there is no such ref.
func Brief[T any](ctx context.Context, l *Ledger, ref gitstore.RefName, build func(ctx context.Context, tip gitstore.OID) (T, error)) (T, gitstore.OID, error) {
	var brief T
	tip, err := l.Tip(ctx, ref)
	if err != nil || tip.IsZero() {
		return brief, tip, err
	}
	if data, ok := l.snapshot(ref, tip); ok && json.Unmarshal(data, &brief) == nil {
		return brief, tip, nil
	}
	brief, err = build(ctx, tip)
	if err != nil {
		return brief, tip, err
	}
	l.Store(ref, tip, brief)
	return brief, tip, nil
}

// snapshot returns what is cached for the ref at tip. A file that is cut short,
// garbled, of another version or of another tip is no snapshot.
func (l *Ledger) snapshot(ref gitstore.RefName, tip gitstore.OID) ([]byte, bool) {
	data, err := os.ReadFile(l.snapshotPath(ref))
	if err != nil {
		return nil, false
	}
	head, body, ok := bytes.Cut(data, []byte("\n"))
	if !ok || string(head) != header(tip, body) {
		return nil, false
	}
	return body, true
}

// Store writes a snapshot. It is a cache: a failure costs the next reader a
// millisecond and is not reported.
func (l *Ledger) Store(ref gitstore.RefName, tip gitstore.OID, brief any) {
	body, err := json.Marshal(brief)
	if err != nil {
		return
	}
	path := l.snapshotPath(ref)
	tmp, err := os.CreateTemp(filepath.Dir(path), "tmp-*")
	if err != nil {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return
		}
		if tmp, err = os.CreateTemp(filepath.Dir(path), "tmp-*"); err != nil {
			return
		}
	}
	_, err = tmp.WriteString(header(tip, body) + "\n" + string(body))
	if cerr := tmp.Close(); err != nil || cerr != nil || os.Rename(tmp.Name(), path) != nil {
		_ = os.Remove(tmp.Name())
	}
}

func header(tip gitstore.OID, body []byte) string {
	return fmt.Sprintf("snapshot %d %s %d %08x", snapshotVersion, tip, len(body), crc32.ChecksumIEEE(body))
}

func (l *Ledger) snapshotPath(ref gitstore.RefName) string {
	name := strings.ReplaceAll(strings.TrimPrefix(string(ref), prefix), "/", "+")
	return filepath.Join(l.repo.CacheDir(), "snapshots", name)
}
