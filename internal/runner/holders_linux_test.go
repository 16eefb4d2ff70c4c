package runner_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/runner"
)

// BR-24: what holds the lock of a file, and whose keeper is gone, is ended; who only reads the file
// is not, nor is who is kept.
func TestEndHolders_BR24(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	plain, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	left, leftOver := beginHolder(t, file, "")
	reader, _ := beginHolder(t, plain, "")
	kept, _ := beginHolder(t, file, "; wait")
	_, _ = file.Close(), plain.Close()
	runner.EndHolders(path)
	if err := leftOver.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(leftOver); err != nil {
		t.Errorf("process %d is left: %v", left, err)
	}
	for what, pid := range map[string]int{"who reads it": reader, "who is kept": kept} {
		if err := syscall.Kill(pid, 0); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// beginHolder begins a program in a session of its own, whose first process ends at once, but for
// what it is to do then. open is at its end when the program is gone.
func beginHolder(t *testing.T, held *os.File, then string) (pid int, open *os.File) {
	t.Helper()
	open, end, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", "sleep 1000 >/dev/null & echo $!"+then)
	cmd.ExtraFiles, cmd.SysProcAttr = []*os.File{held, end}, &syscall.SysProcAttr{Setsid: true}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fscan(out, &pid); err != nil {
		t.Fatal(err)
	}
	_ = end.Close()
	if then == "" {
		_ = cmd.Wait()
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // who is left of the group
		_ = open.Close()
	})
	return pid, open
}
