//go:build !linux

package gitstoretest

import (
	"os/exec"
	"testing"
)

// KillAtEachStep needs Linux's process tracing; elsewhere the test is skipped.
func KillAtEachStep(t testing.TB, _ int, _ func() *exec.Cmd, _ func(step int, killed bool)) int {
	t.Helper()
	t.Skip("process tracing is only built for Linux")
	return 0
}
