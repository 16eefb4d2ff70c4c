//go:build !linux

package gitstore_test

import (
	"os/exec"
	"testing"
)

// killAtEachStep needs Linux's process tracing; elsewhere the test is skipped.
func killAtEachStep(t testing.TB, _ int, _ func() *exec.Cmd, _ func(step int, killed bool)) int {
	t.Helper()
	t.Skip("process tracing is only built for Linux")
	return 0
}
