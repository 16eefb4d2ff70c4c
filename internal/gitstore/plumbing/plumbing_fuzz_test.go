package plumbing

import (
	"bytes"
	"testing"
)

// A tree or commit that decodes encodes to what it was, and what a stranger
// sends never panics.
func FuzzDecodeTree(f *testing.F) {
	f.Add([]byte("100644 a\x00" + string(make([]byte, 20))))
	f.Add([]byte("40000 d\x00aaaaaaaaaaaaaaaaaaaa100644 e\x00aaaaaaaaaaaaaaaaaaaa"))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := DecodeTree(data)
		if err != nil {
			return
		}
		// Old tools wrote modes with leading zeros, which are not kept.
		if again := EncodeTree(entries); len(again) >= len(data) && !bytes.Equal(again, data) {
			t.Errorf("%q became %q", data, again)
		}
	})
}

func FuzzDecodeCommit(f *testing.F) {
	f.Add([]byte("tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor A <a@b> 1 +0100\ncommitter A <a@b> 1 -0030\n\n" +
		"hello\n"))
	f.Add([]byte("tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nparent x\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := DecodeCommit(data)
		if err != nil {
			return
		}
		again, err := EncodeCommit(c)
		if err != nil {
			return // names that git would clean to nothing, times before 1970
		}
		second, err := DecodeCommit(again)
		if err != nil || second.Tree != c.Tree || second.Message != c.Message || len(second.Parents) != len(c.Parents) {
			t.Errorf("%q became %q: %v", data, again, err)
		}
	})
}
