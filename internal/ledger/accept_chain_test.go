package ledger

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// filesAt makes a commit of files on parents.
func (r *rig) filesAt(files map[string]string, parents ...gitstore.OID) gitstore.OID {
	r.T.Helper()
	var made gitstore.OID
	r.change(func(ctx context.Context, tx *Tx) error {
		blobs := map[string]gitstore.OID{}
		for path, text := range files {
			blobs[path] = tx.Blob([]byte(text))
		}
		tree, err := tx.w.Files(blobs)
		if err != nil {
			return err
		}
		if made, err = tx.Stage(ctx, tree, "files\n", parents...); err != nil {
			return err
		}
		return tx.Move(ctx, prefix+"by-hand", made)
	})
	return made
}

func readFence(file []byte) (fence uint64, err error) {
	if _, err := fmt.Sscanf(string(file), "fence %d\n", &fence); err != nil {
		return 0, fmt.Errorf("no lock: %w", err)
	}
	return fence, nil
}

func TestAcceptLock(t *testing.T) {
	r := newRig(t)
	lock := func(fence uint64, parents ...gitstore.OID) gitstore.OID {
		return r.filesAt(map[string]string{LockFile: fmt.Sprintf("fence %d\n", fence)}, parents...)
	}
	one := lock(1)
	two := lock(2, lock(1, one))
	apart := lock(7)
	broken := r.filesAt(map[string]string{LockFile: "odd"}, one)
	const ofTask = 1 << 30
	for _, row := range []struct {
		name         string
		ours, theirs gitstore.OID
		want         string
	}{
		{"new", gitstore.OID{}, two, ""},
		{"on top of ours", one, two, ""},
		{"claimed apart", one, apart, ""},
		{"on top of one of ours that can't be read", broken, lock(3, broken), ""},
		{"no lock", one, broken, "lock.json: no lock"},
		{"one below the tip that is none", one, lock(3, broken), ""},
		{
			"a fence that fell below one that is none", lock(5, one),
			lock(3, r.filesAt(map[string]string{LockFile: "odd"}, lock(5, one))), "its fence fell from 5 to 3",
		},
		{
			"another file below the tip", one, lock(3, r.filesAt(map[string]string{"x": "x"}, one)),
			"x: no such file belongs there",
		},
		{"a fence that falls", two, lock(1, two), "its fence fell from 2 to 1"},
		{"one that fell below the tip", one, lock(3, lock(1, two)), "its fence fell from 2 to 1"},
		{"a fence that leaps", one, lock(1<<53-1, one), "its fence leapt from 1 to 9007199254740991"},
		{"one that begins there", gitstore.OID{}, lock(1 << 53), "its fence leapt"},
		{"one above the task's", one, lock(2, lock(ofTask+1, one)), "its fence fell"},
		{"one that stays above the task's", one, lock(ofTask+1, lock(ofTask+1, one)), ""},
		{"one far above the task's", one, lock(ofTask+2<<20, one), "its fence leapt"},
		{
			"another file", one, r.filesAt(map[string]string{LockFile: "fence 2\n", "x": "x"}, one),
			"x: no such file belongs there",
		},
		{"no file", one, r.filesAt(nil, one), "it has no lock.json"},
		{
			"a large one", one, r.filesAt(map[string]string{LockFile: "fence 2\n" + strings.Repeat(" ", maxLock)}, one),
			"at most 16384",
		},
		{"a merge", one, lock(3, one, apart), "it has 2 parents, at most 1"},
	} {
		err := r.l.AcceptLock(context.Background(), row.ours, row.theirs, readFence,
			func(context.Context) uint64 { return ofTask })
		if (row.want == "") != (err == nil) ||
			err != nil && (!strings.Contains(err.Error(), row.want) || !strings.HasPrefix(err.Error(), "commit ")) {
			t.Errorf("%s: %v, want %q", row.name, err, row.want)
		}
	}
}

func TestAcceptChain(t *testing.T) {
	r := newRig(t)
	limit := func(path string) int64 {
		if strings.HasPrefix(path, "sessions/") {
			return 10
		}
		return -1
	}
	good := r.filesAt(map[string]string{"sessions/x": "0123456789"})
	for name, row := range map[string]struct {
		tip  gitstore.OID
		want string
	}{
		"good": {r.filesAt(map[string]string{"sessions/x": "0123456789", "sessions/y/z": "1"}, good), ""},
		"large": {
			r.filesAt(map[string]string{"sessions/x": "0123456789a"}, good),
			"sessions/x: 11 bytes, at most 10",
		},
		"somewhere else": {r.filesAt(map[string]string{"x": "1"}, good), "x: no such file belongs there"},
		"a merge":        {r.filesAt(map[string]string{"sessions/x": "1"}, good, r.filesAt(nil)), "it has 2 parents"},
	} {
		err := r.l.AcceptChain(context.Background(), good, row.tip, 1, limit, nil)
		if (row.want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %q", name, err, row.want)
		}
	}
}
