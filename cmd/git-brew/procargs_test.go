package main

import (
	"encoding/binary"
	"os"
	"runtime"
	"slices"
	"testing"
)

func TestEnvironOf(t *testing.T) {
	args := func(count uint32, text string) []byte {
		return append(binary.NativeEndian.AppendUint32(nil, count), text...)
	}
	for _, c := range []struct {
		args []byte
		want []string
	}{
		{args(2, "/bin/sh\x00\x00\x00\x00sh\x00-c\x00A=1\x00CLAUDECODE=1\x00\x00"), []string{"A=1", "CLAUDECODE=1", "", ""}},
		{args(2, "/bin/sh\x00sh\x00\x00A=1\x00"), []string{"A=1", ""}},
		{args(1, "/bin/sh\x00sh\x00"), []string{""}}, // a program that is protected
		{args(4_000_000_000, "/bin/sh\x00sh\x00A=1\x00"), nil},
		{args(1, ""), nil},
		{[]byte{1, 0}, nil},
		{nil, nil},
	} {
		if got := environOf(c.args); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.args, got, c.want)
		}
	}
}

// TestProcessOf: the system tells of this process what we know of it.
func TestProcessOf(t *testing.T) {
	p, found := processOf(os.Getpid())
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("the environment alone tells here")
	}
	if !found || p.Parent != os.Getppid() || p.Name == "" || !slices.Contains(p.Environ, "HOME="+os.Getenv("HOME")) {
		t.Errorf("%v, %+v", found, p)
	}
}
