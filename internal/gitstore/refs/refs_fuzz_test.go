package refs

import (
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

func FuzzParseRef(f *testing.F) {
	f.Add([]byte("ref: refs/heads/main\n"))
	f.Add([]byte("4b825dc642cb6eb9a060e54bf8d69288fbee4904\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		id, target, err := parseRef("refs/x/y", data)
		if err == nil && id.IsZero() == (target == "") {
			t.Errorf("%q is neither an id nor a target: %s %q", data, id, target)
		}
		if err == nil && target != "" && plumbing.RefNameFault(string(target)) != "" {
			t.Errorf("target %q", target)
		}
	})
}
