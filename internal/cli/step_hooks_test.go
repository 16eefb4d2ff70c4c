package cli

import (
	"bytes"
	"strings"
	"testing"
)

// writes counts the calls of Write.
type writes struct {
	bytes.Buffer
	n int
}

func (w *writes) Write(p []byte) (int, error) {
	w.n++
	return w.Buffer.Write(p)
}

// What a program says costs a write for what was read of it, and not one a line:
// the program waits for it, and its time is counted.
func TestHookOutput_SP6_linesTogether(t *testing.T) {
	t.Parallel()
	var to writes
	o := newHookOutput(&Env{Err: &to})
	for _, part := range []string{strings.Repeat("y\n", 1000) + "be", "gun\r\n", "\x1b[2Jend"} {
		if n, err := o.Write([]byte(part)); n != len(part) || err != nil {
			t.Fatal(n, err)
		}
	}
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
	if want := strings.Repeat("  | y\n", 1000) + "  | begun\n  | \\x1b[2Jend\n"; to.String() != want {
		t.Errorf("%q", to.String()[max(0, to.Len()-80):])
	}
	if to.n > 4 {
		t.Errorf("%d writes", to.n)
	}
}
