//go:build unix

package gitcmd

import (
	"bufio"
	"os"
	"os/exec"
	"testing"
)

// What a process started, and what that did, is ended with it, also where there is
// no ps.
func TestEndAll(t *testing.T) {
	for _, path := range []string{os.Getenv("PATH"), t.TempDir()} {
		cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", "(sleep 1000 & echo; wait) & wait")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		line := bufio.NewReader(out)
		if _, err := line.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", path)
		if processTable() == "" {
			t.Skip("this system has neither ps nor /proc")
		}
		if err := EndTree(cmd.Process); err != nil {
			t.Error(err)
		}
		_, _ = line.ReadString('\n') // until the last one that could write is gone
		_ = cmd.Wait()               // it was ended
	}
}
